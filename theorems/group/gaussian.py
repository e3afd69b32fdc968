"""Gaussian differential privacy of groups.

Printed: not in the sources.
Proved: No test of N(mu, 1) against N(0, 1), mu > 0, at the level Phi(z) rejects with a probability
    above Phi(z + mu). So GaussianDP(mu) says that the probabilities A(j) with which any test
    rejects along a chain of neighbors obey A(j + 1) <= G(A(j)) for a function G with G(a) <= Phi(z
    + mu) wherever a <= Phi(z). Then A(0) <= Phi(z) gives A(k) <= Phi(z + k mu), for every z, which
    is GaussianDP(k mu): a probability of 0 is below every Phi(z), and 1 below none. The size and
    power of the threshold test, hypotheses of the first part, are in `sharp`.
Idea: Neyman and Pearson: (R - K)(f - A) <= 0 for the ratio R, a test f and the indicator A of R >
    K. Then induction.
Source: Dong, Roth and Su, Gaussian differential privacy, Theorem 3.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Falsehood, FiniteMechanism, Fraction, GaussianDP, Iterator, Law, Quantity,
    Random, Refused, Statement, Status, Step, Symbol, Theorem, Whole, assume, at_most, below, cases,
    combine, dominated, equal, event, example, exp, expect, given_by, group_gaussian, induct,
    integrable, lies_above, linear, normal_cdf, probability, real, relations, specialize,
    standard_normal, under,
)  # fmt: skip

k, mu, c, x, A = map(Symbol, ("k", "mu", "c", "x", "A"))
z, a = map(Symbol, ("z", "a"))
REJECTS = Quantity("A", (k,))
"""The probability that a test rejects on the k-th data set of a chain."""


def curve(level: Expr) -> Expr:
    """The largest probability with which a test at this level rejects on a neighbor."""
    return Quantity("G", (level,))


CHAIN = {
    "neighbors": assume(at_most(REJECTS.at(k=k + 1), curve(REJECTS)), every="k"),
    "GaussianDP": assume(
        at_most(curve(a), normal_cdf(z + mu)),
        at_most(a, normal_cdf(z)),
        every=("a", "z"),
    ),
    "start": assume(at_most(REJECTS.at(k=0), normal_cdf(z))),
}
CLAIM = at_most(REJECTS, normal_cdf(z + k * mu))
ABOVE = lies_above(standard_normal(), "A", c)
SHIFT = k * mu


R, f, K = map(Symbol, ("R", "f", "K"))
TEST = Law("N", ("R", "f"), relations("R >= 0", "0 <= f <= 1"))
"""The ratio of N(mu, 1) to N(0, 1), and what a test does, under N(0, 1)."""
BEST = event(TEST, "A", below(K, R))
"""The event that the ratio exceeds K = exp(mu c - mu**2/2), which is x > c."""


def best_test(part: Statement) -> Iterator[Step]:
    """(R - K)(f - A) is nowhere positive."""
    level, size, power, mass = (
        part.assuming[name]
        for name in ("level", "size of the best", "power of the best", "mass")
    )
    given = tuple(one for one in part.given if isinstance(one, str))
    line = cases(BEST, at_most(R * f, R * A + K * f - K * A), *given)
    yield line, "Neyman and Pearson"
    finite = dominated(
        real("R*f <= R", "R >= 0", "0 <= f <= 1"),
        BEST,
        integrable(mass, E(BEST, R)),
        lower=real("0 <= R*f", "R >= 0", "0 <= f <= 1"),
    )
    known = [integrable(fact, fact.relation.left) for fact in (power, level, size)]
    sum_ = linear(BEST, line.relation.right, {R * A: 1, f: K, A: -K}, *known)
    over = expect(line, BEST, finite, integrable(sum_, E(BEST, line.relation.right)))
    yield (
        combine(part.claim, over, sum_, power, (level, K), size),
        "at a level that is no larger",
    )


def chain(part: Statement) -> Iterator[Step]:
    """One neighbor more adds mu."""
    before = assume(CLAIM)
    there = specialize(part.assuming["GaussianDP"], a=REJECTS, z=z + k * mu)
    after = normal_cdf(z + (k + 1) * mu)
    step = combine(
        at_most(REJECTS.at(k=k + 1), after),
        part.assuming["neighbors"],
        given_by(there, before),
    )
    yield step, "one neighbor more"
    yield induct(part.assuming["start"], step, "k"), "from none on"


GENERAL = Statement(
    "chain",
    "mu is multiplied by the length of the chain, for every z and every test",
    CLAIM,
    chain,
    (Whole("k", 0),),
    CHAIN,
)


def shipped(part: Statement) -> Iterator[Step]:
    """The rule at size 3."""
    *_, (general, _) = chain(part)
    yield (
        under(combine(part.claim, specialize(general, k=3))),
        "the general statement at k = 3",
    )


def shifts(part: Statement) -> Iterator[Step]:
    """The threshold test under shifted normal laws."""
    yield (
        combine(part.claim, probability(ABOVE, c, shift=SHIFT)),
        "the mass of a shifted normal law above c",
    )


def attack(seed: int) -> int:
    """Chains of three binary laws: the certified mu of the ends against the rule, from those of the
    steps.
    """
    rng = Random(seed)
    for _ in range(25):
        rows = [
            (Fraction(weight, 40), 1 - Fraction(weight, 40))
            for weight in (rng.randint(8, 32) for _ in range(3))
        ]
        mechanism = FiniteMechanism(rows)
        steps = [
            mechanism.loss_between(*pair).gaussian_mu().upper
            for pair in ((0, 1), (1, 0), (1, 2), (2, 1))
        ]
        promise = group_gaussian(GaussianDP(Fraction(max(steps))), 2)
        for ends in ((0, 2), (2, 0)):
            if promise.mu.bound().certainly_below(
                mechanism.loss_between(*ends).gaussian_mu().lower
            ):
                raise Refused(f"the laws {rows} are further apart than {promise}.")
    return 25


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one step",
            "no test of N(mu, 1) against N(0, 1) at the level Phi(-c) rejects with a"
            " probability above Phi(mu - c)",
            at_most(E(BEST, R * f), normal_cdf(mu - c)),
            best_test,
            ("K >= 0",),
            {
                "mass": assume(equal(E(BEST, R), 1)),
                "level": assume(at_most(E(BEST, f), normal_cdf(-c))),
                "size of the best": assume(equal(E(BEST, A), normal_cdf(-c))),
                "power of the best": assume(equal(E(BEST, R * A), normal_cdf(mu - c))),
            },
            witness=example(
                {"c": 0, "mu": 1, "K": 1},
                {
                    "N": [
                        (("erfc(-1/sqrt(2))", 0), "1/2"),
                        (("2 - erfc(-1/sqrt(2))", 0), "1/2"),
                    ]
                },
            ),
        ),
        GENERAL,
        Statement(
            "the rule at size 3",
            "what the package computes, for three neighbors",
            at_most(
                REJECTS.at(k=3),
                normal_cdf(z + group_gaussian(GaussianDP(mu), 3).mu),
            ),
            shipped,
            assuming=CHAIN,
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "on N(0, 1), N(mu, 1), ..., N(k mu, 1) the test x > c has z = -c, mu - c,"
            " ..., k mu - c",
            equal(E(ABOVE, A * exp(SHIFT * x - SHIFT**2 / 2)), normal_cdf(SHIFT - c)),
            shifts,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the root of the size is enough, as it is for composition: the test x > 0"
            " on four shifts of mu",
            at_most(normal_cdf(4 * mu), normal_cdf(2 * mu)),
            ("mu > 0",),
        ),
    ),
    attacks=(Attack("chains of three binary laws", attack),),
    rules=(group_gaussian,),
)
