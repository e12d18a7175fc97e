# Everything runs from .venv, which any target makes on first use from the locked dependencies.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types bench lock clean

help:            ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

setup: $(READY)  ## makes .venv, installs the locked dependencies, compiles the kernels

$(READY): requirements.lock pyproject.toml
	"$(PYTHON)" -c 'import sys; sys.exit("conform needs Python 3.11 or newer: make PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else 0'
	"$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	$(BIN)/python -m refbot.cli warm
	@touch $@

demo: setup      ## the main job: a right bot is checked, then a wrong one
	@$(BIN)/python -m harness.cli.demo

test: setup      ## the test suite
	$(BIN)/python -m pytest -n auto -m "not slow"

test-slow: setup ## the minutes-long statistical tests too
	$(BIN)/python -m pytest -n auto

lint: setup      ## ruff: lint and format
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: setup     ## mypy
	$(BIN)/python -m mypy

lock:            ## pins every dependency anew (needs uv on the PATH)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --group dev pyproject.toml -o requirements.lock

clean:           ## removes .venv and caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
