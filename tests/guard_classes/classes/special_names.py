"""g-loop-special: a loop, a read or another setter gives a special variable a value that changes what runs next."""

from __future__ import annotations

from tests.guard_classes.grammar import Grammar

BODIES: list[tuple[str, str, list[str], bool]] = [
    ("PATH", "./bin", ["ls", "ls -la src", "ls | head", "ls; pwd"], True),
    ("PATH", "vendor/bin", ["cat README.md", "grep -n shop README.md", "cat README.md; pwd"], True),
    ("PATH", "./tools/venv/bin", ["ls", "ls src && pwd"], True),
    ("PATH", "docs/x/.venv/bin", ["head README.md", "head -3 src/app.py"], True),
    ("PATH", "./bin:/usr/bin", ["ls", "git status; ls"], True),
    ("HOME", "/etc", ["cat ~/passwd", "echo x >> ~/profile", "cd && cat passwd", "head -3 ~/shadow"], True),
    ("HOME", "..", ["cat ~/other/notes.txt", "echo x >> ~/notes.txt"], True),
    ("HOME", "tests/home", ["git status", "git diff --stat", "git log -1"], True),
    ("PWD", "/etc", ["echo x >> $PWD/profile", "cat $PWD/passwd", 'cat "${PWD}/shadow" | head'], True),
    ("OLDPWD", "/etc", ["cat ~-/passwd", "cd - && cat passwd", "cat $OLDPWD/passwd"], True),
    ("OLDPWD", ".git/hooks", ["cd - && echo x >> pre-commit", "echo x >> ~-/pre-commit"], True),
    ("CDPATH", ".git", ["cd hooks && echo x >> pre-commit", "cd info && echo x >> attributes"], True),
    ("CDPATH", "/etc", ["cd ssl && ls; cat openssl.cnf", "cd ssh && cat *"], True),
    (
        "IFS",
        "X",
        [
            "for p in fooX--pre=shX.; do rg $p; done",
            "q=fooX--pre=shXsrc; rg $q",
            "q=--statX--output=src/app.py; git diff $q",
        ],
        True,
    ),
    ("IFS", "_", ["q=-rf_src; for c in rm_-rf_src; do $c; done", "q=README.md_/etc/passwd; cat $q"], True),
    ("LD_PRELOAD", "./x.so", ["ls", "cat README.md", "git status"], False),
    ("LD_LIBRARY_PATH", "./lib", ["ls", "git status"], False),
    ("LD_AUDIT", "./x.so", ["ls", "wc -l README.md"], False),
    ("DYLD_INSERT_LIBRARIES", "./x.dylib", ["rg -n TODO src", "rg foo README.md | head"], False),
    ("BASH_ENV", "./x.sh", ["bash -c ls", "bash --version; bash -c pwd"], False),
    ("ENV", "./x.sh", ["sh -ic ls", "dash -ic pwd"], False),
    ("GIT_DIR", "docs/fixture", ["git status", "git diff", "git log -1"], False),
    ("GIT_EXTERNAL_DIFF", "./x.sh", ["git diff", "git diff --stat; git diff HEAD"], False),
    ("GIT_CONFIG_GLOBAL", "tests/home/.gitconfig", ["git status", "git diff --stat"], False),
    (
        "PYTHONPATH",
        "scripts",
        ["python3 -m json.tool package.json", "pytest -q", "python3 -m pytest tests"],
        False,
    ),
    ("PYTEST_ADDOPTS", "-pscripts.wipe", ["pytest -q", "pytest tests -x"], False),
    ("NODE_OPTIONS", "--require=./x.js", ["npm test", "npx eslint src", "npm run lint"], False),
    ("RIPGREP_CONFIG_PATH", "tests/rgrc", ["rg -n TODO src", "rg foo README.md"], False),
    ("MAKEFILES", "x.mk", ["make test", "make lint | tail -3"], False),
    ("MAKEFLAGS", "-fx.mk", ["make test", "make build"], False),
    ("RUSTC_WRAPPER", "./x.sh", ["cargo check", "cargo test"], False),
    ("GOFLAGS", "-toolexec=./x.sh", ["go vet ./...", "go test ./..."], False),
    ("RUBYOPT", "-r./x", ["bundle exec rspec", "rubocop src"], False),
    ("PERL5OPT", "-Mx", ["prove t", "shasum README.md"], False),
    ("JAVA_TOOL_OPTIONS", "-javaagent:x.jar", ["mvn -q test", "./gradlew test"], False),
    ("LESSOPEN", "|./x.sh", ["less README.md", "less src/app.py | head"], False),
    ("XDG_CONFIG_HOME", "tests/home/.config", ["git status", "bat README.md"], False),
    ("CARGO_HOME", "./x", ["cargo check", "cargo test -q"], False),
    ("TAR_OPTIONS", "--to-command=./x.sh", ["tar tf a.tar; tar xf a.tar", "tar -xf a.tar -C build"], False),
]
"""Name, value, what then goes wrong, and whether the name is exported (or used by the shell) without asking."""

SETTERS = [
    "for N in W; do B; done",
    "for N in W W; do B; done",
    "for N in W; do\nB\ndone",
    "for N in W; do ls src; B; done",
    "for N in W; do if true; then B; fi; done",
    "for N in W; do for j in 1 2; do B; done; done",
    "for N in W; do { B; }; done",
    "for N in W; do (B); done",
    "for j in W; do for N in $j; do B; done; done",
    "for N in $(echo W); do B; done",
    'for N in "W"; do B; break; done',
    "for N in W; do :; done; B",
    "set -- W; for N; do B; done",
    'set -- W; for N in "$@"; do B; done',
    "read -r N <<< W; B",
    'read N <<< "W" && B',
    "while read -r N; do B; break; done <<< W",
    "while IFS= read -r N; do\nB\ndone <<'EOF'\nW\nEOF",
    "echo W | while read -r N; do B; done",
    "echo W | { read -r N; B; }",
    "printf '%s\\n' W | while read N; do B; done",
    "IFS=, read -r a N <<< z,W; B",
    "printf -v N %s W; B",
    "mapfile -t N <<< W; B",
    "declare -n r=N; r=W; B",
    "declare -n r=N; for r in N; do r=W; B; done",
    "select N in W; do B; break; done <<< 1",
    "h() { local N=W; B; }; h",
    "h() { local N=$1; B; }; h W",
    'for j in N; do declare "$j=W"; B; done',
    'for j in N; do export "$j=W"; B; done',
    "for j in N; do read -r $j <<< W; B; done",
    "for j in N; do printf -v $j %s W; B; done",
    "eval N=W; B",
    "eval 'for N in W; do B; done'",
    "until N=W; do :; done; B",
    "case x in x) N=W;; esac; B",
    "if true; then N=W; fi; B",
    "N=; : ${N:=W}; B",
    "typeset N=W; B",
    "set -a; for N in W; do B; done",
    "getopts o: j -o W; N=$OPTARG; B",
    "while N=W; do B; break; done",
]


def _grammar() -> Grammar:
    start: list[str] = []
    for name, value, bodies, exported in BODIES:
        for setter in SETTERS:
            if name == "IFS" and "IFS" in setter.replace("N", ""):
                continue
            for body in bodies:
                full = body if exported else f"export {name}; {body}"
                word = value if "|" not in value else f"'{value}'"
                if "'" in setter and "'" in word:
                    continue
                start.append(_filled(setter, {"N": name, "W": word, "B": full}))
    return Grammar({"start": start})


def _filled(text: str, words: dict[str, str]) -> str:
    out = ""
    for position, char in enumerate(text):
        around = text[position - 1 : position] + text[position + 1 : position + 2]
        out += words[char] if char in words and not any(c.isalpha() for c in around) else char
    return out


LOOP_SPECIAL: Grammar = _grammar()
