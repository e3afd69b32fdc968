"""Sums of increasing derivatives: what the minimizers of two convex objectives that differ in one
record satisfy.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.kernel import (
    Fact,
    Quantity,
    Whole,
    assume,
    at_most,
    combine,
    equal,
    induct,
    specialize,
)

a, c, i, j, n, lam, theta, other = (
    Symbol(name) for name in ("a", "c", "i", "j", "n", "lam", "theta", "other")
)


def derivative(record: Real, at: Expr) -> Expr:
    """The derivative of the loss of a common record, by its number."""
    return Quantity("g", (formula(record), at))


def common(number: Real, at: Expr) -> Expr:
    """The sum of the derivatives of the first common records, up to a number."""
    return Quantity("G", (formula(number), at))


def old(at: Expr) -> Expr:
    """The derivative of the loss of the record that is replaced."""
    return Quantity("p", (at,))


def new(at: Expr) -> Expr:
    """The derivative of the loss of its replacement."""
    return Quantity("q", (at,))


def _increases(upper: Expr, lower: Expr) -> Fact:
    names = sorted(upper.symbols() | lower.symbols())
    wholes = [Whole("i", 1)] if "i" in names else []
    return assume(at_most(0, (upper - lower) * (a - c)), *wholes, every=tuple(names))


def _stationary(record: Expr, at: Expr) -> Fact:
    return assume(equal((common(n - 1, at) + record) / n + lam * at, 0))


MINIMIZERS = {
    "each loss is convex": _increases(derivative(i, a), derivative(i, c)),
    "so is that of the old record": _increases(old(a), old(c)),
    "no record": assume(equal(common(0, a), 0), every="a"),
    "one record after the other": assume(
        equal(common(j + 1, a), common(j, a) + derivative(j + 1, a)),
        Whole("j", 0),
        every=("j", "a"),
    ),
    "theta is a minimizer for X": _stationary(old(theta), theta),
    "theta' is one for X'": _stationary(new(other), other),
}


def sum_increases() -> Fact:
    """0 <= (G(j, a) - G(j, c)) (a - c), by induction over the records."""
    claim = at_most(0, (common(j, a) - common(j, c)) * (a - c))
    goal = at_most(0, (common(j + 1, a) - common(j + 1, c)) * (a - c))
    none = MINIMIZERS["no record"]
    base = combine(
        at_most(0, (common(0, a) - common(0, c)) * (a - c)),
        (none, c - a),
        (specialize(none, a=c), a - c),
    )
    more = MINIMIZERS["one record after the other"]
    step = combine(
        goal,
        assume(claim),
        (more, c - a),
        (specialize(more, a=c), a - c),
        specialize(MINIMIZERS["each loss is convex"], i=j + 1),
    )
    return induct(base, step, "j")


def pushed() -> Fact:
    """lam (theta - theta')**2 <= -(p(theta') - q(theta'))/n (theta - theta')."""
    move = theta - other
    sums = specialize(sum_increases(), j=n - 1, a=theta, c=other)
    increase = specialize(MINIMIZERS["so is that of the old record"], a=theta, c=other)
    return combine(
        at_most(lam * move**2, -(old(other) - new(other)) / n * move),
        (sums, 1 / n),
        (increase, 1 / n),
        (MINIMIZERS["theta is a minimizer for X"], move),
        (MINIMIZERS["theta' is one for X'"], -move),
    )
