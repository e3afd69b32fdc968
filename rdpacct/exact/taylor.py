"""Many short integrals of one analytic formula at once: Taylor polynomials on panels, with Cauchy's
bound.
"""

from collections.abc import Callable, Mapping, Sequence

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import RealBall, complex_functions
from rdpacct.exact.formula import Apply, Expr
from rdpacct.exact.raw import (
    RealPolynomial,
    RealSeries,
    error,
    largest,
    polynomial_and_derivative,
    real,
    square,
    taylor,
)

TERMS, SPREAD = 40, 8
"""A panel has a Taylor polynomial of the first number of terms, and its formula is bounded on a
disk the second number of times as wide.
"""
NATURAL: Mapping[str, Callable[..., RealSeries | RealBall]] = {
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "sqrt": lambda x: x.sqrt(),
    "erf": lambda x: x.erf(),
    "pi": RealBall.pi,
    "erfc": lambda x: x.erfc(),
    "sinh": lambda x: (x.exp() - (-x).exp()) / 2,
    "cosh": lambda x: (x.exp() + (-x).exp()) / 2,
    "tanh": lambda x: 1 - 2 / ((2 * x).exp() + 1),
}
"""The functions of a formula on power series."""
MOST_PANELS = 4000


def expandable(formula: Expr) -> bool:
    """Whether power series have all functions of a formula."""
    known = not isinstance(formula, Apply) or formula.function in NATURAL
    return known and all(map(expandable, formula.parts()))


def integrals(
    integrand: Expr, variable: str, edges: Sequence[RealBall]
) -> list[RealBall]:
    """The integrals between each two neighbors of a rising list of points, at the current
    precision.

    |a_n| <= M/R**n for a function that is at most M on the disk of radius R, so that what a
    polynomial of N terms leaves out at a distance r is at most M (r/R)**N/(1 - r/R). Where M is
    infinite or too large the panel is halved.
    """
    totals = [real(0)] * (len(edges) - 1)
    stack = [(list(edges), list(range(len(totals))))]
    panels = 0
    while stack:
        points, places = stack.pop()
        panels += 1
        if panels > MOST_PANELS:
            raise UndecidedError(
                f"{integrand} varies too much to be integrated over {len(edges) - 1}"
                " cells."
            )
        panel = _panel(integrand, variable, points[0], points[-1])
        if panel is None:
            stack += _halves(points, places)
            continue
        center, polynomial, rest = panel
        heights = [polynomial(point - center) for point in points]
        for k, place in enumerate(places):
            width = points[k + 1] - points[k]
            totals[place] = (
                totals[place] + heights[k + 1] - heights[k] + error(width * rest)
            )
    return totals


def _halves(
    points: list[RealBall], places: list[int]
) -> list[tuple[list[RealBall], list[int]]]:
    """A run of cells in two; a single cell is cut in the middle."""
    if len(places) == 1:
        middle = ((points[0] + points[1]) / 2).mid()
        return [([points[0], middle], places), ([middle, points[1]], places)]
    half = len(places) // 2
    return [(points[: half + 1], places[:half]), (points[half:], places[half:])]


def _panel(
    integrand: Expr, variable: str, low: RealBall, high: RealBall
) -> tuple[RealBall, RealPolynomial, RealBall] | None:
    """The center, an antiderivative in the distance from it, and a bound on what the polynomial
    leaves out.

    None if the formula is not analytic near the panel, or varies too much on it.
    """
    center = ((low + high) / 2).mid()
    half = abs(high - center).max(abs(center - low)).upper()
    most = largest(
        integrand.raw(
            complex_functions(True), {variable: square(center, half * SPREAD)}
        )
    )
    if not most.is_finite():
        return None
    rest = most * real(SPREAD) ** -TERMS / (1 - real(1) / SPREAD)
    shares = taylor(lambda x: integrand.raw(NATURAL, {variable: x}), center, TERMS)
    if not rest < abs(shares[0]) * real(2) ** -80:
        return None
    polynomial, _ = polynomial_and_derivative(
        [real(0), *(a / (n + 1) for n, a in enumerate(shares))]
    )
    return center, polynomial, rest
