"""Losses that are near others but for rare draws, which have a small share of a moment: Chernoff's
bound for what the rare draws add.

The sequence is that of ``nearby``. Given the past, E exp(s L) is at most exp of what G gains, and
E[exp(s L) f] at most what H gains times that: H is the sum of the shares of the rare draws.
"""

from collections.abc import Iterator, Mapping

from rdpacct.exact.formula import Expr, Real, Symbol
from rdpacct.exact.functions import exp, log, maximum
from rdpacct.proof.kernel import (
    E,
    Fact,
    Whole,
    assume,
    at_most,
    at_start,
    combine,
    dominated,
    either,
    equal,
    expect,
    given_by,
    induct,
    integrable,
    linear,
    one_more,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.nearby import (
    AHEAD,
    NEARBY_DRAWS,
    F,
    L,
    S,
    T,
    e,
    f,
    never_ahead,
    same_excess,
    slope,
    stick,
)
from rdpacct.proof.tactics.sequences import over_the_past, sums
from rdpacct.proof.theorem import Statement, Step

s = Symbol("s")
PAST = NEARBY_DRAWS.past
((GAIN, LOGS), (MORE, SHARE)) = sums("G", "H")
MOMENT = exp(s * S)
FACTOR = exp(s * L)
GIVEN = relations("s > 0")
EACH = assume(
    at_most(E(NEARBY_DRAWS, FACTOR, PAST), exp(GAIN)), Whole("k", 0), every="k"
)
RARE = assume(
    at_most(E(NEARBY_DRAWS, FACTOR * f, PAST), MORE * exp(GAIN)),
    Whole("k", 0),
    every="k",
)
SHARES = assume(at_most(0, MORE), Whole("k", 0), every="k")
SHARE_HYPOTHESES = {"moment": EACH, "rare": RARE, "shares": SHARES}


def taken(body: Expr, factor: Expr, before: Fact, release: Fact) -> Fact:
    """E[body factor] <= E[body] times the bound on E[factor given the past], for body >= 0."""
    whole = body * factor
    limit = release.relation.right
    known = integrable(release, E(NEARBY_DRAWS, factor, PAST))
    pulled = linear(NEARBY_DRAWS, whole, {factor: body}, known, given=PAST)
    positive = real(at_most(0, body), *NEARBY_DRAWS.support)
    inner = combine(
        at_most(E(NEARBY_DRAWS, whole, PAST), body * limit),
        pulled,
        (release, body),
        (positive, 0),
        given=NEARBY_DRAWS.support,
    )
    finite = integrable(before, E(NEARBY_DRAWS, body))
    scaled = linear(NEARBY_DRAWS, body * limit, {body: limit}, finite)
    bound = integrable(scaled, E(NEARBY_DRAWS, body * limit))
    sign = real(at_most(0, whole), *NEARBY_DRAWS.support)
    outer = over_the_past(NEARBY_DRAWS, inner, bound, sign)
    return combine(
        at_most(E(NEARBY_DRAWS, whole), E(NEARBY_DRAWS, body) * limit), outer, scaled
    )


def moments(each: Fact) -> Fact:
    """E exp(s S) <= exp(G)."""
    claim = at_most(E(NEARBY_DRAWS, MOMENT), exp(LOGS))
    before = assume(claim, Whole("k", 0))
    grown = taken(MOMENT, FACTOR, before, each)
    moved = exp(s * (S + L))
    same = expect(
        real(equal(MOMENT * FACTOR, moved)),
        NEARBY_DRAWS,
        integrable(grown, E(NEARBY_DRAWS, MOMENT * FACTOR)),
    )
    next_ = one_more(NEARBY_DRAWS, MOMENT, integrable(same, E(NEARBY_DRAWS, moved)))
    k = Symbol("k")
    after = at_most(E(NEARBY_DRAWS.next, MOMENT), exp(LOGS.at(k=k + 1)))
    step = combine(after, next_, (same, -1), grown, (before, exp(GAIN)))
    first = at_start(NEARBY_DRAWS.sequence, MOMENT)
    base = combine(at_most(E(NEARBY_DRAWS.sequence, MOMENT), exp(LOGS.at(k=0))), first)
    return induct(base, under(step, Whole("k", 0)), "k")


def rare_moments(known: Mapping[str, Fact]) -> Fact:
    """E[exp(s S) F] <= H exp(G)."""
    k = Symbol("k")
    body = MOMENT * F
    claim = at_most(E(NEARBY_DRAWS, body), SHARE * exp(LOGS))
    before = assume(claim, Whole("k", 0))
    whole = moments(known["moment"])
    kept = taken(body, FACTOR, before, known["moment"])
    new = taken(MOMENT, FACTOR * f, whole, known["rare"])
    parts = (body * FACTOR, MOMENT * (FACTOR * f))
    finite = [
        integrable(fact, E(NEARBY_DRAWS, part))
        for fact, part in zip((kept, new), parts, strict=True)
    ]
    total = linear(NEARBY_DRAWS, parts[0] + parts[1], dict.fromkeys(parts, 1), *finite)
    moved = exp(s * (S + L)) * (F + f)
    same = expect(
        real(equal(parts[0] + parts[1], moved)),
        NEARBY_DRAWS,
        integrable(total, total.relation.left),
    )
    next_ = one_more(NEARBY_DRAWS, body, integrable(same, E(NEARBY_DRAWS, moved)))
    after = at_most(E(NEARBY_DRAWS.next, body), (SHARE * exp(LOGS)).at(k=k + 1))
    step = combine(
        after,
        next_,
        (same, -1),
        total,
        kept,
        new,
        (before, exp(GAIN)),
        (whole, MORE * exp(GAIN)),
        (known["shares"], 0),
    )
    first = at_start(NEARBY_DRAWS.sequence, body)
    base = combine(
        at_most(E(NEARBY_DRAWS.sequence, body), (SHARE * exp(LOGS)).at(k=0)), first
    )
    return induct(base, under(step, Whole("k", 0)), "k")


def rises() -> Fact:
    """stick(x) <= stick(y) + stick(x) F + max(0, x - y) max(0, 1 - F)."""
    at_x, at_y = "max(0, 1 - exp(-x))", "max(0, 1 - exp(-y))"
    claim = f"{at_x} <= {at_y} + {at_x}*F + max(0, x - y)*max(0, 1 - F)"
    x, y = map(Symbol, "xy")
    product = specialize(real("0 <= max(0, u)*max(0, v)"), u=x - y, v=1 - F)
    left = stick(x)
    sizes = real(f"0 <= {at_x}"), real(f"0 <= {at_y}")
    known = ("0 <= F",)
    some = combine(at_most(0, left * F), (sizes[0], F), given=known)
    low = combine(
        claim, real(f"{at_x} <= {at_y}", "x <= y"), some, product, given=known
    )
    rare = combine(
        claim, (real("1 <= F", "1 <= F"), left), sizes[1], product, (sizes[0], 0)
    )
    parts = real("max(0, x - y)*max(0, 1 - F) == (x - y)*(1 - F)", "y <= x", "F <= 1")
    near = combine(
        claim,
        (slope(), 1 - F),
        (parts, -1),
        (sizes[1], F),
        given=(*known, "F <= 1"),
    )
    high = either(
        under(rare, *known, "y <= x", "1 <= F"), under(near, *known, "y <= x", "F <= 1")
    )
    return either(under(low, *known, "x <= y"), high)


def peaked(peak: Expr) -> Fact:
    """stick(x) <= exp(s x + log peak), for log peak = s log(s/(1 + s)) - log(1 + s)."""
    x = Symbol("x")
    w = x + log(s / (1 + s))
    tangent = under(real("1 + v <= exp(v)"), *GIVEN)
    first, second = (specialize(tangent, v=v) for v in (s * w, -w))
    right = exp(s * x) * peak
    line = combine(
        at_most(1 - exp(-x), right),
        (first, 1 / (1 + s)),
        (second, s / (1 + s)),
        given=GIVEN,
    )
    largest = real("max(0, u) <= v", "0 <= v", "u <= v", *GIVEN)
    least = real(at_most(0, right), *GIVEN)
    return given_by(specialize(largest, u=1 - exp(-x), v=right), least, line)


def shared(part: Statement, peak: Expr) -> Iterator[Step]:
    """The pointwise bound in the mean."""
    steps = list(never_ahead())
    ahead = steps[-1][0]
    yield ahead, "the loss is ahead of the nearby one after a rare draw only"
    rare = rare_moments(part.assuming)
    yield rare, "the moment where there was a rare draw"
    line = specialize(rises(), x=S - e, y=T - e)
    same = same_excess(S - e - (T - e), S - T)
    top = specialize(peaked(peak), x=S - e)
    scale = exp(-s * e) * peak
    body = stick(T - e) + MOMENT * F * scale + AHEAD
    line = combine(
        at_most(stick(S - e), body),
        line,
        (same, maximum(0, 1 - F)),
        (top, F),
        given=("0 <= F", *GIVEN),
    )
    line = under(line, *NEARBY_DRAWS.support, *GIVEN)
    yield line, "where there was one, a stick is at most an exponential"
    sticks = [
        dominated(
            specialize(real("max(0, 1 - exp(-v)) <= 1"), v=at),
            NEARBY_DRAWS,
            lower=specialize(real("0 <= max(0, 1 - exp(-v))"), v=at),
        )
        for at in (S - e, T - e)
    ]
    finite = [
        integrable(rare, E(NEARBY_DRAWS, MOMENT * F)),
        integrable(ahead, E(NEARBY_DRAWS, AHEAD)),
    ]
    parts: dict[Expr, Real] = {stick(T - e): 1, MOMENT * F: scale, AHEAD: 1}
    total = linear(NEARBY_DRAWS, body, parts, sticks[1], *finite, where=GIVEN)
    over = expect(
        line, NEARBY_DRAWS, sticks[0], integrable(total, E(NEARBY_DRAWS, body))
    )
    uses = (over, total, (rare, scale), ahead)
    yield combine(part.claim, *uses, given=GIVEN), "in the mean"
