"""Uniform noise of a log-normal size on the scale of a smooth sensitivity."""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp, log, normal_cdf
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.smooth.log_normal_noise import LogNormalNoise, uniform_slope
from rdpacct.privacy.constants import about
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import RelationIn
from rdpacct.provenance import by

STEPS = (-4, -3, -2, -1, 0, 1, 2, 4)
"""The sizes at which outputs are cut for a lower end, as multiples of sigma in logarithm, on both
sides.
"""


@dataclass(frozen=True)
class SmoothUniformLogNormal(LogNormalNoise):
    """f(D) + (S(D)/alpha) X exp(sigma Y) with X uniform between -1 and 1 and a standard normal Y.

    S is a beta-smooth bound on the local sensitivity, and sigma is at least sqrt(2).
    """

    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    sigma: Parameter = Parameter(above_least=True)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if not (2 - self.sigma**2).bound().certainly_at_most(0):
            raise InputError(
                f"sigma is {self.sigma}, but the bound on the density holds from sqrt(2)"
                " on; give a larger sigma."
            )

    def slope(self) -> Expr:
        return uniform_slope(self.sigma)

    def members(self) -> tuple[PrivacyLoss, ...]:
        """The noise against that of the farthest and broadest neighbor, in cells of outputs, in
        both orders.
        """
        sizes = [exp(self.sigma * step) for step in STEPS]
        cuts = [*(-size for size in sizes), self.alpha / 2, *sizes]
        middle = in_order([cut for cut in cuts if _apart(cut, self.alpha)])
        here = cell_masses(middle, self.sigma)
        places = [(cut - self.alpha) / exp(self.beta) for cut in middle]
        there = cell_masses(places, self.sigma)
        return (_atoms(here, there), _atoms(there, here))

    def draw_unit(self, rng: random.Random) -> float:
        return rng.uniform(-1, 1)

    @classmethod
    def examples(cls) -> Iterable["SmoothUniformLogNormal"]:
        return cls("0.02", "0.1", "3/2"), cls("0.001", "0.2", 2)


def cell_masses(places: list[Expr], sigma: Expr) -> list[Expr]:
    """The probabilities of outputs below the first place, between each two, and above the last."""
    below = [_below(place, sigma) for place in places]
    inside = [after - before for before, after in pairwise(below)]
    return [below[0], *inside, 1 - below[-1]]


def _below(place: Expr, sigma: Expr) -> Expr:
    """The probability of an output below a place that is not 0: as many are above as below 0."""
    if place.bound().certainly_above(0):
        return (1 + size_below(place, sigma)) / 2
    return (1 - size_below(-place, sigma)) / 2


def in_order(places: list[Expr]) -> list[Expr]:
    """The places in order, without those that are not certainly beyond the one before."""
    ordered = list[Expr]()
    for place in sorted(places, key=about):
        if not ordered or (place - ordered[-1]).bound().certainly_above(0):
            ordered.append(place)
    return ordered


def _apart(place: Expr, shift: Expr) -> bool:
    """Whether a place is certainly neither 0 nor the shift."""
    gaps = [place.bound(), (place - shift).bound()]
    return not any(gap.lower <= 0 <= gap.upper for gap in gaps)


def _atoms(first: list[Expr], second: list[Expr]) -> PrivacyLoss:
    """The loss of two laws of the same cells."""
    rows = zip(first, second, strict=True)
    return PrivacyLoss(tuple(Atom(p, q, log(p / q)) for p, q in rows))


@by("smooth/log-normal")
def size_below(size: Real, sigma: Real) -> Expr:
    """The probability that the size of the noise X exp(sigma Y) is below this one."""
    place = log(size) / sigma
    tail = normal_cdf(-(place + sigma))
    return normal_cdf(place) + formula(size) * exp(formula(sigma) ** 2 / 2) * tail
