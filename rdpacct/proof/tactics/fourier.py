"""Waves over a period: means of exponentials times cosines and sines, and whole turns."""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import PI, absolute, cos, exp, sin
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Stretch,
    Whole,
    assume,
    at_most,
    combine,
    dominated,
    equal,
    induct,
    integrable,
    integrate,
    real,
)

Given = str | Condition
theta = Symbol("theta")
u = Symbol("u")
WAVES = {"cos": cos, "sin": sin}


def uniform(period: Expr) -> Density:
    """The uniform law on one period."""
    return Density("U", ("u",), (), (Stretch(formula(0), period, 1 / period),))


def turns(wave: str, period: Expr) -> Fact:
    """The hypothesis that theta makes whole turns in a period."""
    return assume(equal(WAVES[wave](theta * period), 1 if wave == "cos" else 0))


def wave_mean(wave: str, rate: Expr, period: Expr, *given: Given) -> Fact:
    """E_U[exp(-rate u) wave(theta u)], if theta makes whole turns in a period: with z = rate + i
    theta, from 1/z.
    """
    law = uniform(period)
    fall = exp(-rate * u)
    size = integrate(law, fall, (-fall / (rate * period),), (u / period,), *given)
    at = WAVES[wave](theta * u)
    c = cos(theta * u)
    s = sin(theta * u)
    square = period * (rate**2 + theta**2)
    finite = dominated(
        real(at_most(absolute(fall * at), fall)), law, integrable(size, E(law, fall))
    )
    whole = (
        fall
        * (theta * s - rate * c if wave == "cos" else -rate * s - theta * c)
        / square
    )
    found = integrate(law, fall * at, (whole,), (u / period,), *given, finite=finite)
    own = (rate, theta) if wave == "cos" else (theta, rate)
    end = exp(-rate * period) / square
    closed = equal(
        E(law, fall * at),
        own[0] * (1 - exp(-rate * period)) / (period * (rate**2 + theta**2)),
    )
    cosine, sine = (-rate, theta) if wave == "cos" else (-theta, -rate)
    uses = ((turns("cos", period), cosine * end), (turns("sin", period), sine * end))
    return combine(closed, found, *uses, given=given)


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
