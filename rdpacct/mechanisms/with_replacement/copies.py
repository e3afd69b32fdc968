"""How many copies of a record a batch has that is drawn with replacement: a binomial number."""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ONE, ZERO, Expr, Real, add, formula
from rdpacct.exact.functions import exp, log
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum, one_term
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.provenance import by, remembered_property

MOST_COPIES = 64
"""The most copies that are followed."""
SMALL = Fraction(1, 10**30)
"""The probability of more copies than are followed, if that is possible."""
LARGEST = Fraction(1, 10**12)
"""A batch that has more copies with a larger probability is refused."""


@dataclass(frozen=True)
class Copies:
    """The probabilities of 0, 1, 2, ... copies of a record in ``batch`` draws from ``of``."""

    batch: int
    of: int

    def __post_init__(self) -> None:
        if self.of < 2:
            raise InputError(
                "there is one record, which every draw is; give the number of records, of"
                " at least 2."
            )
        if self.rest.bound().certainly_above(LARGEST):
            raise InputError(
                f"a batch of {self.batch} draws from {self.of} records has more than"
                f" {MOST_COPIES} copies of a record too often to be followed; give a"
                " smaller batch, or ask without a sampler."
            )

    @cached_property
    def share(self) -> Fraction:
        """The probability that a draw is the record."""
        return Fraction(1, self.of)

    @remembered_property
    def rate(self) -> Expr:
        """The probability that the batch has the record."""
        return any_copy(self.batch, formula(self.share))

    @cached_property
    def most(self) -> int:
        """The number of copies that are followed; more are unlikely."""
        for copies in range(1, min(self.batch, MOST_COPIES)):
            chance = math.comb(self.batch, copies + 1) * self.share ** (copies + 1)
            if chance <= SMALL:
                return copies
        return min(self.batch, MOST_COPIES)

    @remembered_property
    def rest(self) -> Expr:
        """At least the probability of more copies than are followed; 0 if there are none."""
        if self.most == self.batch:
            return ZERO
        return at_least_copies(self.batch, formula(self.share), self.most + 1)

    def shares(self, unknown: Expr) -> tuple[Expr, ...]:
        """The probabilities of no copy, of one, and so on; one copy has what the others and the
        unknown case leave of the rate.
        """
        several = [
            exactly_copies(self.batch, formula(self.share), copies)
            for copies in range(2, self.most + 1)
        ]
        return 1 - self.rate, one_copy(self.rate, add(*several), unknown), *several


@by("sampling/with-replacement")
def any_copy(batch: Real, share: Expr) -> Expr:
    """The probability that some of the draws are the record."""
    return 1 - exp(batch * log(1 - share))


@by("sampling/with-replacement")
def exactly_copies(batch: Real, share: Expr, copies: int) -> Expr:
    """The probability that exactly this many of the draws are the record."""
    ways = choices(batch, copies)
    return ways * share**copies * exp((batch - copies) * log(1 - share))


@by("sampling/with-replacement")
def at_least_copies(batch: Real, share: Expr, copies: int) -> Expr:
    """At least the probability that this many of the draws or more are the record: for each choice
    of that many draws, that all of them are.
    """
    return choices(batch, copies) * share**copies


def choices(batch: Real, copies: int) -> Expr:
    """The number of ways to choose this many of the draws."""
    if isinstance(batch, int):
        return formula(math.comb(batch, copies))
    number: Expr = ONE
    for j in range(copies):
        number = number * (batch - j) / (j + 1)
    return number


@by("sampling/with-replacement")
def one_copy(rate: Expr, several: Expr, unknown: Expr) -> Expr:
    """What is left for one copy, if more than are followed take more than their share."""
    return rate - several - unknown


@by("sampling/with-replacement")
def copies_pair(shift: Expr, shares: tuple[Expr, ...]) -> MixturePair:
    """Copies move a Gaussian query by one shift each, against none."""
    terms = [(share, shift * copies) for copies, share in enumerate(shares)]
    return MixturePair(ExponentialSum(tuple(terms)), one_term())
