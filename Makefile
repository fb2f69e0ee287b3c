# Every target sets up what it needs, in .venv; `make help` lists them.
# The only requirement is Python 3.11 or later; to choose one: make PYTHON=/path/to/python3 ...

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-deep format lint types imports notebooks wheel lock clean distclean FORCE
unexport PYTHONPATH PYTHONHOME
export PYTHON

# -P: the folders of the checkout are packages of the namespace, not modules of their own.
RUN := .venv/bin/python -P
PIP := $(RUN) -m pip --disable-pip-version-check --quiet
PACKAGES := theory automata proofs pipeline paper_figures
ARGS :=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: .venv/ready ## find patterns in a year of real flights; results go to build/demo
	@$(RUN) -m mnemata.pipeline.demo build/demo $(ARGS)

test: .venv/ready ## run the tests, the slow ones aside; ARGS="-k name" chooses
	@$(RUN) -m pytest -m "not slow" $(ARGS)

test-deep: .venv/ready ## run all tests, with many more generated examples and new random seeds
	@$(RUN) -m pytest --hypothesis-profile=deep $(ARGS)

format: .venv/ready ## rewrite all code in the house format
	@$(RUN) -m ruff format .

lint: .venv/ready ## check the code against the house rules
	@$(RUN) -m ruff format --check --quiet .
	@$(RUN) -m ruff check .

types: .venv/ready ## check the types, strictly
	@$(RUN) -m mypy $(PACKAGES:%=--package=mnemata.%) >build/types.txt; status=$$?; \
	sed 's|^build/__editable__[^/]*/mnemata/||' build/types.txt; exit $$status

imports: .venv/ready ## check that imports point one way
	@.venv/bin/lint-imports --no-logo

# The settings of the user who runs it, or the lack of a home folder, make no difference.
notebooks: export IPYTHONDIR = $(CURDIR)/build/jupyter/ipython
notebooks: export JUPYTER_CONFIG_DIR = $(CURDIR)/build/jupyter/config
notebooks: export JUPYTER_DATA_DIR = $(CURDIR)/build/jupyter/data
notebooks: .venv/ready ## run every notebook from top to bottom; ARGS="--write NAME" writes what it shows
	@mkdir -p build/jupyter/ipython; $(RUN) .ci/notebooks.py $(ARGS)

# setuptools keeps what it once built; a module that was removed must not come back.
wheel: .venv/ready ## build the wheel into dist
	@rm -rf build/lib build/bdist.* dist
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

UV := build/lock/bin/python -m uv pip compile --quiet --universal --python-version=3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command="make lock"
lock: ## choose the newest versions that fit pyproject.toml and pin them with their hashes
	@python=$$(.ci/find-python) && "$$python" -m venv --clear build/lock
	@build/lock/bin/python -m pip --disable-pip-version-check --quiet install uv
	@printf 'setuptools>=77\nwheel\n' | $(UV) --upgrade --output-file=requirements/build.txt -
	@$(UV) --upgrade --all-extras --constraint=requirements/build.txt --output-file=requirements/locked.txt pyproject.toml
	@rm -r build/lock

clean: ## remove what was made, .venv aside
	@rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@rm -rf .import_linter_cache

distclean: clean ## remove .venv too
	@rm -rf .venv

# Two packages come as source only. They are built with the pinned setuptools, which is why that is
# installed first and build isolation, which would fetch another one, is off.
.venv/packages: requirements/build.txt requirements/locked.txt
	@python=$$(.ci/find-python) && echo "Making .venv with $$python" && "$$python" -m venv --clear .venv
	@echo "Installing the pinned packages; the first time this takes a few minutes"
	@$(PIP) install --require-hashes --requirement requirements/build.txt
	@$(PIP) install --require-hashes --no-build-isolation --requirement requirements/locked.txt
	@touch $@

# A strict editable install links every file by name, so the names are kept and compared.
.venv/files: .venv/packages FORCE
	@{ pwd; find $(PACKAGES) -type f ! -name '*.py[co]' | LC_ALL=C sort; } >$@.new
	@ls -d build/__editable__.mnemata-*/mnemata >/dev/null 2>&1 || rm -f $@
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.venv/ready: .venv/files pyproject.toml setup.py
	@echo "Installing mnemata from this folder"
	@rm -rf build/__editable__.mnemata-*
	@$(PIP) install --no-deps --no-build-isolation --config-settings editable_mode=strict --editable .
	@touch $@
