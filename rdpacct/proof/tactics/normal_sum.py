"""Two independent normal variables: the hockey stick of a x + b y is that of c z, for one normal
variable z and c = sqrt(a**2 + b**2).

With u = (c z - b y)/a in the place of x, the law of x becomes a density r(y, z) to that of z. The
mean of r over y is 1, so that the order of the means over y and z may be changed.
"""

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp, maximum, sqrt
from rdpacct.privacy.gaussian_profile import gaussian_delta
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Refused,
    at_most,
    combine,
    disintegrate,
    dominated,
    equal,
    expect,
    independent_of,
    integrable,
    integrate,
    linear,
    marginal,
    real,
    specialize,
    tower,
)
from rdpacct.proof.kernel.laws import Density, Independent, Law
from rdpacct.proof.kernel.terms import Expectation
from rdpacct.proof.tactics.fubini import one_by_one
from rdpacct.proof.tactics.normal import (
    antiderivative,
    loss,
    mean_of,
    standard_normal,
)
from rdpacct.proof.tactics.subgaussian import finite, placed

a, b, w, x, y, eps, r, v = (
    Symbol(name) for name in ("a", "b", "w", "x", "y", "eps", "r", "v")
)
z = x
"""The noise of the one release that acts as the two: the variable of the normal law of the book."""
START = (eps - v / 2) / r
GIVEN = ("a > 0",)
ONE = standard_normal("N1", "x")
TWO = standard_normal("N2", "y")
SUM = standard_normal()
TURNED = independent_of(TWO, SUM)
SQUARE = a**2 + b**2
c = sqrt(SQUARE)
LEVEL = c * w + SQUARE / 2
"""The level of the loss at which the scaled noise is w."""
RATIO = c / a * exp(z**2 / 2 - ((c * z - b * y) / a) ** 2 / 2)
"""The density of (c z - b y)/a, to that of z."""


def stick(gap: Expr) -> Expr:
    """The positive part of 1 - exp(gap)."""
    return maximum(0, 1 - exp(gap))


OF_ONE = stick(c * (w - z))


def _beyond(law: Density, body: Expr, gap: Expr, cut: Expr, primitive: Expr) -> Fact:
    """The mean of a formula that is a multiple of stick(gap), which is 0 up to the cut."""
    noise = Symbol(law.variables[0])
    none = real(equal(stick(gap), 0), *GIVEN, at_most(noise, cut))
    some = real(equal(stick(gap), 1 - exp(gap)), *GIVEN, at_most(cut, noise))
    positive = [real(at_most(0, 1 - exp(gap)), *GIVEN, at_most(cut, noise))]
    if body != stick(gap):
        positive = [
            placed(
                real("0 <= r*g", "0 <= r", "0 <= g"),
                *GIVEN,
                at_most(cut, noise),
                r=RATIO,
                g=1 - exp(gap),
            )
        ]
    return integrate(
        law,
        body,
        (0, primitive),
        (antiderivative(noise),) * 2,
        *GIVEN,
        cuts=(cut,),
        on=((none,), (some, *positive)),
    )


def given_second() -> Fact:
    """The mean over z with the ratio, for each y, is the delta of the first loss at the rest of the
    level.
    """
    tilt = exp(c * w - b * y + a**2 / 2)
    u = (c * z - b * y) / a
    over_z = _beyond(
        SUM,
        RATIO * OF_ONE,
        c * (w - z),
        w,
        antiderivative(u) - antiderivative(u + a) * tilt,
    )
    value = gaussian_delta(a, LEVEL - loss(b, y))
    return combine(equal(mean_of(over_z), value), over_z, given=GIVEN)


def first_delta(gap: Expr) -> Fact:
    """The mean over x, for each y, of stick(gap)."""
    tilt = exp(c * w - b * y + a**2 / 2)
    over_x = _beyond(
        ONE,
        stick(gap),
        gap,
        (c * w - b * y) / a,
        antiderivative(x) - tilt * antiderivative(x + a),
    )
    value = gaussian_delta(a, LEVEL - loss(b, y))
    return combine(equal(mean_of(over_x), value), over_x, given=GIVEN)


def given_sum() -> Fact:
    """The mean of the ratio over y is 1."""
    ratio = integrate(
        TWO,
        RATIO,
        (antiderivative((c * y - b * z) / a),),
        (antiderivative(y),),
        *GIVEN,
    )
    scaled = linear(TWO, RATIO * OF_ONE, {RATIO: OF_ONE}, finite(ratio))
    return combine(equal(E(TWO, RATIO * OF_ONE), OF_ONE), scaled, (ratio, OF_ONE))


def _bounded(law: Law, gap: Expr) -> Fact:
    """A positive part of 1 - exp(gap) is at most 1."""
    small = specialize(real("abs(max(0, 1 - exp(g))) <= 1"), g=gap)
    return dominated(small, law)


def hockey_stick(past: Law, first: Fact, gap: Expr) -> Fact:
    """The hockey stick of a loss and b y at the level LEVEL is that of c z, or at most that.

    ``first`` says that the mean of stick(gap), for each y, is the delta of a shift by a, or at most
    that; ``gap`` is the level less the losses.
    """
    both = independent_of(past, TWO)
    body = mean_of(first).body
    positive = placed(
        real("0 <= r*max(0, g)", "0 <= r"), *GIVEN, r=RATIO, g=1 - exp(c * (w - z))
    )
    at_most_one = _bounded(TURNED, c * (w - z))
    turned = one_by_one(TURNED, given_sum(), positive, at_most_one)
    over_z = given_second()
    swapped = one_by_one(TURNED, over_z, positive, integrable(turned, mean_of(turned)))
    value = first.relation.right
    by_turned = marginal(TURNED, TWO, value, integrable(swapped, E(TURNED, value)))
    by_two = marginal(both, TWO, value, integrable(by_turned, E(TWO, value)))
    whole = _over_second(both, first, gap, integrable(by_two, E(both, value)))
    by_one = marginal(TURNED, SUM, OF_ONE, at_most_one)
    claim = Comparison(E(both, body), first.relation.sign, E(SUM, OF_ONE))
    return combine(claim, whole, by_two, by_turned, swapped, turned, by_one)


def _over_second(both: Independent, first: Fact, gap: Expr, finite_value: Fact) -> Fact:
    """A relation about the mean of stick(gap) for each y, averaged over y."""
    body = mean_of(first).body
    split = disintegrate(both, body, "y", integrable(first, mean_of(first)))
    value = first.relation.right
    inner = E(both, body, "y")
    line = combine(Comparison(inner, first.relation.sign, value), split, first)
    whole = tower(both, body, "y", _bounded(both, gap))
    outer = expect(line, both, integrable(whole, E(both, inner)), finite_value)
    claim = Comparison(E(both, body), first.relation.sign, E(both, value))
    return combine(claim, whole, outer)


def at_level(fact: Fact, single_delta: Fact, gap: Expr) -> Fact:
    """The same at eps, as the delta of one loss with the shift c; ``gap`` is the level q less the
    losses, and ``single_delta`` the delta of a shift by mu.
    """
    there = placed(fact, *GIVEN, w=START.at(r=c, v=SQUARE))
    two = mean_of(there)
    left = _renamed(two, gap.at(q=r * w + v / 2), gap.at(q=eps), there)
    single = there.relation.right
    right = _renamed(single, r * (w - z), eps - (r * z + v / 2), there)
    of_one = placed(single_delta, *GIVEN, mu=c)
    sign = fact.relation.sign
    claim = Comparison(left.relation.right, sign, of_one.relation.right)
    return combine(claim, left, right, there, of_one)


def _renamed(mean: Expr, old: Expr, new: Expr, known: Fact) -> Fact:
    """The mean of stick(old) at w = START is that of stick(new), for c > 0 in the place of r."""
    if not isinstance(mean, Expectation):
        raise Refused(f"{mean} is not a mean.")
    alike = real("max(0, 1 - exp(p)) == max(0, 1 - exp(g))", "p == g")
    same = placed(alike, "r > 0", p=old.at(w=START), g=new)
    line = placed(same, *GIVEN, r=c, v=SQUARE)
    return expect(line, mean.law, integrable(known, mean))
