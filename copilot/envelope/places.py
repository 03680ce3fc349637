"""Places by name: secrets that stay hidden, files of a project that stay as they are. Data, no code.

Names below the home folder or the project; a trailing `*` is a wildcard of one name. A name that does not
exist is passed over: a mount can only cover what is there.
"""

from __future__ import annotations

SECRETS = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".boto",
    ".oci",
    ".kube",
    ".docker",
    ".config/containers/auth.json",
    ".config/doctl",
    ".config/hcloud",
    ".config/fly",
    ".fly",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".terraform.d",
    ".terraformrc",
    ".vault-token",
    ".git-credentials",
    ".config/git/credentials",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings-security.xml",
    ".pgpass",
    ".my.cnf",
    ".config/rclone",
    ".s3cfg",
    ".password-store",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".config/1Password",
    ".config/op",
    ".config/Bitwarden*",
    ".config/keepassxc",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome*",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge*",
    ".config/vivaldi",
    ".config/opera",
    ".var/app",
    "snap/firefox",
    "snap/chromium",
    "*_history",
    ".local/share/fish/fish_history",
    ".config/fish/fish_variables",
    ".config/sops",
    ".config/age",
    ".age",
    ".electrum",
    ".bitcoin",
)
"""Below the home folder: unreadable. Of other users' folders the kernel's own rights decide."""

EMPTIED = (
    ".netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
)
"""The same, but shown as empty files: npm, curl and others stop at one that they cannot open."""

LOGINS = (
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".gemini/google_accounts.json",
    ".qwen/oauth_creds.json",
    ".copilot/config.json",
    ".local/share/opencode/auth.json",
    ".pi/agent/auth.json",
    ".config/crush",
    ".local/share/crush",
    ".config/cursor",
    ".cursor",
    ".aider.conf.yml",
    ".config/goose",
)
"""Keys of coding CLIs, below the home folder: unreadable, but for those that the profile names as its own."""

PINNED = (".git", ".git/modules", ".git/modules/*", ".git/worktrees", ".git/worktrees/*")
"""Folders of the project that cannot be moved aside, though what is in them may change."""

PROTECTED = (
    ".git/hooks",
    ".git/config",
    ".git/config.worktree",
    ".git/info/attributes",
    ".git/modules/*/hooks",
    ".git/modules/*/config",
    ".git/worktrees/*/config.worktree",
    ".github",
    ".gitlab-ci.yml",
    ".gitlab",
    ".circleci",
    ".buildkite",
    ".travis.yml",
    ".drone.yml",
    ".woodpecker",
    ".woodpecker.yml",
    ".azure-pipelines",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    ".gitmodules",
    ".pre-commit-config.yaml",
    ".husky",
    "lefthook.yml",
    ".envrc",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "GEMINI.md",
    "QWEN.md",
    ".claude",
    ".codex",
    ".gemini",
    ".qwen",
    ".opencode",
    "opencode.json",
    "opencode.jsonc",
    ".pi",
    ".cursor",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".aider.conf.yml",
    ".mcp.json",
    ".copilot",
    ".vscode",
    ".idea",
    ".devcontainer",
)
"""At the top of the project: read-only where they exist."""

TEMPORARY = ("/tmp", "/var/tmp")
RUNTIME = ("/run",)
KEPT_OF_RUNTIME = (
    "/run/systemd/resolve/resolv.conf",
    "/run/systemd/resolve/stub-resolv.conf",
    "/run/resolvconf/resolv.conf",
    "/run/NetworkManager/resolv.conf",
    "/run/NetworkManager/no-stub-resolv.conf",
)
"""Plain files that /etc/resolv.conf may lead to; every socket in /run is out of sight."""

DROPPED_VARIABLES = (
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "GNOME_KEYRING_CONTROL",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "DOCKER_HOST",
    "CONTAINER_HOST",
    "XDG_RUNTIME_DIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "TMUX",
    "STY",
)
"""Names of sockets that are not there inside."""
