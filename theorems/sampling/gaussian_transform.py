"""The moments of a sampled Gaussian loss by the trapezoid rule, with its error.

Printed: not in the sources
Proved: Let R(x) = 1 - q + q exp(mu x - mu**2/2), 0 < q < 1, x standard normal, I(s) = E R**s, s = a + i theta with
    theta >= 0. On Im x = b with |mu b| < pi the number R(x + i b) has a modulus between R(x) cos(mu b/2) and R(x), and
    an argument between 0 and mu b. So the integral of |phi R**s| along that line is at most I(a) exp(b**2/2), times
    cos(mu b/2)**a if a < 0, times exp(theta mu |b|) if b < 0. The trapezoid sum of step h on the line Im x = y between
    -d and up differs from I(s) by at most I(a) times the two edges over exp(2 pi (up - y)/h) - 1 and
    exp(2 pi (y + d)/h) - 1. If e is the sum of the two, I(a) <= (S + t)/(1 - e), where S is the modulus of the kept part
    of the sum at theta = 0 and t bounds what is not kept (sampling/gaussian-tails).
Idea: Squares of moduli, and the sine of the argument. The trapezoid rule in a strip is a classical axiom, with one term
    for each edge: the theorem in print has the larger edge twice, and its proof has each once.
Source: Trefethen and Weideman, The exponentially convergent trapezoidal rule (2014).
"""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import PI, cos, exp, log
from rdpacct.exact.raw import real as exactly
from rdpacct.privacy.sampled_gaussian import SampledGaussianTransform, edge_size
from rdpacct.privacy.transform import Nodes
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Quantity,
    Refused,
    assume,
    at_most,
    axiom,
    below,
    combine,
    dominated,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.turned import (
    RATE,
    RATIO,
    angle,
    argument_below,
    argument_positive,
    modulus_above,
    modulus_below,
    polar,
)
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict, by_prover

a, mu, p, r, theta, up, d, y, h, V, W, I, e, S, T, x, b = map(
    Symbol, ("a", "mu", "p", "r", "theta", "up", "d", "y", "h", "V", "W", "I", "e", "S", "T", "x", "b")
)
TURNED = polar(p, V, W)
X = Law("X", ("u", "V", "W"), TURNED)
MOMENT = E(X, exp(a * log(RATIO)))
OFF = Quantity("off", ())
TRAPEZOID = "trapezoid rule in a strip (Trefethen and Weideman 2014, Theorem 5.1, with one term for each edge)"


def edge(line: Expr) -> Expr:
    """The integral of the modulus of a function along the line at this height."""
    return Quantity("edge", (line,))


def trapezoid() -> Fact:
    """For a function that is analytic between the lines at -d and up, and falls to 0 there: the error of its sum."""
    bound = edge(up) / (exp(2 * PI * (up - y) / h) - 1) + edge(-d) / (exp(2 * PI * (y + d) / h) - 1)
    return axiom(TRAPEZOID, at_most(OFF, bound), "h > 0", "y < up", "-d < y")


def share(negative: bool, below_axis: bool) -> Expr:
    """The integral along a line over the moment, apart from exp(b**2/2)."""
    bend = exp(a * log(cos(p / 2))) if negative else formula(1)
    return bend * exp(theta * p) if below_axis else bend


def along(negative: bool, below_axis: bool) -> tuple[Comparison, Callable[[Part], Iterator[Step]]]:
    """The mean of the modulus of R**s on a line above the axis, or on its mirror image below it."""
    body = exp(a * log(V) + theta * W) if below_axis else exp(a * log(V) - theta * W)
    whole, size = exp(a * log(RATIO)), share(negative, below_axis)

    def proof(part: Part) -> Iterator[Step]:
        given = relations(*(one for one in part.given if isinstance(one, str | Comparison)))
        known = (*given, *TURNED)
        modulus = modulus_above(p, V, W) if negative else modulus_below(p, V, W)
        yield modulus, "the modulus on the line"
        turn = argument_below(p, V, W) if below_axis else argument_positive(p, V, W)
        yield turn, "the argument on the line"
        if negative:
            rule = specialize(
                real("log(c) + log(r) <= log(v)", "0 < c", "0 < r", "c*r <= v"), c=cos(p / 2), r=RATIO, v=V
            )
            bent = specialize(real("0 < cos(v/2)", "0 <= v", "v < pi"), v=p)
            logs = under(given_by(rule, modulus, bent, real(below(0, RATIO), *RATE)), *known)
        else:
            rule = specialize(real("log(v) <= log(w)", "0 < v", "v <= w"), v=V, w=RATIO)
            logs = under(given_by(rule, modulus), *known)
        parts = [(logs, -a if negative else a), (turn, theta)]
        exponent = body.arguments[0]  # type: ignore[attr-defined]
        target = a * log(RATIO) + (a * log(cos(p / 2)) if negative else 0) + (theta * p if below_axis else 0)
        less = under(combine(at_most(exponent, target), *parts, given=known), *known)
        rises = real("exp(v) <= exp(w)", "v <= w", "0 < V", *RATE, *angle(p))
        grown = given_by(specialize(rises, v=exponent, w=target), less)
        bound = under(combine(at_most(body, size * whole), grown, given=known), *known)
        yield bound, "so R**s is at most this, pointwise"
        finite = integrable(part.assuming["moment"], MOMENT)
        scaled = linear(X, size * whole, {whole: size}, finite, where=given)
        over = integrable(scaled, E(X, size * whole))
        lower = real(at_most(0, body), *known)
        mean = expect(bound, X, dominated(bound, X, over, lower=lower), over)
        yield under(combine(part.claim, mean, scaled, (part.assuming["moment"], size)), *given), "in the mean"

    return at_most(E(X, body), size * I), proof


def line_part(name: str, says: str, negative: bool, below_axis: bool) -> Part:
    """The part for one kind of line and one sign of the power."""
    claim, proof = along(negative, below_axis)
    given = (*RATE, *angle(p), "theta >= 0", "a <= 0" if negative else "a >= 0")
    return Part(name, says, claim, proof, given, {"moment": assume(equal(MOMENT, I))})


def turned_down(one: Expr) -> Expr:
    """The same for the lower edge, whose angle is r."""
    return one.at(p=r)


def error_part(name: str, says: str, negative: bool) -> Part:
    """The part for the error of the trapezoid sum: the angles are mu times the heights of the edges."""
    upper, lower = along(negative, False)[0].left, turned_down(along(negative, True)[0].left)
    gaps = exp(2 * PI * (up - y) / h) - 1, exp(2 * PI * (y + d) / h) - 1
    above, beneath = exp(up**2 / 2) * share(negative, False), exp(d**2 / 2) * turned_down(share(negative, True))
    claim = at_most(OFF, I * (above / gaps[0] + beneath / gaps[1]))
    hypotheses = {
        "upper edge": at_most(edge(up), exp(up**2 / 2) * upper),
        "lower edge": at_most(edge(-d), exp(d**2 / 2) * lower),
        "moment on the upper edge": equal(MOMENT, I),
        "moment on the lower edge": equal(turned_down(MOMENT), I),
    }
    angles = {"p": mu * up, "r": mu * d}
    moved = {key: Comparison(one.left.at(**angles), one.sign, one.right.at(**angles)) for key, one in hypotheses.items()}

    def proof(part: Part) -> Iterator[Step]:
        given = relations(*(one for one in part.given if isinstance(one, str)))
        rule = trapezoid()
        yield rule, "the axiom"
        first = line_part("", "", negative, False).fact()
        second = specialize(line_part("", "", negative, True).fact(), p=r)
        yield first, "the integral along the upper edge"
        yield second, "the integral along the lower edge"
        weights = [1 / gap for gap in gaps]
        together = combine(
            claim,
            rule,
            (assume(hypotheses["upper edge"]), weights[0]),
            (first, exp(up**2 / 2) * weights[0]),
            (assume(hypotheses["lower edge"]), weights[1]),
            (second, exp(d**2 / 2) * weights[1]),
        )
        here = specialize(together, **angles)
        sides = [
            under(combine(at_most(0, mu * line), rest=mu * line, given=given), *given) for line in (up, d)
        ]
        yield under(given_by(here, *sides), *given), "together"

    given = (*RATE, "mu > 0", "mu*up < pi", "mu*d < pi", "theta >= 0", "a <= 0" if negative else "a >= 0")
    assuming = {key: assume(one) for key, one in moved.items()}
    stated = at_most(OFF, claim.right.at(**angles))
    return Part(name, says, stated, proof, (*given, "0 <= up", "0 <= d", "h > 0", "y < up", "-d < y"), assuming)


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    parts=(
        line_part("above", "a line above the axis, a >= 0", False, False),
        line_part("below", "a line below the axis, a >= 0", False, True),
        line_part("above-negative", "a line above the axis, a <= 0", True, False),
        line_part("below-negative", "a line below the axis, a <= 0", True, True),
        error_part("error", "the error of the trapezoid sum, a >= 0", False),
        error_part("error-negative", "the error of the trapezoid sum, a <= 0", True),
    ),
)
