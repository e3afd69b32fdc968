"""The mass at infinity of several losses: no loss is infinite with the product of the
probabilities.

Printed: not in the sources.
Proved: Let I be 1 where a loss is infinite and else 0, and g its excess over eps where it is
    finite. (1) For two independent draws with E I1 = d1 and E I2 = d2, all losses are finite with
    probability (1 - d1)(1 - d2); k draws of the same law have (1 - d)**k, and k others the product
    of their 1 - d. (2) delta(eps) of the sum is 1 less that, and E g over the finite losses: an
    infinite loss exceeds every eps by all of its mass. (3) From the largest finite loss on E g is
    0, and before it E g is positive: there, and not before, delta is the mass at infinity.
Idea: The sum of losses is infinite exactly where one of them is.
Source: Koskela, Jaelkoe and Honkela (2020), Computing tight differential privacy guarantees using
    FFT, for the masses.
"""

from rdpacct.book.words import (
    ApproxDP, Attack, E, Falsehood, Fraction, Iterator, Law, Plan, Promised, Quantity, Refused,
    Statement, Status, Step, Symbol, Theorem, Whole, assume, at_most, below, cases, cast, chain,
    combine, composed_losses, equal, event, exp, expect, finite_share, independent, independent_of,
    integrable, linear, marginal, maximum, one_by_one, random, real, relations, renewed,
)  # fmt: skip

I1, I2, infinite, g, d1, d2, d, k, f, G = (
    Symbol(name) for name in ("I1", "I2", "I", "g", "d1", "d2", "d", "k", "f", "G")
)
eps, loss, c, q, A = (Symbol(name) for name in ("eps", "loss", "c", "q", "A"))
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


DRAWS = chain(
    "D", {"I1": (0, I1 + I2 - I1 * I2)}, TWO, k, relations("0 <= I1", "I1 <= 1")
)
"""Whether one of the first k losses is infinite, and whether the next one is, which is independent
of these.
"""


ANY_DRAWS = chain(
    "D",
    {"I1": (0, I1 + I2 - I1 * I2)},
    ("I2",),
    k,
    relations("0 <= I1", "I1 <= 1", "0 <= I2", "I2 <= 1"),
)
KEPT, MASS = (Quantity(name, (k,)) for name in ("kept", "d"))
"""The probability that none of the first k losses is infinite, and the mass of the next one."""
EXCESS = maximum(0, 1 - exp(eps - loss))
SHARE = (1 - infinite) * EXCESS
"""The excess over eps of a loss that is finite."""
LOSSES = Law("P", ("I", "loss"), relations("0 <= I", "I <= 1"))
LOW = Law("P", ("I", "loss"), relations("0 <= I", "I <= 1", "loss <= eps"))
HIGH = event(LOSSES, "A", at_most(c, loss))


def many(part: Statement) -> Iterator[Step]:
    """Induction on the number of draws."""
    mass = part.assuming["each"]
    less = linear(TWO, 1 - I2, {I2: -1}, integrable(mass, E(TWO, I2)), constant=1)
    finite = combine(equal(E(TWO, 1 - I2), 1 - d), less, (mass, -1))
    each = renewed(DRAWS, finite)
    yield each, "the next one is finite with 1 - d, whatever came before"
    yield from one_by_one(part.claim, DRAWS, 1 - I2, each, "d < 1")


def different(part: Statement) -> Iterator[Step]:
    """The same with a mass of its own for each draw."""
    yield from one_by_one(
        part.claim,
        ANY_DRAWS,
        1 - I2,
        part.assuming["each"],
        start=(part.assuming["none"],),
        uses=(part.assuming["one more"],),
    )


def none_above(part: Statement) -> Iterator[Step]:
    """No excess anywhere."""
    line = real(equal(SHARE, 0), "loss <= eps", *relations("0 <= I", "I <= 1"))
    yield line, "finite losses have no excess"
    yield combine(part.claim, expect(line, LOW)), "averaged"


def not_before(part: Statement) -> Iterator[Step]:
    """The excess is at least that of the level c, where a loss is above c."""
    some, rest = part.assuming["losses above"], part.assuming["excess"]
    least = 1 - exp(eps - c)
    above = cases(HIGH, at_most(least * A, EXCESS), "eps < c")
    yield above, "a loss above c has at least the excess of c"
    inside = real("0 <= 1 - I", "I <= 1")
    flag = (1 - infinite) * A
    line = combine(at_most(least * flag, SHARE), (above, 1 - infinite), (inside, 0))
    scaled = linear(HIGH, least * flag, {flag: least}, integrable(some, E(HIGH, flag)))
    same = marginal(HIGH, LOSSES, SHARE, integrable(rest, E(LOSSES, SHARE)))
    over = expect(
        line,
        HIGH,
        integrable(scaled, E(HIGH, least * flag)),
        integrable(same, E(HIGH, SHARE)),
    )
    yield over, "averaged"
    value = real("0 < q*(1 - exp(eps - c))", "0 < q", "eps < c")
    bound = combine(at_most(q * least, E(LOSSES, SHARE)), over, scaled, same, some)
    yield combine(part.claim, value, bound), "which is positive"


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
            "the probability that none of k losses of one law is infinite, as shipped",
            equal(E(DRAWS, 1 - I1), finite_share([(d, cast(int, k))])),
            many,
            (Whole("k", 0), "d < 1"),
            {"each": assume(equal(E(TWO, I2), d))},
        ),
        Statement(
            "different draws",
            "the same for k losses with a mass d(k) at infinity each, whatever came before",
            equal(E(ANY_DRAWS, 1 - I1), KEPT),
            different,
            (Whole("k", 0),),
            {
                "each": assume(
                    equal(E(ANY_DRAWS, 1 - I2, "I1"), 1 - MASS),
                    Whole("k", 0),
                    every="k",
                ),
                "none": assume(equal(KEPT.at(k=0), 1)),
                "one more": assume(
                    equal(KEPT.at(k=k + 1), KEPT * (1 - MASS)), Whole("k", 0), every="k"
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
        Statement(
            "from the largest loss on",
            "if no finite loss is above eps, the finite losses have no excess: delta is the"
            " mass at infinity",
            equal(E(LOW, SHARE), 0),
            none_above,
        ),
        Statement(
            "not before",
            "if finite losses are above some c > eps with probability q > 0, delta is more",
            below(0, E(LOSSES, SHARE)),
            not_before,
            ("0 < q", "eps < c"),
            {
                "losses above": assume(equal(E(HIGH, (1 - infinite) * A), q)),
                "excess": assume(equal(E(LOSSES, SHARE), G)),
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
