"""Random differential privacy with gamma = 0 and differential privacy: the quantifier over
populations decides.

Printed: alpha-DP implies (alpha, 0)-random DP; the converse is not true, as random DP asks for the
    bound almost everywhere with respect to the unknown measure only.
Proved: Three readings. For one fixed population the converse is false. If (alpha, 0)-random DP is
    asked for every population, atoms allowed, it is equivalent to alpha-DP: n + 1 draws from the
    uniform law on the n + 1 records of a bad pair are that pair in that order with probability at
    least (n + 1)**-(n + 1) > 0. If it is asked for every population without atoms, such as one with
    a density, the converse is false: a release that tells whether some record is 0 differs on X and
    X' only if one of the two last draws is 0, which has probability 0.
Idea: A pair of data sets that DP forbids has positive probability under some finite population, and
    none under a population without atoms.
Source: Hall, Rinaldo and Wasserman, Random differential privacy, Remark 3.
Finding (ambiguity): The remark does not say for which P. For one fixed P, as the definitions of the
    section read, it is true, and so it is for all P without atoms. If random DP is asked for every
    P, since "the unknown measure" may be any, the converse holds.
"""

from rdpacct.book.words import (
    Data, E, Fact, Falsehood, Fraction, Iterator, Law, Refused, Refutation, Statement, Status, Step,
    Symbol, Table, Theorem, Whole, absolute, assume, at_most, at_start, below, chain, combine,
    dominated, equal, example, excess, exp, expect, for_all, formula, given_by, hockey_stick,
    integrable, later, lemma, maximum, multiplied, on_average, proves, random_dp_Masses as Masses,
    random_to_approx, real, relations, renewed, smallest_gamma, specialize, symbols, table,
)  # fmt: skip

m, hit, bad, all_, p, q, j = symbols("m hit bad all p q j")
zero, here, there = symbols("zero here there")
RECORD = Table(
    "U",
    ("hit",),
    relations("0 <= hit <= 1"),
    (((formula(1),), 1 / m), ((formula(0),), 1 - 1 / m)),
)
"""Whether a record that is drawn uniformly from m is the one in a given place."""
DRAWS = chain("N", {"all": (1, all_ * hit)}, RECORD, j, relations("0 <= all <= 1"))
"""Whether each of the first j draws is the record in its place, and the next one."""
D = Law("D", ("all", "bad"), relations("0 <= all <= 1", "0 <= bad <= 1", "all <= bad"))
"""Whether m draws are the records of a forbidden pair in their order, and whether they are
bad.
"""
FLAGS = Law(
    "F",
    ("zero", "here", "there"),
    relations("0 <= zero <= 1", "0 <= here <= 1", "0 <= there <= 1"),
)
"""Whether one of the first n - 1 draws is 0, whether the next one is, and whether the last
one is.
"""
DIFFERS = absolute(maximum(zero, here) - maximum(zero, there))
"""Whether a release that tells if some record is 0 differs on X and X'."""

THEOREM = Theorem(
    verdict=Status.SHARPENED,
    parts=(
        Statement(
            "independent draws",
            "j draws from the uniform law on m records are the records in the first"
            " j places with probability m**-j",
            equal(E(DRAWS, all_), m ** (-j)),
            given=("m >= 2", Whole("j", 0)),
            witness=example({"m": 2, "j": 2}),
        ),
        Statement(
            "every population",
            "if a pair is forbidden, the uniform law on its m = n + 1 records makes bad"
            " data have positive probability",
            below(0, E(D, bad)),
            given=("m >= 2", Whole("m", 0)),
            assuming={"the draws": assume(equal(E(D, all_), E(DRAWS.at(j=m), all_)))},
            witness=example({"m": 2}, {"D": [((1, 1), "1/4"), ((0, 0), "3/4")]}),
        ),
        Statement(
            "every population without atoms",
            "a release that tells whether a record is 0 has no bad data if each of the"
            " two last draws is 0 with probability 0",
            at_most(E(FLAGS, DIFFERS), 0),
            assuming={
                "here": assume(at_most(E(FLAGS, here), 0)),
                "there": assume(at_most(E(FLAGS, there), 0)),
            },
            witness=example({}, {"F": [((1, 0, 0), 1)]}),
        ),
    ),
    rules=(random_to_approx,),
)


@proves("independent draws")
def independent_draws(part: Statement) -> Iterator[Step]:
    """Induction over the draws."""
    chance = table(RECORD, hit, "m >= 2")
    release = combine(equal(E(DRAWS, hit, ("all",)), 1 / m), renewed(DRAWS, chance))
    yield release, "each draw is the record in its place with probability 1/m"
    before = assume(part.claim, "m >= 2")
    step = multiplied(DRAWS, all_, hit, before, release, "m >= 2")
    step = combine(later(part.claim, "j"), step, given=("m >= 2",))
    yield step, "one draw more"
    start = at_start(DRAWS.sequence, all_)
    base = combine(equal(start.relation.left, m ** (-j).at(j=0)), start)
    yield for_all(base, step, "j", "m >= 2"), "from none on"


@proves("every population")
def every_population(part: Statement) -> Iterator[Step]:
    """A forbidden pair that is drawn is bad."""
    drawn = part.assuming["the draws"]
    finite = integrable(drawn, E(D, all_))
    more = real("all <= bad", "all <= bad")
    inside = dominated(
        real("bad <= 1", "bad <= 1"), D, lower=real("0 <= bad", "0 <= bad")
    )
    over = expect(more, D, finite, inside)
    yield over, "a forbidden pair that is drawn is bad"
    exact = specialize(lemma("random-dp/remark-3", "independent draws"), j=m)
    yield exact, "m draws"
    positive = real(below(0, m ** (-m)), "m >= 2")
    yield combine(part.claim, over, drawn, exact, positive), "so it is drawn sometimes"


def apart_only_by_zeros() -> Fact:
    """abs(max(a, b) - max(a, c)) <= b + c for numbers that are not negative."""
    least = real("zero <= max(zero, there)"), real("zero <= max(zero, here)")
    most = (
        real("max(zero, here) <= zero + here", "0 <= zero", "0 <= here"),
        real("max(zero, there) <= zero + there", "0 <= zero", "0 <= there"),
    )
    gap = maximum(zero, here) - maximum(zero, there)
    signs = "0 <= zero", "0 <= here", "0 <= there"
    up, down = (
        combine(at_most(side, here + there), low, high, rest=other, given=signs)
        for side, low, high, other in zip(
            (gap, -gap), least, most, (there, here), strict=True
        )
    )
    size = real("abs(v) <= s", "v <= s", "-v <= s")
    return given_by(specialize(size, v=gap, s=here + there), up, down)


@proves("every population without atoms")
def no_atoms(part: Statement) -> Iterator[Step]:
    """The releases differ only if one of the two last draws is 0."""
    first, last = part.assuming["here"], part.assuming["there"]
    line = apart_only_by_zeros()
    yield line, "without a 0 among the two last draws both releases tell the same"
    over = on_average(line, FLAGS, first, last)
    sum_ = combine(part.claim, over, first, last)
    yield sum_, "which happens with probability 0"


HALF = formula(Fraction(1, 2))
APART = Table(
    "M",
    ("p", "q"),
    (),
    (((formula(2), formula(0)), HALF), ((formula(0), formula(2)), HALF)),
)
"""Two laws that exclude each other, by densities with respect to their mean."""


def tells_one(data: Data) -> Masses:
    """Whether some record is 1."""
    return {1 in data: Fraction(1)}


def fixed_population() -> Refutation:
    """A population without the symbol that the release tells."""
    gamma = smallest_gamma(tells_one, {0: Fraction(1)}, 2, Fraction(1), both_ways=True)
    if (
        gamma != 0
        or hockey_stick(tells_one((0, 1)), tells_one((0, 0)), Fraction(10**6)) != 1
    ):
        raise Refused("the enumeration disagrees.")
    whole = table(APART, excess(p, q, exp(Symbol("alpha"))))
    delta = Symbol("delta")
    less = real(below(delta, whole.relation.right), "delta < 1")
    facts = (combine(below(delta, whole.relation.left), whole, less),)
    return Refutation(
        "all records are 0 and the release tells whether one is 1: gamma = 0, and"
        " delta = 1",
        facts,
    )


FALSEHOODS = (
    Falsehood(
        "for one fixed population, gamma = 0 implies DP, for some alpha and some"
        " delta below 1",
        at_most(E(APART, excess(p, q, exp(Symbol("alpha")))), Symbol("delta")),
        ("delta < 1",),
        refutation=fixed_population,
    ),
    Falsehood(
        "a forbidden pair has probability at least 1/2 under the uniform law on its"
        " records",
        at_most(Fraction(1, 2), m ** (-m)),
        ("m >= 2",),
    ),
)
