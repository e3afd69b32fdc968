"""Random differential privacy with gamma = 0 and differential privacy: the quantifier over
populations decides.

Printed: alpha-DP implies (alpha, 0)-random DP; the converse is not true, as random DP asks for the
    bound almost everywhere with respect to the unknown measure only.
Proved: Three readings. For one fixed population the converse is false. If (alpha, 0)-random DP is
    asked for every population, atoms allowed, it is equivalent to alpha-DP: n + 1 draws from the
    uniform law on the n + 1 records of a bad pair are that pair in that order with probability at
    least (n + 1)**-(n + 1) > 0. If it is asked for every population with a density, the converse is
    false: of a release that tells whether some record is 0, the bad data have probability at most 2
    (1 - exp(-t)) <= 2 t for every t > 0 under the exponential law, hence 0; likewise for any law
    without atoms.
Idea: A pair of data sets that DP forbids has positive probability under some finite population, and
    none under a population without atoms.
Source: Hall, Rinaldo and Wasserman, Random differential privacy, Remark 3.
Finding (ambiguity): The remark does not say for which P. For one fixed P, as the definitions of the
    section read, it is true, and so it is for all P without atoms. If random DP is asked for every
    P, since "the unknown measure" may be any, the converse holds.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.privacy.convert import random_to_approx
from rdpacct.privacy.random_dp import Data, Masses, hockey_stick, smallest_gamma
from rdpacct.proof.kernel import (
    Density,
    E,
    Law,
    Quantity,
    Refused,
    Stretch,
    Table,
    Whole,
    assume,
    at_most,
    below,
    closed,
    combine,
    dominated,
    event,
    expect,
    induct,
    integrable,
    integrate,
    real,
    relations,
    specialize,
    table,
    under,
)
from rdpacct.proof.tactics.divergences import excess
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Refutation,
    Statement,
    Status,
    Step,
    Theorem,
)
from rdpacct.testing.instances import masses

n, t, x, hit, bad, A, p, q, j = map(
    Symbol, ("n", "t", "x", "hit", "bad", "A", "p", "q", "j")
)
D = Law("D", ("hit", "bad"), relations("0 <= hit <= 1", "0 <= bad <= 1", "hit <= bad"))
"""Whether the draws are the records of a forbidden pair in their order, and whether they are
bad.
"""
X = Density("X", ("x",), (), (Stretch(formula(0), None, exp(-x)),))
NEAR = event(X, "A", at_most(x, t))
ALL = Quantity("all", (j,))
"""The probability that the first j draws are the first j of some records."""


def independent_draws(part: Statement) -> Iterator[Step]:
    """Induction over the draws."""
    given = tuple(one for one in part.given if isinstance(one, str))
    before = assume(part.claim, *given)
    claim = at_most(part.claim.left.at(j=j + 1), part.claim.right.at(j=j + 1))
    step = combine(
        claim, (part.assuming["next draw"], 1), (before, 1 / (n + 1)), given=given
    )
    yield step, "one draw more"
    base = combine(
        at_most(part.claim.left.at(j=0), part.claim.right.at(j=0)),
        part.assuming["no draw"],
    )
    yield induct(base, step, "j"), "from none on"


def every_population(part: Statement) -> Iterator[Step]:
    """A forbidden pair that is drawn is bad."""
    drawn = part.assuming["uniform draws"]
    finite = integrable(drawn, E(D, hit))
    more = real("hit <= bad", "hit <= bad")
    inside = dominated(
        real("bad <= 1", "bad <= 1"), D, lower=real("0 <= bad", "0 <= bad")
    )
    over = expect(more, D, finite, inside)
    yield over, "a forbidden pair that is drawn is bad"
    given = tuple(one for one in part.given if isinstance(one, str))
    positive = real(below(0, (n + 1) ** (-n - 1)), *given)
    yield combine(part.claim, over, drawn, positive), "with positive probability"


def no_atoms(part: Statement) -> Iterator[Step]:
    """Bad data have a record at 0, so one that is closer to 0 than any t > 0."""
    close = part.assuming["bad data have a record at 0"]
    mass = integrate(NEAR, A, (-exp(-x), 0), (-exp(-x), -exp(-x)), "t > 0", cuts=(t,))
    yield mass, "the exponential law near 0"
    small = combine(
        at_most(E(D, bad), 2 * t), close, (mass, 2), rest=2 * (t - 1 + exp(-t))
    )
    yield small, "as small as t"
    slack = specialize(small, t=Symbol("slack") / 2)
    slack = under(slack, "slack > 0")
    yield (
        combine(
            part.claim,
            closed(combine(at_most(E(D, bad), 0 + Symbol("slack")), slack), "slack"),
        ),
        "so it is 0",
    )


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
    facts = (table(APART, excess(p, q, exp(Symbol("alpha")))),)
    return Refutation(
        "all records are 0 and the release tells whether one is 1: gamma = 0, and"
        " delta = 1",
        facts,
    )


def attack(seed: int) -> int:
    """Random releases: on the uniform law on the records of a pair that is forbidden, gamma is
    positive.
    """
    rng = Random(seed)
    for _ in range(60):
        records = rng.randint(1, 3)
        factor = Fraction(rng.randint(4, 12), 4)
        rows = {
            data: dict(enumerate(masses(rng, 2, 9)))
            for data in product(range(3), repeat=records)
        }
        draws = tuple(rng.randrange(3) for _ in range(records + 1))
        if hockey_stick(rows[draws[:-1]], rows[(*draws[:-2], draws[-1])], factor) <= 0:
            continue
        uniform = {value: Fraction(draws.count(value), records + 1) for value in draws}
        if smallest_gamma(rows.__getitem__, uniform, records, factor) < Fraction(
            1, (records + 1) ** (records + 1)
        ):
            raise Refused(f"a forbidden pair {draws} is hardly ever drawn.")
    return 60


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "independent draws",
            "j draws from the uniform law on n + 1 records are j given ones with"
            " probability at least (n + 1)**-j",
            at_most((n + 1) ** (-j), ALL),
            independent_draws,
            ("n >= 1", Whole("j", 0)),
            {
                "no draw": assume(at_most(1, ALL.at(j=0))),
                "next draw": assume(
                    at_most(ALL / (n + 1), ALL.at(j=j + 1)), "n >= 1", every="j"
                ),
            },
        ),
        Statement(
            "every population",
            "if a pair is forbidden, the uniform law on its records makes bad data have"
            " positive probability",
            below(0, E(D, bad)),
            every_population,
            ("n >= 1",),
            {"uniform draws": assume(at_most((n + 1) ** (-n - 1), E(D, hit)))},
        ),
        Statement(
            "every population with a density",
            "a release that tells whether a record is 0 has no bad data under the"
            " exponential law",
            at_most(E(D, bad), 0),
            no_atoms,
            assuming={
                "bad data have a record at 0": assume(
                    at_most(E(D, bad), 2 * E(NEAR, A)), "t > 0", every="t"
                ),
            },
        ),
    ),
    falsehoods=(
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
            at_most(Fraction(1, 2), (n + 1) ** (-n - 1)),
            ("n >= 1",),
        ),
    ),
    attacks=(Attack("forbidden pairs of random releases", attack),),
    rules=(random_to_approx,),
)
