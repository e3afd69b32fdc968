"""Uniform noise of a log-normal size on the scale of a smooth sensitivity."""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp, log, normal_cdf
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.smooth.log_normal_noise import LogNormalNoise, uniform_slope
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import RelationIn
from rdpacct.provenance import by

STEPS = tuple(Fraction(k, 2) for k in range(-6, 7))
"""The sizes at which outputs are cut for a lower end, as multiples of sigma in logarithm."""


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
        """The size of the noise against that of the broader noise, in cells, both ways round."""
        sizes = [exp(self.sigma * step) for step in STEPS]
        pair = [
            cell_masses([size * shrink for size in sizes], self.sigma)
            for shrink in (formula(1), exp(-self.beta))
        ]
        narrow, broad = pair
        return (_atoms(narrow, broad), _atoms(broad, narrow))

    def draw_unit(self, rng: random.Random) -> float:
        return rng.uniform(-1, 1)

    @classmethod
    def examples(cls) -> Iterable["SmoothUniformLogNormal"]:
        return cls("0.02", "0.1", "3/2"), cls("0.001", "0.2", 2)


def cell_masses(sizes: list[Expr], sigma: Expr) -> list[Expr]:
    """The probabilities of sizes up to the first, between each two, and above the last."""
    below = [size_below(size, sigma) for size in sizes]
    inside = [after - before for before, after in pairwise(below)]
    return [below[0], *inside, 1 - below[-1]]


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
