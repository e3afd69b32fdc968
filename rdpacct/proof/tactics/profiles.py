"""Functions of a loss as integrals of hockey sticks over their level, and what follows from smaller
hockey sticks for their means.

The level e is drawn from some law beside the losses, with one over its density as a weight; so the
order of the means may be changed.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp, maximum
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    at_most,
    cases,
    combine,
    discharge,
    disintegrate,
    dominated,
    either,
    equal,
    event,
    expect,
    integrable,
    integrate,
    linear,
    real,
    specialize,
    tower,
)
from rdpacct.proof.kernel.laws import Independent, Law
from rdpacct.proof.tactics.fubini import one_by_one
from rdpacct.proof.tactics.normal import (
    antiderivative,
    density,
    mean_of,
    standard_normal,
)
from rdpacct.proof.tactics.subgaussian import finite

AllGiven = tuple[str | Condition, ...]
e, A, t = (Symbol(name) for name in ("e", "A", "t"))
LEVEL = standard_normal("G", "e")
SIDES = event(LEVEL, "A", "e <= 0")
"""The level, and whether it is below 0."""
EVEN = 1 / density(e)
"""The weight with which a mean over the level is an integral over all levels."""


def stick(level: Expr, loss: Expr) -> Expr:
    """The hockey stick of a loss at a level."""
    return maximum(0, 1 - exp(level - loss))


def turned(loss: Expr) -> Expr:
    """The hockey stick at e >= 0, and the one of the exchanged pair, times exp(e), below."""
    return stick(e, loss) - A * (1 - exp(e - loss))


def stick_is_bounded(law: Law, level: Expr, loss: Expr, weight: Real = 1) -> Fact:
    """A hockey stick times a weight between 0 and 1 has a finite mean."""
    if weight == 1:
        bound = real("abs(max(0, 1 - exp(h))) <= 1")
        return dominated(specialize(bound, h=level - loss), law)
    bound = real("abs(g*max(0, 1 - exp(h))) <= 1", "0 <= g", "g <= 1")
    return dominated(specialize(bound, g=weight, h=level - loss), law)


def above_all(rate: Expr, loss: Expr, *given: str | Condition) -> Fact:
    """The integral of exp(rate e) times the hockey stick is exp(rate loss)/(rate (rate + 1)), for a
    rate above 0.
    """
    gap = 1 - exp(e - loss)
    weight = exp(rate * e) * EVEN
    inside = real(equal(stick(e, loss), gap), at_most(e, loss))
    beyond = real(equal(stick(e, loss), 0), at_most(loss, e))
    positive = real(at_most(0, weight * gap), at_most(e, loss))
    body = weight * stick(e, loss)
    integral = integrate(
        LEVEL,
        body,
        (exp(rate * e) / rate - exp((rate + 1) * e - loss) / (rate + 1), 0),
        (antiderivative(e),) * 2,
        *given,
        cuts=(loss,),
        on=((inside, positive), (beyond,)),
    )
    value = exp(rate * loss) / (rate * (rate + 1))
    return combine(equal(E(LEVEL, body), value), integral)


def on_both_sides(
    weight: Expr, loss: Expr, primitive: Expr, value: Expr, *given: str | Condition
) -> Fact:
    """The integral of a weight times the turned hockey stick; the primitive is of weight times
    1 - exp(e - loss), without the normal density.
    """
    return either(
        _between(weight, loss, -primitive, value, given, at_most(loss, 0)),
        _between(weight, loss, primitive, value, given, at_most(0, loss)),
    )


def _between(
    weight: Expr,
    loss: Expr,
    primitive: Expr,
    value: Expr,
    given: AllGiven,
    case: Condition,
) -> Fact:
    """The same where the loss is on one side of 0: between the two all is."""
    gap = 1 - exp(e - loss)
    below = case == at_most(loss, 0)
    ends = (loss, formula(0)) if below else (formula(0), loss)
    between = at_most(ends[0], e), at_most(e, ends[1])
    rows = (
        ((at_most(e, loss),), (at_most(loss, e),), (at_most(0, e), case))
        if below
        else ((at_most(e, 0), case), (at_most(e, loss),), (at_most(loss, e),))
    )
    zero = formula(0)
    values = (gap, zero, zero) if below else (gap, gap, zero)
    facts = [
        real(equal(stick(e, loss), there), *where)
        for there, where in zip(values, rows, strict=True)
    ]
    inside = weight * (0 - gap) if below else weight * gap
    positive = real(at_most(0, inside), *given, *between)
    body = weight * turned(loss)
    integral = integrate(
        SIDES,
        body,
        (0, primitive, 0),
        (antiderivative(e),) * 3,
        *given,
        case,
        cuts=ends,
        on=((facts[0],), (facts[1], positive), (facts[2],)),
    )
    return combine(equal(E(SIDES, body), value), integral, given=given)


def turned_is_positive(weight: Expr, loss: Expr, *given: str) -> Fact:
    """A weight times the turned hockey stick is not negative."""
    sign = cases(SIDES, at_most(0, turned(loss)))
    return combine(at_most(0, weight * turned(loss)), (sign, weight), given=given)


def averaged(
    law: Independent, small: Expr, large: Expr, inner: Fact, positive: Fact, total: Fact
) -> Fact:
    """E small <= E large, where the same holds at each level, under the laws of the losses alone.

    ``inner`` says so; ``positive`` that small >= 0; ``total`` that E large is finite.
    """
    losses = law.first
    level = law.second.variables
    split = [
        disintegrate(law, body, level, integrable(inner, E(losses, body)))
        for body in (small, large)
    ]
    small_mean, large_mean = (E(law, body, level) for body in (small, large))
    line = combine(at_most(small_mean, large_mean), *split, inner)
    of_large = tower(law, large, level, total)
    bound = integrable(of_large, E(law, large_mean))
    least = expect(positive, law, integrable(line, small_mean), given=level)
    below = dominated(line, law, bound, lower=least)
    outer = expect(line, law, below, bound)
    of_small = tower(law, small, level, below, positive)
    return combine(at_most(E(law, small), E(law, large)), of_small, outer, of_large)


def over_levels(
    law: Independent, factor: Real, inner: Fact, positive: Fact, known: Fact
) -> Fact:
    """E of factor times what ``inner`` integrates over the levels is E of factor times its value.

    ``known`` says that one of them is finite; ``positive`` that what is integrated is.
    """
    if factor == 1:
        return one_by_one(law, inner, positive, known)
    mean = mean_of(inner)
    body = positive.relation.right
    value = factor * inner.relation.right
    scaled = linear(mean.law, body, {mean.body: factor}, finite(inner))
    there = combine(equal(E(mean.law, body), value), scaled, (inner, factor))
    return one_by_one(law, there, positive, known)


def named(fact: Fact, known: Fact, **means: Expr) -> Fact:
    """The fact without the hypothesis that gives a name to a mean, which is known to be finite."""
    ((name, mean),) = means.items()
    atom = known.integrable
    same = linear(atom.law, atom.body, {atom.body: formula(1)}, known)
    return discharge(specialize(fact, **{name: mean}), same)
