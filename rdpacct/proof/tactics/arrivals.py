"""How often d exponential variables add up to at most r: with probability at most r/d.

The sums are arrivals. The arrivals up to r among the first d number at most E min(N, r) <= r on
average, and the last of them is the rarest.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import exp, maximum, minimum
from rdpacct.proof.kernel import (
    E,
    Fact,
    Whole,
    assume,
    at_most,
    at_start,
    cases,
    closed,
    combine,
    disintegrate,
    dominated,
    either,
    equal,
    event,
    expect,
    given_by,
    induct,
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
from rdpacct.proof.theorem import Statement, Step

d, r, w, y, z, u = map(Symbol, ("d", "rho", "w", "y", "z", "u"))
LEFT = maximum(r - N, 0)
"""How far the next arrival may be away to come before r."""
NEXT = 1 - exp(-LEFT)
"""The probability that it does."""
SEEN = minimum(N, r)


def left_is_positive() -> Fact:
    """0 <= max(rho - N, 0)."""
    return specialize(real("0 <= max(v, 0)"), v=r - N)


class Arrivals:
    """A sequence of sums N of exponential variables z."""

    def __init__(self, law: Chain, density: Density) -> None:
        self.law = law
        self.one = density

    def waiting(self) -> Fact:
        """E min(z, y) == 1 - exp(-y)."""
        first = (real("min(z, y) == z", "z <= y"), real("0 <= z", "0 <= z", "z <= y"))
        rest = (real("min(z, y) == y", "y <= z"),)
        integral = integrate(
            self.one,
            minimum(z, y),
            (-(z + 1) * exp(-z), -y * exp(-z)),
            (-exp(-z), -exp(-z)),
            "0 <= y",
            cuts=(y,),
            on=(first[:1], rest),
        )
        return combine(equal(integral.relation.left, 1 - exp(-y)), integral)

    def one_more_seen(self) -> Fact:
        """E min(N, r) of the next sum is E min(N, r) of this one, and the probability of one more
        arrival.
        """
        law = self.law
        place = given_by(specialize(self.waiting(), y=LEFT), left_is_positive())
        body = minimum(z, LEFT)
        split = disintegrate(law, body, ("N",), integrable(place, E(self.one, body)))
        inner = combine(equal(E(law, body, ("N",)), NEXT), split, place)
        bound = dominated(self._next_is_small(), law, lower=self._next_is_positive())
        positive = given_by(
            specialize(real("0 <= min(z, y)", "0 <= z", "0 <= y"), y=LEFT),
            left_is_positive(),
        )
        mean = over_the_past(law, inner, bound, positive)
        seen = dominated(
            real(at_most(SEEN, r)),
            law,
            lower=real(at_most(0, SEEN), "0 <= N", "0 <= rho"),
        )
        total = linear(
            law, SEEN + body, {SEEN: 1, body: 1}, seen, integrable(mean, E(law, body))
        )
        moved = minimum(N + z, r)
        shape = expect(self._shape(), law, integrable(total, total.relation.left))
        grown = one_more(law, SEEN, integrable(shape, E(law, moved)))
        claim = equal(E(law.next, SEEN), E(law, SEEN) + E(law, NEXT))
        return combine(claim, grown, shape, total, mean)

    def _shape(self) -> Fact:
        """min(N + z, r) == min(N, r) + min(z, max(r - N, 0)), z >= 0."""
        claim = equal(SEEN + minimum(z, LEFT), minimum(N + z, r))
        early = real(claim, "0 <= z", "N <= rho")
        late = real(claim, "0 <= z", "rho <= N")
        return either(early, late)

    def _next_is_small(self) -> Fact:
        return specialize(real("1 - exp(-v) <= 1"), v=LEFT)

    def _next_is_positive(self) -> Fact:
        plain = specialize(real("0 <= 1 - exp(-v)", "0 <= v"), v=LEFT)
        return given_by(plain, left_is_positive())

    def rarer(self) -> Fact:
        """The next arrival is less often before r than this one."""
        law = self.law
        order = real("max(u, 0) <= max(v, 0)", "u <= v")
        nearer = given_by(
            specialize(order, u=r - (N + z), v=r - N),
            real(at_most(r - (N + z), r - N), "0 <= z"),
        )
        falls = real("1 - exp(-x) <= 1 - exp(-y)", "x <= y")
        line = given_by(specialize(falls, x=maximum(r - (N + z), 0), y=LEFT), nearer)
        here = dominated(self._next_is_small(), law, lower=self._next_is_positive())
        least = specialize(real("0 <= 1 - exp(-max(v, 0))"), v=r - (N + z))
        there = dominated(line, law, here, lower=least)
        over = expect(line, law, there, here)
        grown = one_more(law, NEXT, there)
        return combine(at_most(E(law.next, NEXT), E(law, NEXT)), grown, over)

    def counted(self) -> Fact:
        """d E[next arrival before r] <= E min(N, r): those before it were as many, and likelier."""
        law = self.law
        claim = at_most(d * E(law, NEXT), E(law, SEEN))
        before = assume(claim, Whole("d", 0), "0 <= rho")
        later_ = at_most((d + 1) * E(law.next, NEXT), E(law.next, SEEN))
        step = combine(
            later_,
            before,
            self.one_more_seen(),
            (self.rarer(), d + 1),
            given=("0 <= d",),
        )
        start = at_start(law.sequence, SEEN, "0 <= rho")
        first = at_start(law.sequence, NEXT, "0 <= rho")
        none = real("0 <= min(0, rho)", "0 <= rho")
        base = combine(
            at_most(0 * E(law.sequence, NEXT), E(law.sequence, SEEN)),
            (start, -1),
            none,
        )
        return induct(base, under(step, Whole("d", 0), "0 <= rho"), "d", first)

    def rare(self) -> Fact:
        """(d + 1) E[next arrival before r] <= r."""
        law = self.law.next
        line = real(at_most(SEEN, r))
        seen = dominated(line, law, lower=real(at_most(0, SEEN), "0 <= N", "0 <= rho"))
        whole = dominated(real("abs(rho) <= rho", "0 <= rho"), law)
        over = expect(line, law, seen, whole)
        claim = at_most((d + 1) * E(self.law, NEXT), r)
        return combine(claim, self.counted(), (self.one_more_seen(), -1), over)

    def smoothed(self) -> Fact:
        """E max(0, min(w, y - z)) <= w (1 - exp(-max(y, 0))): it is at most w where z <= y."""
        body = maximum(0, minimum(w, y - z))
        claim = at_most(E(self.one, body), w * (1 - exp(-maximum(y, 0))))
        positive = specialize(real("0 <= max(0, v)"), v=minimum(w, y - z))
        split = event(self.one, "A", at_most(z, y))
        chance = integrate(
            split, A, (-exp(-z), 0), (-exp(-z), -exp(-z)), "0 <= y", cuts=(y,)
        )
        line = cases(split, at_most(body, w * A), "0 < w")
        whole = linear(split, w * A, {A: w}, integrable(chance, E(split, A)))
        finite = integrable(whole, E(split, w * A))
        inside = dominated(line, split, finite, lower=positive)
        over = expect(line, split, inside, finite)
        same = marginal(split, self.one, body, inside)
        size = real("max(y, 0) == y", "0 <= y")
        equal_size = given_by(
            specialize(real("exp(-x) == exp(-y)", "x == y"), x=maximum(y, 0)), size
        )
        some = combine(
            claim,
            (same, -1),
            over,
            whole,
            (chance, w),
            (equal_size, -w),
            given=("0 < w",),
        )
        line = real(at_most(body, 0), "0 < w", "y <= 0", "0 <= z")
        none = dominated(line, self.one, lower=positive)
        over = expect(line, self.one, none)
        least = specialize(real("0 <= 1 - exp(-v)", "0 <= v"), v=maximum(y, 0))
        least = given_by(least, specialize(real("0 <= max(y, 0)"), y=y))
        never = combine(claim, over, (least, w), given=("0 < w",))
        return either(under(some, "0 <= y", "0 < w"), under(never, "y <= 0", "0 < w"))

    def reached(self) -> Fact:
        """w P(N <= r) for the next sum is at most w E[next arrival before r + w]."""
        law = self.law
        later_ = law.next
        body = maximum(0, minimum(w, r + w - N))
        split = far(later_, r)
        inside = minimum(w, r + w - N)
        near = cases(split, at_most((1 - A) * w, (1 - A) * inside), "0 < w")
        low = cases(split, at_most(0, A))
        high = cases(split, at_most(0, 1 - A))
        above = specialize(real("v <= max(0, v)"), v=inside)
        sign = specialize(real("0 <= max(0, v)"), v=inside)
        line = combine(
            at_most(w * (1 - A), body),
            near,
            (above, 1 - A),
            (sign, A),
            (low, 0),
            (high, 0),
        )
        moved = maximum(0, minimum(w, r + w - N - z))
        inner = specialize(self.smoothed(), y=r + w - N)
        part = disintegrate(law, moved, ("N",), integrable(inner, E(self.one, moved)))
        value = NEXT.at(rho=r + w)
        known = combine(at_most(E(law, moved, ("N",)), w * value), part, inner)
        small = specialize(real("1 - exp(-v) <= 1"), v=LEFT.at(rho=r + w))
        least = specialize(real("0 <= 1 - exp(-v)", "0 <= v"), v=LEFT.at(rho=r + w))
        least = given_by(least, specialize(real("0 <= max(v, 0)"), v=r + w - N))
        bound = dominated(small, law, lower=least)
        scaled = linear(law, w * value, {value: w}, bound)
        positive = specialize(real("0 <= max(0, v)"), v=minimum(w, r + w - N - z))
        mean = over_the_past(
            law, known, integrable(scaled, E(law, w * value)), positive
        )
        shape = given_by(
            specialize(
                real("max(0, min(w, u)) == max(0, min(w, v))", "u == v"),
                u=r + w - (N + z),
                v=r + w - N - z,
            ),
            real(equal(r + w - (N + z), r + w - N - z)),
        )
        same = expect(shape, law, integrable(mean, E(law, moved)))
        grown = one_more(law, body, integrable(same, same.relation.left))
        over_all = marginal(split, later_, body, integrable(grown, E(later_, body)))
        flag = dominated(
            cases(split, at_most(A, 1)), split, lower=cases(split, at_most(0, A))
        )
        left = linear(split, w * (1 - A), {A: -w}, flag, constant=w)
        over = expect(
            line,
            split,
            integrable(left, left.relation.left),
            integrable(over_all, E(split, body)),
        )
        claim = at_most(w * (1 - E(split, A)), w * E(law, value))
        return combine(claim, (left, -1), over, over_all, grown, same, mean, scaled)

    def few(self, part: Statement) -> Iterator[Step]:
        """d P(N <= r) <= r, for d sums from none on."""
        law = self.law
        split = far(law.next, r)
        yield (
            self.rare(),
            "arrivals before r: as many as E min(N, r), the last is rarest",
        )
        rare = specialize(self.rare(), rho=r + w)
        slack = Symbol("slack")
        bound = combine(
            at_most((d + 1) * (1 - E(split, A)), r + w),
            (self.reached(), (d + 1) / w),
            rare,
            given=("0 < w", "0 <= d"),
        )
        yield bound, "a sum of at most r is an arrival before r + w"
        near = under(specialize(bound, w=slack), "0 < slack", "0 <= rho", Whole("d", 0))
        after = closed(near, "slack")
        before = assume(part.claim, Whole("d", 0), "0 <= rho")
        step = combine(after.relation, (after, 1), (before, 0))
        first = far(law.sequence, r)
        flag = dominated(
            cases(first, at_most(A, 1)), first, lower=cases(first, at_most(0, A))
        )
        unit = expect(cases(first, at_most(A, 1)), first, flag)
        none = real("0 <= rho", "0 <= rho")
        base = combine(at_most(0 * (1 - E(first, A)), r), none)
        yield (
            induct(base, under(step, Whole("d", 0), "0 <= rho"), "d", unit),
            "for every small w, and for all numbers of sums",
        )
