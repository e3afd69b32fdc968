"""The derivative of the logistic loss: it rises, and is at most the covariate."""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import combine, given_by, real, specialize
from rdpacct.proof.theorem import Statement, Step

other, p, q, theta = map(
    Symbol,
    (
        "other",
        "p",
        "q",
        "theta",
    ),
)


def logistic_slope(u: Real, at: Real) -> Expr:
    """The derivative of the logistic loss log(1 + exp(-u theta)), u = x y, at theta."""
    return -formula(u) / (1 + exp(formula(u) * at))


def logistic_rises(part: Statement) -> Iterator[Step]:
    """A product of two differences of the same sign."""
    order = real("0 <= (s - c)*(1/(1 + exp(c)) - 1/(1 + exp(s)))")
    yield order, "1/(1 + exp(s)) falls"
    placed = specialize(order, s=p * theta, c=p * other)
    yield combine(part.claim, placed), "so the derivative rises with theta"


def logistic(part: Statement) -> Iterator[Step]:
    """Each derivative is at most the covariate."""
    share = real("abs(-u*s) <= abs(u)", "0 < s", "s < 1")
    inside = real("0 < 1/(1 + exp(v))"), real("1/(1 + exp(v)) < 1")
    sizes = []
    for record in (p, q):
        weight = 1 / (1 + exp(record * theta))
        chance = [specialize(bound, v=record * theta) for bound in inside]
        size = given_by(specialize(share, u=record, s=weight), *chance)
        sizes.append(size)
        yield size, "no derivative exceeds its covariate"
    first, second = (logistic_slope(record, theta) for record in (p, q))
    triangle = specialize(real("abs(u - v) <= abs(u) + abs(v)"), u=first, v=second)
    yield combine(part.claim, triangle, *sizes), "the triangle inequality"
