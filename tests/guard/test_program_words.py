"""The small languages inside commands: awk, sed, jq and yq are read word by word, or held."""

from __future__ import annotations

import posixpath

import pytest

from copilot.core.risk import RiskLevel
from copilot.guard.awk_words import awk_refusal
from copilot.guard.command_risk import judge_command
from copilot.guard.jq_words import jq_refusal
from copilot.guard.scope import ProjectScope

SCOPE = ProjectScope("/home/me/project", "/home/me", posixpath.normpath)


@pytest.mark.parametrize(
    "program",
    ["{print $1}", "NR>1", "$3 > 10 {print $1, $2}", "/^[^#]/{n++} END{print n}", "{s+=$2} END {printf \"%d\\n\", s/NR}",
     "{ if ($1 > 3) print }", "BEGIN{FS=\",\"} {gsub(/\"/, \"\"); print}", "/}/{print \"{\"}", "{a[$1]++} END{for (k in a) print k, a[k]}",
     "length($0) > 80", "!seen[$0]++"],
)  # fmt: skip
def test_awk_that_computes(program: str) -> None:
    assert awk_refusal(program) == ""


@pytest.mark.parametrize(
    "program",
    ["/}/{print > \"x\"}", "BEGIN{b=\"}\"} {print > \"x\"}", "{print | \"sh\"}", "{system(\"ls\")}", "{\"ls\" | getline}", "{print ENVIRON[\"A\"]}",
     "/[/]}/{print > \"x\"}", "/[^]/]/{print > \"x\"}", "{ if (1) /(/; print \"x\" > \"f\" ; /)/ }", "@load \"x\"", "{f(1)}", "{print >> \"x\"}",
     "{ x = a++ /}/ ; print > \"f\" }", "{print $/}/ > \"f\"}", "{", "\"", "BEGIN{ARGV[1]=\"/etc/passwd\"}", "BEGIN { printf \"a\" > \"/dev/stderr\" }",
     "{ length /}/; print > \"x\" }", "BEGIN{for(print \"x\" > \"f\";0;);}", "{for (i = 0; i < 1; printf \"x\" > \"f\") i++}",
     "{ if (print > \"f\") x }"],
)  # fmt: skip
def test_awk_that_may_write_or_run(program: str) -> None:
    assert awk_refusal(program)


@pytest.mark.parametrize(
    "program",
    [".", ".a.b[0]", ".dependencies | keys[]", "map(select(.x > 1)) | length", '"\\(.a) and \\(.b)"', "to_entries[] | {key, v: .value}",
     ".[] | @tsv \"\\(.a)\"", ".env", "if .a then 1 else 2 end", "[.[] | {name: .name, n: (.list | length)}]"],
)  # fmt: skip
def test_jq_that_computes(program: str) -> None:
    assert jq_refusal(program) == ("a program with key" if "{key" in program else "")


@pytest.mark.parametrize(
    "program",
    ["import \"a\" as $a; $a", "include \"a\"; .", "env", "$ENV", "$ENV.PATH", "input_filename", "\"\\(env.KEY)\"", "\"\\(\"\\(env)\")\"",
     "def f: 1; f", "$__prog_args", "{(env): 1}", "inputs", "[", ".a)", "\"", "getpath([env])", "a::b"],
)  # fmt: skip
def test_jq_that_reads_elsewhere(program: str) -> None:
    assert jq_refusal(program)


def test_yq_knows_fewer_words() -> None:
    assert jq_refusal(".a | keys", yq=True) == ""
    for program in ("eval(.p)", 'load("x")', "strenv(A)", "env(A)", 'system("id")', ".a | envsubst", "input"):
        assert jq_refusal(program, yq=True), program


@pytest.mark.parametrize(
    ("script", "held"),
    [("10,20p", False), ("s/a/b/g", False), ("/x/,/y/p", False), ("s/[^/]*$//", True), ("s/[ab]*$//", False), ("s|[^/]*$||", False),
     ("s/[/]/p;/w x/p", True), ("s/[^]/]/3; /w x/p", True), ("s/[]/]/g; /w x/p", True), ("s/a/b/w x", True), ("s/a/b/e", True), ("w x", True),
     ("1e ls", True), ("r /etc/passwd", True), ("s/[[:space:]]*$//", False), ("$!d", False), ("1~2p", False)],
)  # fmt: skip
def test_sed(script: str, held: bool) -> None:
    risk = judge_command(f"sed -n '{script}' a.txt", SCOPE)
    assert (risk.level is RiskLevel.HIGH) is held, risk


@pytest.mark.parametrize(
    "command",
    [
        "yq -s '.a' x.yml",
        "yq -i '.a=1' x.yml",
        "jq -f x.jq a",
        "jq --rawfile a /etc/passwd . b",
        "awk -f x a",
    ],
)
def test_options_that_write_or_read_elsewhere(command: str) -> None:
    assert judge_command(command, SCOPE).level is RiskLevel.HIGH
