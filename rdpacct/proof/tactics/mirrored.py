"""What holds of a complex number above the real axis, on both sides of it: below the axis the
argument has the other sign.
"""

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import absolute
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Fact,
    at_most,
    combine,
    either,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.turned import argument_positive, polar

p, V, W, tall = map(Symbol, ("p", "V", "W", "tall"))


def conjugate(angle: Expr) -> list[Fact]:
    """V and -W are the modulus and the argument at the angle, if V and W are those at minus the
    angle.
    """
    known = polar(-angle, V, W)
    turned = polar(angle, V, -W)
    return [
        combine(turned[1], real(known[2], *known)),
        combine(turned[2], real(known[1], *known)),
        combine(turned[3], real(known[3], *known)),
        combine(turned[4], (real(known[4], *known), -1)),
    ]


def reflected(fact: Fact, *given: Comparison) -> Fact:
    """A fact about the number at the angle p, at -p: its argument is then -W."""
    sides = [
        *conjugate(-p),
        combine(at_most(0, -p), real("p <= 0", "p <= 0")),
        combine(at_most(-p, tall), real("-tall <= p", "-tall <= p")),
    ]
    moved = specialize(fact, p=-p, W=-W)
    return under(given_by(moved, *sides), *given, "p <= 0")


def on_both_sides(fact: Fact, *given: Comparison) -> Fact:
    """A fact about the modulus at angles from 0 to tall, at those from -tall on."""
    return either(under(fact, *given, "0 <= p"), reflected(fact, *given))


def size_of_argument(fact: Fact, narrow: Fact, *given: Comparison) -> Fact:
    """abs(W) <= most on both sides, from W <= most above the axis, at angles below pi."""
    most = fact.relation.right
    lower = given_by(argument_positive(p, V, W), narrow)
    rule = real("abs(w) <= m", "w <= m", "0 <= w")
    rule = under(rule, *rule.domain, *(condition for condition in fact.domain))
    size = given_by(specialize(rule, w=W, m=most), fact, lower)
    turned = combine(
        at_most(absolute(W), most), reflected(size, *given), real("abs(-W) == abs(W)")
    )
    return either(under(size, *given, "0 <= p"), under(turned, *given, "p <= 0"))
