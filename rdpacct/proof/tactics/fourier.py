"""Whole turns of waves."""

from rdpacct.exact.formula import Real, Symbol, formula
from rdpacct.exact.functions import PI, cos, sin
from rdpacct.proof.kernel import (
    Fact,
    Whole,
    assume,
    combine,
    equal,
    induct,
    real,
)

WAVES = {"cos": cos, "sin": sin}


def whole_turns(wave: str, *numbers: str) -> Fact:
    """cos(2 pi m) = 1 and sin(2 pi m) = 0 for a sum m of whole numbers."""
    fact = real(equal(WAVES[wave](formula(0)), 1 if wave == "cos" else 0))
    value = 1 if wave == "cos" else 0
    at = formula(0)
    for name in numbers:
        at = at + Symbol(name)
        here: Real = WAVES[wave](2 * PI * at)
        others = [Whole(other, 0) for other in numbers[: numbers.index(name)]]
        before = assume(equal(here, value), Whole(name, 0), *others)
        step = combine(equal(WAVES[wave](2 * PI * (at + 1)), value), before)
        fact = induct(fact, step, name)
    return fact
