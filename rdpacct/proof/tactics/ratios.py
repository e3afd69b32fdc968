"""Pairs of laws through the privacy loss: P with its loss L, and Q, whose density with respect to P
is exp(-L).

A bound on E f(L) for a pair with abs(L) <= eps is a line above f, in exp(-L), averaged: E exp(-L)
is 1.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol, add, formula
from rdpacct.exact.functions import absolute, cosh, exp, log, maximum, tanh
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    assume,
    at_most,
    cases,
    combine,
    dominated,
    draw,
    equal,
    event,
    exists,
    expect,
    given_by,
    integrable,
    linear,
    real,
    relations,
    specialize,
    tilted,
    under,
)
from rdpacct.proof.kernel.laws import Draw, Table
from rdpacct.proof.kernel.statements import Condition
from rdpacct.proof.kernel.terms import replace

eps = Symbol("eps")
L = Symbol("L")
B = Symbol("B")

P = Law("P", ("L",), relations("-eps <= L", "L <= eps"))
"""Any law whose loss lies in [-eps, eps]."""

Q = tilted("Q", P, exp(-L))
"""The other law of the pair."""

MASS = assume(equal(E(P, exp(-L)), 1))
"""Q is a law."""

UP, DOWN = (
    (exp(eps) - exp(-L)) / (exp(eps) - exp(-eps)),
    (exp(-L) - exp(-eps)) / (exp(eps) - exp(-eps)),
)
"""The parts of an outcome of loss L that get the losses eps and -eps, so that exp(-loss) keeps its
mean.
"""

M = draw(P, "B", {formula(1): UP, formula(-1): DOWN})
"""The law P with each outcome split in two, of losses eps B: with its other law it is maximally
divergent.
"""

RESPONSE = Table(
    "P",
    ("B",),
    rows=(
        ((formula(1),), exp(eps) / (1 + exp(eps))),
        ((formula(-1),), 1 / (1 + exp(eps))),
    ),
)
"""Randomized response between two answers, of losses eps B."""

w = Symbol("w")
d = Symbol("d")
BETWEEN = relations(
    "0 <= w", "0 <= d", "w + d == 1", "w*exp(-eps) + d*exp(eps) == exp(-L)"
)
"""What the parts w and d of an outcome satisfy: they are not negative, all of it, and keep its
ratio.
"""


def at_parts(fact: Fact, *given: str | Condition) -> Fact:
    """A fact for any w and d with these conditions, at the parts of an outcome."""
    known: tuple[str | Condition, ...] = (*P.support, *given)
    moved = specialize(under(fact, *fact.domain, *known), w=UP, d=DOWN)
    return given_by(
        moved,
        *(
            real(replace(relation, {"w": UP, "d": DOWN}), *known)
            for relation in BETWEEN
        ),
    )


def on_the_line(
    line: Fact,
    law: Law,
    finite: Fact,
    mass: Fact,
    slope: Real,
    constant: Real,
    *given: str | Condition,
) -> Fact:
    """E x <= constant + slope, from the line x <= constant + slope exp(-L) and the mass E exp(-L) =
    1.
    """
    right = line.relation.right
    mean = linear(
        law,
        right,
        {exp(-L): slope},
        integrable(mass, E(law, exp(-L))),
        constant=constant,
        where=given,
    )
    over = expect(line, law, finite, integrable(mean, E(law, right)))
    return combine(
        at_most(E(law, line.relation.left), formula(constant) + slope), over, mean, mass
    )


def balanced(
    law: Draw | Table, mass: Fact, *given: str | Condition
) -> tuple[Fact, Fact]:
    """For losses x = eps B with B one of -1, 0, 1: x + x exp(-x) is a multiple of 1 - exp(-x), and
    has mean 0.
    """
    loss = eps * B
    ratio = exp(-eps * B)
    slope = eps * (exp(eps) + 1) / (exp(eps) - 1)
    line = cases(law, equal(loss + loss * ratio, slope * (1 - ratio)), *given)
    first = bounded(law, loss, eps, *given)
    second = bounded(law, loss * ratio, eps * exp(eps), *given)
    both = linear(law, line.relation.left, {loss: 1, loss * ratio: 1}, first, second)
    finite = integrable(mass, E(law, ratio))
    right = linear(
        law, line.relation.right, {ratio: -slope}, finite, constant=slope, where=given
    )
    over = expect(line, law, integrable(both, E(law, line.relation.left)))
    return line, combine(
        equal(E(law, loss), -E(law, loss * ratio)),
        (both, -1),
        over,
        right,
        (mass, -slope),
    )


def bounded(law: Draw | Table, body: Expr, most: Real, *given: str | Condition) -> Fact:
    """A formula in a drawn variable is integrable, being bounded."""
    return dominated(cases(law, at_most(absolute(body), most), *given), law)


def below_tangent() -> Fact:
    """cosh(s x) <= cosh(x) exp((s**2 - 1) x tanh(x)/2) for s >= 0: its logarithm is concave in
    s**2.
    """
    a, b, s, u, x = (Symbol(name) for name in ("a", "b", "s", "u", "x"))
    anything = Law("any", ("z",))
    split = event(anything, "far", "1 <= s")
    claim = "log(cosh(s*x)) <= log(cosh(x)) + (s**2 - 1)/2*x*tanh(x)"
    mean = expect(cases(split, claim, "x > 0", "s >= 0"), split)
    logs = given_by(mean, exists(anything, point={"z": 0}))
    up = specialize(
        under(real("exp(y) <= exp(z)", "y <= z"), "y <= z", "a > 0", "b > 0"),
        y=log(a),
        z=log(b) + u,
    )
    there = specialize(
        combine(at_most(a, b * exp(u)), up),
        a=cosh(s * x),
        b=cosh(x),
        u=(s**2 - 1) / 2 * x * tanh(x),
    )
    return given_by(there, logs, real("0 < cosh(s*x)"), real("0 < cosh(x)"))


F = Symbol("F")
TEST = relations("0 <= F", "F <= 1")
"""F is a test, or the indicator of an event."""


def tested(law: Law, k: Real, mass: Fact) -> tuple[Fact, Fact]:
    """E[F - k exp(-L) F] = E[F] - k E[exp(-L) F], and that the last is finite, as exp(-L) has a
    finite mean.
    """
    most = combine(at_most(exp(-L) * F, exp(-L)), (real("F <= 1", "F <= 1"), exp(-L)))
    mean = integrable(mass, E(law, exp(-L)))
    other = dominated(most, law, mean, lower=real(at_most(0, exp(-L) * F), "0 <= F"))
    first = dominated(real(at_most(absolute(F), 1), *TEST), law)
    return (
        linear(
            law, F - k * exp(-L) * F, {F: 1, exp(-L) * F: -formula(k)}, first, other
        ),
        other,
    )


alpha = Symbol("alpha")
e = Symbol("e")
z = Symbol("z")


def approx_from_moment(
    line: Fact, law: Law, moment: Fact, mass: Fact
) -> Iterator[tuple[Fact, str]]:
    """From 1 - exp(-z) <= c exp((alpha - 1) z) and E exp((alpha - 1) L) <= m: E F <= exp(e)
    E[exp(-L) F] + rest.

    The rest is c exp(-(alpha - 1) e) m, and exp(-L) F has the mean that F has under Q.
    """
    there = specialize(line, z=L - e)
    power = exp((alpha - 1) * L)
    most = there.relation.right
    k = exp(e)
    test = combine(
        at_most(F - k * exp(-L) * F, most),
        (there, F),
        (real("F <= 1", "F <= 1"), most),
        given=("0 <= F",),
    )
    yield test, "a test gains at most that"
    both, _ = tested(law, k, mass)
    scale = line.relation.right.at(z=-e)
    finite = integrable(moment, E(law, power))
    right = linear(law, most, {power: scale}, finite, where=plain(line.domain))
    over = expect(
        test,
        law,
        integrable(both, both.relation.left),
        integrable(right, right.relation.left),
    )
    claim = at_most(E(law, F), k * E(law, exp(-L) * F) + scale * moment.relation.right)
    yield combine(claim, (both, -1), over, right, (moment, scale)), "averaged"


def plain(domain: Iterable[Condition]) -> tuple[Comparison, ...]:
    """The relations among some conditions."""
    return tuple(condition for condition in domain if isinstance(condition, Comparison))


def mean_loss(p: Sequence[Fraction], q: Sequence[Fraction]) -> Expr:
    """KL(p || q) of a finite pair, as a formula."""
    return add(*(a * log(a / b) for a, b in zip(p, q, strict=True) if a))


def moment(p: Sequence[Fraction], q: Sequence[Fraction], rate: Fraction) -> Expr:
    """E exp(rate L) of a finite pair, as a formula."""
    return add(*(a * exp(rate * log(a / b)) for a, b in zip(p, q, strict=True) if a))


def delta_at(p: Sequence[Fraction], q: Sequence[Fraction], epsilon: Expr) -> Expr:
    """The exact delta of a finite pair at epsilon, as a formula."""
    return add(*(maximum(0, a - exp(epsilon) * b) for a, b in zip(p, q, strict=True)))
