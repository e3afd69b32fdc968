"""What the trapezoid sums of a sampled Gaussian are made of: terms on the real line and above it,
and the factors from one node to the next.
"""

from collections.abc import Callable, Iterator
from typing import Any

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import cos, exp, log, sin
from rdpacct.proof.tactics.shipped import formulas, read
from rdpacct.proof.tactics.shipped_complex import (
    Complex,
    Polar,
    complex_formula,
    whole,
)
from rdpacct.proof.tactics.turned import RATE, RATIO, q

a, mu, x, y, theta, V, W, h = map(Symbol, ("a", "mu", "x", "y", "theta", "V", "W", "h"))


def points(
    level_point: Callable[..., Any], raised_point: Callable[..., Any]
) -> Iterator[tuple[str, str, Expr, Expr, tuple[str, ...]]]:
    """A name, what it says, what is shipped, what it is, and where both are defined."""
    half = formula(-1) / 2
    place = mu * x - mu**2 / 2
    ratio = RATIO.at(u=place)
    _, level = level_point(*formulas(x, ratio, a, half))
    yield (
        "term",
        "a term on the axis: R**a and the density, but for its constant",
        read(level),
        exp(a * log(ratio)) * exp(-(x**2) / 2),
        RATE,
    )
    (order,) = formulas(a)
    bump, turn = raised_point(
        complex_formula(Complex(x, y)),
        Polar(V, W),
        order,
        complex_formula(Complex(formula(0), theta)),
    )
    size = exp(a * log(V) + (y**2 - x**2) / 2)
    angle_ = a * W - x * y
    turned = exp(-theta * W)
    says = "a term on the line at y, R = V exp(i W)"
    where = ("V > 0",)
    yield "raised term, real", says, whole(bump).re, size * cos(angle_), where
    yield "raised term, imaginary", says, whole(bump).im, size * sin(angle_), where
    says = "R**(i theta), for the node at the height theta"
    yield "turn, real", says, whole(turn).re, turned * cos(theta * log(V)), where
    yield "turn, imaginary", says, whole(turn).im, turned * sin(theta * log(V)), where
    yield (
        "next point",
        "the growth at the next point",
        q * exp(place) * exp(mu * h),
        q * exp(place.at(x=x + h)),
        (),
    )
