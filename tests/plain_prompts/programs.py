"""One small program per language: it prints a prompt, may draw a spinner elsewhere, and reads a line.

All take the prompt and `spin` or nothing as arguments and write what they got to the file `answer`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON = r"""
import itertools, sys, threading, time
def spin():
    for glyph in itertools.cycle("|/-\\"):
        sys.stdout.write("\033[1;60H" + glyph)
        sys.stdout.flush()
        time.sleep(0.15)
print(end=sys.argv[1], flush=True)
if sys.argv[2:]:
    threading.Thread(target=spin, daemon=True).start()
open("answer", "w").write(input())
"""
BASH = r"""
printf %s "$1"
if [ -n "$2" ]; then
    while sleep 0.15; do for glyph in '|' / -; do printf '\033[1;60H%s' "$glyph"; done; done &
fi
read -r answer
printf %s "$answer" > answer
[ -z "$2" ] || kill %1
"""
NODE = r"""
const readline = require("readline");
if (process.argv[3]) {
  let turn = 0;
  setInterval(() => process.stdout.write("\x1b[1;60H" + "|/-\\"[turn++ % 4]), 150);
}
const lines = readline.createInterface({ input: process.stdin, output: process.stdout });
lines.question(process.argv[2], (answer) => {
  require("fs").writeFileSync("answer", answer);
  process.exit(0);
});
"""
RUBY = r"""
$stdout.sync = true
print ARGV[0]
if ARGV[1]
  Thread.new { "|/-\\".chars.cycle { |glyph| print "\e[1;60H#{glyph}"; sleep 0.15 } }
end
File.write("answer", $stdin.gets.chomp)
"""
PERL = r"""
use strict; $| = 1;
print $ARGV[0];
my $spinner = $ARGV[1] ? fork() : undef;
if (defined $spinner && $spinner == 0) {
    while (1) { for my $glyph ("|", "/", "-", "\\") { print "\e[1;60H$glyph"; select(undef, undef, undef, 0.15); } }
}
chomp(my $answer = <STDIN>);
open(my $file, ">", "answer"); print $file $answer; close($file);
kill "TERM", $spinner if $spinner;
"""
C = r"""
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
    char answer[200] = "";
    pid_t spinner = -1;
    fputs(words[1], stdout);
    fflush(stdout);
    if (count > 2 && (spinner = fork()) == 0)
        for (int turn = 0;; turn++, usleep(150000)) {
            printf("\033[1;60H%c", "|/-\\"[turn % 4]);
            fflush(stdout);
        }
    if (!fgets(answer, sizeof answer, stdin)) return 1;
    answer[strcspn(answer, "\r\n")] = 0;
    FILE *file = fopen("answer", "w");
    fputs(answer, file);
    fclose(file);
    if (spinner > 0) kill(spinner, SIGTERM);
    return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Language:
    """A program text and how it is started; `needs` is the interpreter or compiler."""

    name: str
    needs: str
    suffix: str
    text: str

    def missing(self) -> str:
        """Why it cannot be tried here; empty if it can."""
        return "" if shutil.which(self.needs) else f"{self.needs} is not installed"

    def command(self, folder: Path, words: Sequence[str]) -> tuple[str, ...]:
        """The command line of the program, written to `folder` first, and compiled where that is needed."""
        source = folder / f"prompt{self.suffix}"
        source.write_text(self.text, "utf-8")
        if self.suffix != ".c":
            return (self.needs, str(source), *words)
        program = folder / "prompt"
        subprocess.run([self.needs, "-o", program, source], check=True, capture_output=True)
        return (str(program), *words)


LANGUAGES = (
    Language("Python", sys.executable, ".py", PYTHON),
    Language("bash", "bash", ".sh", BASH),
    Language("Node", "node", ".js", NODE),
    Language("Ruby", "ruby", ".rb", RUBY),
    Language("Perl", "perl", ".pl", PERL),
    Language("C", "cc", ".c", C),
)
