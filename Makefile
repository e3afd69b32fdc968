PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: tour browser test test-slow lint fix docs site certificates bench clean

tour: $(VENV)/.installed
	@$(BIN)/rdpacct tour

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto

test-slow: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto -m slow

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: $(VENV)/.installed-test
	$(BIN)/python -m tests.one_import
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: certificates
	$(BIN)/python -m tests.generated
	$(BIN)/python -m pytest -q -n auto tests/house

site: $(VENV)/.installed-docs
	$(BIN)/sphinx-build -q -W --keep-going -b html docs build/site

certificates: $(VENV)/.installed-test
	$(BIN)/python -m rdpacct.book.certify

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/compare.py

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

browser: $(VENV)/.installed-browser

$(VENV)/.installed-browser: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[browser]"
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[benchmark]"
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
