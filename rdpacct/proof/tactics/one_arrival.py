"""The tail of one exponential variable as the first sum of a sequence, without a limit."""

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import exp, maximum, minimum
from rdpacct.proof.kernel import (
    E,
    Fact,
    at_most,
    at_start,
    cases,
    combine,
    disintegrate,
    dominated,
    either,
    equal,
    event,
    expect,
    given_by,
    integrable,
    integrate,
    linear,
    marginal,
    one_more,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.laws import Chain, Density
from rdpacct.proof.tactics.sequences import over_the_past
from rdpacct.proof.tactics.smooth import A, N, far

r, w, y, z = map(Symbol, ("rho", "w", "y", "z"))


def beyond(density: Density) -> Fact:
    """E max(0, min(w, z - y)) <= w exp(-max(y, 0)): it is at most w, and 0 where z <= y."""
    body = maximum(0, minimum(w, z - y))
    claim = at_most(E(density, body), w * exp(-maximum(y, 0)))
    positive = specialize(real("0 <= max(0, v)"), v=minimum(w, z - y))
    split = event(density, "A", at_most(y, z))
    chance = integrate(
        split, A, (0, -exp(-z)), (-exp(-z), -exp(-z)), "0 <= y", cuts=(y,)
    )
    line = cases(split, at_most(body, w * A), "0 < w")
    whole = linear(split, w * A, {A: w}, integrable(chance, E(split, A)))
    finite = integrable(whole, E(split, w * A))
    inside = dominated(line, split, finite, lower=positive)
    over = expect(line, split, inside, finite)
    same = marginal(split, density, body, inside)
    rule = real("exp(-x) == exp(-y)", "x == y")
    size = given_by(specialize(rule, x=maximum(y, 0)), real("max(y, 0) == y", "0 <= y"))
    some = combine(
        claim, (same, -1), over, whole, (chance, w), (size, w), given=("0 < w",)
    )
    most = real(at_most(body, w), "0 < w", "y <= z")
    most = under(most, "0 < w", "y <= 0", "0 <= z")
    bound = dominated(real("abs(w) <= w", "0 < w"), density)
    over = expect(most, density, dominated(most, density, bound, lower=positive), bound)
    size = given_by(
        specialize(real("exp(-x) == 1", "x == 0"), x=maximum(y, 0)),
        real("max(y, 0) == 0", "y <= 0"),
    )
    all_ = combine(claim, over, (size, w), given=("0 < w",))
    return either(under(some, "0 <= y", "0 < w"), under(all_, "y <= 0", "0 < w"))


def tail_of_one(law: Chain, density: Density) -> Fact:
    """w P(N > r) <= w exp(-max(r - w, 0)) for one exponential variable N."""
    start = law.sequence
    body = maximum(0, minimum(w, N - (r - w)))
    split = far(start.next, r)
    inside = minimum(w, N - (r - w))
    near = cases(split, at_most(A * w, A * inside), "0 < w")
    low = cases(split, at_most(0, A))
    high = cases(split, at_most(0, 1 - A))
    above = specialize(real("v <= max(0, v)"), v=inside)
    sign = specialize(real("0 <= max(0, v)"), v=inside)
    line = combine(
        at_most(w * A, body), near, (above, A), (sign, 1 - A), (low, 0), (high, 0)
    )
    moved = maximum(0, minimum(w, z - (r - w - N)))
    inner = specialize(beyond(density), y=r - w - N)
    part = disintegrate(start, moved, ("N",), integrable(inner, E(density, moved)))
    value = exp(-maximum(r - w - N, 0))
    known = combine(at_most(E(start, moved, ("N",)), w * value), part, inner)
    first = at_start(start, value)
    scaled = linear(start, w * value, {value: w}, integrable(first, E(start, value)))
    positive = specialize(real("0 <= max(0, v)"), v=minimum(w, z - (r - w - N)))
    mean = over_the_past(
        start, known, integrable(scaled, E(start, w * value)), positive
    )
    shape = given_by(
        specialize(
            real("max(0, min(w, u)) == max(0, min(w, v))", "u == v"),
            u=N + z - (r - w),
            v=z - (r - w - N),
        ),
        real(equal(N + z - (r - w), z - (r - w - N))),
    )
    same = expect(shape, start, integrable(mean, E(start, moved)))
    grown = one_more(start, body, integrable(same, same.relation.left))
    over_all = marginal(split, start.next, body, integrable(grown, E(start.next, body)))
    flag = dominated(cases(split, at_most(A, 1)), split, lower=low)
    left = linear(split, w * A, {A: w}, flag)
    over = expect(
        line,
        split,
        integrable(left, left.relation.left),
        integrable(over_all, E(split, body)),
    )
    claim = at_most(E(split, A), exp(-maximum(r - w, 0)))
    facts = (
        (left, -1 / w),
        (over, 1 / w),
        (over_all, 1 / w),
        (grown, 1 / w),
        (same, 1 / w),
    )
    more = (mean, 1 / w), (scaled, 1 / w), first
    return combine(claim, *facts, *more, given=("0 < w",))
