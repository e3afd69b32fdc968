"""The trade-off function from the profile, and bounds of it from three points.

Printed: not in the sources.
Proved: Let delta(g) = E max(p - g q, 0) be the profile of a pair at the factor g = exp(eps), and v(g) = 1 - delta(g) -
    g alpha. (1) Every test with false positive rate at most alpha has a false negative rate of at least v(g), for every
    g >= 0. (2) A test that accepts where p > g q and rejects where p < g q, with false positive rate alpha, has exactly
    v(g): the smallest rate is the largest v(g). (3) v is concave in g. (4) If a concave function is larger at c than at
    a < c and at b > c, it is nowhere above the larger of v(c) + (v(c) - v(a)) (b - c)/(c - a) and v(c) + (v(c) - v(b))
    (c - a)/(b - c): the shipped bounds.
Idea: Neyman and Pearson; beyond c a concave function stays below the chord from a to c, extended.
Source: Dong, Roth and Su (2022), Gaussian differential privacy, Proposition 6; Neyman and Pearson (1933).
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import minimum
from rdpacct.mechanisms.finite import FiniteMechanism
from rdpacct.privacy.tradeoff import tradeoff
from rdpacct.proof.kernel import (
    E,
    Law,
    Refused,
    assume,
    at_most,
    below,
    combine,
    dominated,
    equal,
    expect,
    integrable,
    linear,
    real,
    relation,
    relations,
)
from rdpacct.proof.kernel.terms import replace
from rdpacct.proof.tactics.divergences import below_excess, excess, excess_is_positive, positive_part
from rdpacct.proof.theorem import Attack, Falsehood, Part, Refutation, Step, Theorem, Verdict
from rdpacct.testing.instances import any_pair

p, q, F, g, h, w, delta, alpha = (Symbol(name) for name in ("p", "q", "F", "g", "h", "w", "delta", "alpha"))
TEST = Law("M", ("p", "q", "F"), relations("0 <= p", "0 <= q", "0 <= F", "F <= 1"))
PAIR = Law("M", ("p", "q"), relations("0 <= p", "0 <= q"))
STICK = excess(p, q, g)
THRESHOLD = equal((p - g * q) * F, STICK)
"""F is 1 where p > g q, 0 where p < g q, and anything where p = g q."""
BEST = Law("B", ("p", "q", "F"), (*TEST.support, THRESHOLD))


def every_test(part: Part) -> Iterator[Step]:
    """p F <= max(p - g q, 0) + g q F, averaged."""
    stick, power = part.assuming["profile"], part.assuming["false positives"]
    given = tuple(map(str, part.given))
    line = combine(
        at_most(p * F, STICK + g * (q * F)),
        (below_excess(p, q, g), F),
        (excess_is_positive(p, q, g), 1 - F),
        given=("0 <= F", "F <= 1"),
    )
    yield line, "a test gains at most the excess"
    parts = integrable(stick, E(TEST, STICK)), integrable(power, E(TEST, q * F))
    mean = linear(TEST, line.relation.right, {STICK: 1, q * F: g}, *parts)
    most = integrable(mean, mean.relation.left)
    finite = dominated(line, TEST, most, lower=real("0 <= p*F", "0 <= p", "0 <= F"))
    over = expect(line, TEST, finite, most)
    yield over, "averaged"
    yield combine(part.claim, over, mean, stick, (power, g), given=given), "the two rates"


def best_test(part: Part) -> Iterator[Step]:
    """The test takes all of the excess and nothing else."""
    stick, power = part.assuming["profile"], part.assuming["false positives"]
    parts = integrable(stick, E(BEST, STICK)), integrable(power, E(BEST, q * F))
    mean = linear(BEST, STICK + g * (q * F), {STICK: 1, q * F: g}, *parts)
    same = combine(equal(p * F, STICK + g * (q * F)), real(THRESHOLD, THRESHOLD))
    yield same, "at each output"
    over = expect(same, BEST, integrable(mean, mean.relation.left))
    yield combine(part.claim, over, mean, stick, (power, -g)), "averaged"


def convex(part: Part) -> Iterator[Step]:
    """The excess is convex in the factor."""
    mixed, given = (1 - w) * g + w * h, tuple(map(str, part.given))
    ends = excess(p, q, g), excess(p, q, h)
    bound = (1 - w) * ends[0] + w * ends[1]
    upper = combine(
        at_most(p - mixed * q, bound), (below_excess(p, q, g), 1 - w), (below_excess(p, q, h), w), given=given
    )
    lower = combine(
        at_most(0, bound), (excess_is_positive(p, q, g), 1 - w), (excess_is_positive(p, q, h), w), given=given
    )
    line = positive_part(upper, lower)
    yield line, "at each output"
    finite = [integrable(part.assuming[name], E(PAIR, one)) for name, one in zip(("at g", "at h"), ends, strict=True)]
    mean = linear(PAIR, bound, {ends[0]: 1 - w, ends[1]: w}, *finite)
    most = integrable(mean, E(PAIR, bound))
    over = expect(line, PAIR, dominated(line, PAIR, most, lower=excess_is_positive(p, q, mixed)), most)
    uses = ((part.assuming["at g"], 1 - w), (part.assuming["at h"], w))
    yield combine(part.claim, over, mean, *uses, given=given), "averaged"


a, b, c, x, va, vb, vc, vx = (Symbol(name) for name in ("a", "b", "c", "x", "va", "vb", "vc", "vx"))
CHORDS: dict[str, tuple[Expr, tuple[str, ...], Expr, Expr]] = {
    "right": (
        vc + (vc - va) * (b - c) / (c - a),
        ("(x - c)*va + (c - a)*vx <= (x - a)*vc", "x <= b", "va <= vc", "a < c"),
        1 / (c - a),
        (vc - va) / (c - a),
    ),
    "left": (
        vc + (vc - vb) * (c - a) / (b - c),
        ("(b - c)*vx + (c - x)*vb <= (b - x)*vc", "a <= x", "vb <= vc", "c < b"),
        1 / (b - c),
        (vc - vb) / (b - c),
    ),
    "far right": (
        vc,
        ("(x - b)*vc + (b - c)*vx <= (x - c)*vb", "vb <= vc", "b <= x", "c < b"),
        1 / (b - c),
        (x - c) / (b - c),
    ),
    "far left": (
        vc,
        ("(a - x)*vc + (c - a)*vx <= (c - x)*va", "va <= vc", "x <= a", "a < c"),
        1 / (c - a),
        (c - x) / (c - a),
    ),
}
"""On each side of c: the bound of v(x), what concavity says of three points, and the factors of the proof."""


def chord(part: Part) -> Iterator[Step]:
    """Concavity at three of the points, and where x lies or which value is larger."""
    _, _, first, second = CHORDS[part.name]
    concave, other = (real(one, one) for one in part.given[:2])
    yield combine(part.claim, (concave, first), (other, second), given=part.given), "the chord, extended"


def exact(pair_p: tuple[Fraction, ...], pair_q: tuple[Fraction, ...], rate: Fraction) -> Fraction:
    """The smallest false negative rate of a finite pair: outputs are accepted in the order of falling ratios."""
    left, missed = rate, Fraction(1)
    for one, two in sorted(zip(pair_p, pair_q, strict=True), key=lambda row: -row[0] / row[1]):
        share = min(Fraction(1), left / two)
        left, missed = left - share * two, missed - share * one
    return missed


def attack(seed: int) -> int:
    """The shipped bounds of random finite pairs, against the exact trade-off."""
    rng = Random(seed)
    for _ in range(8):
        pair, rate = any_pair(rng, rng.randint(2, 4)), Fraction(rng.randint(1, 19), 20)
        found, wanted = tradeoff(FiniteMechanism([pair.p, pair.q]).loss(), rate), exact(pair.p, pair.q, rate)
        if not found.lower <= wanted <= found.upper:
            raise Refused(f"the trade-off of {pair} at {rate} is {wanted}, not in {found}.")
    return 8


def tent() -> Refutation:
    """min(x, 3 - x) at 0, 1, 2, and at 3/2."""
    point = dict(zip(("a", "c", "b", "x"), (0, 1, 2, Fraction(3, 2)), strict=True))
    values = {f"v{name}": minimum(at, 3 - at) for name, at in point.items()}
    facts = [real(replace(relation(one), {**point, **values})) for one in CHORDS["right"][1]]
    return Refutation("min(x, 3 - x) is 0, 1, 1 at 0, 1, 2 and 3/2 between", (*facts, real(below(1, values["vx"]))))


SAYS = {
    "right": "between c and b, below the chord from a to c, extended",
    "left": "between a and c, below the chord from b to c, extended",
    "far right": "beyond b, below the middle value",
    "far left": "below a, below the middle value",
}
RATES = {
    "profile": assume(equal(E(TEST, STICK), delta)),
    "false positives": assume(at_most(E(TEST, q * F), alpha)),
}
MIXED = (1 - w) * g + w * h

THEOREM = Theorem(
    verdict=Verdict.PROVED,
    in_words=(
        "a test as in `best test` exists at every rate, accepting at random where p = g q (Neyman and Pearson 1933)",
        "v is concave, as 1 less a convex function and a linear one",
    ),
    parts=(
        Part(
            "every test",
            "the false negative rate of every test is at least v(g)",
            at_most(1 - delta - g * alpha, 1 - E(TEST, p * F)),
            every_test,
            ("0 <= g",),
            RATES,
        ),
        Part(
            "best test",
            "and that of a test by the threshold g is v(g)",
            equal(1 - E(BEST, p * F), 1 - delta - g * alpha),
            best_test,
            (),
            {
                "profile": assume(equal(E(BEST, STICK), delta)),
                "false positives": assume(equal(E(BEST, q * F), alpha)),
            },
        ),
        Part(
            "convex",
            "the profile is convex in the factor",
            at_most(E(PAIR, excess(p, q, MIXED)), (1 - w) * Symbol("dg") + w * Symbol("dh")),
            convex,
            ("0 <= w", "w <= 1"),
            {
                "at g": assume(at_most(E(PAIR, excess(p, q, g)), Symbol("dg"))),
                "at h": assume(at_most(E(PAIR, excess(p, q, h)), Symbol("dh"))),
            },
        ),
        *(Part(name, SAYS[name], at_most(vx, bound), chord, given) for name, (bound, given, *_) in CHORDS.items()),
    ),
    falsehoods=(
        Falsehood(
            "a concave function is nowhere above the largest of three values",
            at_most(vx, vc),
            CHORDS["right"][1],
            tent,
        ),
    ),
    attacks=(Attack("the shipped bounds against the exact trade-off of random finite pairs", attack),),
    rules=(tradeoff,),
)
