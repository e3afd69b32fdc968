"""Subset selection (Ye and Barg; Wang and others): a random set of values, which has the true one
more often than not.
"""

from collections.abc import Collection, Iterable
from dataclasses import KW_ONLY, dataclass

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import whole
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.local.local_randomizer import LocalRandomizer
from rdpacct.mechanisms.sampling import bernoulli_exp
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.relation import RelationIn
from rdpacct.provenance import by


@dataclass(frozen=True)
class SubsetSelection(LocalRandomizer):
    """A set of ``size`` of the ``answers`` values, e**epsilon times as likely if it has the true
    value than if not.

    With size 1 it is randomized response. The variance of estimates is smallest near size =
    answers/(1 + e**epsilon).
    """

    epsilon: Parameter = Parameter()
    answers: int = 2
    size: int = 1
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        super().__post_init__()
        known = whole(self.size, "size", 1, self.answers - 1)
        object.__setattr__(self, "size", known)

    def neutral(self) -> Expr:
        return both_or_none(self.epsilon, self.answers, self.size)

    def on_a_third_value(self) -> Expr:
        return one_of_two_others(self.epsilon, self.answers, self.size)

    def favors(self, output: Collection[int], value: int) -> bool:
        return value in output

    def sample(self, value: int, rng: Source = None) -> tuple[int, ...]:
        """The set for a value in range(answers), sorted, exactly distributed."""
        true = self.known_value(value)
        rate = rational_of(self.epsilon, "epsilon")
        source = randomness(rng)
        while True:
            chosen = set[int]()
            for last in range(self.answers - self.size, self.answers):
                place = source.randrange(last + 1)
                chosen.add(last if place in chosen else place)
            if true in chosen or bernoulli_exp(rate, source):
                return tuple(sorted(chosen))

    @classmethod
    def examples(cls) -> Iterable["SubsetSelection"]:
        yield cls(1, answers=4, size=2)
        yield cls("0.3", answers=3, size=1)
        yield cls(2, answers=9, size=4)


@by("local/subset-selection")
def kept(epsilon: Real, answers: Real, size: Real) -> Expr:
    """The probability that the set has the true value."""
    likely = formula(size) * exp(epsilon)
    return likely / (likely + (formula(answers) - size))


@by("local/subset-selection")
def both_or_none(epsilon: Real, answers: Real, size: Real) -> Expr:
    """The probability that the set has the true value and one other, or none of the two."""
    others = formula(answers) - 1
    keep = kept(epsilon, answers, size)
    return (keep * (formula(size) - 1) + (1 - keep) * (others - size)) / others


@by("local/subset-selection")
def one_of_two_others(epsilon: Real, answers: Real, size: Real) -> Expr:
    """The probability that the set has one of two values and not the other, on a third value."""
    others = formula(answers) - 1
    keep = kept(epsilon, answers, size)
    given_kept = keep * (formula(size) - 1) * (others - size + 1)
    given_not = (1 - keep) * formula(size) * (others - size)
    return (given_kept + given_not) / (others * (others - 1))
