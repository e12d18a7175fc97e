# Everything runs from .venv, which any target makes on first use from the locked dependencies.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-thorough test-slow test-all lint types docs site wheel release container matrix new-check new-fault bench audit-faults audit-others audit-right audit-costs question-rates explore-faults soak fuzz foreign gpu ptx lock clean

help:            ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

setup: $(READY)  ## makes .venv, installs the locked dependencies, compiles the kernels

$(RUNS): requirements-run.lock pyproject.toml
	"$(PYTHON)" -c 'import sys; sys.exit("conform needs Python 3.11 or newer: make PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else 0'
	@echo 'making $(VENV): about 570 MB; the download takes a minute or more, and prints nothing'
	"$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-run.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(READY): $(RUNS) requirements.lock
	$(BIN)/python -m refbot.cli warm
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

# The check of a right bot ends when everything is decided, or after ten minutes on a slow machine.
demo: $(RUNS)     ## the main job: a right bot is checked, then a wrong one
	$(BIN)/python -m refbot.cli warm --size 9
	@echo 'The bundled reference bot. It follows the specification, so it must conform:'
	@echo
	$(BIN)/conform check "$(BIN)/refbot gtp"
	@echo
	@echo 'The same bot with one fault: on the edge of the board it takes a false eye for an eye, and leaves it empty.'
	@echo 'It must be refused; the checks of the clause "eye" say where it goes wrong:'
	@echo
	$(BIN)/conform check "$(BIN)/refbot gtp --fault eye-edge-as-centre" --budget quick; test $$? -eq 1
	@echo
	@echo 'demo: the right bot conforms, the wrong one was refused'

test: setup      ## the test suite
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not thorough"

test-thorough: setup ## the second line of defence too, as .ci/run does
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-slow: setup ## the tests that take longer too: whole checks, compiled kernels, many cases
	$(BIN)/python -m pytest -n auto --dist worksteal

test-all:        ## the tests with each Python from 3.11 to 3.14 that is installed
	@for version in 3.11 3.12 3.13 3.14; do \
	  for python in $$(command -v python$$version) $(HOME)/.pyenv/versions/$$version.*/bin/python; do \
	    "$$python" -c '' 2>/dev/null || continue; \
	    echo "Python $$version: $$python"; \
	    $(MAKE) --no-print-directory test PYTHON="$$python" VENV=.venv-$$version || exit 1; \
	    continue 2; \
	  done; \
	  echo "Python $$version: not installed"; \
	done

coverage: setup  ## the tests again, with the coverage of harness in percent
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" --cov --cov-report=term:skip-covered

lint: setup      ## ruff: lint and format
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: setup     ## mypy
	$(BIN)/python -m mypy

docs: setup      ## writes docs/checks.md, docs/config.md, docs/engines.md and the columns in docs/formats.md
	$(BIN)/python -m harness.report.pages.checks_page > docs/checks.md.new
	$(BIN)/python -m harness.report.pages.config_page > docs/config.md.new
	mv docs/checks.md.new docs/checks.md
	$(BIN)/python -m harness.report.files.columns_page > docs/formats.md.new
	mv docs/config.md.new docs/config.md
	mv docs/formats.md.new docs/formats.md
	$(BIN)/python -m harness.report.files.engines_page > docs/engines.md.new
	mv docs/engines.md.new docs/engines.md

site: setup      ## builds the documentation site in build/site; a dead link or a lost heading is an error
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-site.lock
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
	CONFORM_SITE=build/site $(BIN)/python -m pytest --quiet tests/test_site.py
	@echo "build/site/index.html"

wheel: setup     ## writes the wheel and the sdist into dist
	$(BIN)/python -m hatchling build -d dist

new-check: setup ## writes the skeleton of a check: make new-check ID=gtp.handicap.name
	@$(BIN)/python -m harness.tools.skeleton check $(ID)

new-fault: setup ## writes the skeleton of a fault: make new-fault NAME=handicap-too-few CLAUSE=gtp-handicap
	@$(BIN)/python -m harness.tools.skeleton fault $(NAME) $(CLAUSE)

release: setup   ## writes wheel, sdist, manual pages, components and checksums into dist, and tries them in empty environments
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/python -m harness.tools.release dist
	$(BIN)/python -m pytest -n 0 tests/test_package.py

ENGINE ?= $(shell command -v podman || command -v docker)
container: setup ## builds the image of Containerfile, and tries it; needs podman or docker
	$(if $(ENGINE),,$(error make container needs podman or docker: make container ENGINE=/path/to/podman))
	$(ENGINE) build -f Containerfile -t conform .
	CONFORM_CONTAINER="$(ENGINE)" $(BIN)/python -m pytest -n 0 tests/test_container.py

MATRIX_PLAYOUTS ?= 1000 50 100 200 400 700 3000 20000
matrix: setup    ## writes docs/kill-matrix.md: every fault through a quick check, those of searches at MATRIX_PLAYOUTS; takes hours
	$(BIN)/conform selftest --full --in-process --budget quick $(MATRIX_PLAYOUTS:%=--playouts %) --write docs/kill-matrix.md

bench: setup     ## what things cost: refbot, other programs (PEERS="9:./go9"), then each of tests/bench
	$(BIN)/refbot bench
	@for script in tests/bench/*.py; do \
		echo; echo "$$script"; \
		case $$script in */bench_peers.py) $(BIN)/python $$script $(PEERS);; *) $(BIN)/python $$script;; esac || exit 1; \
	done

audit-faults: setup ## how many faults of the registry the audit of a match of 20 games finds
	$(BIN)/python -m tests.harness.arena.audit.audit_faults

audit-others: setup ## the same for faults that the registry does not have
	$(BIN)/python -m tests.harness.arena.audit.audit_faults --others --find

audit-right: setup ## how often the audit of a match refuses a right bot; 200 matches
	$(BIN)/python -m tests.harness.arena.audit.audit_right_bots

audit-costs: setup ## what an audit costs: processor time and memory
	$(BIN)/python -m tests.harness.arena.audit.audit_costs

question-rates: setup ## error rates and games of the questions of a match, and published figures; takes minutes
	$(BIN)/python -m harness.stats.question_rates

explore-faults: setup ## how many faults of the registry a minute of exploration finds without any listed check
	$(BIN)/python -m tests.harness.explore.explore_faults

soak: setup      ## an hour under attack: a thousand checks of hostile engines, matches with kills; what is lost or left
	$(BIN)/python -m tests.soak.soak_checks
	$(BIN)/python -m tests.soak.soak_matches --minutes 45 --pause 1

fuzz: setup      ## a million odd texts and values at every boundary; a minute of any bytes into the reader of answers
	CONFORM_FUZZ=100 $(BIN)/python -m pytest -n auto --timeout 7200 tests/fuzz
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target .venv/fuzz atheris==3.0.0
	PYTHONPATH=.venv/fuzz:. $(BIN)/python tests/engines/fuzz_answers.py -max_total_time=60 -max_len=256

FOREIGN ?= .venv/foreign
foreign: setup   ## engines and clients from npm and PyPI, checked; see docs/engines.md
	npm install --silent --no-save --prefix $(FOREIGN)/npm @sabaki/gtp@3.0.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(FOREIGN)/gtp --upgrade gtp==0.2
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(FOREIGN)/pygtp --upgrade pygtp==0.4
	CONFORM_FOREIGN=$(FOREIGN) $(BIN)/python -m pytest tests/harness/check/test_foreign.py

# The extra has 830 MB, so it has an environment of its own.
GPU := .venv-gpu
$(GPU)/.gpu: pyproject.toml
	$(MAKE) --no-print-directory setup VENV=$(GPU)
	$(GPU)/bin/python -m pip install --quiet --disable-pip-version-check 'numba-cuda[cu13]==0.30.4' 'numpy<2.5'
	@touch $@

gpu: $(GPU)/.gpu ## the playouts of a GPU: exact checks, then speeds; four minutes, needs a GPU of NVIDIA
	$(GPU)/bin/python -m tests.gpu.check_gpu

ptx: $(GPU)/.gpu ## compiles the kernels for a GPU, without one, and reads their code
	$(GPU)/bin/python -m pytest -n 0 tests/gpu

COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras \
  --no-emit-index-url --no-emit-find-links pyproject.toml
lock:            ## pins every dependency anew (needs uv on the PATH)
	$(COMPILE) --group dev -o requirements.lock
	$(COMPILE) --group build --extra serve --constraints requirements.lock -o requirements-run.lock
	$(COMPILE) --group site --constraints requirements.lock -o requirements-site.lock

clean:           ## removes .venv and caches
	rm -rf .venv .venv-* build dist .pytest_cache .mypy_cache .ruff_cache
