"""Privacy accounting whose numbers are enclosures and whose rules name their theorems.

The first letters of the name stand for Random differential privacy (Hall, Rinaldo, Wasserman), not
for Renyi; the package has both, as RandomDP and RenyiDP.

What is public is what this module has, and the modules named in ``MODULES``. All else may change
without notice.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

MODULES = (
    "book",
    "functions",
    "mechanisms",
    "privacy.convert",
    "proof.kernel",
    "random_dp",
    "releases",
    "sensitivity",
    "testing",
    "testing.strategies",
)
"""The public modules, each of which lists its names in ``__all__``."""

HOMES = {
    "auditing": ("NotShownToHold", "Outcome", "Verdict", "audit", "audit_samples"),
    "auditing.neighbors": (
        "LargestMove",
        "SearchedNoise",
        "WorstNeighbors",
        "largest_move",
        "worst_neighbors",
        "worst_noise",
    ),
    "auditing.one_run": (
        "CanaryGuesses",
        "CanaryScores",
        "OneRunVerdict",
        "audit_one_run",
    ),
    "auditing.replay": (
        "NoiseFinding",
        "FindingKind",
        "NoiseLog",
        "NoiseVerdict",
        "audit_noise",
        "record_noise",
        "replay_noise",
    ),
    "auditing.support": (
        "GridVerdict",
        "SumVerdict",
        "SupportVerdict",
        "UnreachableOutput",
        "audit_grid",
        "audit_sum",
        "audit_support",
        "check_unreachable",
    ),
    "auditing.sampled": ("SampledVerdict",),
    "auditing.running": ("CodeVerdict", "ObservedEvent", "audit_code"),
    "book.verify": ("verify",),
    "budget": ("budget_certificate",),
    "calibration": ("Calibration", "calibrate"),
    "curves": ("CertifiedCurve", "epsilon_delta_curve", "tradeoff_curve"),
    "errors": ("InputError", "NotInstalledError", "UndecidedError"),
    "exact.bound": ("Bound",),
    "explanation": ("Explanation", "ExplanationStep", "explain"),
    "filters.renyi_curve": ("RenyiCurveFilter",),
    "filters.filter": ("Decision", "Filter"),
    "filters.gaussian_odometer": ("GaussianOdometer",),
    "filters.kinds": (
        "ApproxFilter",
        "GaussianFilter",
        "PureFilter",
        "RenyiFilter",
        "ZCDPFilter",
        "filter_of",
    ),
    "filters.ledger": ("Ledger",),
    "filters.menu": ("MenuFilter",),
    "filters.parts": ("PartOfData",),
    "filters.odometer": (
        "Odometer",
        "PureOdometer",
        "OdometerReading",
        "RenyiOdometer",
        "ZCDPOdometer",
    ),
    "mechanisms.histogram.sparse_histogram": ("HistogramRelease",),
    "mechanisms.maximally_divergent": ("maximally_divergent_above",),
    "mechanisms.mechanism": ("Mechanism", "Plan"),
    "mechanisms.smooth.smooth_noise": ("SmoothNoise",),
    "mechanisms.study_only": ("StudyOnlyWarning",),
    "plan": ("read_claim", "read_plan"),
    "plan.document": ("PlanDocument", "read_document"),
    "plan.events": ("plan_from_event",),
    "privacy.guarantee": (
        "ZCDP",
        "ApproxDP",
        "ApproxZCDP",
        "GaussianDP",
        "Guarantee",
        "MeanCDP",
        "ProfileDP",
        "PureDP",
        "RandomDP",
        "RenyiDP",
    ),
    "privacy.loss": ("PrivacyLoss",),
    "privacy.profile": ("Profile",),
    "privacy.relation": ("Norm", "Relation", "Sensitivity"),
    "privacy.symbolic": ("SymbolicLoss", "symbolic"),
    "proof.audit": ("CertifiedRefutation", "check_refutation"),
    "proof.budget": ("CertifiedBudget", "check_budget"),
    "proof.check": ("CertifiedClaim", "Rejected", "check"),
    "proof.entries": ("theorem",),
    "proof.prove": ("ProofResult", "prove"),
    "proof.theorem": ("Theorem",),
    "questions": ("delta", "epsilon", "profile"),
    "releases": (
        "BoundedLocalRelease",
        "DistanceTest",
        "ProposeTestRelease",
        "RandomSensitivityRelease",
        "SmoothAnswer",
        "SmoothRelease",
        "StabilityRelease",
    ),
    "report": ("PrivacyReport", "privacy_report"),
    "report.audit_page": ("audit_page",),
    "training": ("TrainingStatement", "dpsgd"),
    "training.statement": ("BatchingStatement", "LeftOut"),
    "sensitivity": (
        "DistanceOracle",
        "FiniteQuery",
        "Median",
        "OnGrid",
        "OrderStatistic",
        "Quantile",
        "Triangles",
        "TrimmedMean",
        "Variance",
    ),
}
"""Where each public name lives, except for the mechanisms, which are found in their folder.

A name is imported when it is first used, so that a command loads only what it needs.
``__init__.pyi`` says the same to type checkers; ``make docs`` writes it.
"""


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _public_names()
    if name in MODULES:
        return importlib.import_module(f"rdpacct.{name}")
    value = _in_its_home(name) or _mechanism(name)
    if value is None:
        raise AttributeError(f"module 'rdpacct' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return ["__version__", *_public_names()]


def _public_names() -> list[str]:
    from rdpacct.mechanisms import ours

    modules = [module for module in MODULES if "." not in module]
    listed = [name for names in HOMES.values() for name in names]
    return sorted([*modules, *listed, *ours()])


def _in_its_home(name: str) -> Any:
    for module, names in HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"rdpacct.{module}"), name)
    return None


def _mechanism(name: str) -> Any:
    if not name[:1].isupper():
        return None
    from rdpacct.mechanisms import one_of_ours

    return one_of_ours(name)
