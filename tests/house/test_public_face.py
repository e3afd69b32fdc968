"""The public face: its names, what they say of themselves, and that the documentation needs
nothing else.
"""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rdpacct
from tests.annotated_types import returned_by
from tests.house.test_docs import EXAMPLES, PAGES, blocks
from tests.public_names import homes

FUNCTIONS = {
    *("audit_noise", "record_noise", "replay_noise"),
    *("largest_move", "worst_neighbors", "worst_noise"),
    *("audit_grid", "audit_sum", "audit_support", "check_unreachable"),
    *("audit", "audit_samples", "calibrate", "check", "delta", "epsilon", "explain"),
    *("audit_code", "audit_one_run", "check_refutation", "dpsgd"),
    *("audit_page", "filter_of"),
    *(
        "maximally_divergent_above",
        "plan_from_event",
        "profile",
        "prove",
        "read_claim",
        "read_document",
        "read_plan",
        "symbolic",
    ),
    *("budget_certificate", "check_budget", "epsilon_delta_curve"),
    *("privacy_report", "theorem", "tradeoff_curve", "verify"),
}
GUARANTEES = {
    *(
        "ApproxDP",
        "ApproxZCDP",
        "GaussianDP",
        "Guarantee",
        "MeanCDP",
        "ProfileDP",
        "PureDP",
    ),
    *("RandomDP", "RenyiDP", "ZCDP"),
}
MECHANISMS = {
    *("DiscreteGaussian", "DiscreteLaplace", "DiscreteSparseHistogram", "Exponential"),
    *("FiniteMechanism", "Gaussian", "GaussianMixture", "Laplace"),
    *("MatrixMechanism", "MaximallyDivergent", "NonPrivate"),
    *("SampledBands", "SquareRootMechanism", "ToeplitzMechanism", "TreeAggregation"),
    *("BestOfPoissonRuns", "BestOfRuns", "GaussianSparseVector"),
    *("PartitionSelection", "PermuteAndFlip", "RepeatAndSelect"),
    *("ReportNoisyMax", "SparseVector", "Thresholded"),
    *(
        "PoissonSampled",
        "Promised",
        "RandomizedResponse",
        "SampledWithReplacement",
        "TruncatedPoissonSampled",
        "SampledWithoutReplacement",
        "SmoothGaussian",
        "SmoothLaplace",
        "SmoothLaplaceLogNormal",
        "SmoothStudent",
        "SmoothUniformLogNormal",
    ),
    *("Parallel", "SmoothPower", "SparseHistogram", "Staircase", "TruncatedLaplace"),
    *("HadamardResponse", "OptimizedUnaryEncoding", "SubsetSelection"),
    *("RandomAllocation", "Shuffled", "SymmetricUnaryEncoding"),
}
RELEASES = {
    *(
        "BoundedLocalRelease",
        "DistanceTest",
        "ProposeTestRelease",
        "RandomSensitivityRelease",
    ),
    *("HistogramRelease", "SmoothAnswer", "SmoothRelease", "StabilityRelease"),
}
QUERIES = {
    "DistanceOracle",
    "FiniteQuery",
    "Median",
    "OnGrid",
    "OrderStatistic",
    "Quantile",
    "Triangles",
    "TrimmedMean",
    "Variance",
}
VALUES = {
    *("ApproxFilter", "Decision", "Filter", "GaussianFilter", "PureFilter"),
    *("MenuFilter", "RenyiCurveFilter", "RenyiFilter", "ZCDPFilter"),
    "Ledger",
    "GaussianOdometer",
    *("Odometer", "PureOdometer", "OdometerReading", "RenyiOdometer", "ZCDPOdometer"),
    *("Bound", "Calibration", "Explanation", "Mechanism", "Norm", "Outcome", "Plan"),
    *("CertifiedBudget", "CertifiedCurve", "PlanDocument", "PrivacyReport"),
    *("FindingKind", "NoiseFinding", "NoiseLog", "NoiseVerdict"),
    *("LargestMove", "SearchedNoise", "WorstNeighbors"),
    *("GridVerdict", "SumVerdict", "SupportVerdict", "UnreachableOutput"),
    *("CertifiedRefutation", "CodeVerdict", "ObservedEvent", "TrainingStatement"),
    *("CanaryGuesses", "CanaryScores", "OneRunVerdict", "SampledVerdict"),
    *("BatchingStatement", "LeftOut", "PartOfData"),
    *("CertifiedClaim", "ExplanationStep", "ProofResult", "SymbolicLoss", "Theorem"),
    *("PrivacyLoss", "Profile", "Relation", "Sensitivity", "SmoothNoise", "Verdict"),
}
ERRORS = {
    *(
        "InputError",
        "NotInstalledError",
        "NotShownToHold",
        "Rejected",
        "StudyOnlyWarning",
    ),
    "UndecidedError",
}
MODULES = {
    *(
        "book",
        "functions",
        "mechanisms",
        "random_dp",
        "releases",
        "sensitivity",
        "testing",
    ),
}
DOTTED = {"privacy.convert", "proof.kernel", "testing.strategies"}
PUBLIC_MODULES = [
    importlib.import_module(f"rdpacct.{name}") for name in rdpacct.MODULES
]


def test_the_public_names_are_these() -> None:
    """A name comes or goes only together with this test."""
    expected = (
        FUNCTIONS
        | GUARANTEES
        | MECHANISMS
        | RELEASES
        | QUERIES
        | VALUES
        | ERRORS
        | MODULES
    )
    assert rdpacct.__all__ == sorted(expected)
    assert set(rdpacct.__all__) < set(dir(rdpacct))
    assert {*rdpacct.MODULES} == MODULES | DOTTED


@pytest.mark.parametrize("name", rdpacct.__all__)
def test_every_name_can_be_had(name: Any) -> None:
    """Each is what its home has under that name, and stays so when all modules are loaded."""
    value = getattr(rdpacct, name)
    if name not in MODULES:
        assert value is getattr(importlib.import_module(homes()[name]), name)
    assert not isinstance(value, ModuleType) or name in MODULES


def test_no_name_is_that_of_a_submodule() -> None:
    """A submodule that is imported takes its name in the package, and would hide a function of
    that name.
    """
    files = {path.stem for path in Path(rdpacct.__file__).parent.iterdir()}
    assert files & set(homes()) == set()


def test_a_mechanism_of_the_user_hides_none_of_ours() -> None:
    """A user's class of the same name is found in plans, and ours is still what the package has."""
    code = (
        "from rdpacct.mechanisms import Mechanism\nclass Laplace(Mechanism):"
        " pass\nimport rdpacct\nprint(rdpacct.Laplace.__module__, hasattr(rdpacct,"
        " 'Laplac'), hasattr(rdpacct, ''))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [
        "rdpacct.mechanisms.laplace.laplace",
        "False",
        "False",
    ]


def test_an_explanation_is_the_answer_with_its_steps() -> None:
    """The epsilon is that of ``epsilon``, and its theorems are those of the steps."""
    explanation = rdpacct.explain(3 * rdpacct.Gaussian(2), "1e-6")
    assert explanation.epsilon == rdpacct.epsilon(3 * rdpacct.Gaussian(2), "1e-6")
    assert {step.theorem for step in explanation.steps} == explanation.epsilon.rests_on
    assert {step.verdict for step in explanation.steps} == {"proved"}
    assert str(explanation).startswith("\n".join(explanation.epsilon.lines("epsilon")))


def test_a_theorem_is_verified_by_its_name() -> None:
    """In the order in which they are asked for, each once; an unknown one is refused."""
    checked = rdpacct.verify("group/pure", "cdp/tail", "group/pure")
    assert [(each.name, each.verdict) for each in checked] == [
        ("group/pure", "proved"),
        ("cdp/tail", "corrected"),
    ]
    with pytest.raises(rdpacct.InputError, match="is not known"):
        rdpacct.verify("cdp/nothing")


def loaded_by(code: str) -> set[str]:
    """The modules that a program loads."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_importing_the_package_loads_nothing_of_it() -> None:
    """A bare import stays light, and one name brings only what it needs."""
    assert {
        name for name in loaded_by("import rdpacct") if name.startswith("rdpacct")
    } == {"rdpacct"}
    one_mechanism = loaded_by("from rdpacct import FiniteMechanism")
    assert "rdpacct.mechanisms.finite.finite_mechanism" in one_mechanism
    assert not one_mechanism & {
        "rdpacct.mechanisms.exponential.exponential",
        "rdpacct.proof",
        "sympy",
        "numpy",
    }


def test_all_names_together_load_neither_sympy_nor_numpy() -> None:
    """Also ``from rdpacct import *``, which needs the list of names."""
    assert not loaded_by("from rdpacct import *") & {
        "sympy",
        "numpy",
        "scipy",
        "matplotlib",
        "mpmath",
    }


BETWEEN_MECHANISM_AND_COMPOSITION = {
    *("Alternatives", "CopiesApart", "Costs", "Loss", "Participation", "Ratios"),
    *("NegativeBinomialRuns", "NumberOfRuns", "PoissonRuns", "Reports", "Squares"),
}
"""What a mechanism tells the composition by methods that users do not call."""
ASKED_OF_A_TRANSFORM = {
    *("Apart", "Ball", "BoundedLaw", "Case", "ClosedCurve", "Column", "LatticeLaw"),
}
"""What the composition asks of a loss or a transform, which has a default for each but balls."""
BETWEEN_A_BUDGET_AND_ITS_PARTS = {"Price"}
"""What a budget, its parts and its shares hand to each other; users see it in a Decision."""


def private_types(value: object, public: set[type]) -> set[str]:
    """The classes that a public function or a method returns, and that are neither public nor
    derived from a public class.
    """
    return {
        cls.__name__ for cls in returned_by(value) if public.isdisjoint(cls.__mro__)
    }


def test_what_public_functions_return_is_public() -> None:
    """A user can name the type of every answer; what is only passed on inside is listed above."""
    names = [value for _, value in documented()]
    public = {value for value in names if isinstance(value, type)}
    found = set().union(*(private_types(value, public) for value in names))
    assert found == (
        BETWEEN_MECHANISM_AND_COMPOSITION
        | ASKED_OF_A_TRANSFORM
        | BETWEEN_A_BUDGET_AND_ITS_PARTS
    )


def test_a_private_type_is_found() -> None:
    """The check itself can fail: on functions, and on methods and properties of a class."""
    assert private_types(rdpacct.prove, set()) == {"ProofResult"}
    assert private_types(rdpacct.Filter, set()) >= {"Decision", "PartOfData"}
    assert private_types(rdpacct.Filter, {rdpacct.Decision}) >= {"PartOfData"}


def documented() -> list[tuple[str, object]]:
    """Every public class and function, with where it is found."""
    found = [(f"rdpacct.{name}", getattr(rdpacct, name)) for name in rdpacct.__all__]
    for module in PUBLIC_MODULES:
        found += [
            (f"{module.__name__}.{name}", getattr(module, name))
            for name in module.__all__
        ]
    return [
        (name, value)
        for name, value in found
        if callable(value) or isinstance(value, ModuleType)
    ]


@pytest.mark.parametrize(
    ("name", "value"), documented(), ids=[name for name, _ in documented()]
)
def test_every_public_name_has_a_docstring(name: Any, value: Any) -> None:
    """Its own, and so has every public method, which may take that of its base."""
    assert undocumented(name, value) == []


def undocumented(name: str, value: object) -> list[str]:
    """The name itself and its public methods, where they have no docstring."""
    written = (value.__doc__ or "").strip()
    missing = (
        [] if written and not written.startswith(f"{name.split('.')[-1]}(") else [name]
    )
    if isinstance(value, type):
        public = [
            one
            for one in vars(value)
            if not one.startswith("_") and _is_method(value, one)
        ]
        missing += [
            f"{name}.{one}" for one in public if not inspect.getdoc(getattr(value, one))
        ]
    return missing


def _is_method(cls: type, name: str) -> bool:
    return isinstance(vars(cls)[name], property) or inspect.isroutine(
        getattr(cls, name, None)
    )


def test_a_missing_docstring_is_found() -> None:
    """The check itself can fail: on a class without words, and on a method without any."""

    class Silent:
        def asked(self) -> None:
            return None

    assert undocumented("Silent", Silent) == ["Silent", "Silent.asked"]


def private_imports(code: str) -> list[str]:
    """The imports of a program that are not public names of the package."""
    found = list[str]()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found += [
                alias.name for alias in node.names if not _is_public_module(alias.name)
            ]
        elif (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").split(".")[0] == "rdpacct"
        ):
            found += [
                f"{node.module}.{alias.name}"
                for alias in node.names
                if not _has(node.module or "", alias.name)
            ]
    return found


def _is_public_module(module: str) -> bool:
    ours = module.split(".")[0] == "rdpacct"
    return (
        not ours
        or module == "rdpacct"
        or module.removeprefix("rdpacct.") in rdpacct.MODULES
    )


def _has(module: str, name: str) -> bool:
    return _is_public_module(module) and name in importlib.import_module(module).__all__


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_documentation_imports_public_names_only(page: Any) -> None:
    """What a reader copies from a page keeps working."""
    code = [
        block.body for block in blocks(page.read_text()) if block.language == "python"
    ]
    assert [name for body in code for name in private_imports(body)] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_examples_import_public_names_only(example: Any) -> None:
    """The scripts of examples/ use the package as its users do."""
    assert private_imports(example.read_text()) == []


def test_a_private_import_is_found() -> None:
    """The check itself can fail: on private modules, and on private names of public ones."""
    code = (
        "import rdpacct.exact.ball\nfrom rdpacct.mechanisms import find\nfrom"
        " rdpacct.plan import read_plan"
    )
    assert private_imports(code) == [
        "rdpacct.exact.ball",
        "rdpacct.mechanisms.find",
        "rdpacct.plan.read_plan",
    ]
    assert (
        private_imports("import math, rdpacct\nfrom rdpacct.functions import exp") == []
    )
