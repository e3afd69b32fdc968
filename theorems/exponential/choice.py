"""The best choice among the pairs of bounded range, before other releases.

Printed: not in the sources.
Proved: Let h be what follows, convex in g, and let the ratios U = q/p of a pair lie in [v, v/c],
    where c = exp(-eps). (1) The two-point pair with the ratios v and v/c has the shipped masses,
    which are those of two laws. (2) No pair with the same v has a larger E h(g U) under P. (3) On a
    cell v = l + s (r - l), 0 <= s <= 1, let h(g v) and h(g v/c) be replaced by their chords, which
    lie above: the mean is then the interpolated one plus the shipped bulge times 4 s (1 - s)
    l**2/(v r), a factor between 0 and 1. So the mean is nowhere on the cell above its larger value
    at the ends plus the bulge, if that is positive.
Idea: A chord in U leaves two points. On a cell the mean is A + B v + C/v, and 1/v is near its own
    chord.
Source: two points as in Dong, Durfee and Rogers, Optimal differential privacy composition for
    exponential mechanisms.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.composition.choice_lattice import ChoiceLattice
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import ZERO, Symbol, formula
from rdpacct.exact.raw import real as number
from rdpacct.mechanisms.exponential.exponential import two_point
from rdpacct.privacy.bounded_range import BoundedRangePairs, bulge, masses
from rdpacct.privacy.family import BITS
from rdpacct.proof.kernel import (
    E,
    Law,
    Refused,
    assume,
    at_most,
    combine,
    equal,
    expect,
    integrable,
    linear,
    real,
    relations,
)
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Statement,
    Status,
    Step,
    Theorem,
    by_prover,
)

c, v, a, b, U, f = (Symbol(name) for name in ("c", "v", "a", "b", "U", "f"))
ell, r, s, w1, w2, d, k = (
    Symbol(name) for name in ("l", "r", "s", "w1", "w2", "d", "k")
)
UP, DOWN = masses(c, v)
P = Law("P", ("U", "f"), relations("v <= U", "c*U <= v", "f >= 0", "f <= a + b*U"))
"""A pair of bounded range under P: its ratios, and what follows, which lies below its chord."""
TRIES = 40


V = ell + s * (r - ell)
GAP = bulge(formula(Fraction(1, 2)), ell, w1, ZERO, r, w2, ZERO)
"""The bulge over c/(1 - c), with the differences w1 and w2 of h(g v) and h(g v/c) at the ends."""


def two(part: Statement) -> Iterator[Step]:
    """The chord in U, averaged."""
    mass = part.assuming["ratio of laws"]
    line = real("f <= a + b*U", "f <= a + b*U")
    yield line, "what follows lies below its chord"
    finite = integrable(mass, E(P, U))
    flat = linear(P, a + b * U, {U: b}, finite, constant=a)
    most = integrable(flat, E(P, a + b * U))
    over = expect(line, P, integrable(part.assuming["finite"], E(P, f)), most)
    yield over, "averaged"
    same = real(
        equal(UP * (a + b * v) + DOWN * (a + b * v / c), a + b),
        "c > 0",
        "c < 1",
        "v > 0",
    )
    yield same, "the two-point pair has the chord at its ends, and the mean of U is 1"
    yield combine(part.claim, over, flat, (mass, b), (same, -1)), "so"


def attack(seed: int) -> int:
    """The best choice before one more release, against many pairs of the family."""
    rng = random.Random(seed)
    with precision(BITS):
        for _ in range(TRIES):
            family = BoundedRangePairs(formula(Fraction(rng.randint(1, 40), 10)))
            g = number(Fraction(rng.randint(-20, 20), 10)).exp()
            best = family.best(family.first, g, 1e-9)
            least = (-number(family.epsilon.value)).exp()  # type: ignore[attr-defined]
            for _ in range(20):
                at = least ** number(Fraction(rng.randint(0, 97), 97))
                up, down = masses(least, at)
                if (
                    up * family.first(g * at) + down * family.first(g * at / least)
                    > best
                ):
                    raise Refused(f"{family} has a better choice at {g}.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "a convex h(g U) lies below its chord over [v, v/c], and h(g v) and h(g"
            " v/c) below theirs over a cell"
        ),
        "what follows is convex in g (composition/adaptive-choice)",
        (
            "the bulge depends on h(g v) and h(g v/c) by their difference only, and is"
            " proportional to c/(1 - c), as its formula shows"
        ),
    ),
    parts=(
        Statement(
            "mass",
            "the masses under P add up to 1",
            equal(UP + DOWN, 1),
            by_prover("algebra"),
            ("c < 1", "v > 0"),
        ),
        Statement(
            "ratios",
            "so do those under Q",
            equal(UP * v + DOWN * v / c, 1),
            by_prover("algebra"),
            ("c > 0", "c < 1", "v > 0"),
        ),
        Statement(
            "two points",
            "the two-point pair is the best with this v",
            at_most(E(P, f), UP * (a + b * v) + DOWN * (a + b * v / c)),
            two,
            ("c > 0", "c < 1", "v > 0"),
            {
                "ratio of laws": assume(equal(E(P, U), 1)),
                "finite": assume(at_most(E(P, f), 1)),
            },
        ),
        Statement(
            "mean",
            "the mean for what follows f and k, of which only the last term is not"
            " linear where these are",
            equal(UP * f + DOWN * k, (f - c * k - c * (f - k) / v) / (1 - c)),
            by_prover("algebra"),
            ("c < 1", "v > 0"),
        ),
        Statement(
            "cell",
            "minus that term on a cell, times v l r: interpolated, less a share of the"
            " bulge",
            equal(
                (w1 + s * (w2 - w1)) * ell * r,
                V * ((1 - s) * w1 * r + s * w2 * ell) - GAP * 4 * s * (1 - s) * ell**3,
            ),
            by_prover("algebra"),
            ("l > 0",),
        ),
        Statement(
            "share",
            "the factor of the bulge, for r = (1 + d) l",
            at_most(4 * s * (1 - s) / ((1 + s * d) * (1 + d)), 1),
            by_prover("4 s (1 - s) <= 1"),
            ("d >= 0", "0 <= s"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the mean on a cell is at most its larger value at the ends",
            at_most((UP * (1 - v / 2)).at(c=Fraction(1, 4)), Fraction(1, 2)),
            ("1/4 <= v", "v <= 1"),
        ),
    ),
    attacks=(Attack("random choices before one more release", attack),),
    rules=(masses, bulge, two_point, ChoiceLattice.best_choice),
)
