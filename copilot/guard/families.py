"""Families of file names: what may hold secrets, and what tools load by themselves.

Names alone are a list that is never complete; a family says how such names are made (dot-folders of tools,
`*rc`, `*.local.*`, build files, agents' instructions), so that the next tool is in it too.
"""

from __future__ import annotations

import fnmatch
import functools
import re

_SECRET = (
    ".env*", "env.*", "*.env", "*.env.*", ".envrc*", ".dev.vars*", ".netrc*", "_netrc", ".pgpass", "pgpass.conf", ".npmrc*",
    ".yarnrc*", ".pypirc*", ".git-credentials*", ".gitconfig", ".hgrc", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
    "*_rsa", "*_dsa", "*_ecdsa", "*_ed25519", "*.pem", "*.key", "*.keys", "*-key.*", "*_key.*", "*-key", "*_key", "key.txt", "keys.txt", "keys.json", "key.json", "utc--*", "*.p8", "*.p12", "*.pfx", "*.jks", "*.bks", "*.keystore", "*.truststore", "*.jceks", "*.keytab",
    "*.ppk", "*.kdb", "*.kdbx", "*.gpg", "*.asc", "*.age", "*.agekey", "*.ovpn", "wg*.conf", "*.rdp", "*credential*", "*secret*", "*passwd*",
    "*password*", "*_pass", "*-pass", "*.pass", ".pass*", "*vault_pass*", "*vault-pass*", ".vault*", "*vault*.yml", "*vault*.yaml", "*apikey*",
    "*api_key*", "*api-key*", "*private_key*", "*private-key*", "*privatekey*", "*access_key*", "*access-key*", "*accesskey*", "*token*",
    ".htpasswd*", "*.tfstate*", "*.tfvars*", "*service-account*", "*service_account*", "*serviceaccount*", "gha-creds*",
    "google-services*.json", "googleservice-info*.plist", "firebase-adminsdk*", "*-adminsdk-*.json", ".my.cnf", ".mylogin.cnf", "my.cnf",
    "shadow*", "gshadow*", "environ", ".s3cfg*", ".boto*", "wallet.dat", "*.wallet", "master.key", "auth.json", "auth.toml", "*_history",
    ".*_history", ".viminfo", ".lesshst", "kubeconfig*", "*.kubeconfig", "*kube*config*.y*ml", "local.properties", "keystore.properties",
    "signing.properties", "local.settings.json", "appsettings.*.json", "wp-config*.php", "configuration.php", "config*.php", "settings.php", "parameters.php", "localsettings.php", "database.yml", "database.yaml",
    "profiles.yml", "settings-security.xml", ".terraformrc", "terraform.rc", ".databrickscfg", ".dockercfg", ".dockerconfigjson", "rclone.conf",
    ".smbcredentials", ".cifs*", "*.cred", "*.creds", "*.secrets", "krb5cc*", "hosts.yml", ".claude.json", "*.mobileprovision",
    "settings.local.*", "config.local.*", "secrets.*", "*.local.env", "parameters.yml", "local_settings.py", "settings_local.py", "*.har",
    "sftp.json", "sftp-config.json", ".ftpconfig", ".ftppass", ".remote-sync.json", "filezilla.xml", "sitemanager.xml", "*.tfbackend",
    "credentials", "secrets", "secret", "mnemonic*", "seed.txt", "*.sops.*", "otp*", "*recovery-code*", "*recovery_code*", "cookies.txt", "cookies.sqlite",
)  # fmt: skip
_SECRET_RE = re.compile("|".join(fnmatch.translate(one) for one in _SECRET))
_NO_SECRET = (
    *("*.example", "*.sample", "*.template", "*.tmpl", "*.dist", "*.pub", "*.md", "*.rst", "*.py", "*.pyi", "*.ts", "*.tsx"),
    *("*.js", "*.jsx", "*.mjs", "*.cjs", "*.go", "*.rs", "*.java", "*.kt", "*.rb", "*.c", "*.h", "*.cpp", "*.hpp", "*.cs"),
    *("*.swift", "*.css", "*.scss", "*.html", "*.svg", "*.png", "*.snap", "*.example.*", "*.sample.*", "*.vue", "*.svelte"),
    *("*.ex", "*.exs", "*.scala", "*.lua", "*.pl", "*.dart", "*.zig", "*.sh", "*.sql", "*.proto", "*.graphql"),
)  # fmt: skip
_NO_SECRET_RE = re.compile("|".join(fnmatch.translate(one) for one in _NO_SECRET))
_ALWAYS_SECRET = frozenset({"local_settings.py", "settings_local.py"})
_SECRET_FOLDERS = frozenset(
    {
        *(".ssh", ".aws", ".gnupg", ".kube", ".azure", ".password-store", "keyrings", ".secrets", ".docker", ".config"),
        *(".gcloud", ".terraform.d", ".gem", ".m2", ".databricks", ".snowsql", ".dbt", ".oci", ".vault", ".codex", ".gemini"),
        *(".chef", ".netlify", ".vercel", ".fly", ".heroku", ".mozilla", ".thunderbird", ".putty", ".age", ".sops", ".cargo-credentials"),
    }
)  # fmt: skip
"""Folders of tools in which everything is taken for a secret."""
_SECRET_STORES = frozenset({"secrets", "credentials", "private-keys", "private_keys", "certs-private", "keys", "keystore", "keystores", "wallets"})
"""Folders in which everything but source and examples is taken for a secret."""
_SAMPLES = (
    ".env", ".env.local", ".env.production", ".envrc", "prod.env", ".netrc", ".npmrc", "id_rsa", "id_ed25519", "server.pem",
    "server.key", "credentials.json", "secrets.yaml", "secrets.json", "terraform.tfstate", "terraform.tfvars", ".git-credentials",
    ".pgpass", "kubeconfig", "client_secret.json", ".yarnrc.yml", ".vault_pass", "local.properties", "auth.json", "token.json",
)  # fmt: skip


@functools.lru_cache(maxsize=20_000)
def is_secret_name(name: str) -> bool:
    """Whether a file of this name may hold secrets. `name` has no slash."""
    folded = name.casefold()
    if folded in _ALWAYS_SECRET:
        return True
    return bool(_SECRET_RE.match(folded)) and not _NO_SECRET_RE.match(folded)


def may_name_secret(pattern: str) -> bool:
    """Whether a wildcard of one name can stand for that of a secret."""
    folded = pattern.casefold()
    literal = folded.strip("*?")
    return bool(literal) and any(fnmatch.fnmatchcase(sample, folded) for sample in _SAMPLES)


_KNOWN_DOT = re.compile(
    r"\.(?:git(?:ignore|attributes|keep|modules|message|-blame-ignore-revs|lab-ci\.yml|lab|hub|pod\.yml)?|keep|nojekyll|docker(?:ignore)?|editorconfig"
    r"|(?:es|ts|style|json|html|css|js|markdown|remark|commit|yaml|sql|lint|oxc?)?lint(?:rc|ignore|stagedrc)?(?:\..*)?|eslint.*|prettier.*|stylelint.*|babel.*"
    r"|swc.*|nyc.*|mocha.*|c8.*|browserslist.*|commitlint.*|markdownlint.*|lintstaged.*|huskyrc.*|husky|release.*|remark.*|jshint.*|jscs.*|nvmrc"
    r"|node-version|python-version|ruby-version|java-version|go-version|terraform-version|tool-versions|mise\.toml|pylintrc|coverage.*|flake8|isort\.cfg"
    r"|style\.yapf|mypy.*|ruff.*|pre-commit-config\.yaml|pytest.*|rspec|rubocop.*|yardopts|simplecov|clang-(?:format|tidy).*|cmake-format.*|clangd|rustfmt\.toml"
    r"|travis\.yml|appveyor\.yml|codecov\.yml|readthedocs\.y.*ml|golangci\..*|goreleaser\..*|hadolint\.yaml|yamllint.*|shellcheckrc|vscode|idea|circleci|github"
    r"|claude|cursor|cursorrules|clinerules|windsurfrules|changeset|storybook|devcontainer|venv|cache|next|nuxt|svelte-kit|turbo|tox|nox|yarn|pnpm.*|npmignore"
    r"|vscodeignore|gcloudignore|slugignore|helmignore|cfignore|ignore|rgignore|fdignore|hgignore|bazelrc|bazelversion|bazelignore|watchmanconfig|buckconfig"
    r"|all-contributorsrc|mailmap|swiftlint\.yml|swiftformat|php-cs-fixer.*|phpunit.*|phpcs.*|scalafmt.*|scalafix.*|ocamlformat|formatter\.exs|credo\.exs|dialyzer.*"
    r"|vale\.ini|textlintrc.*|cspell.*|spelling|typos\.toml|kiro|zed|roo|forgejo|gitea|woodpecker.*|buildkite|drone\.yml|mvn|gradle|bundle|sass-lint.*|tern.*|vimrc|exrc|rules"
    r"|cargo|well-known|htaccess|DS_Store|ds_store|github_changelog_generator|lgtm.*|nix.*|direnv|copilot|gemini|codex|aider.*|mcp\.json|testcontainers.*|licrc|deepsource\.toml|\.)?"
)
"""Dot names that hold no secret; another one may."""


def is_unknown_dot(names: list[str]) -> bool:
    """Whether a file itself named with a dot is of no tool that is known to keep no secret in it."""
    last = names[-1].casefold() if names else ""
    if not last.startswith(".") or any(char in last for char in "*?[") or last.strip(".") == "":
        return False
    return not _KNOWN_DOT.fullmatch(last) and not _NO_SECRET_RE.match(last)


def is_secret_path(names: list[str]) -> bool:
    """Whether what lies at this path may be a secret. `names` are its components; the last may be a wildcard."""
    folded = [name.casefold() for name in names]
    if _SECRET_FOLDERS.intersection(folded):
        return True
    last = folded[-1] if folded else ""
    if not _NO_SECRET_RE.match(last) and _SECRET_STORES.intersection(folded[:-1]):
        return True
    if ".git" in folded[:-1] and (last.startswith(("config", "credential", "fetch_head")) or last in ("*", "c*")):
        return True
    if any(char in last for char in "*?["):
        return may_name_secret(last)
    return is_secret_name(last)


_PLAIN_DOT = frozenset(
    {
        *(".", "..", ".gitignore", ".gitkeep", ".keep", ".dockerignore", ".prettierignore", ".eslintignore", ".editorconfig"),
        *(".npmignore", ".stylelintignore", ".changeset", ".nojekyll", ".ignore", ".gcloudignore", ".vscodeignore", ".helmignore"),
    }
)  # fmt: skip
"""Names with a dot that no tool takes code or orders from."""
_AUTOLOAD = (
    "*rc", "*rc.*", "*.config.*", "*.conf.js", "*.conf.ts", "package.json", "package.y*ml", "*-lock.*", "*.lock", "*.lockb", "pnpm-*", "lerna.json",
    "nx.json", "turbo.json*", "project.json", "workspace.json", "rush.json", "bunfig.toml", "deno.json*", "import_map.json", "jsr.json",
    "tsconfig*.json", "jsconfig*.json", "babel.*", "jest.*", "gulpfile*", "gruntfile*", "webpack*", "biome.json*", "karma*",
    "pyproject.toml", "setup.py", "setup.cfg", "conftest.py", "sitecustomize.py", "usercustomize.py", "*.pth", "tox.ini", "noxfile.py", "pytest.ini",
    "requirements*.txt", "requirements*.in", "constraints*.txt", "pipfile*", "environment.y*ml", "manage.py", "fabfile*", "tasks.py", "dodo.py",
    "mypy.ini", "pylintrc*", "ruff.toml", "manifest.in", "hatch.toml", "pdm.toml", "uv.toml", "pixi.toml", "wsgi.py", "asgi.py",
    "makefile*", "gnumakefile*", "*.mk", "*.mak", "cmakelists.txt", "*.cmake", "cmakepresets.json", "cmakeuserpresets.json", "configure*", "meson*", "build.sbt", "build.rs", "build.xml", "build.zig*", "build.py", "build.js", "build.mjs", "build.ts", "build.boot", "build.cake", "build.fsx",
    "workspace", "workspace.bazel", "module.bazel*", "*.bzl", "*.bazel", "*.ninja", "scons*", "sconstruct", "wscript", "xmake.lua", "conanfile*",
    "dockerfile*", "*.dockerfile", "containerfile*", "*compose*.y*ml", "compose.*", "jenkinsfile*", "*.jenkinsfile", "vagrantfile*", "procfile*", "tiltfile",
    "earthfile", "skaffold*", "devfile*", "brewfile*", "podfile*", "fastfile", "appfile", "matchfile", "dangerfile*", "capfile", "guardfile", "berksfile",
    "rakefile*", "*.rake", "gemfile*", "*.gemspec", "config.ru", "*.gradle", "*.gradle.*", "gradle*", "mvnw*", "pom.xml", "*.pom", "settings.xml", "build.sbt", "*.sbt",
    "cargo.toml", "build.rs", "rust-toolchain*", "rustfmt.toml", "clippy.toml", "go.mod", "go.sum", "go.work*", "tools.go", "magefile*",
    "justfile*", "*.just", "taskfile*", "mix.exs", "rebar.*", "dune*", "*.opam", "stack.yaml", "*.cabal", "cabal.project*", "package.swift",
    "*.csproj", "*.fsproj", "*.vbproj", "*.vcxproj", "*.sln", "*.slnx", "*.props", "*.targets", "global.json", "nuget.config", "*.nuspec", "composer.*", "phpunit.*",
    "phpstan.*", "rector.php", "artisan", "flake.nix", "*.nix", "*.tf", "*.tf.json", "*.tofu", "terragrunt.hcl", "*.pkr.hcl", "ansible.cfg", "playbook*", "inventory*",
    "agents*.md", "claude*.md", "gemini*.md", "qwen*.md", "copilot*.md", "*.mdc", "*instructions*.md", "skill.md", "*.prompt.md", "*.chatmode.md", "warp.md", "replit.md",
    "crush.json*", "opencode.json*", "mcp*.json", "*.mcp.json", "conventions.md", "agent*.json", "memory.md", "llms.txt", "codeowners", "action.y*ml", "*.code-workspace",
    "*.sublime-*", "*.iml", "*.ipr", "azure-pipelines*", "bitbucket-pipelines*", "appveyor*", "cloudbuild*", "buildspec*", "codecov*", "renovate*", "dependabot*", "lefthook*",
    "netlify.toml", "vercel.json", "now.json", "firebase.json", "serverless.*", "fly.toml", "app.y*ml", "app.json", "wrangler.*", "railway.*", "render.y*ml",
    "mkdocs.y*ml", "conf.py", "book.toml", "crontab", "*.service", "*.timer", "*.socket", "*.desktop", "*.plist", "*.reg", "*.rules", "authorized_keys", "known_hosts",
    "autoexec*", "init.vim", "init.lua", "init.el", "exrc", "profile", "startup.*", "sudoers*", "passwd", "hosts", "fstab", "ld.so.*", "lefthook.*", "husky*", "hook*", "*.hook",
    "pre-commit", "pre-push", "commit-msg", "post-*", "pre-*", "prepare-commit-msg", "applypatch-msg", "update", "*.sh", "*.bash", "*.zsh", "*.fish", "*.ps1", "*.bat", "*.cmd",
)  # fmt: skip
_AUTOLOAD_RE = re.compile("|".join(fnmatch.translate(one) for one in _AUTOLOAD))
_AUTOLOAD_FOLDERS = frozenset(
    {
        *("node_modules", "vendor", "third_party", "site-packages", "dist-packages", "venv", "env", "virtualenv", "bin", "sbin"),
        *("hooks", "autostart", "launchagents", "launchdaemons", "systemd", "cron.d", "cron.daily", "init.d", "profile.d"),
        *("githooks", "git-hooks", "buildsrc", "__pycache__", "plugins", "workflows", "initializers"),
    }
)  # fmt: skip


@functools.lru_cache(maxsize=2_000)
def is_autoload_name(name: str) -> bool:
    """Whether a tool may load a file or folder of this name without being told to."""
    folded = name.casefold()
    if folded.startswith("."):
        return folded not in _PLAIN_DOT
    return bool(_AUTOLOAD_RE.match(folded))


def is_autoload_path(names: list[str]) -> bool:
    """Whether a tool may take code or orders from what lies at this path inside the project."""
    folders = [name.casefold() for name in names[:-1]]
    if any(one in _AUTOLOAD_FOLDERS or (one.startswith(".") and one not in _PLAIN_DOT) for one in folders):
        return True
    return bool(names) and (is_autoload_name(names[-1]) or names[-1].casefold() in _AUTOLOAD_FOLDERS)
