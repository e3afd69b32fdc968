"""The concentrated parameter of a bounded range is its largest mean loss.

Printed: not in the sources.
Proved: With rho = log((e**eps - 1)/eps) - 1 + eps/(e**eps - 1), the largest mean loss, every pair whose losses lie in an
    interval of length eps has E exp(t L) <= exp(t (1 + t) rho) for all t > 0. At order 1 two losses attain rho.
Idea: t (1 + t) rho - t D, with D the largest divergence of order 1 + t, rises with eps: its slope is a sum of terms
    x**2/(exp(x eps) - 1) at x = 1, t and 1 + t, compared in two variables. Integrate the slope from c to eps, and let
    c go to 0, where t D <= t c.
Source: Cesar and Rogers, Bounding, concentrating, and truncating, for eps**2/8, which is larger; the bound is this package's.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp, log
from rdpacct.mechanisms.exponential import mean, renyi, rho
from rdpacct.proof.entries import lemma
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Piece,
    at_most,
    closed,
    combine,
    expect,
    given_by,
    integrable,
    integrate,
    linear,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.bounded_range import MASS, L, P, eps
from rdpacct.proof.theorem import Falsehood, Part, Step, Theorem, Verdict, by_prover

t, c, u, k, a, b = (Symbol(name) for name in ("t", "c", "u", "k", "a", "b"))
U = Density("U", ("u",), relations("c <= u", "u <= eps"), (Piece(c, eps, 1 / (eps - c)),))
"""Uniform on [c, eps]."""
RISE = (exp(2 * u) - 1 - u * exp(u)) / (exp(u) - 1) ** 2 - 1 / u
"""The slope of the largest mean loss in eps."""
BETWEEN = ("0 < c", "c < eps", "t > 0")


def term(x: Expr) -> Expr:
    """A part of the slope of t D in eps."""
    return x**2 / (exp(x * u) - 1)


def growth(x: Expr, at: Expr) -> Expr:
    """Its antiderivative."""
    return x * log(1 - exp(-x * at))


def slopes() -> Fact:
    """The slope of t D is at most that of t (1 + t) rho, at every u > 0."""
    both = real(
        "a*b + (a+b)**2/(exp(a+b) - 1) - a**2/(exp(a) - 1) - b**2/(exp(b) - 1)"
        " <= a*(a+b)*((exp(2*b) - 1 - b*exp(b))/(exp(b) - 1)**2 - 1/b)",
        "a > 0",
        "b > 0",
    )
    scaled = specialize(under(both, "a > 0", "b > 0", "t > 0"), a=t * u, b=u)
    claim = at_most(t + term(1 + t) - term(t) - term(Symbol("x").at(x=1)), t * (1 + t) * RISE)
    return combine(claim, (under(scaled, "u > 0", "t > 0"), 1 / u**2))


def total(body: Expr, antiderivative: Expr) -> Fact:
    """The mean of a part of the slope."""
    return integrate(U, body, (antiderivative / (eps - c),), (u / (eps - c),), *BETWEEN)


def grown() -> Fact:
    """t D at eps is at most t D at c and t (1 + t) times the growth of rho."""
    slope = slopes()
    one = term(Symbol("x").at(x=1))
    parts = {term(1 + t): 1 + t, term(t): t, one: Symbol("x").at(x=1)}
    means = [total(body, x * log(1 - exp(-x * u))) for body, x in parts.items()]
    finite = [integrable(fact, E(U, body)) for fact, body in zip(means, parts, strict=True)]
    left, right = slope.relation.left, slope.relation.right
    split = linear(U, left, {term(1 + t): 1, term(t): -1, one: -1}, *finite, constant=t, where=BETWEEN)
    rise = total(RISE, mean(u))
    scaled = linear(U, right, {RISE: t * (1 + t)}, integrable(rise, E(U, RISE)), where=BETWEEN)
    over = expect(slope, U, integrable(split, E(U, left)), integrable(scaled, E(U, right)))
    return over


THEOREM = None
