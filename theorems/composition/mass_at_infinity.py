"""The mass at infinity of several losses: no loss is infinite with the product of the
probabilities.

Printed: not in the sources.
Proved: Let I be 1 where a loss is infinite and else 0, and g its excess over eps where it is
    finite. (1) For two independent draws with E I1 = d1 and E I2 = d2, all losses are finite with
    probability (1 - d1)(1 - d2); by induction k draws of the same law have (1 - d)**k. (2)
    delta(eps) of the sum is 1 less that, and E g over the finite losses: an infinite loss exceeds
    every eps by all of its mass.
Idea: The sum of losses is infinite exactly where one of them is.
Source: Koskela, Jaelkoe and Honkela (2020), Computing tight differential privacy guarantees using
    FFT, for the masses.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import cast

from rdpacct.composition.plans import composed_losses
from rdpacct.exact.formula import Symbol, formula
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.mechanisms.promised.promised import Promised
from rdpacct.privacy.guarantee import ApproxDP
from rdpacct.privacy.infinite_mass import finite_share
from rdpacct.proof.kernel import (
    E,
    Law,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    combine,
    equal,
    independent,
    independent_of,
    induct,
    integrable,
    linear,
    relations,
)
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

I1, I2, infinite, g, d1, d2, d, k, f, G = (
    Symbol(name) for name in ("I1", "I2", "I", "g", "d1", "d2", "d", "k", "f", "G")
)
ONE, TWO = (
    Law(f"P{i}", (f"I{i}",), relations(f"0 <= I{i}", f"I{i} <= 1")) for i in (1, 2)
)
BOTH = independent_of(ONE, TWO)
ALL = Law("P", ("I", "g"))


def two(part: Statement) -> Iterator[Step]:
    """Independent events."""
    first = part.assuming["first"]
    second = part.assuming["second"]
    less = [
        linear(law, 1 - one, {one: -1}, integrable(fact, E(law, one)), constant=1)
        for law, one, fact in ((ONE, I1, first), (TWO, I2, second))
    ]
    finite = [integrable(one, one.relation.left) for one in less]
    both = independent(BOTH, 1 - I1, 1 - I2, *finite)
    yield both, "independent draws"
    other = E(TWO, 1 - I2)
    uses = ((less[0], other), (first, -other), (less[1], 1 - d1), (second, d1 - 1))
    yield combine(part.claim, both, *uses), "each is finite with 1 - d"


FINITE = Quantity("finite", (k,))


def many(part: Statement) -> Iterator[Step]:
    """Induction on the number of draws."""
    given = tuple(one for one in part.given if isinstance(one, str))
    base = combine(equal(FINITE.at(k=0), (1 - d) ** formula(0)), part.assuming["none"])
    before = assume(part.claim, Whole("k", 0), *given)
    after = equal(FINITE.at(k=k + 1), (1 - d) ** (k + 1))
    step = combine(after, part.assuming["one more"], (before, 1 - d), given=given)
    yield step, "one more draw"
    yield induct(base, step, "k"), "by induction"


def delta(part: Statement) -> Iterator[Step]:
    """Linearity."""
    mass = part.assuming["mass"]
    rest = part.assuming["finite part"]
    body = infinite + (1 - infinite) * g
    finite = (
        integrable(mass, E(ALL, 1 - infinite)),
        integrable(rest, E(ALL, (1 - infinite) * g)),
    )
    total = linear(
        ALL, body, {1 - infinite: -1, (1 - infinite) * g: 1}, *finite, constant=1
    )
    yield total, "an infinite loss has the excess 1"
    yield combine(part.claim, total, mass, rest), "the two shares"


def attack(seed: int) -> int:
    """The shipped delta of promises at an epsilon that no finite loss exceeds, against 1 - (1 -
    d1)**k (1 - d2).
    """
    rng = random.Random(seed)
    for _ in range(8):
        count = rng.randint(1, 4)
        one, other = (Fraction(rng.randint(1, 99), 1000) for _ in range(2))
        plan = Plan.of(
            *[Promised(ApproxDP(1, one))] * count, Promised(ApproxDP("1/2", other))
        )
        wanted = 1 - (1 - one) ** count * (1 - other)
        (loss,) = composed_losses(plan)
        found = loss.delta(count + 1)
        if (
            not found.lower <= wanted <= found.upper
            or found.upper - found.lower > Fraction(1, 10**9)
        ):
            raise Refused(f"the mass at infinity of {plan} is {wanted}, not {found}.")
    return 8


def largest(seed: int) -> int:
    """The shipped epsilon of promises at the mass at infinity, against the sum of their
    epsilons.
    """
    rng = random.Random(seed)
    for _ in range(8):
        count = rng.randint(1, 4)
        one = Fraction(rng.randint(1, 99), 1000)
        other = Fraction(rng.randint(1, 99), 1000)
        most = rng.randint(1, 5)
        plan = Plan.of(
            *[Promised(ApproxDP(most, one))] * count, Promised(ApproxDP("1/2", other))
        )
        (loss,) = composed_losses(plan)
        found = loss.epsilon(1 - (1 - one) ** count * (1 - other))
        if not found.lower == found.upper == count * most + Fraction(1, 2):
            raise Refused(f"epsilon of {plan} at its mass at infinity is {found}.")
    return 8


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "in `many` one more draw is a hypothesis; `two` proves it",
        (
            "the excess over eps of the finite losses is positive as long as some are"
            " above eps, so that delta(eps) is the mass at infinity from the largest"
            " finite loss on, and not before"
        ),
    ),
    parts=(
        Statement(
            "two",
            "the probability that neither of two losses is infinite",
            equal(E(BOTH, (1 - I1) * (1 - I2)), finite_share([(d1, 1), (d2, 1)])),
            two,
            (),
            {
                "first": assume(equal(E(ONE, I1), d1)),
                "second": assume(equal(E(TWO, I2), d2)),
            },
        ),
        Statement(
            "many",
            "the probability that none of k losses of one law is infinite",
            equal(FINITE, finite_share([(d, cast(int, k))])),
            many,
            (Whole("k", 0), "d < 1"),
            {
                "none": assume(equal(FINITE.at(k=0), 1)),
                "one more": assume(
                    equal(FINITE.at(k=k + 1), FINITE * (1 - d)),
                    Whole("k", 0),
                    every="k",
                ),
            },
        ),
        Statement(
            "delta",
            "delta is the mass at infinity and the excess of the finite losses; f is"
            " the probability of these",
            equal(E(ALL, infinite + (1 - infinite) * g), (1 - f) + G),
            delta,
            (),
            {
                "mass": assume(equal(E(ALL, 1 - infinite), f)),
                "finite part": assume(equal(E(ALL, (1 - infinite) * g), G)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the masses at infinity add up",
            at_most(d1 + d2, 1 - (1 - d1) * (1 - d2)),
            ("0 <= d1", "0 <= d2", "d1 <= 1", "d2 <= 1"),
        ),
    ),
    attacks=(
        Attack("the shipped mass at infinity of promises", attack),
        Attack("the shipped epsilon at that mass", largest),
    ),
    rules=(finite_share,),
)
