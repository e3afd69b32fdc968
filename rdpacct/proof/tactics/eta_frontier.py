"""The exact eta against the printed one: where the printed one is enough, and where it fails."""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import cosh, exp, log
from rdpacct.proof.entries import lemma
from rdpacct.proof.kernel import at_most, below, combine, real, relations_of
from rdpacct.proof.tactics.laplace_comparison import alpha, beta, placed, stays_above
from rdpacct.proof.tactics.naming import symbols
from rdpacct.proof.theorem import Statement, Step

MORE, TOP = symbols("more top")
X = 1 / (exp(beta) - 1)


def excess_of_log(a: Expr) -> Expr:
    """The logarithm of the exact eta over the printed one."""
    spread = exp(beta) - 1
    return (
        log(1 - exp(-beta))
        - (2 * a + beta) / spread
        + log(cosh(a / spread))
        + a / (2 * beta)
    )


def sufficient(part: Statement) -> Iterator[Step]:
    """The first factor is at most 1, and cosh(x) <= exp(x)."""
    plain = real(
        "(1 - j)*exp(-v - 2*x)*cosh(x) <= exp(-x)", "0 < j", "j < 1", "0 <= v", "0 <= x"
    )
    yield plain, "with x = alpha/(exp(beta) - 1) and v = beta/(exp(beta) - 1)"
    yield (
        combine(
            part.claim, placed(plain, part.given, j=exp(-beta), v=beta * X, x=alpha * X)
        ),
        "at these values",
    )


def printed(part: Statement) -> Iterator[Step]:
    """exp(beta) - 1 <= 2 beta."""
    given = relations_of(*part.given)
    room = combine(
        at_most(exp(beta) - 1, 2 * beta), real(at_most(exp(beta), 1 + 2 * beta), *given)
    )
    larger = placed(
        real("x/z <= x/y", "0 < x", "0 < y", "y <= z"),
        given,
        room,
        x=alpha,
        y=exp(beta) - 1,
        z=2 * beta,
    )
    yield larger, "the exponents compare"
    falls = real("exp(-x) <= exp(-y)", "y <= x")
    order = placed(
        falls, given, larger, x=alpha / (exp(beta) - 1), y=alpha / (2 * beta)
    )
    yield order, "so do the exponentials"
    yield (
        combine(part.claim, lemma("sensitivity/smooth-laplace", "sufficient"), order),
        "and the simple eta holds",
    )


def region(part: Statement) -> Iterator[Step]:
    """The chord of exp from 0 to beta0."""
    chord = real(
        "(exp(beta) - 1)*top <= beta*(exp(top) - 1)", "0 < beta", "beta <= top"
    )
    yield chord, "exp is convex"
    end = real(at_most(exp(TOP), 1 + 2 * TOP), *relations_of(*part.given))
    yield (
        combine(part.claim, (chord, 1 / TOP), (end, beta / TOP)),
        "at the root both sides meet",
    )


def fails(part: Statement) -> Iterator[Step]:
    """One of the two exponentials of the cosh is enough."""
    (gap,) = [
        relation for relation in relations_of(*part.given) if "log" in str(relation)
    ]
    x = -alpha / (2 * beta)
    y = -(log(2) - log(1 - exp(-beta)) + beta * X) - alpha * X
    order = combine(below(x, y), real(gap, *part.given))
    higher = placed(
        real("exp(x) < exp(y)", "x < y"), tuple(part.given), order, x=x, y=y
    )
    yield (
        higher,
        (
            "the printed eta is below half of the first factor times"
            " exp(-alpha/(exp(beta) - 1))"
        ),
    )
    signs = real("0 <= u*exp(x)/2", "0 <= u")
    rest = placed(signs, ("0 < beta",), u=1 - exp(-beta), x=-beta * X - 3 * alpha * X)
    yield combine(part.claim, higher, rest), "and that is below the exact one"


def positive_rate(part: Statement) -> Iterator[Step]:
    """2 beta < exp(beta) - 1."""
    given = relations_of(*part.given)
    room = combine(
        below(2 * beta, exp(beta) - 1), real(below(1 + 2 * beta, exp(beta)), *given)
    )
    yield room, "beyond the root"
    rule = real("0 < 1/y - 1/z", "0 < y", "y < z")
    yield (
        placed(rule, given, room, y=2 * beta, z=exp(beta) - 1),
        "so the reciprocals compare the other way",
    )


def logarithm(part: Statement) -> Iterator[Step]:
    """Factor by factor."""
    rule = real("log(u*exp(x)*y) == log(u) + x + log(y)", "0 < u", "0 < y")
    spread = exp(beta) - 1
    values = {
        "u": 1 - exp(-beta),
        "x": -(2 * alpha + beta) / spread,
        "y": cosh(alpha / spread),
    }
    yield placed(rule, tuple(part.given), **values), "the exact eta is a product"


def frontier(part: Statement) -> Iterator[Step]:
    """The logarithm is k x + log(cosh(x)) - v at x = alpha/(exp(beta) - 1), with v >= 0."""
    given = relations_of(*part.given)
    above = stays_above()
    yield above, "log(cosh(x))/x grows"
    level = beta * X - log(1 - exp(-beta))
    rate = 1 / (2 * beta * X) - 2
    small = placed(real("log(x) <= x - 1", "0 < x"), ("0 < beta",), x=1 - exp(-beta))
    positive = combine(
        at_most(0, level),
        small,
        real(at_most(0, beta * X), "0 < beta"),
        real("0 <= exp(-beta)"),
    )
    yield positive, "at alpha = 0 the printed eta is above"
    here = combine(
        below(level, rate * (alpha * X) + log(cosh(alpha * X))),
        real(below(0, excess_of_log(alpha)), *given),
    )
    there = placed(
        above, given, here, positive, v=level, k=rate, x=alpha * X, y=MORE * X
    )
    yield combine(part.claim, there), "so it stays below"
