"""A small tail of the loss on average implies random differential privacy, and follows from it.

Printed: not in the sources; stated from the known definition. Triastcyn and Faltings call a
    mechanism (epsilon, delta)-Bayesian differentially private if the loss is at least epsilon with
    probability at most delta, over its output and over the record in which neighbors differ, which
    is drawn from the population. Here all records are drawn, as for random DP.
Proved: (1) On one pair of neighbors the hockey stick at alpha is at most the probability of a loss
    above alpha. (2) If that probability, over the draws and the output, is at most tail, then data
    on which it exceeds eta have a probability of at most tail/eta. The two orders of a pair are
    equally likely, so that the mechanism is random DP with alpha, eta and the shipped gamma = 2
    tail/eta. (3) The other way, random DP with (alpha, eta = 0, gamma) has a tail of at most gamma:
    on good data no loss exceeds alpha.
Idea: Markov's inequality for the tail, which is at least the hockey stick.
Source: Triastcyn and Faltings (2020), Bayesian differential privacy for machine learning; Hall,
    Rinaldo and Wasserman, Random differential privacy.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, Refused, Statement, Status, Step, Theorem,
    assume, at_most, cases, combine, dominated, event, exp, expect, integrable, linear, log,
    marginal, maximum, random, random_dp_Masses as Masses, real, relations, share_of_tails,
    smallest_gamma, specialize, symbols, tail_on_average,
)  # fmt: skip

alpha, eta, tail, gamma = symbols("alpha eta tail gamma")
END = Law("P", ("L",))
L = END.symbol("L")
ABOVE = event(END, "X", "alpha < L")
X = ABOVE.symbol("X")
D = Law("D", ("T",), relations("0 <= T", "T <= 1"))
"""The probability of a loss above alpha, on drawn data."""
T = D.symbol("T")
BAD = event(D, "A", "eta < T")
A = BAD.symbol("A")
GOOD = Law("G", ("T", "B"), relations("0 <= T", "T <= B", "B <= 1"))
"""The same, and whether the data are bad: on good data it is 0."""
B = GOOD.symbol("B")


def below_tail(_: Statement) -> Iterator[Step]:
    """A loss below alpha costs nothing, and any other at most 1."""
    gain = maximum(0, 1 - exp(alpha - L))
    inside = cases(ABOVE, at_most(gain, X))
    yield inside, "a loss costs at most 1, and nothing below alpha"
    least = specialize(real("0 <= max(0, g)"), g=1 - exp(alpha - L))
    one = dominated(
        cases(ABOVE, at_most(X, 1)), ABOVE, lower=cases(ABOVE, at_most(0, X))
    )
    finite = dominated(inside, ABOVE, one, lower=least)
    yield expect(inside, ABOVE, finite, one), "averaged"


def rare(part: Statement) -> Iterator[Step]:
    """Markov's inequality."""
    given = part.given
    mean = part.assuming["mean"]
    point = cases(BAD, at_most(eta * A, T), *given)
    yield point, "on bad data the tail is large"
    same = marginal(BAD, D, T, integrable(mean, E(D, T)))
    one = dominated(cases(BAD, at_most(A, 1)), BAD, lower=cases(BAD, at_most(0, A)))
    left = linear(BAD, eta * A, {A: eta}, one)
    known = integrable(left, E(BAD, eta * A)), integrable(same, E(BAD, T))
    over = expect(point, BAD, *known)
    yield over, "averaged"
    uses = [(fact, 2 / eta) for fact in (over, left, same, mean)]
    yield (
        combine(part.claim, *uses, given=given),
        "so such data are rare, in each order",
    )


def follows(part: Statement) -> Iterator[Step]:
    """The tail is at most whether the data are bad."""
    rarely = part.assuming["rarely"]
    line = real(at_most(T, B), *GOOD.support)
    bound = integrable(rarely, E(GOOD, B))
    least = real(at_most(0, T), *GOOD.support)
    over = expect(line, GOOD, dominated(line, GOOD, bound, lower=least), bound)
    yield combine(part.claim, over, rarely), "averaged"


def enumerated(seed: int) -> int:
    """Random releases of two records from small populations: gamma by enumeration against the
    bound.
    """
    rng = random.Random(seed)
    for _ in range(40):
        rows: dict[object, Masses] = {}

        def release(data: object, rows: dict[object, Masses] = rows) -> Masses:
            if data not in rows:
                weights = [rng.randint(1, 9) for _ in range(3)]
                rows[data] = {
                    k: Fraction(w, sum(weights)) for k, w in enumerate(weights)
                }
            return rows[data]

        mass = Fraction(rng.randint(1, 9), 10)
        people = {0: mass, 1: 1 - mass}
        factor = Fraction(rng.randint(10, 30), 10)
        eta = Fraction(rng.randint(1, 30), 100)
        found = Fraction(tail_on_average(release, people, 2, log(factor)).upper)
        bad = smallest_gamma(release, people, 2, factor, eta, both_ways=True)
        if share_of_tails(found, eta).bound().certainly_below(bad):
            raise Refused(f"gamma is {bad} at eta = {eta} and a mean tail of {found}.")
    return 40


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "The last two draws may be exchanged: data that are bad in one order are as likely as"
        " those that are bad in the other.",
    ),
    parts=(
        Statement(
            "below the tail",
            "the hockey stick at alpha, against the probability of a larger loss",
            at_most(E(ABOVE, maximum(0, 1 - exp(alpha - L))), E(ABOVE, X)),
            below_tail,
        ),
        Statement(
            "rare",
            "twice the probability of data on which the tail is above eta",
            at_most(2 * E(BAD, A), share_of_tails(tail, eta)),
            rare,
            ("0 < eta",),
            {"mean": assume(at_most(E(D, T), tail))},
        ),
        Statement(
            "follows",
            "the mean tail, if data are bad with probability at most gamma",
            at_most(E(GOOD, T), gamma),
            follows,
            (),
            {"rarely": assume(at_most(E(GOOD, B), gamma))},
        ),
    ),
    falsehoods=(
        Falsehood(
            "the mean tail is a gamma, whatever eta is",
            at_most(share_of_tails(tail, eta), tail),
            ("0 < tail", "0 < eta", "eta <= 1"),
        ),
    ),
    attacks=(Attack("random releases of two records, by enumeration", enumerated),),
    rules=(share_of_tails,),
)
