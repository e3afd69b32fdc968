"""The power of a test of two counts: at least the sum over the steps of a staircase.

Printed: not in the sources.
Proved: A test refutes if the rare count is at most r(i) and the likely one at least l(i), for one
    of the steps r(1) < r(2) < ... (1) The two counts are independent: that the rare one is at most
    r(i) and not at most r(i - 1), and the likely one does not miss l(i), has the shipped
    probability (F(r(i)) - F(r(i - 1))) (1 - M(i)), with F and M the distribution functions of the
    two. (2) These events exclude each other, so that their probabilities add up, for any number of
    steps. (3) The test refutes with at least that probability. A smaller chance of a rare hit only
    raises F (statistics/clopper-pearson), so that a larger violation is refuted at least as often.
Idea: The indicator of a refutation is at least the sum of the indicators of the steps.
Source: not in the sources.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Quantity, Real, Statement, Status, Step, Theorem, Whole, assume,
    at_most, at_start, chain, combine, equal, example, formula, independent, independent_of, induct,
    integrable, linear, on_average, on_step, one_more, proves, real, relations, symbols, under,
)  # fmt: skip

k, b, r, z, t, x, refuted = symbols("k b r z t x refuted")
below, reached, missed, V = symbols("below reached missed V")
RARE = Law("Q", ("b", "r"), relations("0 <= b", "b <= r", "r <= 1"))
"""Whether the rare count is at most the step before, and at most this one."""
LIKELY = Law("P", ("z",), relations("0 <= z", "z <= 1"))
"""Whether the likely count misses what this step asks for."""
BOTH = independent_of(RARE, LIKELY)
STEPS = chain("S", {"t": (0, t + x)}, ("x",), k)
"""How many of the first k steps happened, and whether the next one does."""
TEST = Law("T", ("t", "refuted"), relations("t <= refuted", "refuted <= 1", "0 <= t"))


def total(steps: Real) -> Quantity:
    """The probabilities of so many steps together."""
    return Quantity("V", (formula(steps),))


def step(at: Real) -> Quantity:
    """The probability of one step."""
    return Quantity("v", (formula(at),))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one step",
            "the shipped probability of a step",
            equal(E(BOTH, (r - b) * (1 - z)), on_step(below, reached, missed)),
            assuming={
                "below": assume(equal(E(RARE, b), below)),
                "reached": assume(equal(E(RARE, r), reached)),
                "missed": assume(equal(E(LIKELY, z), missed)),
            },
        ),
        Statement(
            "all steps",
            "the mean number of steps that happen is the sum of their probabilities",
            equal(E(STEPS, t), total(k)),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(equal(E(STEPS, x), step(k)), Whole("k", 0), every="k"),
                "none": assume(equal(total(0), 0)),
                "one more": assume(
                    equal(total(k + 1), total(k) + step(k)), Whole("k", 0), every="k"
                ),
            },
        ),
        Statement(
            "power",
            "the test refutes with at least this probability, as at most one step happens"
            " and each refutes",
            at_most(V, E(TEST, refuted)),
            assuming={"steps": assume(equal(E(TEST, t), V))},
        ),
    ),
    rules=(on_step,),
)


@proves("one step")
def one_step(part: Statement) -> Iterator[Step]:
    """Independent counts."""
    known = part.assuming
    rare = linear(
        RARE,
        r - b,
        {r: 1, b: -1},
        integrable(known["reached"], E(RARE, r)),
        integrable(known["below"], E(RARE, b)),
    )
    likely = linear(
        LIKELY, 1 - z, {z: -1}, integrable(known["missed"], E(LIKELY, z)), constant=1
    )
    yield rare, "the rare count"
    yield likely, "the likely count"
    both = independent(
        BOTH,
        r - b,
        1 - z,
        integrable(rare, E(RARE, r - b)),
        integrable(likely, E(LIKELY, 1 - z)),
    )
    yield both, "independent"
    other = E(LIKELY, 1 - z)
    uses = (
        (rare, other),
        (known["reached"], other),
        (known["below"], -other),
        (likely, reached - below),
        (known["missed"], -(reached - below)),
    )
    yield combine(part.claim, both, *uses), "together"


@proves("all steps")
def all_steps(part: Statement) -> Iterator[Step]:
    """Linearity, step after step."""
    each = part.assuming["each"]
    before = assume(equal(E(STEPS, t), total(k)), Whole("k", 0))
    finite = [integrable(before, E(STEPS, t)), integrable(each, E(STEPS, x))]
    sums = linear(STEPS, t + x, {t: 1, x: 1}, *finite)
    yield sums, "one step more"
    taken = one_more(STEPS, t, integrable(sums, E(STEPS, t + x)))
    uses = (taken, sums, before, each, (part.assuming["one more"], -1))
    further = combine(equal(E(STEPS.next, t), total(k + 1)), *uses)
    first = at_start(STEPS.sequence, t)
    base = combine(
        equal(E(STEPS.sequence, t), total(0)), first, (part.assuming["none"], -1)
    )
    yield induct(base, under(further, Whole("k", 0)), "k"), "step after step"


@proves("power")
def at_least(part: Statement) -> Iterator[Step]:
    """Each step refutes."""
    steps = part.assuming["steps"]
    line = real("t <= refuted", "t <= refuted")
    yield line, "each step refutes"
    over = on_average(line, TEST, steps)
    yield over, "averaged"
    yield combine(part.claim, over, (steps, -1)), "so"


FALSEHOODS = (
    Falsehood(
        "steps that may happen together have their sum as a power",
        at_most(V, E(Law("T", ("t", "refuted")), refuted)),
        assuming={"steps": assume(equal(E(Law("T", ("t", "refuted")), t), V))},
        instance=example({"V": 1}, {"T": [((2, 1), "1/2"), ((0, 0), "1/2")]}),
    ),
)
