# Everything that is done with a checkout. `make check` is exactly what continuous integration runs.

PYTHON ?= python3
NPM ?= npm
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
# Tests run side by side in this many processes; every one makes the databases and servers of its own tests.
WORKERS ?= logical
SIDE_BY_SIDE = -n $(WORKERS) --maxprocesses 8 --dist worksteal
# Browser tests drive Chromium from a loop of their own, and faults break things: both get their own process.
MAIN_SUITE := --ignore=tests/browser --ignore=tests/faults
# What judges is tested again as an installation has it: compiled.
JUDGING := tests/core tests/games tests/play tests/net/test_random_play.py tests/net/test_protocol.py \
	tests/net/test_daily.py tests/net/test_frames.py tests/net/test_field_reports.py tests/net/test_limits.py \
	tests/net/test_live_boards.py tests/net/test_practice_help.py
# .venv holds either the server as an installation has it, compiled where there is a C compiler, and made again when
# its source changes; or, once tests were run, an editable install, which is the source itself and is never compiled.
INSTALLED := $(if $(wildcard $(VENV)/.dev-installed),$(VENV)/.dev-installed,$(VENV)/.run-installed)
SOURCES := $(shell find server client_web migrations -name __pycache__ -prune -o -print)

.DEFAULT_GOAL := help
.PHONY: help run test check bench browser screenshots faults docs format clean \
	static lint types imports client-types docs-check coverage compiled faults-smoke bench-smoke

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

run: export SAMEDEAL_DATA_DIR ?= data
run: $(INSTALLED) ## Start the server on http://localhost:8000; what it stores goes to data/
	@$(BIN)/samedeal serve

test: $(VENV)/.dev-installed ## Run all tests that this machine can run, and say loudly which it cannot
	$(PYTEST) $(SIDE_BY_SIDE) $(MAIN_SUITE)
	$(PYTEST) $(SIDE_BY_SIDE) tests/browser
	SAMEDEAL_TEST_FAULTS=smoke $(PYTEST) $(SIDE_BY_SIDE) tests/faults

check: static ## Everything that must be green before a change lands
	@$(MAKE) --no-print-directory coverage
	@$(MAKE) --no-print-directory compiled
	@$(MAKE) --no-print-directory browser
	@$(MAKE) --no-print-directory faults-smoke
	@$(MAKE) --no-print-directory bench-smoke

bench: $(VENV)/.dev-installed ## Measure every speed beside its baseline (docs/benchmarks.md)
	@$(BIN)/samedeal bench all

browser: $(VENV)/.dev-installed ## Play in Chromium
	$(PYTEST) $(SIDE_BY_SIDE) tests/browser

screenshots: $(VENV)/.dev-installed ## Take the pictures of docs/images again
	$(BIN)/python -m tests.browser.screenshots docs/images

faults: $(VENV)/.dev-installed ## Break things on purpose, as often as the gate asks (SOAK=1: far longer)
	SAMEDEAL_TEST_FAULTS=$(if $(filter 1,$(SOAK)),soak,gate) $(PYTEST) --timeout=0 tests/faults

docs: $(VENV)/.dev-installed ## Write the generated pages of docs/ again
	$(BIN)/samedeal dev docs

format: $(VENV)/.dev-installed ## Lay out the Python code and mend what can be mended
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean: ## Remove what checks and builds leave behind; data/ stays
	rm -rf build dist node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# The parts of `make check`. What only reads the code is done side by side; what measures speeds runs alone.

static: $(VENV)/.dev-installed
	@$(MAKE) --no-print-directory --jobs 2 lint types imports client-types docs-check

lint: $(VENV)/.dev-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev-installed
	$(BIN)/mypy

imports: $(VENV)/.dev-installed
	$(BIN)/lint-imports

client-types:
	@if command -v $(NPM) >/dev/null; then $(MAKE) --no-print-directory tsc; \
	elif [ "$${SAMEDEAL_TEST_REQUIRE_ALL:-0}" != 0 ]; then echo "npm is missing"; exit 1; \
	else echo "!!! NOT CHECKED: the types of client_web, for want of npm !!!"; fi

.PHONY: tsc
tsc: node_modules/.package-lock.json
	node_modules/.bin/tsc --project tsconfig.json

docs-check: $(VENV)/.dev-installed
	$(BIN)/samedeal dev docs --check

coverage: $(VENV)/.dev-installed
	$(PYTEST) -p tests.support.measured $(SIDE_BY_SIDE) $(MAIN_SUITE)

compiled: $(VENV)/.dev-installed
	$(BIN)/python -m tests.support.compiled $(SIDE_BY_SIDE) $(JUDGING)

faults-smoke: $(VENV)/.dev-installed
	SAMEDEAL_TEST_FAULTS=smoke $(PYTEST) $(SIDE_BY_SIDE) tests/faults

bench-smoke: $(VENV)/.dev-installed
	$(BIN)/samedeal bench all --smoke

# Installations, made again when the project's dependencies change, or what they were made of.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Samedeal needs Python 3.11 or newer; name one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-installed: pyproject.toml hatch_build.py $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/.dev-installed: pyproject.toml | $(BIN)/python
	SAMEDEAL_COMPILE=0 $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@rm -f $(VENV)/.run-installed
	@touch $@

node_modules/.package-lock.json: package-lock.json
	$(NPM) ci --no-audit --no-fund --ignore-scripts
	@touch $@
