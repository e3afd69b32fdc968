"""Laws on finitely many outputs, and pairs of them that are differentially private, in exact
rationals.

Every pair of laws with P(S) <= k Q(S) + delta and Q(S) <= k P(S) + delta is the outcome of the
worst such pair, sent through a channel that does not know which of the two it was (Kairouz, Oh and
Viswanath). So the channel is drawn, and the pair is private whatever it is.
"""

from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import exp
from rdpacct.exact.number import Number, decimal_text, rational, whole
from rdpacct.exact.parameter import number_in
from rdpacct.testing.instances import Masses, Pair, rational_growth
from rdpacct.testing.strategies.installed import DrawFn, SearchStrategy, st

LARGEST_WEIGHT = 9
LARGEST_EPSILON = 50
MOST_OUTPUTS = 100
MOST_PARTS = 1000
"""The largest denominator of the rational that stands for exp(epsilon)."""


def laws(outputs: int) -> SearchStrategy[Masses]:
    """Laws on this many outputs: one output that always comes, or small whole weights, zeros
    included.
    """
    size = whole(outputs, "the number of outputs", 1, MOST_OUTPUTS)
    weight = st.integers(0, LARGEST_WEIGHT)
    weights = st.lists(weight, min_size=size, max_size=size).filter(any)
    return _certain(size) | weights.map(_normalized)


def dp_pairs(
    epsilon: Number | Expr, delta: Number = 0, *, outputs: int = 4
) -> SearchStrategy[Pair]:
    """Pairs of laws on at most this many outputs that are (epsilon, delta)-differentially private
    in both orders, exactly.

    The bound is attained in many of them if exp(epsilon) is rational, as for ``log(3)``; otherwise
    by the largest rational below it with a denominator of at most 1000.
    """
    mass = rational(delta, "delta")
    if not 0 <= mass <= 1:
        raise InputError(
            f"delta is {decimal_text(mass)}, but must be from 0 to 1; give a"
            " probability such as 1e-6."
        )
    most = whole(outputs, "the number of outputs", 1, MOST_OUTPUTS)
    return _sent(_worst_pair(growth_below(epsilon), mass), most)


def growth_below(epsilon: Number | Expr) -> Fraction:
    """exp(epsilon) if it is seen to be rational, else the largest rational below it with a small
    denominator.
    """
    level = number_in(epsilon, "epsilon")
    growth = rational_growth(level)
    if growth is not None:
        return growth
    known = level.bound()
    if known.certainly_below(0) or known.certainly_above(LARGEST_EPSILON):
        raise InputError(
            f"epsilon is {level}, but must be from 0 to {LARGEST_EPSILON}; give such a"
            " number, or the logarithm of a rational one."
        )
    lower = max(Fraction(exp(level).bound().lower), Fraction(1))
    return max(Fraction(int(lower * part), part) for part in range(1, MOST_PARTS + 1))


def _worst_pair(growth: Fraction, delta: Fraction) -> Pair:
    """The pair of which every other one is an outcome: a randomized response, and outputs that
    tell all with probability delta.
    """
    likely = (1 - delta) * growth / (1 + growth)
    rare = (1 - delta) / (1 + growth)
    if delta == 0:
        return Pair((likely, rare), (rare, likely))
    nothing = Fraction(0)
    return Pair((likely, rare, delta, nothing), (rare, likely, nothing, delta))


@st.composite
def _sent(draw: DrawFn, worst: Pair, most: int) -> Pair:
    """The outcomes of a pair in a drawn channel: one law for each of its outputs.

    Half of the channels only merge outputs, so that what tells most is often kept apart.
    """
    outputs = draw(st.integers(1, most))
    row = draw(st.sampled_from((_certain(outputs), laws(outputs))))
    channel = [draw(row) for _ in worst.p]
    return Pair(_outcome(worst.p, channel), _outcome(worst.q, channel))


def _outcome(masses: Masses, channel: list[Masses]) -> Masses:
    columns = zip(*channel, strict=True)
    return tuple(
        sum((a * b for a, b in zip(masses, column, strict=True)), Fraction(0))
        for column in columns
    )


def _certain(size: int) -> SearchStrategy[Masses]:
    """Laws of one output that always comes."""
    return st.integers(0, size - 1).map(
        lambda output: tuple(Fraction(each == output) for each in range(size))
    )


def _normalized(weights: list[int]) -> Masses:
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)
