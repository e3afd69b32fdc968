"""The search for counterexamples: exact rational points at which a claim certainly fails.

Floating point and midpoints of balls only steer the search; a point is returned after
``Claim.fails_at`` has certified it. Candidates lie on every scale around the constants of the
claim; from the most promising ones the search walks downhill, and in one variable it also bisects
all intervals on which a failure is not excluded.
"""

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import round_down
from rdpacct.exact.formula import Expr, Rational
from rdpacct.proof.check.effort import EFFORT, UNITS_PER_SECOND, TooMuchWork
from rdpacct.proof.claim import Claim, RationalPoint, at_exactly, ball_at, cost
from rdpacct.proof.domain import Range, ranges
from rdpacct.proof.search.claims import NET

BITS = 240
GOLDEN = (math.sqrt(5) - 1) / 2

SampledPoint = tuple[float, float, RationalPoint]
"""The margin relative to the sides, the margin, and the point at which it was taken."""


def refute(claim: Claim, seconds: float) -> RationalPoint | None:
    """A point at which the claim certainly fails, in short decimals, or None if none is found with
    that much work.
    """
    work = int(seconds * UNITS_PER_SECOND)
    deadline = EFFORT.spent + work
    try:
        with EFFORT.allowed(2 * work + UNITS_PER_SECOND, NET * (seconds + 1)):
            return _refuted(claim, deadline)
    except TooMuchWork:
        return None


def _refuted(claim: Claim, deadline: int) -> RationalPoint | None:
    try:
        free, values = claim.solved()
    except ZeroDivisionError:
        free = claim
        values = {}
    for point in _CounterexampleSearch(free, deadline).points():
        whole = _completed(point, values)
        if whole is not None and claim.fails_at(whole):
            return _shorten(claim, point, values) or whole
    return None


def _completed(point: RationalPoint, values: dict[str, Expr]) -> RationalPoint | None:
    """The point with the variables that equations give, if their values there are rational."""
    whole = dict(point)
    for name, value in values.items():
        exact = at_exactly(value, point)
        if not isinstance(exact, Rational):
            return None
        whole[name] = exact.value
    return whole


class _CounterexampleSearch:
    def __init__(self, claim: Claim, deadline: int) -> None:
        self.claim = claim
        self.deadline = deadline
        self.margin = claim.conclusion.margin()
        self.cost = cost(self.margin, 96)
        self.ranges = ranges(claim)
        self.anchors = sorted(
            {
                Fraction(0),
                Fraction(1),
                Fraction(-1),
                Fraction(1, 2),
                *_constants(claim),
            },
            key=abs,
        )[:24]

    def points(self) -> Iterator[RationalPoint]:
        """Points that may break the claim, the likely ones first; each has a margin that looks
        negative or zero.
        """
        names = self.claim.variables()
        if not names:
            yield {}
            return
        seen = list[SampledPoint]()
        for point in self._candidates(names):
            if self._late():
                return
            value = self._value(point)
            if value is None:
                continue
            if self._suspect(value):
                yield point
            seen.append((value / self._scale(point), value, point))
        starts = self._valleys(names, seen)
        walk = self._golden if len(names) == 1 else self._downhill
        for _, value, point in starts:
            yield from walk(point, value)
            if self._late():
                return
        if len(names) == 1:
            yield from self._bisect(names[0], [point[names[0]] for _, _, point in seen])

    def _late(self) -> bool:
        """The work that was allowed is done."""
        return EFFORT.spent > self.deadline

    def _suspect(self, value: float) -> bool:
        if self.claim.conclusion.sign == "==":
            return value != 0
        return value <= 0

    def _value(self, point: RationalPoint) -> float | None:
        """The margin at a point as a double, None outside the assumptions or where it is
        undefined.
        """
        ball = ball_at(self.margin, BITS, point)
        if not ball.finite() or any(
            assumption.at(point) is not True for assumption in self.claim.given
        ):
            return None
        value = float(ball)
        if value == 0.0 and not ball.raw.is_zero():
            if ball.certainly_negative():
                return -5e-324
            return 5e-324
        return value

    def _scale(self, point: RationalPoint) -> float:
        sides = (self.claim.conclusion.left, self.claim.conclusion.right)
        sizes = [abs(float(ball_at(side, 64, point))) for side in sides]
        return max([size for size in sizes if math.isfinite(size)] + [1e-300])

    def _candidates(self, names: tuple[str, ...]) -> Iterator[RationalPoint]:
        if len(names) == 1:
            own = [
                {names[0]: value}
                for value in self._on_every_scale(self.ranges[names[0]])
            ]
            yield from sorted(own, key=_complexity)
            return
        few = {
            name: list(self._few(self.ranges[name], 14 if len(names) == 2 else 8))
            for name in names
        }
        if not all(few.values()):
            return
        for values in itertools.product(*(few[name] for name in names)):
            yield dict(zip(names, values, strict=True))
        for first, second in itertools.permutations(names, 2):
            rest = [name for name in names if name not in (first, second)]
            for value, k in itertools.product(few[first][:10], range(1, 40, 3)):
                step = Fraction(1, 2**k)
                for near in (
                    value + step,
                    value - step,
                    value * (1 + step),
                    value * (1 - step),
                ):
                    others = {name: few[name][0] for name in rest}
                    yield {first: value, second: near, **others}

    def _on_every_scale(self, where: Range) -> list[Fraction]:
        """Points at distances 2**k from every anchor and end, and evenly spread ones."""
        steps = [
            Fraction(2) ** k
            for k in (*range(-200, -60, 10), *range(-60, 41), *range(44, 66, 4))
        ]
        fine = [
            Fraction(int(2 ** (20 + k / 4)), 2**20) * Fraction(2) ** j
            for k in range(4)
            for j in range(-16, 17)
        ]
        points = set[Fraction]()
        for anchor in (*self.anchors, *where.ends()):
            points.update(
                (
                    anchor,
                    *(anchor + step for step in steps),
                    *(anchor - step for step in steps),
                )
            )
        for size in fine:
            points.update((size, -size))
        low, high = where.window()
        points.update(low + (high - low) * k / 96 for k in range(97))
        return [value for value in points if where.holds(value)]

    def _few(self, where: Range, count: int) -> Iterator[Fraction]:
        """A handful of points of a range: anchors, points near its ends, and evenly spread ones."""
        low, high = where.window()
        near = [
            end + sign * Fraction(1, 2**k)
            for end in where.ends()
            for sign in (1, -1)
            for k in (3, 10, 30)
        ]
        spread = [low + (high - low) * k / 8 for k in range(1, 8)]
        middle = [(low + high) / 2]
        far = [Fraction(sign * 2**k) for k in (2, 5, 10) for sign in (1, -1)]
        small = [Fraction(sign, 2**k) for k in (3, 10, 20) for sign in (1, -1)]
        unique = dict.fromkeys(
            v
            for v in (*middle, *self.anchors[:4], *spread, *small, *near, *far)
            if where.holds(v)
        )
        return itertools.islice(unique, count + 8)

    def _valleys(
        self, names: tuple[str, ...], seen: list[SampledPoint]
    ) -> list[SampledPoint]:
        """The points to walk from: local minima in one variable, the smallest relative margins in
        several.
        """
        if len(names) > 1:
            return sorted(seen, key=lambda entry: entry[0])[:40]
        seen.sort(key=lambda entry: entry[2][names[0]])
        values = [entry[1] for entry in seen]
        lows = [
            seen[i]
            for i in range(len(seen))
            if (i == 0 or values[i] <= values[i - 1])
            and (i + 1 == len(seen) or values[i] <= values[i + 1])
        ]
        self._sorted = [entry[2][names[0]] for entry in seen]
        return sorted(lows, key=lambda entry: entry[0])[:25]

    def _golden(self, start: RationalPoint, value: float) -> Iterator[RationalPoint]:
        """Golden section between the neighbors of a local minimum."""
        (name,) = start
        index = self._sorted.index(start[name])
        low = self._sorted[max(index - 1, 0)]
        high = self._sorted[min(index + 1, len(self._sorted) - 1)]
        best = value
        for _ in range(220):
            left = _short(high - (high - low) * Fraction(GOLDEN))
            right = _short(low + (high - low) * Fraction(GOLDEN))
            if not low < left < right < high or self._late():
                return
            at_left = self._value({name: left})
            at_right = self._value({name: right})
            if at_left is None or at_right is None:
                return
            for point, at in ((left, at_left), (right, at_right)):
                if at < 0:
                    yield {name: point}
                best = min(best, at)
            low, high = (low, right) if at_left <= at_right else (left, high)

    def _downhill(self, start: RationalPoint, value: float) -> Iterator[RationalPoint]:
        """A pattern search along the axes and the diagonals, with steps that shrink."""
        point = dict(start)
        names = tuple(start)
        step = {name: max(abs(point[name]) / 4, Fraction(1, 16)) for name in names}
        axes = [
            tuple(sign * (i == j) for j in range(len(names)))
            for i in range(len(names))
            for sign in (1, -1)
        ]
        moves = (
            list(itertools.product((-1, 0, 1), repeat=len(names)))
            if len(names) <= 4
            else axes
        )
        for _ in range(120):
            better = None
            for signs in moves:
                if self._late():
                    return
                trial = {
                    name: _short(point[name] + sign * step[name])
                    for name, sign in zip(names, signs, strict=True)
                }
                at = self._value(trial) if any(signs) else None
                if at is not None and at < value:
                    better = trial
                    value = at
                if at is not None and at < 0:
                    yield trial
            if better is None:
                step = {name: size / 4 for name, size in step.items()}
                if all(size < Fraction(1, 2**120) for size in step.values()):
                    return
            else:
                point = better

    def _bisect(self, name: str, seen: list[Fraction]) -> Iterator[RationalPoint]:
        """Best first bisection of all intervals between seen points on which a failure is not
        excluded.
        """
        order = itertools.count()
        heap = list[tuple[float, int, Fraction, Fraction]]()
        for a, b in itertools.pairwise(seen):
            if self._late():
                return
            heap.append((self._floor(name, a, b), next(order), a, b))
        heapq.heapify(heap)
        while heap and not self._late():
            floor, _, a, b = heapq.heappop(heap)
            if floor > 0:
                return
            middle = _short((a + b) / 2)
            if not a < middle < b:
                continue
            value = self._value({name: middle})
            if value is not None and value <= 0:
                yield {name: middle}
            for half in ((a, middle), (middle, b)):
                bound = self._floor(name, *half)
                if bound <= 0:
                    heapq.heappush(heap, (bound, next(order), *half))

    def _floor(self, name: str, a: Fraction, b: Fraction) -> float:
        """A lower bound of the margin over an interval; minus infinity if nothing is known."""
        EFFORT.spend(self.cost)
        ball = self.margin.ball(96, **{name: Ball.hull(a, b, 96)})
        if ball.finite():
            return round_down(ball.lower())
        return -math.inf


def _complexity(point: RationalPoint) -> float:
    """How far the coordinates are from 0 and 1 in size, and how long they are to write."""
    sizes = [
        abs(v.numerator.bit_length() - v.denominator.bit_length())
        for v in point.values()
        if v
    ]
    return (
        sum(sizes)
        + sum(
            v.denominator.bit_length() + v.numerator.bit_length()
            for v in point.values()
        )
        / 4
    )


def _constants(claim: Claim) -> Iterable[Fraction]:
    """The rational constants of a claim and their negatives."""

    def inside(expr: Expr) -> Iterator[Fraction]:
        if isinstance(expr, Rational):
            yield expr.value
        for part in expr.parts():
            yield from inside(part)

    for relation in (*claim.given, claim.conclusion):
        for value in (*inside(relation.left), *inside(relation.right)):
            yield from (value, -value)


def _short(value: Fraction, bits: int = 150) -> Fraction:
    """A dyadic number near the value, with few enough bits to stay cheap."""
    if value == 0:
        return value
    scale = bits - (value.numerator.bit_length() - value.denominator.bit_length())
    return Fraction(round(value * Fraction(2) ** scale)) / Fraction(2) ** scale


def _shorten(
    claim: Claim, point: RationalPoint, values: dict[str, Expr]
) -> RationalPoint | None:
    """The same counterexample rounded to the fewest digits that still break the claim."""
    for digits in (*range(1, 20), 25, 30, 40, 60):
        rounded = _completed(
            {name: _significant(value, digits) for name, value in point.items()}, values
        )
        if rounded is not None and claim.fails_at(rounded):
            return rounded
    return None


def _significant(value: Fraction, digits: int) -> Fraction:
    if value == 0:
        return value
    exponent = math.floor(
        (value.numerator.bit_length() - value.denominator.bit_length()) * math.log10(2)
    )
    unit = Fraction(10) ** (exponent - digits + 1)
    return round(value / unit) * unit
