"""Sums of any number of terms, as quantities S(n) with S(0) = 0 that grow by one term at a time."""

from collections.abc import Mapping

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    Condition,
    Fact,
    Quantity,
    Whole,
    assume,
    at_most,
    combine,
    discharge,
    equal,
    induct,
    under,
)
from rdpacct.proof.kernel import specialize as at

n, c, a, W = (Symbol(name) for name in ("n", "c", "a", "W"))
Given = str | Condition


def total(name: str, number: Real = n) -> Expr:
    """The sum of the first terms, up to a number."""
    return Quantity(name, (formula(number),))


def sums(name: str, term: Expr) -> dict[str, Fact]:
    """What defines the sums whose terms are the values of a formula at n = 0, 1, ..."""
    return {
        "nothing": assume(equal(total(name, 0), 0)),
        "one more": assume(
            equal(total(name, n + 1), total(name) + term), Whole("n", 0), every="n"
        ),
    }


def by_steps(start: Fact, step: Fact, sum_: Expr, limit: Expr, *given: Given) -> Fact:
    """S(n) <= limit(n), if S grows by at most what the limit, which begins at 0, grows by there."""
    first = combine(at_most(sum_.at(n=0), limit.at(n=0)), start, given=_real(given))
    before = assume(at_most(sum_, limit), Whole("n", 0), *given)
    after = combine(
        at_most(sum_.at(n=n + 1), limit.at(n=n + 1)), step, before, given=_real(given)
    )
    return induct(first, after, "n")


def _real(given: tuple[Given, ...]) -> tuple[Given, ...]:
    """What is given of real numbers, without the whole ones, of which the facts speak."""
    return tuple(condition for condition in given if not isinstance(condition, Whole))


def exactly(defined: Mapping[str, Fact], name: str, value: Expr, *given: Given) -> Fact:
    """S(n) = value(n), if the value is 0 at the start and grows by the terms."""
    first = combine(
        equal(total(name, 0), value.at(n=0)), defined["nothing"], given=given
    )
    before = assume(equal(total(name), value), Whole("n", 0), *given)
    after = combine(
        equal(total(name, n + 1), value.at(n=n + 1)),
        defined["one more"],
        before,
        given=given,
    )
    return induct(first, after, "n")


def geometric(
    defined: Mapping[str, Fact],
    each: Fact,
    name: str,
    size: Real,
    rate: Expr,
    *given: Given,
) -> Fact:
    """S(n) <= size r/(1 - r) with r = exp(rate W), for a negative rate, if its n-th term is at most
    size r**(n + 1).
    """
    growth = at_most(total(name, n + 1), total(name) + c * exp(a * (n + 1) * W))
    start = assume(equal(total(name, 0), 0))
    step = assume(growth, Whole("n", 0), every="n")
    ratio = exp(a * W)
    order = ("0 <= c", "a < 0", "0 < W")
    partial = by_steps(
        start,
        step,
        total(name),
        c * (ratio - exp(a * W * (n + 1))) / (1 - ratio),
        *order,
    )
    limit = c * ratio / (1 - ratio)
    whole = combine(
        at_most(total(name), limit),
        partial,
        rest=c * exp(a * W * (n + 1)) / (1 - ratio),
    )
    placed = under(
        at(under(whole, *whole.domain, *given), c=size, a=rate), Whole("n", 0), *given
    )
    wanted = growth.right.at(c=size, a=rate)
    shown = combine(at_most(growth.left, wanted), defined["one more"], each)
    return discharge(placed, shown)
