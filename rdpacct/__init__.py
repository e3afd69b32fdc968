"""Privacy accounting whose numbers are enclosures and whose rules name their theorems.

The first letters of the name stand for Random differential privacy (Hall, Rinaldo, Wasserman), not
for Renyi; the package has both, as RandomDP and RenyiDP.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rdpacct.accounting import delta, epsilon, profile
    from rdpacct.auditing import Outcome, Verdict, audit
    from rdpacct.calibration import Calibration, calibrate
    from rdpacct.errors import InputError, UndecidedError
    from rdpacct.exact.bound import Bound
    from rdpacct.mechanisms.discrete_gaussian import DiscreteGaussian
    from rdpacct.mechanisms.discrete_laplace import DiscreteLaplace
    from rdpacct.mechanisms.discrete_sparse_histogram import DiscreteSparseHistogram
    from rdpacct.mechanisms.exponential import Exponential
    from rdpacct.mechanisms.finite import FiniteMechanism
    from rdpacct.mechanisms.gaussian import Gaussian
    from rdpacct.mechanisms.laplace import Laplace
    from rdpacct.mechanisms.maximally_divergent import MaximallyDivergent
    from rdpacct.mechanisms.mechanism import Mechanism, Plan
    from rdpacct.mechanisms.non_private import NonPrivate
    from rdpacct.mechanisms.poisson_sampled import PoissonSampled
    from rdpacct.mechanisms.promised import Promised
    from rdpacct.mechanisms.randomized_response import RandomizedResponse
    from rdpacct.mechanisms.smooth_gaussian import SmoothGaussian
    from rdpacct.mechanisms.smooth_laplace import SmoothLaplace
    from rdpacct.mechanisms.smooth_power import SmoothPower
    from rdpacct.mechanisms.sparse_histogram import SparseHistogram
    from rdpacct.plan import read_claim, read_plan
    from rdpacct.privacy.guarantee import (
        ZCDP,
        ApproxDP,
        ApproxZCDP,
        GaussianDP,
        Guarantee,
        MeanCDP,
        ProfileDP,
        PureDP,
        RandomDP,
        RenyiDP,
    )
    from rdpacct.privacy.loss import PrivacyLoss
    from rdpacct.privacy.profile import Profile
    from rdpacct.privacy.relation import Norm, Relation, Sensitivity

__version__ = "0.1.0"

__all__ = [
    "ZCDP",
    "ApproxDP",
    "ApproxZCDP",
    "Bound",
    "Calibration",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "DiscreteSparseHistogram",
    "Exponential",
    "FiniteMechanism",
    "Gaussian",
    "GaussianDP",
    "Guarantee",
    "InputError",
    "Laplace",
    "MaximallyDivergent",
    "MeanCDP",
    "Mechanism",
    "NonPrivate",
    "Norm",
    "Outcome",
    "Plan",
    "PoissonSampled",
    "PrivacyLoss",
    "Profile",
    "ProfileDP",
    "Promised",
    "PureDP",
    "RandomDP",
    "RandomizedResponse",
    "Relation",
    "RenyiDP",
    "Sensitivity",
    "SmoothGaussian",
    "SmoothLaplace",
    "SmoothPower",
    "SparseHistogram",
    "UndecidedError",
    "Verdict",
    "audit",
    "calibrate",
    "delta",
    "epsilon",
    "profile",
    "read_claim",
    "read_plan",
]

_HOMES = {
    "accounting": ("delta", "epsilon", "profile"),
    "auditing": ("Outcome", "Verdict", "audit"),
    "calibration": ("Calibration", "calibrate"),
    "errors": ("InputError", "UndecidedError"),
    "exact.bound": ("Bound",),
    "mechanisms.discrete_gaussian": ("DiscreteGaussian",),
    "mechanisms.discrete_laplace": ("DiscreteLaplace",),
    "mechanisms.discrete_sparse_histogram": ("DiscreteSparseHistogram",),
    "mechanisms.exponential": ("Exponential",),
    "mechanisms.finite": ("FiniteMechanism",),
    "mechanisms.gaussian": ("Gaussian",),
    "mechanisms.laplace": ("Laplace",),
    "mechanisms.maximally_divergent": ("MaximallyDivergent",),
    "mechanisms.non_private": ("NonPrivate",),
    "mechanisms.mechanism": ("Mechanism", "Plan"),
    "mechanisms.poisson_sampled": ("PoissonSampled",),
    "mechanisms.promised": ("Promised",),
    "mechanisms.randomized_response": ("RandomizedResponse",),
    "mechanisms.smooth_gaussian": ("SmoothGaussian",),
    "mechanisms.smooth_laplace": ("SmoothLaplace",),
    "mechanisms.smooth_power": ("SmoothPower",),
    "mechanisms.sparse_histogram": ("SparseHistogram",),
    "plan": ("read_claim", "read_plan"),
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
}
"""Where each public name lives; it is imported when it is first used, so that a command loads only
what it needs.
"""


MODULES = ("random_dp",)
"""Public modules, loaded in the same way."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"rdpacct.{name}")
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"rdpacct.{module}"), name)
    raise AttributeError(f"module 'rdpacct' has no attribute {name!r}")
