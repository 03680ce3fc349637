"""The files of the source document as they stand there, faults and all."""

from __future__ import annotations

PLAN = """\
name: "Bootstrap monorepo"
steps:
  - name: Init repo
    run: ["git init", "npm init -y"]
  - name: Add workspaces
    run:
      - npx @radzion/workspace init # example; replace with your script
  - name: Cursor: scaffold service
    cursor:
      - "cursor create service --name api --template express-ts"
  - name: Cursor: add tests
    cursor:
      - "cursor generate tests --target packages/api"
"""
DETECTORS = r"""{
  "question": [
    "^(Proceed|Continue)\\? \\[y/n\\]",
    "^Choose an option \\(\\d+-\\d+\\):",
    "\\?$"
  ],
  "awaitingInput": ["^Enter .*:", "^Provide .*:"],
  "completion": ["^All tasks complete\\.?$", "^✅ .* complete"]
}
"""
GOVERNING = """\
Role: Senior TS engineer.
Objective: Drive Cursor to build a monorepo web service with npm workspaces.
Style: Concise. Prefer TypeScript, strict mode, zod validation.
Constraints: Never delete files without explicit confirmation. Always write tests.
When unsure: ask for clarification in 1 short question.
"""
PATTERNS = {
    "question": [
        r"/\?\s*$/m",
        r"/^Confirm (yes\/no):/i",
        r"/^(Proceed|Continue)\? \[y\/n\]/i",
        r"/^Choose an option \(\d+-\d+\):/i",
    ],
    "awaitingInput": ["/^Enter file path:/i", "/^Provide a commit message:/i"],
    "completion": [r"/^All tasks (completed|done)\.?$/i", "/^✅ (Build|Refactor|Scaffold) complete/i"],
}
"""The patterns of its chapter on detection: the parentheses of `Confirm (yes/no):` are a group there."""
ASKS_FOR_ITS_COMMANDS = "You may run `git init`, `npm init -y` and `npx @radzion/workspace init`.\n"


def installed_workspace_tool(files: dict[str, str]) -> dict[str, str]:
    """`files` with the tool of the plan as npm would install it, so that npx fetches nothing."""
    folder = "node_modules/@radzion/workspace"
    return files | {
        f"{folder}/package.json": '{"name": "@radzion/workspace", "version": "1.0.0", "bin": "init.js"}\n',
        f"{folder}/init.js": "#!/usr/bin/env node\nrequire('fs').mkdirSync('packages/api', {recursive: true})\n",
    }
