"""Searches for counterexamples to conversions, among exact random pairs of laws."""

import random
from collections.abc import Callable
from fractions import Fraction

from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import log
from rdpacct.proof.kernel import Refused, at_most
from rdpacct.proof.tactics.ratios import delta_at, moment
from rdpacct.testing.instances import Pair, any_pair, bounded_pair


def attack_from_pure(
    seed: int, tries: int, epsilon: Callable[[Expr, Fraction], Expr]
) -> int:
    """Pairs whose ratio is at most exp(pure): their exact delta at ``epsilon(pure, delta)``."""
    rng = random.Random(seed)
    for _ in range(tries):
        largest = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        delta = Fraction(1, rng.randint(2, 500))
        pair = bounded_pair(rng, largest, rng.randint(2, 4))
        _holds(pair, epsilon(log(largest), delta), delta)
    return tries


def attack_from_renyi(
    seed: int, tries: int, epsilon: Callable[[Fraction, Expr, Fraction], Expr]
) -> int:
    """Pairs with their exact divergence of an order: their exact delta at ``epsilon(order,
    divergence, delta)``.
    """
    rng = random.Random(seed)
    for _ in range(tries):
        pair = any_pair(rng, rng.randint(2, 4))
        order = 1 + Fraction(rng.randint(1, 40), 8)
        delta = Fraction(1, rng.randint(2, 200))
        divergence = log(moment(pair.p, pair.q, order - 1)) / (order - 1)
        _holds(pair, epsilon(order, divergence, delta), delta)
    return tries


def _holds(pair: Pair, epsilon: Expr, delta: Fraction) -> None:
    if at_most(delta_at(pair.p, pair.q, epsilon), delta).at({}) is False:
        raise Refused(f"the pair {pair} breaks the conversion at delta {delta}.")
