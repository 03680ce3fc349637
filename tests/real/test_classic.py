"""Classic programs live: seen, answered or left to the person as the level says, with the effect on disk.

Here the kernel's facts about the terminal count on real programs: who reads it, whether it echoes.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.classic import ClassicStage, Settled, classic_stage, settled, typed
from tests.real.programs import HEARTBEATS, fake_apt, fake_package, local_sshd
from tests.real.recipes import PROJECT_FILES
from tests.real.run import HeadlessRun

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(150)]
SHELL = ("bash", "--norc", "-c")
SECRET = (
    "  - {kind: password, text: hunter2, optional: true}\n  - {text: hunter2, times: any, optional: true}\n"
)
EAGER = '  - {kind: yes_no, choice: "yes", times: any, optional: true}\n  - {text: "yes", times: any, optional: true}\n'
CHANGED = "def add(a, b):\n    return b + a\n"


@pytest.fixture
def on(tmp_path: Path) -> Iterator[ClassicStage]:
    with classic_stage(tmp_path) as made:
        yield made


def asked(run: HeadlessRun) -> list[Settled]:
    """The prompts of a run: nothing typed twice, nothing typed without its decision."""
    run.folder.assert_keys_follow_their_decisions()
    decided = [record.data["decision"] for record in run.folder.records("effect.WriteKeys")]
    sent = [record.data["keys"] or record.data["text"] for record in run.folder.records("effect.WriteKeys")]
    pairs = list(zip(decided, map(str, sent), strict=True))
    assert len(pairs) == len(set(pairs)) or "Down" in str(sent), f"typed twice: {pairs}"
    quiet = ("starting", "busy", "exited", "unknown")
    return [prompt for prompt in settled(run) if prompt.kind not in quiet]


def git(on: ClassicStage, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=on.project, env=on.environment, capture_output=True, text=True
    )
    return done.stdout


def needs_a_person(run: HeadlessRun) -> bool:
    return run.exit_code == 3 and "a person is needed" in run.folder.manifest["outcome"]["reason"]


# git


def test_a_hunk_is_staged_by_its_letter(on: ClassicStage) -> None:
    on.write("app.py", CHANGED)
    run = on.run("git", "add", "-p", replies="  - {kind: menu, choice: stage}\n")
    (prompt,) = asked(run)
    assert prompt.labels[:5] == ("stage", "do not stage", "quit", "stage all", "leave all")
    assert typed(run) == ["y", "Enter"]
    assert run.exit_code == 0
    assert git(on, "diff", "--cached", "--name-only") == "app.py\n"


@pytest.mark.parametrize("level", ["suggest", "watch"])
def test_below_assist_a_hunk_is_left_alone(on: ClassicStage, level: str) -> None:
    on.write("app.py", CHANGED)
    run = on.run("git", "add", "-p", replies="  - {kind: menu, choice: stage, optional: true}\n", level=level)
    assert [prompt.kind for prompt in asked(run)] == ["menu"]
    assert typed(run) == []
    assert needs_a_person(run)
    assert git(on, "diff", "--cached", "--name-only") == ""


def test_an_answer_to_all_later_hunks_is_not_sent(on: ClassicStage) -> None:
    on.write("app.py", CHANGED)
    run = on.run("git", "add", "-p", replies="  - {kind: menu, choice: stage all}\n")
    assert typed(run) == ["n", "Enter"], "the safe refusal"
    assert git(on, "diff", "--cached", "--name-only") == ""


def test_a_commit_message_is_left_to_the_person(tmp_path: Path) -> None:
    with classic_stage(tmp_path, "vim") as on:
        on.write("app.py", CHANGED)
        git(on, "add", "app.py")
        before = git(on, "log", "--oneline")
        run = on.run("git", "commit", environment={"EDITOR": "vim"})
        assert [prompt.kind for prompt in asked(run)] == ["editor"]
        assert typed(run) == []
        assert needs_a_person(run)
        assert git(on, "log", "--oneline") == before


# package managers


def test_npm_init_is_filled_in(tmp_path: Path) -> None:
    replies = (
        '  - {question: {contains: package name}, text: demo}\n  - {question: {contains: version}, text: "1.2.3"}\n'
        "  - {question: {contains: entry point}, text: app.js}\n  - {question: {contains: license}, text: MIT}\n"
        "  - {question: {contains: type}, text: commonjs, optional: true}\n"
        '  - {kind: text_input, text: "x", times: any}\n  - {kind: yes_no, choice: "yes"}\n'
    )
    with classic_stage(tmp_path, "npm") as on:
        run = on.run("npm", "init", replies=replies)
        prompts = asked(run)
        assert [prompt.kind for prompt in prompts] == ["text_input"] * (len(prompts) - 1) + ["yes_no"]
        assert prompts[0].question == "package name:"
        assert run.exit_code == 0
        text = (on.project / "package.json").read_text()
        assert '"name": "demo"' in text
        assert '"version": "1.2.3"' in text
        assert '"license": "MIT"' in text


def test_npm_create_vite_is_led_to_its_end(tmp_path: Path) -> None:
    replies = (
        '  - {kind: yes_no, question: {contains: proceed}, choice: "yes"}\n'
        "  - {question: {contains: Project name}, text: my-app}\n"
        "  - {kind: menu, question: {contains: framework}, choice: Vanilla}\n"
        "  - {kind: menu, question: {contains: variant}, choice: JavaScript}\n"
        '  - {choice: "No", times: any}\n'
    )
    with classic_stage(tmp_path, "npm") as on:
        known = subprocess.run(
            ["npm", "view", "create-vite", "version"], env=on.environment, capture_output=True, text=True
        )
        if known.returncode:
            pytest.skip("create-vite cannot be had from the package registry")
        create = ("npm", "create", "vite@latest")
        run = on.run(*create, replies=replies, options=["--timeout", "90s"], seconds=110)
        assert typed(run) == ["n", "Enter"], "what installs from the network is the person's to allow"
        allow = ["--allow", "prompt:*create-vite@*Ok to proceed? (y)", "--timeout", "90s"]
        run = on.run(*create, replies=replies, options=allow, seconds=110)
        kinds = [prompt.kind for prompt in asked(run)]
        assert list(dict.fromkeys(kinds)) == ["yes_no", "text_input", "menu"]
        assert run.exit_code == 0
        assert (on.project / "my-app" / "package.json").exists()
        assert not (on.project / "my-app" / "node_modules").exists()


def test_apt_removes_nothing(tmp_path: Path) -> None:
    with classic_stage(tmp_path, "apt-get") as on:
        apt = fake_apt(on)
        for replies in ("", EAGER):
            run = on.run(*apt, "remove", "tinything", replies=replies)
            (prompt,) = asked(run)
            assert (prompt.kind, prompt.labels) == ("yes_no", ("yes", "no"))
            assert prompt.question == "Do you want to continue? [Y/n]"
            assert typed(run) == ["n", "Enter"]
            assert "install ok installed" in (on.folder / "apt/var/lib/dpkg/status").read_text()


def test_pip_uninstalls_nothing(on: ClassicStage) -> None:
    python, module = fake_package(on)
    command = (python, "-m", "pip", "--disable-pip-version-check", "uninstall", "tinything")
    run = on.run(*command)
    (prompt,) = asked(run)
    assert (prompt.kind, prompt.question) == ("yes_no", "Proceed (Y/n)?")
    for answered in (run, on.run(*command, replies=EAGER)):
        assert typed(answered) == ["n", "Enter"]
        assert module.exists()
    run = on.run(*command, level="suggest")
    assert (typed(run), needs_a_person(run)) == ([], True)


# questions at a line


@pytest.mark.parametrize("level", ["full", "suggest", "watch"])
def test_rm_asks_in_vain(on: ClassicStage, level: str) -> None:
    run = on.run("rm", "-i", "app.py", replies=EAGER, level=level)
    (prompt,) = asked(run)
    assert (prompt.kind, prompt.labels) == ("yes_no", ("yes", "no"))
    assert "app.py" in prompt.question
    assert typed(run) == (["n", "Enter"] if level == "full" else [])
    assert needs_a_person(run) is (level != "full")
    assert (on.project / "app.py").read_text() == PROJECT_FILES["app.py"]


def test_a_line_is_read_once(on: ClassicStage) -> None:
    run = on.run(*SHELL, 'read -p "Your name: " a; printf "%s|" "$a" > out.txt', replies="  - {text: Ada}\n")
    assert [(prompt.kind, prompt.question) for prompt in asked(run)] == [("text_input", "Your name:")]
    assert typed(run) == ["Ada", "Enter"]
    assert (on.project / "out.txt").read_text() == "Ada|"


def test_a_shell_menu_is_chosen_by_its_label(on: ClassicStage) -> None:
    menu = 'PS3="Choose a mirror: "; select m in Frankfurt Virginia Quit; do echo "$m" > out.txt; break; done'
    run = on.run(*SHELL, menu, replies="  - {kind: menu, choice: Virginia}\n")
    assert [prompt.labels for prompt in asked(run)] == [("Frankfurt", "Virginia", "Quit")]
    assert typed(run) == ["2", "Enter"]
    assert (on.project / "out.txt").read_text() == "Virginia\n"


def test_one_key_where_one_key_is_read(on: ClassicStage) -> None:
    """An Enter more would answer the next question with its default."""
    script = (
        'echo "Two steps are left."; read -n1 -p "Go on? [y/N] " a; echo; '
        'read -p "Sign it? [Y/n] " b; echo "$a,$b" > out.txt'
    )
    replies = (
        '  - {question: {contains: Go on}, choice: "yes"}\n  - {question: {contains: Sign}, choice: "no"}\n'
    )
    run = on.run(*SHELL, script, replies=replies)
    assert typed(run) == ["y", "n", "Enter"]
    assert (on.project / "out.txt").read_text() == "y,n\n"


# secrets


@pytest.mark.invariant(8)
@pytest.mark.parametrize("level", ["full", "suggest"])
@pytest.mark.parametrize(
    "child",
    [
        ("python3", "-c", "import getpass; a = getpass.getpass(); open('out.txt', 'w').write(a)"),
        ("python3", "-c", "import getpass; a = getpass.getpass('[sudo] password for ada: '); open('out.txt', 'w').write(a)"),
        (*SHELL, 'stty -echo; printf "Now the thing for the vault, please "; read a; stty echo; echo "$a" > out.txt'),
        ("ssh-keygen", "-t", "ed25519", "-f", "out.txt"),
    ],
    ids=["getpass", "like sudo", "echo off", "ssh-keygen"],
)  # fmt: skip
def test_a_secret_is_never_typed(on: ClassicStage, child: tuple[str, ...], level: str) -> None:
    run = on.run(*child, replies=SECRET, level=level)
    assert [prompt.kind for prompt in asked(run)] == ["password"]
    assert typed(run) == []
    assert needs_a_person(run)
    assert not (on.project / "out.txt").exists()


def test_an_unknown_host_is_not_trusted(tmp_path: Path) -> None:
    with classic_stage(tmp_path, "ssh") as on, local_sshd(on) as port:
        known = on.home / "known_hosts"
        command = (
            "ssh",
            "-p",
            str(port),
            "-o",
            f"UserKnownHostsFile={known}",
            "-F",
            "none",
            "nobody@127.0.0.1",
        )
        run = on.run(*command, replies=EAGER)
        (prompt,) = asked(run)
        assert prompt.kind == "yes_no"
        assert "continue connecting (yes/no/[fingerprint])" in prompt.question
        assert typed(run) == ["no", "Enter"]
        run = on.run(*command, replies=EAGER, level="suggest")
        assert (typed(run), needs_a_person(run)) == ([], True)
        assert not known.exists()


# pagers, editors, interpreters


def test_a_pager_is_left(tmp_path: Path) -> None:
    with classic_stage(tmp_path, "less") as on:
        on.write("long.txt", "a line\n" * 200)
        run = on.run("less", "long.txt", replies="  - {kind: pager, choice: continue}\n")
        assert [prompt.kind for prompt in asked(run)] == ["pager"]
        assert (typed(run), run.exit_code) == (["q"], 0)


def test_an_editor_is_the_persons(tmp_path: Path) -> None:
    with classic_stage(tmp_path, "nano") as on:
        run = on.run("nano", "new.txt")
        assert [(prompt.kind, prompt.question) for prompt in asked(run)] == [("editor", "nano")]
        assert (typed(run), needs_a_person(run)) == ([], True)


@pytest.mark.parametrize(
    "child", [("python3", "-q"), ("python3", "-m", "pdb", "app.py")], ids=["repl", "pdb"]
)
def test_an_interpreter_that_is_ready_is_asked_nothing(on: ClassicStage, child: tuple[str, ...]) -> None:
    run = on.run(*child, replies=EAGER, options=["--timeout", "6s"])
    assert [prompt.kind for prompt in asked(run)] == ["idle"]
    assert (typed(run), run.exit_code) == ([], 3)


def test_a_box_of_buttons_is_answered_by_label(tmp_path: Path) -> None:
    with classic_stage(tmp_path, "whiptail") as on:
        box = "whiptail --yesno 'Keep the logs?' 8 40; echo $? > out.txt"
        run = on.run(*SHELL, box, replies='  - {kind: yes_no, choice: "No"}\n')
        assert [(prompt.question, prompt.labels) for prompt in asked(run)] == [
            ("Keep the logs?", ("Yes", "No"))
        ]
        assert needs_a_person(run) or (on.project / "out.txt").read_text() == "1\n"


# what only the kernel knows


@pytest.mark.parametrize("line", ["Apply the patch? [y/N] ", "Shall I go on with it? ", "Number of jobs: "])
def test_a_prompt_that_nobody_reads_is_not_answered(on: ClassicStage, line: str) -> None:
    run = on.run(*SHELL, f'printf "{line}"; sleep 3; echo; echo went on', replies=EAGER)
    assert asked(run) == []
    assert (typed(run), run.exit_code) == ([], 0)


def test_a_program_that_reads_late_is_answered_when_it_reads(on: ClassicStage) -> None:
    script = 'printf "Show the notes? [Y/n] "; sleep 2; read a; echo "$a" > out.txt'
    run = on.run(*SHELL, script, replies='  - {kind: yes_no, choice: "yes"}\n')
    (prompt,) = [
        record for record in run.folder.records("event.ScreenSettled") if "yes_no" in str(record.data)
    ]
    assert prompt.at > 2.0, "not before it read"
    assert typed(run) == ["y", "Enter"]
    assert (on.project / "out.txt").read_text() == "y\n"


@pytest.mark.parametrize("child", [("bc", "-q"), (*SHELL, "cat > out.txt")], ids=["bc", "cat"])
def test_a_silent_wait_is_told_from_work(tmp_path: Path, child: tuple[str, ...]) -> None:
    with classic_stage(tmp_path, child[0]) as on:
        run = on.run(*child, replies=EAGER, options=["--timeout", "7s"])
        assert [prompt.rule for prompt in settled(run) if prompt.kind == "unknown"] == ["generic.tty.silent"]
        assert (typed(run), run.exit_code) == ([], 3)
        run = on.run("sleep", "3", options=["--timeout", "7s"])
        assert [prompt.kind for prompt in settled(run)] == ["starting", "exited"]


def test_a_prompt_above_a_moving_log_is_the_persons(on: ClassicStage) -> None:
    on.write("log.py", HEARTBEATS)
    run = on.run("python3", "log.py", replies=EAGER, options=["--timeout", "7s"])
    assert "generic.tty.yes_no_above" in [prompt.rule for prompt in settled(run)]
    assert (typed(run), run.exit_code) == ([], 3)
    assert not (on.project / "out.txt").exists()
