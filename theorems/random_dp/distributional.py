"""Distributional privacy and random differential privacy imply each other, with worse numbers.

Printed: not in the sources; stated from the known definition. Blum, Ligett and Roth call a
    mechanism (alpha, beta)-distributionally private if, for every population, two data sets X and Z
    of n independent draws each have P(A(X) in S) <= exp(alpha) P(A(Z) in S) for every S, but with
    probability beta over the draws. Here with an eta, and in either order of X and Z.
Proved: Along a chain of data sets of which two in a row are bad for (alpha, eta) with probability
    at most a share, (1) both ends of k steps are good for the shipped k alpha and eta (exp(k alpha)
    - 1)/(exp(alpha) - 1), or k eta at alpha = 0, if no step is bad, and (2) some step is bad with
    probability at most the shipped k times the share. So (3) distributional privacy with (alpha,
    eta, beta) is random DP with (2 alpha, (1 + exp(alpha)) eta, 2 beta), by way of a third data
    set; and (4) random DP with (alpha, eta, gamma) is distributional privacy with n alpha, eta
    (exp(n alpha) - 1)/(exp(alpha) - 1) and n gamma, for n records and a release that does not
    depend on their order. Neither keeps its numbers, and the factor 2 of beta is attained.
Idea: X and X' have all records but one in common. Each of them, with an independent data set Z, is
    a pair of distributional privacy. The other way, records are drawn anew one after the other.
Source: Blum, Ligett and Roth (2008), A learning theory approach to non-interactive database
    privacy; Hall, Rinaldo and Wasserman, Random differential privacy.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Refused, Statement, Status, Step, Theorem, Whole,
    ZERO, along_chain, at_most, combine, exp, lemma, module, random, random_dp_Masses as Masses,
    smallest_beta, smallest_gamma, under,
)  # fmt: skip

GROUP = module("group/approx")
ODOMETER = module("adaptive/odometer")
k, epsilon, delta = GROUP.k, GROUP.epsilon, GROUP.delta
share = ODOMETER.share
P = GROUP.P
GROWN, SLIPS, SHARES = along_chain(epsilon, delta, share, k)
AT_ZERO = along_chain(ZERO, delta, share, k)
SQUARE = {
    (0, 0): (4, 2, 4, 2),
    (0, 1): (2, 4, 2, 4),
    (1, 0): (4, 4, 2, 2),
    (1, 1): (2, 2, 4, 4),
}
"""Four laws in a square: those of one side of the first record are opposite corners."""


def corners(data: object) -> Masses:
    """The law of a data set of two bits."""
    weights = SQUARE[data]  # type: ignore[index]
    return {number: Fraction(one, 12) for number, one in enumerate(weights)}


def count(data: object) -> Masses:
    """The exact number of ones."""
    return {sum(data): Fraction(1)}  # type: ignore[call-overload]


BITS = {0: Fraction(1, 2), 1: Fraction(1, 2)}
ONE = Fraction(1)
SIXTH = Fraction(1, 6)


def same_chain(part: Statement) -> Iterator[Step]:
    """Groups of neighbors are such chains."""
    name = "chain" if part.name == "ends" else "chain at epsilon = 0"
    yield lemma("group/approx", name), "step by step"


def some_step(part: Statement) -> Iterator[Step]:
    """A union of events."""
    known = lemma("adaptive/odometer", "some of the bounds")
    yield under(combine(part.claim, known), *part.given), "one event after the other"


def enumerated(seed: int) -> int:
    """Random releases of two bits that do not depend on their order, both ways."""
    rng = random.Random(seed)
    for _ in range(40):
        rows: dict[object, Masses] = {}

        def release(data: object, rows: dict[object, Masses] = rows) -> Masses:
            ones = sum(data)  # type: ignore[call-overload]
            if ones not in rows:
                weights = [rng.randint(1, 9) for _ in range(3)]
                rows[ones] = {
                    number: Fraction(one, sum(weights))
                    for number, one in enumerate(weights)
                }
            return rows[ones]

        mass = Fraction(rng.randint(1, 9), 10)
        people = {0: mass, 1: 1 - mass}
        factor = Fraction(rng.randint(10, 30), 10)
        eta = Fraction(rng.randint(0, 12), 40)
        slips = (1 + factor) * eta
        beta = smallest_beta(release, people, 2, factor, eta)
        gamma = smallest_gamma(release, people, 2, factor, eta, both_ways=True)
        after = smallest_gamma(release, people, 2, factor**2, slips, both_ways=True)
        both = smallest_beta(release, people, 2, factor**2, slips)
        if after > 2 * beta or both > 2 * gamma:
            raise Refused(f"{rows} of {people} breaks a chain of two steps.")
    return 40


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "X, Z and X' with an independent Z: both (X, Z) and (Z, X') are two independent data"
        " sets of one population, so that the chain of two steps has them for its pairs.",
        "If the records of X are drawn anew one after the other, each step is a pair of"
        " random DP, up to the order of the records: the chain has n steps, and its end is"
        " independent of X.",
    ),
    parts=(
        Statement(
            "ends",
            "both ends of a chain, of which no step is bad",
            at_most(P.at(k=0), exp(GROWN) * P + SLIPS),
            same_chain,
            ("epsilon > 0", Whole("k", 1)),
            {"neighbors": GROUP.neighbors(False)},
        ),
        Statement(
            "ends at alpha = 0",
            "the same for total variation",
            at_most(P.at(k=0), exp(AT_ZERO[0]) * P + AT_ZERO[1]),
            same_chain,
            (Whole("k", 1),),
            {"neighbors": GROUP.neighbors(True)},
        ),
        Statement(
            "some step",
            "how often some step is bad",
            at_most(E(ODOMETER.ORDERS, ODOMETER.U), SHARES),
            some_step,
            (Whole("k", 0),),
            ODOMETER.THEOREM.part("some of the bounds").assuming,
        ),
    ),
    falsehoods=(
        Falsehood(
            "distributional privacy is random DP with the same numbers: four laws in a"
            " square, at alpha = 0 and eta = 1/6",
            at_most(
                smallest_gamma(corners, BITS, 2, ONE, SIXTH, both_ways=True),
                smallest_beta(corners, BITS, 2, ONE, SIXTH),
            ),
        ),
        Falsehood(
            "or with less than twice its beta",
            at_most(
                smallest_gamma(corners, BITS, 2, ONE, SIXTH, both_ways=True),
                smallest_beta(corners, BITS, 2, ONE, SIXTH) * Fraction(199, 100),
            ),
        ),
        Falsehood(
            "random DP is distributional privacy with the same numbers: a count",
            at_most(
                smallest_beta(count, BITS, 2, ONE),
                smallest_gamma(count, BITS, 2, ONE, both_ways=True),
            ),
        ),
    ),
    attacks=(Attack("random releases of two bits, both ways", enumerated),),
    rules=(along_chain,),
)
