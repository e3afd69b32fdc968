"""The probability of an interval beside the center of noise, as its scale changes: it has no value
inside below both ends.

With s = 1/scale, the noise s times as far out: the interval from u to v scales beside the center
has the probability tail(u s) - tail(v s), whose derivative in s is v p(v s) - u p(u s).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import PI, exp, minimum, normal_cdf, sqrt
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Stretch,
    at_most,
    combine,
    either,
    expect,
    given_by,
    integrable,
    integrate,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.laplace_comparison import placed
from rdpacct.proof.theorem import Statement, Step

u, v, s, t, low, high = map(Symbol, ("u", "v", "s", "t", "low", "high"))
ENDS = ("0 <= u", "u <= v", "0 <= low", "low < s", "s < high")
SCALES = Density(
    "U",
    ("t",),
    relations("low <= t", "t <= high"),
    (Stretch(low, high, 1 / (high - low)),),
)
"""Uniform between two scales."""


@dataclass(frozen=True)
class UnimodalNoise:
    """Symmetric noise: its upper tail, its density p up to a factor, and what p falls with."""

    tail: Callable[[Expr], Expr]
    weight: Callable[[Expr], Expr]
    factor: Expr
    rate: Callable[[Expr], Expr]
    """weight(a x) is exp(-rate(a) way(x))."""
    way: Callable[[Expr], Expr]

    def beside(self, at: Expr) -> Expr:
        """The probability of the interval."""
        return self.tail(u * at) - self.tail(v * at)

    def rising(self, at: Expr) -> Comparison:
        """The derivative is not negative."""
        return at_most(u * self.weight(u * at), v * self.weight(v * at))

    def falling(self, at: Expr) -> Comparison:
        """The derivative is not positive."""
        return at_most(v * self.weight(v * at), u * self.weight(u * at))

    def keeps_falling(self) -> Fact:
        """Where it falls at s, it falls at t >= s."""
        given = ("0 <= u", "u <= v", "0 <= s", "s <= t")
        more = self.way(t) - self.way(s)
        gap = self.rate(v) - self.rate(u)
        signs = real("0 <= x*y", "0 <= x", "0 <= y")
        steps = given_by(
            specialize(under(signs, *signs.domain, *given), x=gap, y=more),
            real(at_most(0, gap), *given),
            real(at_most(0, more), *given),
        )
        order = combine(at_most(-self.rate(v) * more, -self.rate(u) * more), steps)
        grows = real("exp(x) <= exp(y)", "x <= y")
        grows = given_by(
            specialize(
                under(grows, *grows.domain, *given),
                x=-self.rate(v) * more,
                y=-self.rate(u) * more,
            ),
            order,
        )
        there = self.falling(s)
        known = under(real(there, there), there, *given)
        return combine(
            self.falling(t),
            (known, exp(-self.rate(v) * more)),
            (grows, u * self.weight(u * s)),
            given=given,
        )

    def grown(self, sign: Fact, *given: str | Condition) -> Fact:
        """0 <= (f(high) - f(low)) or the other way, from the sign of the derivative between."""
        width = high - low
        slope = self.factor * (v * self.weight(v * t) - u * self.weight(u * t))
        up = sign.relation.left == u * self.weight(u * t)
        claim = at_most(0, slope) if up else at_most(slope, 0)
        here = combine(claim, (sign, self.factor))
        (piece,) = SCALES.pieces
        ready = under(here, *given, *piece.where("t"))
        mean = integrate(
            SCALES,
            slope,
            (self.beside(t) / width,),
            (t / width,),
            *given,
            on=((ready,),),
        )
        over = expect(ready, SCALES, integrable(mean, E(SCALES, slope)))
        ends = (self.beside(low), self.beside(high))
        result = at_most(*ends) if up else at_most(*reversed(ends))
        return combine(
            result, (over, width), (mean, width if up else -width), given=given
        )

    def no_valley(self, once: Fact) -> Fact:
        """f(s) is at least the smaller of f(low) and f(high), for low < s < high."""
        least = minimum(self.beside(low), self.beside(high))
        rises = self._at_end(once, "high", "min(x, y) <= x", least)
        falls = self._at_end(self.keeps_falling(), "low", "min(x, y) <= y", least)
        return either(rises, falls)

    def _at_end(self, sign: Fact, end: str, text: str, least: Expr) -> Fact:
        """The case that f rises up to s, or that it falls from s on."""
        case = self.rising(s) if end == "high" else self.falling(s)
        given = ("0 <= u", "u <= v", "0 <= low", "low < high")
        moved = specialize(sign, s=Symbol(end))
        there = self.rising(Symbol(end)) if end == "high" else self.falling(Symbol(end))
        grown = self.grown(moved, *given, there)
        placed = specialize(grown, **{end: s})
        placed = under(placed, *ENDS, case)
        ends = {"x": self.beside(low), "y": self.beside(high)}
        smaller = specialize(under(real(text), *ENDS), **ends)
        return under(
            combine(at_most(least, self.beside(s)), smaller, placed), *ENDS, case
        )


NOISES = {
    "laplace": UnimodalNoise(
        tail=lambda w: exp(-w) / 2,
        weight=lambda w: exp(-w),
        factor=formula(Fraction(1, 2)),
        rate=lambda a: a,
        way=lambda x: x,
    ),
    "normal": UnimodalNoise(
        tail=lambda w: normal_cdf(-w),
        weight=lambda w: exp(-(w**2) / 2),
        factor=1 / sqrt(2 * PI),
        rate=lambda a: a**2 / 2,
        way=lambda x: x**2,
    ),
}


def no_valley(name: str, once: Statement) -> Statement:
    """An interval beside c has no less than at the worse end of the scales."""
    noise = NOISES[name]

    def proof(_: Statement) -> Iterator[Step]:
        yield once.fact(), "its derivative changes its sign once"
        yield noise.no_valley(once.fact()), "integrated, on the side where it rises"

    return Statement(
        f"{name}-no-valley",
        "s = exp(-lam): the probability of [c - v, c - u] is at least the smaller of"
        " those at two ends of s",
        at_most(
            minimum(*(noise.beside(Symbol(end)) for end in ("low", "high"))),
            noise.beside(s),
        ),
        proof,
        ENDS,
    )


def around(name: str) -> Statement:
    """An interval that reaches c loses on both sides."""
    noise = NOISES[name]
    held = tuple(1 - noise.tail(u * at) - noise.tail(v * at) for at in (t, s))

    def proof(part: Statement) -> Iterator[Step]:
        x = Symbol("x")
        z = Symbol("z")
        falls = real(at_most(noise.tail(x), noise.tail(z)), "z <= x")
        longer = real("0 <= x*y", "0 <= x", "0 <= y")
        sides = []
        for end in (u, v):
            gap = placed(longer, part.given, x=end, y=s - t)
            order = combine(at_most(end * t, end * s), gap)
            sides.append(placed(falls, part.given, order, x=end * s, z=end * t))
            yield sides[-1], "less is beyond an end"
        yield combine(part.claim, *sides), "on both sides"

    return Statement(
        f"{name}-around",
        "an interval [c - v, c + u] around c holds less as lam grows, that is as s"
        " falls to t",
        at_most(*held),
        proof,
        ("0 <= u", "0 <= v", "t <= s"),
    )
