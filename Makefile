# The cabinet's tasks; `make help` lists them. A new machine needs Python 3.11 or newer, git, make and gcc. requirements.lock
# has everything else, for .venv.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.SUFFIXES:

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet

# Where a simulated cabinet keeps its books and its pictures (both ignored by git).
DATA ?= data/simulated
SCREENS ?= screens

# Tests run in WORKERS processes: one more than the cores of a small machine, because many tests wait for a device. ARGS adds
# arguments for pytest, as in `make test ARGS=-x`.
WORKERS ?= 3
ARGS ?=

# The interpreter for .venv: the first of these that exists and is new enough. `make PYTHON=/usr/bin/python3.12 run` chooses
# another one.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
  "$$p" -c "$(NEW_ENOUGH)" >/dev/null 2>&1 && { command -v "$$p"; break; }; done)

.PHONY: help
help: ## list the tasks
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: run
run: setup ## play on a simulated cabinet in a window; without a display it plays by itself and keeps pictures
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
	  echo "Books and tickets of this cabinet are in $(DATA)/. Close the window to stop it."; \
	  exec $(BIN)/cabinet run --simulate --windowed --data $(DATA); \
	fi; \
	echo "No display here (DISPLAY and WAYLAND_DISPLAY are unset): the cabinet plays by itself."; \
	mkdir -p $(DATA)-alone $(SCREENS); \
	SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $(BIN)/cabinet autoplay --data $(DATA)-alone --screens $(SCREENS); \
	echo "The pictures of the session are in $(SCREENS)/, its books in $(DATA)-alone/."

# Ignore PYTHONDONTWRITEBYTECODE: without bytecode each process compiles every test again.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# Pytest compiles the test modules itself. This does it once, during the checks, instead of in every worker.
.PHONY: compile
compile: setup
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 0 --collect-only -qq >/dev/null || true

.PHONY: test
test: ## the gate: lint, types, import contracts, every rule with coverage; twelve minutes on two cores
	@$(MAKE) --no-print-directory --jobs=2 check compile
	@$(PYTEST) -m "not breadth" --cov --cov-report= --whole-suite $(ARGS)

.PHONY: test-all
test-all: check compile ## every test, with all sizes, games, seeds and devices; before a release and each night
	@$(PYTEST) --breadth=4 --rounds=20000 --cov --cov-report= --whole-suite $(ARGS)

.PHONY: check
check: lint types contracts ## lint, types and import contracts only; half a minute

.PHONY: lint
lint: setup ## ruff: format and rules; the words of the house style
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/python .ci/plain_english.py

.PHONY: types
types: setup ## mypy, strict
	@$(BIN)/mypy

.PHONY: contracts
contracts: setup ## who may import whom
	@$(BIN)/lint-imports

.PHONY: words
words: setup ## write the words that this program stores, for a released form of the journal
	@PYTHONPATH=tests $(BIN)/python -m support.vocabulary

.PHONY: thorough
thorough: setup ## the property tests with many more examples, new ones each time
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --hypothesis-profile=thorough --breadth=160 --timeout=1800 $(ARGS)

SEED ?= $(shell date +%s)

# SESSIONS sessions of up to 30 inputs each come from SEED, and as many storms of presses.
SESSIONS ?= 100000
.PHONY: world
world: setup ## play 100,000 sessions of anything that can happen, with a journal each; SESSIONS=2000 plays fewer
	@echo "SESSIONS=$(SESSIONS) SEED=$(SEED)"
	@$(BIN)/python -m pytest -n $(WORKERS) --dist load --sessions=$(SESSIONS) --storms=$(SESSIONS) --cut-seed=$(SEED) \
	  tests/engine/test_machine_world.py tests/engine/test_machine.py $(ARGS)

# CUTS power cuts come from SEED; a failure names both, and the number of the cut.
CUTS ?= 20000
.PHONY: torture
torture: setup ## cut the power thousands of times, with a new seed each time; CUTS=20000 SEED=7 repeats a run
	@echo "CUTS=$(CUTS) SEED=$(SEED)"
	@$(BIN)/python -m pytest tests/crash -n $(WORKERS) --dist load --cuts=$(CUTS) --cut-seed=$(SEED) $(ARGS)

# ONLY=store tries the mutants whose file or rule holds this word.
ONLY ?=
.PHONY: mutants
mutants: setup ## break a rule in a copy of the code, one rule at a time: the named test must fail; four minutes
	@PYTHONPATH=tests $(BIN)/python -m support.mutants $(ONLY)

# EVERY=1 changes every byte, EVERY=100 each hundredth.
EVERY ?= 1
.PHONY: tamper
tamper: setup ## change every byte of a journal, one after the other: each change is detected or harmless
	@echo "EVERY=$(EVERY) SEED=$(SEED)"
	@$(BIN)/python -m pytest tests/store/test_tampering.py -n $(WORKERS) --tamper-every=$(EVERY) --cut-seed=$(SEED) $(ARGS)

ROUNDS ?= 1000000
.PHONY: endurance
endurance: setup ## play a million rounds through the journal: start and file must stay as they are; ROUNDS=100000 plays fewer
	@$(BIN)/python -m pytest tests/store/test_long_life.py --rounds=$(ROUNDS) --log-cli-level=INFO $(ARGS)

.PHONY: format
format: setup ## let ruff format the code
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

.PHONY: bench
bench: setup ## measure frames, steps and commits
	@SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $(BIN)/cabinet bench

.PHONY: screens
screens: setup ## paint every screen as a picture into SCREENS
	@mkdir -p $(SCREENS)
	@SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $(BIN)/cabinet screens $(SCREENS)
	@echo "The pictures are in $(SCREENS)/."

.PHONY: sheets
sheets: setup ## compute the par sheets of the three games and write them into the product: some minutes
	@$(BIN)/python -c "from cabinet.par.cache import write_shipped; write_shipped()"

.PHONY: setup
setup: $(READY) ## make .venv from the lock file; does nothing when nothing changed

# pip keeps a package that already has the locked version. It checks every file against its hash, and builds the project
# with the locked hatchling. The locked setuptools has no pkg_resources: pygame would import it, which is slow and warns.
$(READY): requirements.lock pyproject.toml
	@if [ ! -x $(BIN)/python ]; then \
	  if [ -z "$(PYTHON)" ]; then \
	    echo "No Python 3.11 or newer was found. Install one (Debian: apt install python3.11 python3.11-venv)" >&2; \
	    echo "or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; \
	  fi; \
	  "$(PYTHON)" -c "$(NEW_ENOUGH)" 2>/dev/null || { echo "$(PYTHON) is not Python 3.11 or newer: name another as PYTHON=..." >&2; exit 1; }; \
	  echo "Making $(VENV) with $(PYTHON)"; \
	  "$(PYTHON)" -m venv $(VENV); \
	fi
	@echo "Installing the locked packages into $(VENV)"
	@$(PIP) install --require-hashes --no-deps --only-binary :all: -r requirements.lock
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@$(PIP) check
	@touch $@

# Both lock files hold the same versions, with hashes for every platform: one for work on the project, one with only what
# a cabinet runs on. UPGRADE=--upgrade moves to the newest versions that pyproject.toml allows.
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-emit-index-url --no-emit-find-links --no-config
UPGRADE ?=
.PHONY: lock
lock: ## write requirements.lock and requirements-run.lock from pyproject.toml
	@[ -x $(BIN)/uv ] || { echo "make lock needs $(BIN)/uv: run 'make setup' first" >&2; exit 1; }
	@$(LOCK) --group dev $(UPGRADE) --output-file requirements.lock
	@$(LOCK) --constraints requirements.lock --output-file requirements-run.lock

# WHEELS keeps the downloaded wheels: with all of them there the build needs no network. KEY is a minisign secret key.
ARCH ?= arm64
WHEELS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/blackjack-cabinet/wheels
KEY ?=
.PHONY: package
package: setup ## build the Debian package of a cabinet into dist/; ARCH=amd64, WHEELS=folder, KEY=file that signs it
	@$(BIN)/python .ci/package.py --arch "$(ARCH)" --wheels "$(WHEELS)" $(if $(KEY),--key "$(KEY)")

# TOOL is a checkout of rpi-image-gen at the commit that image/ was written for. The card has Debian's packages of SNAPSHOT, a
# time in seconds. SSH_KEY is the technician's public key; without one the card has no remote access.
TOOL ?= ../rpi-image-gen
TOOL_COMMIT := 262d4df5a9f9d4133370465399a7958a7c22cdc7
SNAPSHOT ?= 1795996800
SSH_KEY ?=
.PHONY: image
image: package ## build the card of a cabinet with rpi-image-gen; TOOL=its checkout, SSH_KEY=file of the technician's key
	@[ "$$(git -C "$(TOOL)" rev-parse HEAD)" = "$(TOOL_COMMIT)" ] || \
	  { echo "$(TOOL): expected rpi-image-gen at $(TOOL_COMMIT) (v2.8.0)" >&2; exit 1; }
	@$(BIN)/python .ci/splash.py image/build/splash.tga
	@cp "$$(ls -t dist/blackjack-cabinet_*_arm64.deb | head -1)" image/build/blackjack-cabinet.deb
	@SOURCE_DATE_EPOCH=$(SNAPSHOT) "$(TOOL)/rpi-image-gen" build -S "$(CURDIR)/image" -c cabinet.yaml \
	  $(if $(SSH_KEY),-- "IGconf_ssh_pubkey_user1=$$(cat "$(SSH_KEY)")")

.PHONY: test-package
test-package: ARCH = amd64
test-package: setup ## install that package in fresh Debian systems: setup, play, update, remove; ARCH=arm64 under qemu
	@$(BIN)/python -m pytest tests/package -n 0 --package-arch=$(ARCH) --package-wheels="$(WHEELS)" -m package $(ARGS)

.PHONY: clean
clean: ## remove the files of tools; keeps .venv and data
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.* build dist $(SCREENS)
	@find cabinet drivers tests -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: distclean
distclean: clean ## also remove .venv
	@rm -rf $(VENV)
