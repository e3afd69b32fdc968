"""Numbers from elsewhere, by family: printed in papers and in the tests of other libraries, or
worked out by other accountants.

A number is given with its digits, or as the optimistic and the pessimistic end that the other
accountant (dp-accounting 0.6.0, a grid of 1e-4) has for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from rdpacct import (
    DiscreteGaussian,
    FiniteMechanism,
    Gaussian,
    GaussianMixture,
    Laplace,
    PartitionSelection,
    Plan,
    PureDP,
    PureFilter,
    PureOdometer,
    SmoothLaplaceLogNormal,
    SmoothUniformLogNormal,
    Thresholded,
    TreeAggregation,
    epsilon,
    read_plan,
)
from rdpacct.exact.bound import Bound
from rdpacct.functions import log
from rdpacct.questions import Questions

FAMILIES = (
    "relations and groups",
    "sampling",
    "correlated noise",
    "selection",
    "local and shuffled",
    "adaptivity",
    "smooth noise",
)
GOOGLE = "dp-accounting 0.6.0"


@dataclass(frozen=True)
class Reference:
    """A number of somebody else, between two ends, and how we are asked for it."""

    family: str
    source: str
    ends: tuple[str, str]
    ours: Callable[[], Bound]

    @property
    def agrees(self) -> bool:
        """Whether our enclosure has a number that the other source allows."""
        low, high = map(Fraction, self.ends)
        found = self.ours()
        return bool(found.lower <= high and found.upper >= low)


def digits(text: str) -> tuple[str, str]:
    """The ends that a rounded number stands for."""
    value = Fraction(text)
    fine = text.partition("e")[0].partition(".")[2]
    power = int(text.partition("e")[2] or 0)
    half = Fraction(1, 2) * Fraction(10) ** (power - len(fine))
    return str(value - half), str(value + half)


def at_most(text: str, grid: str = "1e-4") -> tuple[str, str]:
    """The ends of a number that was rounded up on a grid."""
    return str(Fraction(text) - Fraction(grid)), text


def loss_of(plan: Any, relation: str | None = None, group: int = 1) -> Any:
    """epsilon at delta = 1e-6."""
    return lambda: epsilon(plan, "1e-6", relation=relation, group=group)


RELATIONS = [
    (loss_of(Gaussian(2), group=3), ("7.806547032340614", "7.806597029966028")),
    (loss_of(Laplace(3), group=2), ("0.6665980000646636", "0.6666970000954976")),
    (loss_of(DiscreteGaussian(4), group=3), ("3.536667184843245", "3.536767184843246")),
    (
        loss_of("10*PoissonSampled(Gaussian(sigma=2), rate=0.1)", group=2),
        ("2.054073856645191", "2.0545740212288055"),
    ),
    (
        loss_of("PoissonSampled(Gaussian(sigma=0.8), rate=0.01)", "replace_one"),
        at_most("0.8976659481858722"),
    ),
    (
        loss_of("Gaussian(sigma=1.5, sensitivity=2)", "replace_one"),
        at_most("6.802657289893797"),
    ),
]
SAMPLING = [
    (
        loss_of("10*PoissonSampled(Laplace(scale=1), rate=0.1)"),
        ("1.3284740054095772", "1.3290769304013363"),
    ),
    (
        loss_of("100*PoissonSampled(Gaussian(sigma=1), rate=0.05)"),
        ("4.10179121494005", "4.106791458578507"),
    ),
    (
        loss_of(
            "100*SampledWithoutReplacement(Gaussian(sigma=2, sensitivity=2),"
            " batch=1, of=100)"
        ),
        ("0.9492174701459006", "0.95421795131319"),
    ),
    (
        loss_of("10*SampledWithReplacement(Gaussian(sigma=2), batch=4, of=8)"),
        ("5.588502843897781", "5.606100723590889"),
    ),
    (
        loss_of("PoissonSampled(Gaussian(sigma=0.8), rate=0.01)"),
        at_most("0.8876273569867494"),
    ),
    (
        loss_of(
            "10*TruncatedPoissonSampled(Gaussian(sigma=1), rate=0.1, of=50, cap=30)"
        ),
        at_most("3.465984739511395"),
    ),
]


def divergence(sigma: int, steps: int) -> Callable[[], Bound]:
    """The Renyi divergence of order 2 of a tree."""
    plan = Plan.of(TreeAggregation(sigma, steps))
    return lambda: Questions(plan).renyi(Fraction(2))


def mixture(lengths: list[int], shares: str, way: int) -> Callable[[], Bound]:
    """delta at epsilon 1 of a mixture of Gaussians, removing or adding the record."""
    law = GaussianMixture(1, lengths, shares.split())
    return lambda: law.profile().losses[way].delta(1)


TREES = [
    (divergence(4, 1000), ("0.625", "0.625")),
    (divergence(5, 4096), ("0.52", "0.52")),
    (divergence(2, 10), ("1", "1")),
]
MIXTURES = [
    (mixture([0, 1, 2], "0.2 0.6 0.2", 1), digits("0.0366912638")),
    (mixture([1, 2], "0.2 0.8", 1), digits("0.3894964357")),
    (mixture([0, 1, 2], "0.2 0.6 0.2", 0), digits("0.1576828409")),
    (mixture([1, 2], "0.2 0.8", 0), digits("0.4332766755")),
]


def shown(users: int) -> Callable[[], Bound]:
    """The chance of a category with so many users, at epsilon 0.5 and delta 0.02."""
    return lambda: PartitionSelection("0.5", "0.02").chance(users).bound()


def lone(scale: Any, threshold: str) -> Callable[[], Bound]:
    """The chance that a category of one user is released."""
    return lambda: Thresholded(Laplace(scale), threshold).delta.bound()


SELECTION = [
    (shown(6), digits("0.58840484458")),
    (shown(8), digits("0.86807080625")),
    (shown(15), ("1", "1")),
    (lone(1 / log(3), "3"), digits("0.05555555556")),
    (lone(1 / log(3), "4"), digits("0.01851851852")),
    (lone(1 / log(3), "10"), ("2.5402631e-05", "2.5402632e-05")),
    (lone(2, "7.43775164974"), digits("0.020000000")),
]


def responses(count: int, uniform: str, answers: int) -> Callable[[], Bound]:
    """Randomized responses that are drawn uniformly with this probability."""
    share = Fraction(uniform)
    growth = 1 + (1 - share) * answers / share
    plan = f"{count}*RandomizedResponse(epsilon=log({growth}), answers={answers})"
    return lambda: epsilon(read_plan(plan), "1e-6")


LOCAL = [
    (responses(10, "3/10", 4), ("23.352987206606667", "23.353987206606668")),
    (responses(20, "1/2", 2), ("21.971684613415995", "21.973684613415994")),
    (responses(5, "1/5", 10), ("18.567497302687137", "18.567997302687136")),
    (responses(3, "1/2", 100), ("13.845292235248671", "13.845592235248672")),
    (responses(50, "4/5", 3), ("19.54165249548288", "19.54580167594106")),
]
SHUFFLED = [
    (
        loss_of("Shuffled(PureDP(epsilon=1), people=10000)"),
        ("0.04320651292800903", "0.04320651292800903"),
    ),
]


def coin(share: str) -> FiniteMechanism:
    """Randomized response that keeps a bit with this probability."""
    keep = Fraction(share)
    return FiniteMechanism([[keep, 1 - keep], [1 - keep, keep]])


def spent(count: int) -> Callable[[], Bound]:
    """What a filter has spent on so many coins of 0.51."""

    def asked() -> Bound:
        budget = PureFilter(1)
        for _ in range(count):
            decision = budget.spend(coin("0.51"))
        return Bound.exactly(decision.spent[0], "spent")

    return asked


def run_on() -> Bound:
    """What an odometer shows after two coins of 0.6."""
    running = PureOdometer()
    running.spend(coin("0.6"))
    return running.spend(coin("0.6")).epsilon


def left(count: int) -> Callable[[], Bound]:
    """What is left of 2.5 after so many releases of epsilon 1."""

    def asked() -> Bound:
        budget = PureFilter("2.5")
        for _ in range(count):
            decision = budget.spend(PureDP(1))
        return Bound.exactly(decision.remaining[0], "left")

    return asked


FILTERS = [
    (spent(1), digits("0.04000533461370")),
    (spent(2), digits("0.08001066922740")),
    (run_on, digits("0.8109302162163")),
    (left(1), ("1.5", "1.5")),
    (left(2), ("0.5", "0.5")),
]


def rho_of(kind: Any, *numbers: str) -> Callable[[], Bound]:
    """rho of noise of a log-normal size."""
    plan = Plan.of(kind(*numbers))
    return lambda: Questions(plan).zcdp_rho(Fraction(0))


LAPLACE_SIZES = [("0.5", "0.1", "0.5"), ("1", "0.3", "1"), ("0.1", "0.02", "0.2")]
UNIFORM_SIZES = [("0.02", "0.1", "1.5"), ("0.001", "0.2", "2")]


def published_rho(uniform: bool, shift: str, scale: str, size: str) -> tuple[str, str]:
    """Half the square of t/sigma + exp(3 sigma**2/2) s, where s has the factor sqrt(2/(pi
    sigma**2)) for uniform noise, to fifteen digits.
    """
    with mp.workdps(30):
        sigma = mp.mpf(size)
        factor = mp.sqrt(2 / mp.pi) / sigma if uniform else 1
        moved = mp.exp(3 * sigma**2 / 2) * factor * mp.mpf(shift)
        rho = (mp.mpf(scale) / sigma + moved) ** 2 / 2
        return mp.nstr(rho * (1 - mp.mpf("1e-15")), 20), mp.nstr(rho, 20)


SMOOTH = [
    *[
        (rho_of(SmoothLaplaceLogNormal, *row), published_rho(False, *row))
        for row in LAPLACE_SIZES
    ],
    *[
        (rho_of(SmoothUniformLogNormal, *row), published_rho(True, *row))
        for row in UNIFORM_SIZES
    ],
]

ROOT_TWO = "1.4142135623730951"
"""The sigma of uniform log-normal noise there, in doubles."""
MEDIANS = [
    *[
        (rho_of(SmoothLaplaceLogNormal, *row), digits(rho))
        for row, rho in (
            (("0.5498314230327778", "0.1", "0.5"), "0.50000000000000"),
            (("4.8110249515368055", "0.5", "0.5"), "32.0000000000000"),
            (("0.09572322149377799", "0.2", "0.8"), "0.12500000000000"),
            (("1.1654965047479793", "1.2", "0.6"), "8.00000000000000"),
        )
    ],
    (
        rho_of(SmoothUniformLogNormal, "0.08200539738982288", "0.1", ROOT_TWO),
        digits("0.50000000000000"),
    ),
]
"""The alpha, beta and sigma of the other code for epsilon 1, 8, 0.5, 4 and 1, which is to be
epsilon**2/2 in concentrated differential privacy.
"""


SOURCES = [
    ("relations and groups", f"{GOOGLE}, both estimates", RELATIONS),
    ("sampling", f"{GOOGLE}, both estimates", SAMPLING),
    ("correlated noise", f"{GOOGLE}, RdpAccountant", TREES),
    ("correlated noise", "the tests of dp-accounting for mixtures", MIXTURES),
    ("selection", "google/differential-privacy, partition-selection_test", SELECTION),
    ("local and shuffled", f"{GOOGLE}, both estimates", LOCAL),
    ("local and shuffled", "wangsw/PrivacyAmplification, amplificationUB", SHUFFLED),
    ("adaptivity", "OpenDP, privacy_filter and Odometer; Tumult Analytics", FILTERS),
    (
        "smooth noise",
        "Bun and Steinke (2019), the epsilon of log-normal noise, worked out",
        SMOOTH,
    ),
    (
        "smooth noise",
        "anonymous-conf-medians/dp-medians, dpMedianLLN and dpMedianULN",
        MEDIANS,
    ),
]
REFERENCES = [
    Reference(family, source, ends, ours)
    for family, source, rows in SOURCES
    for ours, ends in rows
]
SLOW = [
    one
    for one in REFERENCES
    if one.ours
    in (SAMPLING[0][0], SHUFFLED[0][0], *(row[0] for row in (*SMOOTH[3:], MEDIANS[-1])))
]
"""Those that take seconds."""
