"""A wall clock that jumps by days, there and back, at each look: a library that stands before the system's."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_SOURCE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static long jump(void) { static int calls; return (++calls % 2 ? 1 : -1) * 86400L * calls; }
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += jump();
    return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec; now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *place) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (place) *place = precise.tv_sec;
    return precise.tv_sec;
}
"""


class NoJumpingClock(Exception):
    """It cannot be built here; the message says why."""


@functools.cache
def jumping_clock() -> dict[str, str]:
    """The variables that give a program this clock. Raises NoJumpingClock."""
    compiler = shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        raise NoJumpingClock("the jumping clock needs gcc and Linux")
    source, library = Path(_folder().name, "clock.c"), Path(_folder().name, "clock.so")
    source.write_text(_SOURCE)
    command = [compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    if subprocess.run(command, check=False).returncode:
        raise NoJumpingClock("the jumping clock cannot be built here")
    return {"LD_PRELOAD": str(library)}


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Kept until the program ends."""
    return tempfile.TemporaryDirectory(prefix="clock-")
