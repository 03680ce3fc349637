"""g-loop-shadow, g-eval-set, g-eval-cd: a value or a folder that is known at first and another one when it is used."""

from __future__ import annotations

from tests.guard_classes.grammar import Grammar

USES = [
    (
        "cat",
        "rm",
        ["$<V> -rf src", '"$<V>" -rf src', "${<V>} -r docs", "$<V> README.md", "ls && $<V> -rf tests"],
    ),
    ("ls", "rm", ["$<V> -rf src", "$<V> -r -- docs", "$<V> src/app.py; pwd"]),
    ("cat", "sh", ["$<V> x.sh", '"$<V>" scripts/x.sh', "$<V> scripts/x.sh | head"]),
    ("head", "bash", ["$<V> scripts/x.sh", "$<V> < x.sh", "${<V>} x.sh | tail -3"]),
    ("wc", "tee", ["$<V> src/app.py < /dev/null", "echo x | $<V> src/app.py"]),
    ("echo", "unlink", ["$<V> src/app.py", '"${<V>}" README.md']),
    (
        "README.md",
        "/etc/passwd",
        ["cat $<V>", 'head -5 "$<V>"', "grep -n . ${<V>}", "cat < $<V>", "wc -l README.md; cat $<V> | head"],
    ),
    ("README.md", "$HOME/.ssh/id_rsa", ["cat $<V>", 'nl "$<V>"', "cat ${<V>} | head -3"]),
    ("README.md", ".env", ["cat $<V>", "tail -n 5 $<V>", 'grep = "$<V>"']),
    (
        "out.txt",
        ".git/hooks/pre-commit",
        ["echo 'sh x.sh' >> $<V>", 'echo x | tee -a "$<V>"', "printf 'x\\n' > ${<V>}", "ls >> $<V>"],
    ),
    ("notes.md", "src/app.py", ["echo x > $<V>", 'git log -1 > "$<V>"']),
    ("notes.md", ".github/workflows/ci.yml", ["echo x >> $<V>", 'cat README.md >> "$<V>"']),
    ("-n", "--pre=sh", ["rg $<V> TODO README.md", "rg TODO $<V> src"]),
    ("--stat", "--output=src/app.py", ["git diff $<V>", "git log -1 $<V> | head"]),
    ("src", "../..", ["ls $<V>; grep -rn KEY $<V>", "cat $<V>/*.txt"]),
]
"""A value that is harmless, one that is not, and where it is used."""

SHADOWS = [
    "for <V> in <E>; do :; done",
    "for <V> in a b <E>; do echo hi; done",
    "for <V> in <E>; do\nls\ndone",
    "for i in 1; do for <V> in <E>; do :; done; done",
    "while read -r <V>; do break; done <<< <E>",
    "read -r <V> <<< <E>",
    'read -r z <V> <<< "a <E>"',
    "IFS=: read -r z <V> <<< a:<E>",
    "printf -v <V> %s <E>",
    "mapfile -t <V> <<< <E>",
    "select <V> in <E>; do break; done <<< 1",
    "if true; then <V>=<E>; fi",
    "if ls; then\n<V>=<E>\nelse\n<V>=ls\nfi",
    "{ <V>=<E>; }",
    "case x in *) <V>=<E>;; esac",
    "h() { <V>=<E>; }; h",
    "h() { for <V> in <E>; do :; done; }; h",
    "declare <V>=<E>",
    "export <V>=<E>",
    "declare -n r=<V>; r=<E>",
    "unset <V>; : ${<V>:=<E>}",
    "until <V>=<E>; do :; done",
    "while <V>=<E>; do break; done",
    "true && <V>=<E>",
    "false || <V>=<E>",
    "[ -d src ] && <V>=<E>",
    "[[ -d src ]] && <V>=<E>",
    "! <V>=<E>",
    "set -- <E>; <V>=$1",
    "set -- <E>; for <V>; do :; done",
    "for ((j = 0; j < 1; j++)); do <V>=<E>; done",
    "<V>=(<E>)",
    "<V>=$(echo <E>)",
    "<V>=`echo <E>`",
    "<V>=${nothing:-<E>}",
    "<V>=${<V>/*/<E>}",
    "<V>=; <V>+=<E>",
    "ls; <V>=<E>; ls",
    "time <V>=<E>",
]

OUTER = [
    "for <V> in <S>; do <shadow>; <use>; done",
    "for <V> in <S>; do ls; <shadow>; pwd; <use>; done",
    "for <V> in <S>; do\n<shadow>\n<use>\ndone",
    "for <V> in <S>; do for i in 1 2; do <use>; <shadow>; done; done",
    "for <V> in <S> <S>; do <shadow>; <use>; done",
    "for <V> in <S>; do <shadow>; done; <use>",
    "<V>=<S>; <shadow>; <use>",
    "<V>=<S>; for i in 1 2; do <use>; <shadow>; done",
    "<V>=<S>; if true; then <shadow>; fi; <use>",
    "<V>=<S>; while true; do <shadow>; <use>; break; done",
    "for j in a b; do for <V> in <S>; do <shadow>; <use>; done; done",
    "read -r <V> <<< <S>; <shadow>; <use>",
]

EVALS = [
    "eval 'read -r <V> <<< <E>'",
    "eval '<V>=<E>'",
    "eval <V>=<E>",
    'eval "<V>=<E>"',
    'eval "$(echo <V>=<E>)"',
    "eval 'for <V> in <E>; do :; done'",
    "eval 'printf -v <V> %s <E>'",
    "eval declare <V>=<E>",
    "eval 'export <V>=<E>'",
    "eval '{ <V>=<E>; }'",
    "eval 'if true; then <V>=<E>; fi'",
    "eval 'case x in x) <V>=<E>;; esac'",
    "eval eval <V>=<E>",
    "eval 'mapfile -t <V> <<< <E>'",
    "eval 'ls; <V>=<E>'",
    "eval ls '&&' <V>=<E>",
    "builtin eval <V>=<E>",
    "command eval <V>=<E>",
    "eval -- <V>=<E>",
    "source <(echo <V>=<E>)",
    ". <(printf '%s' <V>=<E>)",
    ". /dev/stdin <<< <V>=<E>",
    "source /dev/stdin <<< '<V>=<E>'",
    "eval <V>'='<E>",
    'eval "<V>"="<E>"',
    "eval 'h() { <V>=<E>; }'; h",
    "eval 'declare -n r=<V>'; r=<E>",
    "t='<V>=<E>'; eval \"$t\"",
    "for e in eval; do $e <V>=<E>; done",
    "eval 'unset <V>'; : ${<V>:=<E>}",
    "[[ -d src ]] && eval <V>=<E>",
    "if true; then eval '<V>=<E>'; fi",
    "eval 'while <V>=<E>; do break; done'",
    "trap '<V>=<E>' USR1; kill -USR1 $BASHPID",
    "eval `echo <V>=<E>`",
    "eval 'set -- <E>; <V>=$1'",
    "echo ok; eval '<V>=<E>' > /dev/null",
]

NAMES = {"V": ["c", "f", "x", "p", "tool", "name"]}


def _shadowing(shadows: list[str]) -> Grammar:
    rules: dict[str, list[str]] = {"start": [], **NAMES}
    for number, (safe, evil, uses) in enumerate(USES):
        word = "k" + "abcdefghijklmnopqrstuvwxyz"[number]
        rules[f"shadow{word}"] = [text.replace("<E>", evil) for text in shadows]
        rules[f"use{word}"] = uses
        rules["start"] += [
            outer.replace("<S>", safe).replace("<shadow>", f"<shadow{word}>").replace("<use>", f"<use{word}>")
            for outer in OUTER
        ]
    return Grammar(rules)


LOOP_SHADOW: Grammar = _shadowing(SHADOWS)
EVAL_SET: Grammar = _shadowing(EVALS)

TARGETS = [
    (".git", "hooks", "pre-commit"),
    (".git", "hooks", "post-checkout"),
    (".git", "info", "attributes"),
    (".github", "workflows", "ci.yml"),
    (".claude", "commands", "notes.md"),
    (".vscode", ".", "tasks.json"),
    (".husky", "_", "pre-push"),
    ("docs", "etcdir", "profile"),
    ("..", "other", "notes.txt"),
    ("$HOME", ".ssh", "config"),
]
"""Folder, folder below it, file in it: a name that is harmless in the project and not there."""

MOVES = [
    "eval 'cd D'",
    "eval cd D",
    'eval "cd D"',
    "eval 'cd -P D'",
    "eval 'pushd D'",
    "eval builtin cd D",
    "eval eval cd D",
    'eval "$(echo cd D)"',
    "eval 'cd A'; eval 'cd B'",
    "eval 'cd A && cd B'",
    "eval 'ls; cd D'",
    "eval 'if true; then cd D; fi'",
    "eval '{ cd D; }'",
    'eval "c""d D"',
    "eval 'h() { cd D; }'; h",
    "t='cd D'; eval \"$t\"",
    "builtin eval cd D",
    "command eval 'cd D'",
    "builtin cd D",
    "command cd D",
    "builtin pushd D",
    "source <(echo cd D)",
    ". /dev/stdin <<< 'cd D'",
    "OLDPWD=D; cd -",
    "HOME=D; cd",
    "CDPATH=A; cd B",
    "shopt -s cdable_vars; q=D; cd q",
    "h() { cd D; }; h",
    "h() { cd $1; }; h D",
    "for q in D; do eval cd $q; done",
    "for q in D; do cd $q; done",
    "for q in cd; do $q D; done",
    "if eval 'cd D'; then :; fi",
    "while eval cd D; do break; done",
    "case x in x) eval 'cd D';; esac",
    "{ eval 'cd D'; }",
    "cd ~+/D",
    'cd "$PWD"/D',
    'cd "$(pwd)/D"',
    "cd $(echo D)",
    "cd `echo D`",
    "set -- D; cd $1",
    "read -r q <<< D; cd $q",
    "cd A; eval cd B",
    "eval 'cd A'; cd B",
    "eval 'cd D' > /dev/null 2>&1",
    "time eval 'cd D'",
    "trap 'cd D' USR1; kill -USR1 $BASHPID",
    "pushd D > /dev/null",
]

WRITES = [
    "echo 'sh x.sh' >> F",
    "echo x > F",
    "printf '%s\\n' x >> F",
    "echo x | tee -a F",
    "cat >> F <<'EOF'\nx\nEOF",
    "tee F < /dev/null",
    "date >> ./F",
    "git log -1 >> F",
    'ls && echo x >> "F"',
    "if ls; then echo x >> F; fi",
    "for w in x y; do echo $w >> F; done",
    "{ echo x; echo y; } >> F",
    "echo x 1>> F",
    "echo x | tee F > /dev/null",
]


def _moving() -> Grammar:
    rules: dict[str, list[str]] = {"start": [], "join": [" && ", "; ", "\n"]}
    for number, (above, below, name) in enumerate(TARGETS):
        word = "k" + "abcdefghijklmnopqrstuvwxyz"[number]
        folder = above if below == "." else f"{above}/{below}"
        if above in {"$HOME", ".."}:
            moves = [text for text in MOVES if "/D" not in text and "'" not in text]
        else:
            moves = MOVES
        rules[f"move{word}"] = [_named(text, folder, above, below) for text in moves]
        rules[f"write{word}"] = [text.replace("F", name).replace("EO" + name, "EOF") for text in WRITES]
        rules["start"] += [f"<move{word}><join><write{word}>"] * 3
    return Grammar(rules)


def _named(text: str, folder: str, above: str, below: str) -> str:
    words = {"D": folder, "A": above, "B": below}
    out, previous = "", " "
    for position, char in enumerate(text):
        after = text[position + 1 : position + 2]
        alone = not previous.isalnum() and not (after.isalnum() or after == "=")
        out += words[char] if char in words and alone else char
        previous = char
    return out


EVAL_CD: Grammar = _moving()
