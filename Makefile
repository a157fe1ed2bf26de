# Set-up and checks, from a bare clone with Python 3.11 or later and make. Nothing is asked, nothing needs root.

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$name"; break; }; done)
BIN := .venv/bin
READY := .venv/.ready
# What runs the referee is enough for the demo, where the tools of the tests are not there already.
RUNS := $(if $(wildcard $(READY)),$(READY),.venv/.runs)
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet --quiet
# What tests write lies in memory where there is room (4 GB), and goes with each test that passes: without it they wait for
# the disk longest of all, since the referee syncs whatever it promises.
ROOM := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 { print "/dev/shm" }')
# What the tests' many processes compile is kept, also where that is usually not wanted: it takes a tenth of the time.
PYTEST := PYTHONDONTWRITEBYTECODE= $(if $(ROOM),PYTEST_DEBUG_TEMPROOT=$(ROOM)) $(BIN)/python -m pytest -o tmp_path_retention_policy=failed

.PHONY: demo test soak bench fuzz mutants twins understood lint lock clean

# A whole Fourplay cycle played by mail, in the folder demo/.
demo: $(RUNS)
	@mkdir -p demo
	@cd demo && ../$(BIN)/referee demo

# Lint, then the suite with samples of the long checks, in the order of the files, since a file's tests share what is dear
# to set up; whoever is idle takes over from the others. One process more than two cores: one of them waits for a server
# or a browser half of the time. REFEREE_SERVERS=required: a missing server is a failure.
test: lint
	@$(PYTEST) -m "not soak" --ignore=tests/bench --numprocesses 3 --dist worksteal

# The long checks at their full counts, on two cores.
soak: $(READY)
	@$(PYTEST) -m soak --numprocesses 2 --dist worksteal

# The comparisons.
bench: $(READY)
	@$(PYTEST) tests/bench

# How many mails are understood, of each corpus; `make understood WITH=--help` tells what else it does.
understood: $(READY)
	@$(if $(ROOM),TMPDIR=$(ROOM)) $(BIN)/python -m tests.understood.standing $(WITH)

# Inputs by the million to whatever reads what comes from outside, so many seconds for each target: guided by atheris where
# that can be had, else by hypothesis. `make fuzz WITH=--help` tells what else it does.
fuzz: $(READY)
	@$(PIP) install --require-hashes --requirement requirements-fuzz.lock || echo "No atheris here: hypothesis alone."
	@$(BIN)/python -m tests.fuzz.fuzzing $(WITH)

# The same sessions for two versions, every byte that leaves them compared: `make twins BASE=COMMIT`.
twins: $(READY)
	@test -n "$(BASE)" || { echo "Name the version to compare with: make twins BASE=COMMIT"; exit 2; }
	@$(if $(ROOM),TMPDIR=$(ROOM)) $(BIN)/python -m tests.twins.comparing $(BASE) $(WITH)

# Small faults written into a copy of the code, and whether the tests of its room tell; alive are those that they don't.
mutants: $(READY)
	@$(PIP) install --require-hashes --requirement requirements-mutants.lock
	@$(if $(ROOM),TMPDIR=$(ROOM)) $(BIN)/python -m tests.fuzz.mutants $(WITH)

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --check .; exit 1; }
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.lint.budget

# Pin everything anew, as far as needed. The files hold no index address, only names, versions and hashes.
# What builds packages is pinned by itself, so that it can be there before those that come as sources.
COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
lock:
	@command -v uv >/dev/null || { echo "make lock needs uv: pip install uv"; exit 1; }
	$(COMPILE) --group build --output-file requirements-build.lock
	$(COMPILE) --group dev pyproject.toml --output-file requirements.lock
	$(COMPILE) pyproject.toml --constraint requirements.lock --output-file requirements-run.lock
	$(COMPILE) --group fuzz --output-file requirements-fuzz.lock
	$(COMPILE) --group mutants --constraint requirements.lock --output-file requirements-mutants.lock
	@! grep -nE '://|--(extra-)?index-url|--find-links' requirements*.lock

clean:
	rm -rf .venv

$(READY): requirements-build.lock requirements.lock pyproject.toml
	$(call SET_UP,requirements.lock)
.venv/.runs: requirements-build.lock requirements-run.lock pyproject.toml
	$(call SET_UP,requirements-run.lock)

define SET_UP
	@test -n "$(PYTHON)" || { echo "The referee needs Python 3.11 or later; none was found. Name one: make PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) can't make virtual environments: its ensurepip is missing."; \
		echo "On Debian and Ubuntu it comes with the package python3-venv: apt-get install python3-venv"; exit 1; }
	@echo "Setting up .venv (once) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes --requirement requirements-build.lock
	@$(PIP) install --require-hashes --no-build-isolation --requirement $(1)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q referee  # once, and not at every start where nothing may be written there
	@touch $@
endef
