"""Several records of a Poisson sample: the number of them that are sampled is binomial, and each
moves a Gaussian query by its whole sensitivity.
"""

from rdpacct.exact.formula import Expr, formula
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.provenance import by


@by("sampling/several-records")
def sampled_numbers(rate: Expr, size: int) -> tuple[Expr, ...]:
    """The probabilities that none, one, two, ... or all of the records are sampled."""
    chances: tuple[Expr, ...] = (formula(1),)
    for _ in range(size):
        more = [rate * chance for chance in chances]
        none = [(1 - rate) * chance for chance in chances]
        chances = (
            none[0],
            *(one + other for one, other in zip(none[1:], more, strict=False)),
            more[-1],
        )
    return chances


@by("sampling/several-records")
def several_pair(shift: Expr, rate: Expr, size: int, replaced: bool) -> MixturePair:
    """The records against none of them, or against others that move the query the other way."""
    numbers = sampled_numbers(rate, size)
    first = ExponentialSum(tuple((w, shift * j) for j, w in enumerate(numbers)))
    if replaced:
        return MixturePair(first, first.mirrored())
    return MixturePair(first, ExponentialSum(((formula(1), shift * 0),)))
