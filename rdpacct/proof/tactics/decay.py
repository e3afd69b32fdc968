"""A transform along a vertical line, near the axis by the variance and far from it by another
bound.

A loss X in an interval is weighted by exp(t X), whose mean is the value of the transform at t; the
law that is tilted so has a characteristic function that falls.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import cos, maximum, sin, sqrt
from rdpacct.proof.claim import Comparison
from rdpacct.proof.entries import lemma, module
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    at_most,
    combine,
    dominated,
    either,
    equal,
    exists_by,
    expect,
    given_by,
    instance,
    integrable,
    linear,
    real,
    specialize,
    tilt,
    tilted,
    under,
)
from rdpacct.proof.kernel.laws import Tilted

y, h, m = map(Symbol, ("y", "h", "m"))
"""The height, the least height, and the value of the transform on the axis."""
HEIGHTS = ("0 <= h", "h <= y", "y > 0", "0 < m")


@dataclass(frozen=True)
class Weighted:
    """A loss in the interval from ``low`` on of this ``width``, with the weight exp(t X) under a
    law.
    """

    law: Law
    loss: Expr
    weight: Expr
    low: Expr
    width: Expr

    @property
    def square(self) -> Expr:
        """The square of the modulus of the transform."""
        cosine, sine = (
            E(self.law, self.weight * wave(y * self.loss)) for wave in (cos, sin)
        )
        return cosine**2 + sine**2

    @property
    def tilted(self) -> Tilted:
        """The law with the weight over its mean m as its density."""
        return tilted("T", self.law, self.weight / m)

    def finite(self, value: Fact, moments: Mapping[Expr, Fact]) -> dict[Expr, Fact]:
        """What has a finite mean times the weight."""
        whole = integrable(value, E(self.law, self.weight))
        (rate,) = self.weight.parts()
        finite = dict(moments)
        for name, wave in (("cos", cos), ("sin", sin)):
            size = real(f"abs(exp(p)*{name}(w)) <= exp(p)")
            upper = specialize(size, p=rate, w=y * self.loss)
            finite[wave(y * self.loss)] = dominated(upper, self.law, whole)
        return finite

    def near(
        self,
        value: Fact,
        moments: Mapping[Expr, Fact],
        variance: Fact,
        *given: str | Condition,
    ) -> Fact:
        """|M|**2 <= m**2 max(1 - 2 V (1 - cos(h w))/w**2, 0) for y w <= pi, from the value m on the
        axis and V m**2 = E[w X**2] m - E[w X]**2.
        """
        law = self.tilted
        scaled = linear(
            self.law,
            law.ratio,
            {self.weight: 1 / m},
            integrable(value, E(self.law, self.weight)),
            where=("0 < m",),
        )
        mass = combine(
            equal(E(self.law, law.ratio), 1), scaled, (value, 1 / m), given=("0 < m",)
        )
        means = dict[Expr, Fact]()
        for body, known in self.finite(value, moments).items():
            weighted = self.weight * body
            part = linear(
                self.law, law.ratio * body, {weighted: 1 / m}, known, where=("0 < m",)
            )
            inside = integrable(part, E(self.law, law.ratio * body))
            change = tilt(law, body, mass, inside)
            means[body] = combine(
                equal(E(law, body), E(self.law, weighted) / m),
                change,
                part,
                given=("0 < m",),
            )
        bound = self._compared(self._decay(*given), means, value, variance)
        return given_by(bound, exists_by(law, mass))

    def _decay(self, *given: str | Condition) -> Fact:
        """The bound by the variance, for the tilted law."""
        arbitrary = module("engine/variance-decay").ONE
        generic = lemma("engine/variance-decay", "interval")
        ends = {"a": self.low, "d": self.width}
        there = specialize(under(generic, *generic.domain, *given), **ends)
        law = arbitrary.at(**ends)
        return instance(there, law, self.tilted, {"x": self.loss}, *given)

    def _compared(
        self, decay: Fact, means: Mapping[Expr, Fact], value: Fact, variance: Fact
    ) -> Fact:
        """The means under the tilted law, as weighted ones."""
        turns = [means[wave(y * self.loss)] for wave in (cos, sin)]
        square = combine(
            equal(self.square, m**2 * decay.relation.left),
            *(
                (turn, -(m**2) * (turn.relation.left + turn.relation.right))
                for turn in turns
            ),
            given=("0 < m",),
        )
        first = means[self.loss]
        second = means[self.loss**2]
        spread = variance.relation.left.parts()[0]
        mean = E(self.law, self.weight * self.loss)
        moment = E(self.law, self.weight * self.loss**2)
        whole = E(self.law, self.weight)
        here = combine(
            equal(spread * m**2, moment * m - mean**2),
            variance,
            (value, moment - spread * (m + whole)),
        )
        same = combine(
            equal(second.relation.left - first.relation.left**2, spread),
            second,
            (first, -(first.relation.left + first.relation.right)),
            (here, -1 / m**2),
            given=("0 < m",),
        )
        left = decay.relation.right.parts()[0]
        right = at_spread(spread, self.width)
        slope = -2 * (1 - cos(h * self.width)) / self.width**2
        lower = combine(
            at_most(left, right), (same, slope), given=relations_among(decay.domain)
        )
        grown = given_by(
            specialize(
                under(
                    real("max(a, 0) <= max(b, 0)", "a <= b"), "a <= b", *lower.domain
                ),
                a=left,
                b=right,
            ),
            lower,
        )
        return combine(
            at_most(self.square, m**2 * maximum(right, 0)),
            square,
            (decay, m**2),
            (grown, m**2),
        )

    def below_value(self, value: Fact) -> Fact:
        """|M|**2 <= m**2, as (cos - a)**2 + (sin - b)**2 is nowhere negative."""
        a, b = map(Symbol, ("a", "b"))
        turns = [wave(y * self.loss) for wave in (cos, sin)]
        known = self.finite(value, {})
        body = self.weight * (2 * a * turns[0] + 2 * b * turns[1] - a**2 - b**2)
        generic = real("2*a*cos(w) + 2*b*sin(w) - a**2 - b**2 <= 1")
        point = combine(
            at_most(body, self.weight),
            (specialize(generic, w=y * self.loss), self.weight),
        )
        finite = integrable(value, E(self.law, self.weight))
        parts = {
            self.weight * turns[0]: 2 * a,
            self.weight * turns[1]: 2 * b,
            self.weight: -(a**2) - b**2,
        }
        split = linear(self.law, body, parts, *known.values(), finite)
        over = expect(point, self.law, integrable(split, E(self.law, body)), finite)
        cosine, sine = (E(self.law, self.weight * turn) for turn in turns)
        line = combine(
            at_most(2 * a * cosine + 2 * b * sine, (1 + a**2 + b**2) * m),
            over,
            split,
            (value, 1 + a**2 + b**2),
        )
        best = specialize(under(line, *line.domain, "0 < m"), a=cosine / m, b=sine / m)
        spoken = [
            linear(self.law, self.weight * turn, {self.weight * turn: 1}, known[turn])
            for turn in turns
        ]
        claim = at_most(self.square, m**2)
        return combine(
            claim, (best, m), *((fact, 0) for fact in spoken), given=("0 < m",)
        )


def smaller(first: Fact, second: Fact, u: Expr, v: Expr, *cuts: Fact) -> Fact:
    """z <= min(u, v)**2, from z <= u**2 and z <= v**2 on the same domain; the cuts show that u and
    v are defined.
    """
    generic = real("z <= min(u, v)**2", "z <= u**2", "z <= v**2")
    sides = {"z": first.relation.left, "u": u, "v": v}
    known = (*first.domain, *(cut.relation for cut in cuts))
    bound = specialize(under(generic, *generic.domain, *known), **sides)
    return under(given_by(bound, first, second, *cuts), *first.domain)


def cut_at_zero(spread: Expr, *given: str | Condition) -> Fact:
    """0 <= max(spread, 0)."""
    return specialize(under(real("0 <= max(c, 0)"), *given), c=spread)


def near_or_far(
    near: Fact,
    far: Fact,
    spread: Expr,
    half: Expr,
    *given: str | Condition,
    positive: Fact | None = None,
) -> Fact:
    """|M| is at most the larger of the bound near the axis, which holds up to ``half``, and of the
    far one, which holds from there on and is not negative.
    """
    beyond = far.relation.right.parts()[0]
    inside = maximum(spread, 0)
    v, w = map(Symbol, "vw")
    rises = real("u**2 <= max(u, v)**2", "0 <= u")
    signs = ("0 <= w", "0 < m")
    there = specialize(under(rises, "0 <= u", *signs), u=sqrt(w) * m)
    there = given_by(there, real(at_most(0, sqrt(w) * m), *signs))
    generic = combine(at_most(m**2 * w, maximum(sqrt(w) * m, v) ** 2), there)
    root = specialize(under(generic, *generic.domain, *given), w=inside, v=beyond)
    cut = cut_at_zero(spread, *given)
    root = given_by(root, cut)
    claim = at_most(near.relation.left, root.relation.right)
    low = combine(claim, near, root, (cut, 0))
    positive = under(positive or real(at_most(0, beyond), *given), *given)
    generic = real("v**2 <= max(u, v)**2", "0 <= v")
    more = specialize(
        under(generic, *generic.domain, cut.relation, *given),
        u=sqrt(inside) * m,
        v=beyond,
    )
    high = combine(claim, far, given_by(more, positive, cut), (cut, 0))
    return either(
        under(low, *given, at_most(y, half)), under(high, *given, at_most(half, y))
    )


def at_spread(spread: Expr, width: Expr) -> Expr:
    """1 - 2 V (1 - cos(h w))/w**2."""
    return 1 - 2 * spread * (1 - cos(h * width)) / (width * width)


def relations_among(domain: Iterable[Condition]) -> tuple[Comparison, ...]:
    """The relations among some conditions."""
    return tuple(condition for condition in domain if isinstance(condition, Comparison))
