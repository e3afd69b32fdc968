PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
QUICK := \
	tests/exact/test_exact.py \
	tests/exact/test_formula_trees.py \
	tests/exact/test_shown.py \
	tests/filters/test_spending.py \
	tests/privacy/test_against_mpmath_calculus.py \
	tests/privacy/test_guarantee_questions.py \
	tests/mechanisms/test_admissible.py \
	tests/mechanisms/test_array_samplers.py \
	tests/mechanisms/test_integer_vectors.py \
	tests/mechanisms/test_promises.py \
	tests/composition/test_adaptive.py \
	tests/composition/test_closed_composition.py \
	tests/composition/test_composition.py \
	tests/composition/test_known_bounds.py \
	tests/accounting/test_calibration.py \
	tests/accounting/test_plan_files.py \
	tests/accounting/test_plan_schema.py \
	tests/accounting/test_questions.py \
	tests/accounting/test_random_dp.py \
	tests/accounting/test_readable.py \
	tests/accounting/test_verdicts.py \
	tests/data/test_data_foundations.py \
	tests/data/test_estimators.py \
	tests/proof/test_checker_meaning.py \
	tests/proof/test_instances.py \
	tests/proof/test_kernel_chains.py \
	tests/proof/test_kernel_holes.py \
	tests/proof/test_kernel_holes_second.py \
	tests/proof/test_kernel_whole.py \
	tests/proof/test_prover_check.py \
	tests/proof/test_prover_series.py \
	tests/book/test_provenance.py \
	tests/book/test_samples.py \
	tests/cli/test_claims_of_files.py \
	tests/cli/test_exit_codes.py \
	tests/cli/test_help.py \
	tests/cli/test_mistakes.py \
	tests/cli/test_shell.py \
	tests/report/test_page.py \
	tests/testing/test_strategies.py \
	tests/testing/test_twin_laws.py \
	tests/house/test_generated.py \
	tests/house/test_habits.py \
	tests/house/test_layers.py \
	tests/house/test_metadata.py \
	tests/house/test_public_face.py

.PHONY: tour test test-quick test-slow test-browser lint fix docs site certificates bench clean

tour: $(VENV)/.installed
	@$(BIN)/rdpacct tour

# Compiled first, as many tests start processes of their own. Both workers read the tests as the run
# before has written them, with their assertions, even where bytecode is not written otherwise.
test: $(VENV)/.installed-test
	@$(BIN)/python -m compileall -q -j 0 rdpacct theorems tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal

test-quick: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto $(QUICK)

test-slow: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto -m slow

test-browser: $(VENV)/.installed-browser
	$(BIN)/python -m pytest -n auto -m browser

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

# The proof files of the entries that have none, or whose file does not verify any more.
certificates: $(VENV)/.installed-test
	$(BIN)/python -m rdpacct.cli.certify

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/compare.py

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

$(VENV)/.installed-browser: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[browser]"
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[benchmark]"
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
