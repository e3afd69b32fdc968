"""Laplace noise on a smooth scale: f(D) + noise of density exp(-alpha |x|/s(D)) alpha/(2 s(D)).

Neighbors have scales s with ratio at most exp(beta), and values f at most the smaller of their
scales apart. The mechanism is then (2 alpha, eta)-DP, and each function below gives an eta.
Parameters are exact numbers or formulas with alpha >= 0 and beta > 0; an eta is a formula, and
``bound()`` encloses it.
"""

from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import cosh, exp, log
from rdpacct.exact.number import Number, rational
from rdpacct.exact.root import bracket
from rdpacct.provenance import by


@by("sensitivity/smooth-laplace")
def exact_eta(alpha: Number | Expr, beta: Number | Expr) -> Expr:
    """The smallest eta that holds for all such neighbors; it is attained by a pair with the largest
    ratio and distance.
    """
    alpha, beta = _pair(alpha, beta)
    spread = exp(beta) - 1
    return (1 - exp(-beta)) * exp(-(2 * alpha + beta) / spread) * cosh(alpha / spread)


@by("sensitivity/smooth-laplace")
def sufficient_eta(alpha: Number | Expr, beta: Number | Expr) -> Expr:
    """A simple eta that holds for all alpha and beta."""
    alpha, beta = _pair(alpha, beta)
    return exp(-alpha / (exp(beta) - 1))


@by("sensitivity/smooth-laplace")
def printed_eta(alpha: Number | Expr, beta: Number | Expr) -> Expr:
    """The eta of the literature, which holds for all alpha if and only if beta is at most
    ``largest_beta()``.
    """
    alpha, beta = _pair(alpha, beta)
    return exp(-alpha / (2 * beta))


@by("sensitivity/smooth-laplace")
def largest_beta() -> Bound:
    """The positive root of exp(beta) = 1 + 2 beta: up to it the printed eta holds, whatever alpha
    is.
    """

    def gap(beta: Fraction, bits: int) -> Ball:
        return (1 + 2 * formula(beta) - exp(formula(beta))).ball(bits)

    return Bound(
        *bracket(gap, Fraction(1), Fraction(2)), "bracketing with certified signs"
    )


@by("sensitivity/smooth-laplace")
def first_failing_alpha(beta: Number) -> Bound | None:
    """The alpha at which the printed eta falls below the exact one: it holds at the lower end of
    the enclosure and fails at the upper end.

    None if the printed eta is not known to fail for any alpha. If it fails for some alpha, it fails
    for every larger one.
    """
    _, exact = _pair(1, beta)
    room = (1 / (2 * exact) - 1 / (exp(exact) - 1)).bound()
    if not room.certainly_above(0):
        return None

    def gap(alpha: Fraction, bits: int) -> Ball:
        at = formula(alpha)
        return (log(printed_eta(at, exact)) - log(exact_eta(at, exact))).ball(bits)

    high = Fraction(1)
    while not gap(high, 128).certainly_negative():
        high *= 2
    return Bound(*bracket(gap, Fraction(0), high), "bracketing with certified signs")


def _pair(alpha: Number | Expr, beta: Number | Expr) -> tuple[Expr, Expr]:
    """alpha and beta as formulas, within their limits."""
    first, second = (
        parameter if isinstance(parameter, Expr) else formula(rational(parameter, name))
        for parameter, name in ((alpha, "alpha"), (beta, "beta"))
    )
    if not first.symbols() and first.bound().certainly_below(0):
        raise InputError(
            f"alpha is {first}, but must be at least 0; give such a value."
        )
    if not second.symbols() and second.bound().certainly_at_most(0):
        raise InputError(f"beta is {second}, but must be above 0; give such a value.")
    return first, second
