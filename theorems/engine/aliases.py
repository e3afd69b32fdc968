"""The aliases of a quadrature: what a sum over a grid adds to the profile, on either side.

Printed: not in the sources
Proved: Let g(x) = E[F (1 - exp(x - L))_+] be the finite part of the profile. For every t, W > 0 and every n the aliases
    sum of exp(-t j W) g(eps - j W) over j = 1, ..., n is at most the shipped exp(-t W)/(1 - exp(-t W)). If M(s) = exp(m)
    at a second tilt s > t, the sum of exp(t j W) g(eps + j W) is at most the shipped chernoff(m, s, eps) r/(1 - r), r =
    exp(-(s - t) W). If no loss exceeds eps + W, each of these is 0. All terms are nonnegative, so that the same holds
    of the infinite sums.
Idea: g is at most 1, and falls like Chernoff's bound (engine/chernoff): both sums are below geometric ones.
Source: This package.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.engine.quadrature import Line, aliases_above, aliases_below, chernoff
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp, maximum
from rdpacct.exact.raw import real as ball
from rdpacct.proof.entries import lemma
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Refused,
    Whole,
    assume,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import relations
from rdpacct.proof.tactics.formal import formulas
from rdpacct.proof.tactics.series import geometric, n, sums, total
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict
from rdpacct.testing.instances import masses

s, eps, m, t, W, v, top = (Symbol(name) for name in ("s", "eps", "m", "t", "W", "v", "top"))
P = Law("P", ("L", "F"), relations("0 <= F <= 1"))
L, F = P.symbol("L"), P.symbol("F")
ORDER = ("0 < t", "t < s", "0 < W")
COUNT = Whole("n", 0)


def profile(x: Expr) -> Expr:
    """g(x), the finite part of delta(x)."""
    return E(P, F * maximum(0, 1 - exp(x - L)))


def line() -> Line:
    """The nodes of a quadrature, as far as the aliases depend on them."""
    tilt, second, period, log = formulas(t, s, W, m, given=ORDER)
    return Line(tilt, period, period, log, [], log, (second, log), None)


def term(sign: int) -> Expr:
    """The n-th alias on one side, counted from 0."""
    return exp(sign * t * (n + 1) * W) * profile(eps + sign * (n + 1) * W)


def at_most_one(x: Expr) -> Fact:
    """g(x) <= 1, from the pointwise bound."""
    body = F * maximum(0, 1 - exp(v))
    above, least = (specialize(real(one, "0 <= F <= 1"), v=x - L) for one in (at_most(body, 1), at_most(0, body)))
    return expect(above, P, dominated(above, P, lower=least))


def below_sum(part: Part) -> Iterator[Step]:
    """Each term is at most a power of exp(-t W)."""
    one = at_most_one(eps - (n + 1) * W)
    yield one, "a part of a probability"
    each = combine(at_most(term(-1), exp(-t * (n + 1) * W)), (one, exp(-t * (n + 1) * W)))
    yield each, "each alias"
    yield geometric(part.assuming, each, "B", 1, -t, *part.given[:-1]), "the geometric series"


def above_sum(part: Part) -> Iterator[Step]:
    """Each term is at most Chernoff's bound times a power of exp((t - s) W)."""
    size = chernoff(*formulas(m, s, eps)).value
    one = under(specialize(lemma("engine/chernoff", "bound"), eps=eps + (n + 1) * W), *part.given[:-1])
    yield one, "engine/chernoff"
    each = combine(at_most(term(1), size * exp((t - s) * (n + 1) * W)), (one, exp(t * (n + 1) * W)))
    yield each, "each alias"
    yield geometric(part.assuming, each, "A", size, t - s, *part.given[:-1]), "the geometric series"


def none_above(part: Part) -> Iterator[Step]:
    """No loss is above."""
    body = F * maximum(0, 1 - exp(eps + (n + 1) * W - L))
    here = real(equal(body, 0), "L <= top", *part.given[:-1], "0 <= n")
    yield here, "no loss exceeds eps + (n + 1) W"
    yield here, "x"


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    parts=(
        Part(
            "below",
            "the aliases below, however many: B(n) is the sum of exp(-t j W) g(eps - j W) over j = 1, ..., n",
            at_most(total("B"), aliases_below(line()).value),
            below_sum,
            ("0 < t", "0 < W", COUNT),
            sums("B", term(-1)),
        ),
        Part(
            "above",
            "the aliases above: A(n) is the sum of exp(t j W) g(eps + j W) over j = 1, ..., n, and m = log M(s)",
            at_most(total("A"), aliases_above(line(), formulas(eps)[0]).value),
            above_sum,
            (*ORDER, COUNT),
            {**sums("A", term(1)), "moment": assume(equal(E(P, F * exp(s * L)), exp(m)))},
        ),
    ),
)
