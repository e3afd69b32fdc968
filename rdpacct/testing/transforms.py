"""Searches for transforms that depend on the grid or the nodes by which they are evaluated."""

import random
from collections.abc import Callable
from fractions import Fraction

from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.raw import real
from rdpacct.privacy.transform import Nodes, Transform
from rdpacct.proof.kernel import Refused

TRIES = 8


def accuracies(
    make: Callable[[Expr, Expr, bool], Transform], coarse: float, seed: int
) -> int:
    """Random sampled losses, coarsely and finely, in balls that must overlap; returns how many were
    tried.
    """
    rng = random.Random(seed)
    with precision(128):
        for _ in range(TRIES):
            shift = formula(Fraction(rng.randint(2, 30), 10))
            rate = formula(Fraction(rng.randint(1, 19), 20))
            transform = make(shift, rate, rng.random() < 0.5)
            nodes = Nodes(
                real(Fraction(rng.randint(1, 50), 10)),
                real(Fraction(rng.randint(1, 40), 10)),
                5,
            )
            for rough, fine in zip(
                transform.at(nodes, coarse), transform.at(nodes, 60.0), strict=True
            ):
                if not rough.overlaps(fine):
                    raise Refused(
                        f"the transform of {transform} depends on how it is evaluated."
                    )
    return TRIES
