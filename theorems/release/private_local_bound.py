"""Noise on a private upper bound of the local sensitivity.

Printed: not in the sources (Lecture 13 names the method, without a statement).
Proved: Let the local sensitivity LS move by at most ``steps`` between neighbors, X be an integer of
    probability proportional to exp(-e1 |x|/steps), B = LS + X + t - 1, and the query be released,
    with B, with noise that is e2-differentially private between values at most B apart. One data
    set has at most exp(e1) times the probability of each B that its neighbor has. If B is below the
    change of the query then X <= -t, of probability s. So the release of both is (e1 + e2,
    s)-differentially private.
Idea: Given B, the noise is private but for a B that is too small; that is counted on the first data
    set only.
Source: Nissim, Raskhodnikova and Smith, Smooth sensitivity and sampling; Vadhan, The complexity of
    differential privacy, chapter 3; here with integers, for which the threshold is exact.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import absolute, exp
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
    given_by,
    integrable,
    linear,
    real,
    relations,
    specialize,
    tilt,
    tilted,
    under,
)
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem
from rdpacct.releases.bounded_local import BoundedLocalRelease, bounded_local
from rdpacct.sensitivity.finite import FiniteQuery

e1, e2, s, L, u, v, bad = (
    Symbol(name) for name in ("e1", "e2", "s", "L", "u", "v", "bad")
)
x, a, steps, X, t, LS, change = (
    Symbol(name) for name in ("x", "a", "steps", "X", "t", "LS", "change")
)
PROMISE = bounded_local(e1, e2, s)
R = Symbol("R")
SUPPORT = relations(
    "0 <= R <= exp(e1)",
    "0 <= u <= 1",
    "0 <= v <= 1",
    "0 <= bad <= 1",
    "u <= exp(e2)*v + bad",
)
NEIGHBOR = Law("Q", ("R", "u", "v", "bad"), SUPPORT)
HERE = tilted("P", NEIGHBOR, R)
"""The law of B on the neighbor and here: R is the ratio, u and v the chance of the event given B on
either data set, and bad is 1 if B is below the change of the query, else 0.
"""


def ratio(part: Statement) -> Iterator[Step]:
    """The triangle inequality in the exponent."""
    given = tuple(part.given)
    short = real("abs(a) <= steps", *given[2:])
    sides = combine(
        at_most(absolute(x + a), absolute(x) + steps),
        real("abs(x + a) <= abs(x) + abs(a)"),
        short,
    )
    yield sides, "the triangle inequality"
    one = -e1 * absolute(x) / steps
    other = -e1 * absolute(x + a) / steps
    less = combine(at_most(one, e1 + other), (sides, e1 / steps), given=given)
    yield less, "times the rate"
    grows = under(
        real("exp(y) <= exp(e1)*exp(z)", "y <= e1 + z"), "y <= e1 + z", *given
    )
    grows = specialize(grows, y=one, z=other)
    yield given_by(grows, less), "exp grows"


def small(part: Statement) -> Iterator[Step]:
    """The change is at most the local sensitivity."""
    yield (
        combine(part.claim, part.assuming["too small"], part.assuming["local"]),
        "LS cancels",
    )


def whole(part: Statement) -> Iterator[Step]:
    """Bound by bound, then the mean."""
    mass = part.assuming["a law"]
    slip = part.assuming["slip"]
    noise = combine(
        at_most(R * u, exp(e2) * R * v + R * bad), (real(SUPPORT[-1], *SUPPORT), R)
    )
    ratio = combine(
        at_most(exp(e2) * R * v, exp(e2) * exp(e1) * v),
        (real("R <= exp(e1)", *SUPPORT), exp(e2) * v),
    )
    point = combine(
        at_most(R * u, exp(PROMISE.epsilon) * v + R * bad), noise, ratio, given=SUPPORT
    )
    yield point, "given a bound that is not too small, both factors"
    ru, rbad = (
        dominated(
            real(at_most(R * one, exp(e1)), *SUPPORT),
            NEIGHBOR,
            lower=real(at_most(0, R * one), *SUPPORT),
        )
        for one in (u, bad)
    )
    chance = dominated(
        real("v <= 1", *SUPPORT), NEIGHBOR, lower=real("0 <= v", *SUPPORT)
    )
    right = linear(
        NEIGHBOR,
        point.relation.right,
        {v: exp(PROMISE.epsilon), R * bad: 1},
        chance,
        rbad,
    )
    over = expect(
        point, NEIGHBOR, ru, integrable(right, E(NEIGHBOR, point.relation.right))
    )
    yield over, "in the mean over the bounds of the neighbor"
    here = tilt(HERE, u, mass, ru)
    missed = tilt(HERE, bad, mass, rbad)
    yield missed, "a bound that is too small counts here only"
    yield (
        combine(part.claim, here, over, right, (missed, -1), slip),
        "and has the probability s at most",
    )


def attack(seed: int, lower: int = 0, noise: Fraction = Fraction(1)) -> int:
    """Random queries on all small data sets: all neighbors, summed over the bounds B that can
    matter, in balls.

    ``lower`` lowers the threshold, and ``noise`` scales the noise on the value: broken twins, for
    the tests.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(6):
        records = rng.randint(1, 3)
        values = range(rng.randint(2, 3))
        table = {
            data: rng.choice((0, 1, 3))
            for data in FiniteQuery.of_multisets(len, values, records).steps
        }
        query = FiniteQuery.of_multisets(table.__getitem__, values, records)
        local = {data: int(query.local_within(data, 0)) for data in table}
        most = max(
            abs(local[data] - local[other])
            for data, near in query.steps.items()
            for other in near
        )
        rates = Fraction(rng.randint(2, 12), 4), Fraction(rng.randint(2, 12), 4)
        release = BoundedLocalRelease(
            query, max(most, 1), *rates, Fraction(1, rng.choice((3, 20)))
        )
        for data, near in query.steps.items():
            for other in near:
                found = worst(
                    release,
                    (local[data], local[other]),
                    (table[data], table[other]),
                    lower,
                    noise,
                )
                if (found - release.guarantee().delta.ball(128)).certainly_positive():
                    raise Refused(
                        f"{table} at {data} and {other} has a delta of at least"
                        f" {found}."
                    )
                tried += 1
    return tried


def worst(
    release: BoundedLocalRelease,
    local: tuple[int, int],
    values: tuple[int, int],
    lower: int = 0,
    noise: Fraction = Fraction(1),
    bound_noise: Fraction = Fraction(1),
) -> Ball:
    """The delta of a pair: over the bounds B up to where both only fall, and the value cut off
    beyond both values.

    Farther B have the ratio of the last, and more noise, so they add nothing if the last does not.
    """
    least = release.test().threshold() - lower
    rate = Ball.of(
        Fraction(str(release.bound_epsilon)) / release.steps / bound_noise, 128
    )
    second = Fraction(str(release.epsilon)) / noise
    growth = exp(release.guarantee().epsilon).ball(128)
    total = Ball.of(0, 128)
    for bound in range(1, max(local) + least + 2):
        p, q = (_mass(rate, bound - one - least + 1, bound == 1) for one in local)
        decay = Ball.of(second / bound, 128)
        first, other = (
            _spread(value, decay, min(values), max(values)) for value in values
        )
        for mine, theirs in zip(first, other, strict=True):
            total = total + (p * mine - growth * q * theirs).positive_part()
    return total


def _mass(rate: Ball, place: int, cumulative: bool) -> Ball:
    """The probability of X = place, or of X <= place."""
    decay = (-rate).exp()
    if not cumulative:
        return (1 - decay) / (1 + decay) * decay ** abs(place)
    if place < 0:
        return decay ** (-place) / (1 + decay)
    return 1 - decay ** (place + 1) / (1 + decay)


def _spread(value: int, rate: Ball, low: int, high: int) -> list[Ball]:
    """The probabilities of value + X <= low, of what lies between, and of value + X >= high."""
    between = [_mass(rate, out - value, False) for out in range(low + 1, high)]
    return [_mass(rate, low - value, True), *between, _mass(rate, value - high, True)]


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "given B, the noise is e2-differentially private if B is at least the"
            " change of the query, and any event has a chance of at most 1 otherwise: u"
            " <= exp(e2) v + bad"
        ),
        (
            "X < 1 - t means X <= -t for integers, of probability s by"
            " release/distance-test and symmetry; LS may be rounded up, and B raised to"
            " 1, which make B too small less often"
        ),
    ),
    parts=(
        Statement(
            "ratio",
            "the weights of one bound B on two neighbors differ by exp(e1) at most; a"
            " is the change of LS",
            at_most(
                exp(-e1 * absolute(x) / steps),
                exp(e1) * exp(-e1 * absolute(x + a) / steps),
            ),
            ratio,
            ("e1 >= 0", "steps > 0", "-steps <= a", "a <= steps"),
        ),
        Statement(
            "too small",
            "a bound below the change of the query needs X below 1 - t",
            below(X, 1 - t),
            small,
            assuming={
                "too small": assume("LS + X + t - 1 < change"),
                "local": assume("change <= LS"),
            },
        ),
        Statement(
            "both",
            "the probability of an event, mixed over the bounds B",
            at_most(E(HERE, u), exp(PROMISE.epsilon) * E(NEIGHBOR, v) + PROMISE.delta),
            whole,
            (),
            {
                "a law": assume(equal(E(NEIGHBOR, R), 1)),
                "slip": assume(at_most(E(HERE, bad), s)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the bound LS + X + t - 2 is safe too: it is too small at X = 1 - t"
            " already",
            at_most(LS, LS + X + t - 2),
            ("X >= 1 - t", "t >= 1", "LS >= 1"),
        ),
        Falsehood(
            "the noise on LS need not grow with its steps",
            at_most(exp(-e1 * absolute(x)), exp(e1) * exp(-e1 * absolute(x + a))),
            ("e1 > 0", "-2 <= a <= 2"),
        ),
    ),
    attacks=(Attack("random queries on all small data sets, in balls", attack),),
    rules=(bounded_local,),
)
