# One command each: `make demo`, `make test`, `make check`, `make test-real`, `make requirements`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo run test test-slow check lint types imports test-real test-real-short test-real-sizes drift requirements sdk-drift scoreboard bench snapshots clean

demo: $(STAMP)
	$(BIN)/copilot demo

# Tests start hundreds of interpreters: without bytecode each would compile all of copilot.
unexport PYTHONDONTWRITEBYTECODE

test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist worksteal --outcomes default

test-slow: $(STAMP)
	COPILOT_ALL_EXAMPLES=1 $(BIN)/python -m pytest -n auto --dist worksteal -m "slow or examples" --outcomes slow

check: lint types imports test

lint: $(STAMP)
	$(BIN)/ruff format --check copilot tests
	$(BIN)/ruff check copilot tests

types: $(STAMP)
	$(BIN)/mypy

imports: $(STAMP)
	$(BIN)/lint-imports --no-logo

test-real: $(STAMP)
	$(BIN)/python -m pytest -n 2 -m "real_cli and not slow" --outcomes real tests/real

# Eight CLIs at three more sizes.
test-real-sizes: $(STAMP)
	$(BIN)/python -m pytest -m "real_cli and slow" tests/real

# What fits into a short run: Claude Code and Codex through the whole way, and in the cockpit.
test-real-short: $(STAMP)
	$(BIN)/python -m pytest -m real_cli tests/real/test_cockpit.py tests/real/test_every_cli.py -k "cockpit or (whole_way and (claude or codex))"

# The newest version of each CLI from its registry, walked offline; the table in docs/profiles.md.
drift: $(STAMP)
	$(BIN)/python -m tests.real.drift $(CLIS)

# Runs nothing: says what the last `make test`, `make test-slow` and `make test-real` showed.
requirements: $(STAMP)
	$(BIN)/python tests/requirements.py

# For a scheduled job: the tests of the vendors' SDKs with their newest versions.
sdk-drift: $(STAMP)
	$(BIN)/python -m tests.sdk_drift

scoreboard: $(STAMP)
	$(BIN)/python -m tests.scoreboard

bench: $(STAMP)
	$(BIN)/python -m tests.benchmarks.screen_speed
	$(BIN)/python -m tests.benchmarks.bench_detect
	$(BIN)/python -m tests.benchmarks.bench_guard --number 10000 --only commands screens
	$(BIN)/python -m tests.benchmarks.bench_render
	$(BIN)/python -m tests.benchmarks.bench_pty
	$(BIN)/python -m tests.benchmarks.bench_cockpit
	$(BIN)/python -m tests.benchmarks.bench_recording
	$(BIN)/python -m tests.benchmarks.bench_replay
	$(BIN)/python -m tests.benchmarks.bench_timebox
	$(BIN)/python -m tests.benchmarks.bench_checkpoints
	$(BIN)/python -m tests.benchmarks.bench_model_server
	$(BIN)/python -m tests.benchmarks.bench_scenarios

snapshots: $(STAMP)
	$(BIN)/python -m pytest tests/ui/test_snapshots.py tests/ui/test_replay_snapshots.py -m "slow or not slow" --snapshot-update

$(STAMP): pyproject.toml
	@echo "Installing copilot and its packages into $(VENV): a minute or two, once"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,tokens]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .hypothesis .outcomes .real-cli
