"""A moment of the loss at a negative rate bounds a profile from below.

Printed: not in the sources.
Proved: If E exp(s (e - L)) <= m under P for one s in (0, 1], then delta(e) = E max(1 - exp(e - L),
    0) >= 1 - m. The rules of the package solve this for delta and for e.
Idea: 1 - exp(s z) <= max(1 - exp(z), 0) at z = e - L, averaged over P.
Source: the affinity bounds of Hoeffding and Wolfowitz 1958; s = 1/2 is that of the Hellinger
    distance.
"""

from rdpacct.book.words import (
    Any, Attack, Ball, E, Fact, Falsehood, Fraction, Iterator, Law, Refused, Statement, Status,
    Step, Symbol, Theorem, any_pair, assume, at_most, by_prover, cast, combine, dominated, equal,
    exp, expect, formulas, integrable, least_delta, least_epsilon, linear, maximum, random, read,
    real, specialize, under,
)  # fmt: skip

L, e, s, m, z, w = map(Symbol, ("L", "e", "s", "m", "z", "w"))
SHIPPED = read(least_delta(*cast(Any, formulas(m, s, e))))
EPSILON = read(least_epsilon(*cast(Any, formulas(m, s, w))))
P = Law("P", ("L",))
STICK = maximum(1 - exp(z), 0)
TRIES = 150


def proof(part: Statement) -> Iterator[Step]:
    """The inequality averaged over P."""
    line = specialize(THEOREM.parts[0].fact(), z=e - L)
    yield line, "the inequality at e - L"
    moment = part.assuming["moment"]
    power = integrable(moment, E(P, exp(s * (e - L))))
    left = linear(P, 1 - exp(s * (e - L)), {exp(s * (e - L)): -1}, power, constant=1)
    stick = dominated(
        specialize(real("max(1 - exp(z), 0) <= 1"), z=e - L),
        P,
        _constant(),
        lower=specialize(real("0 <= max(1 - exp(z), 0)"), z=e - L),
    )
    over = expect(
        under(line, *part.given), P, integrable(left, E(P, 1 - exp(s * (e - L)))), stick
    )
    yield over, "averaged"
    yield combine(part.claim, over, left, moment), "with the bound on the moment"


def _constant() -> Fact:
    return linear(P, 1, {}, constant=1)


def attack(seed: int) -> int:
    """Random pairs: the shipped bounds against the exact profile."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        pair = any_pair(rng, rng.randint(2, 5))
        share = Fraction(rng.randint(1, 8), 8)
        level = Fraction(rng.randint(-8, 24), 8)
        growth = Ball.of(level, 128).exp()
        rows = [
            (Ball.of(p, 128), Ball.of(q, 128))
            for p, q in zip(pair.p, pair.q, strict=True)
        ]
        exact = sum(
            ((p - growth * q).positive_part() for p, q in rows), start=Ball.of(0, 128)
        )
        log = sum(
            (p * ((q / p).log() * share).exp() for p, q in rows), start=Ball.of(0, 128)
        ).log()
        if (least_delta(log, share, level) - exact).certainly_positive():
            raise Refused(f"the pair {pair} has less delta than its moment says.")
        if exact.certainly_positive() and (1 - exact).certainly_positive():
            target = Fraction(exact.upper())
            if (
                target < 1
                and (
                    least_epsilon(log, share, Ball.of(1 - target, 128)) - level
                ).certainly_positive()
            ):
                raise Refused(f"the pair {pair} has less epsilon than its moment says.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "pointwise",
            "1 - exp(s z) is at most max(1 - exp(z), 0)",
            at_most(1 - exp(s * z), STICK),
            by_prover(
                "for z <= 0 a smaller power of exp(z) is larger; for z > 0 the left"
                " side is negative"
            ),
            ("s > 0", "s <= 1"),
        ),
        Statement(
            "profile",
            "a moment at the rate -s, exp(m) = E exp(-s L), bounds delta from below by what is"
            " shipped",
            at_most(SHIPPED, E(P, STICK.at(z=e - L))),
            proof,
            ("s > 0", "s <= 1"),
            {"moment": assume(at_most(E(P, exp(s * (e - L))), exp(m + s * e)))},
        ),
        Statement(
            "epsilon",
            "at the shipped epsilon this bound is delta = 1 - w",
            equal(SHIPPED.at(e=EPSILON), 1 - w),
            by_prover("exp undoes log"),
            ("s > 0", "w > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "s may exceed 1: 1 - exp(2 z) <= max(1 - exp(z), 0)",
            at_most(1 - exp(2 * z), STICK),
        ),
    ),
    attacks=(Attack("random pairs at random rates and levels", attack),),
    rules=(least_delta, least_epsilon),
)
