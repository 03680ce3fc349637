"""Do the newest SDKs of the vendors still understand the model server, and copilot them? For a scheduled job.

    python -m tests.sdk_drift [FOLDER]

Installs the newest versions into FOLDER (default: a temporary one), beside those that are pinned, and runs the
tests that use them. With a FOLDER that holds packages already, nothing is installed. Exit 1: something drifted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SDKS = ("anthropic", "openai", "mcp")
TESTS = ("tests/model_server/test_protocols.py", "tests/providers", "tests/testrunner")


def drifted(folder: Path, tests: tuple[str, ...] = TESTS) -> str:
    """What the tests say with the packages of this folder, if they fail."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--tb=line", *tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stdout + done.stderr)[-4_000:]


def main(given: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="sdk-drift-") as name:
        folder = Path(given[0]) if given else Path(name)
        if not folder.is_dir() or not any(folder.iterdir()):
            pip = [
                sys.executable,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--upgrade",
            ]
            subprocess.run([*pip, "--target", str(folder), *SDKS], check=True)
        versions = sorted(one.name for sdk in SDKS for one in folder.glob(f"{sdk}-*.dist-info"))
        print("newest:", ", ".join(one.removesuffix(".dist-info") for one in versions) or folder)
        said = drifted(folder)
    print(said or "no drift")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
