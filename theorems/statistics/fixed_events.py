"""A test of a fixed event: how far frequencies go astray, and which violations it finds.

Printed: not in the sources.
Proved: An event S has the probability p on x and q on the neighbor, and happens in a share u of n
    trials on x and in a share v of n on the neighbor, all independent. (1) Less its mean, one trial
    on each adds to n (u - g v) a number from an interval of length 1 + g, with mean 0; so the sum S
    of n of them has E exp(s S) <= exp(s**2 n (1 + g)**2/8), (2) is x or more with probability at
    most exp(-2 x**2/(n (1 + g)**2)), and (3) is n times the shipped deviation or more with
    probability at most err. The same holds for -S. Let the test refute p <= g q + delta if u - g v
    exceeds delta by more than a threshold, which is at least the deviation of its error. (4) It
    refutes a true claim only if the sum deviates so far, and (5) it misses an event with p >= g q +
    delta + excess, where the excess is the shipped one, only if the sum deviates by that of 1 -
    power; so it refutes it with probability at least power.
Idea: Hoeffding's lemma and Chernoff's bound, once for each side.
Source: Hoeffding 1963, Probability inequalities for sums of bounded random variables.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Theorem, Whole, assume, at_most, below,
    by_prover, cases, chain, combine, detected_excess, dominated, equal, event, exp, expect,
    integrable, lemma, linear, marginal, one_by_one, passing_deviation as deviation, proves, real,
    relations, renewed, specialize, symbols, under,
)  # fmt: skip

X, S, A, a, b, low, g, k, n, s, x = symbols("X S A a b low g k n s x")
p, q, u, v, delta, error, power, most = symbols("p q u v delta error power most")
ONE = Law("P", ("X",), relations("low <= X", "X <= low + 1 + g"))
"""What one trial on each input adds, less its mean."""
TRIALS = chain("R", {"S": (0, S + X)}, ONE, k)
"""The sum S of the first k trials, and the next one."""
LARGE = event(TRIALS.at(k=n), "A", at_most(x, S))
"""Whether the sum of n trials is x or more."""
TRIAL = Law("B", ("a", "b"), relations("0 <= a", "a <= 1", "0 <= b", "b <= 1"))
"""Whether the event happens in a trial on x, and in one on the neighbor."""
ADDED = a - g * b - (p - g * q)
LEAST = -g - (p - g * q)
TEST = Law(
    "T", ("missed", "far"), relations("0 <= missed", "missed <= far", "far <= 1")
)
"""Whether the test misses a broken claim, and whether the sum deviates so far."""
missed, far = symbols("missed far")
CENTERED = {"mean": assume(equal(E(ONE, X), 0))}
GAP = deviation(g, n, error)
FOUND = detected_excess(most, g, n, power)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one trial",
            "what a trial on each input adds has mean 0",
            equal(E(TRIAL, ADDED), 0),
            assuming={
                "on x": assume(equal(E(TRIAL, a), p)),
                "on the neighbor": assume(equal(E(TRIAL, b), q)),
            },
        ),
        *(
            Statement(
                f"range {side}",
                f"and lies in an interval of length 1 + g, {side} its ends",
                claim,
                by_prover("0 <= a, b <= 1"),
                ("0 <= g", *TRIAL.support),
            )
            for side, claim in (
                ("above", at_most(LEAST, ADDED)),
                ("below", at_most(ADDED, LEAST + 1 + g)),
            )
        ),
        Statement(
            "moments",
            "the moments of the sum of k trials",
            at_most(E(TRIALS, exp(s * S)), exp(s**2 * k * (1 + g) ** 2 / 8)),
            given=("0 <= g", Whole("k", 0)),
            assuming=CENTERED,
        ),
        Statement(
            "tail",
            "so the sum of n trials is seldom large",
            at_most(E(LARGE, A), exp(-2 * x**2 / (n * (1 + g) ** 2))),
            given=("0 <= g", "0 <= x", "n >= 1", Whole("n", 0)),
            assuming=CENTERED,
        ),
        Statement(
            "deviation",
            "it reaches n times the shipped deviation with probability at most the error",
            at_most(E(LARGE.at(x=n * GAP), A), error),
            given=("0 <= g", "0 < error < 1", "n >= 1", Whole("n", 0)),
            assuming=CENTERED,
        ),
        Statement(
            "false alarm",
            "a true claim is refuted only if the frequencies deviate by more than that",
            below(GAP, u - g * v - (p - g * q)),
            given=("0 < error < 1", "n >= 1"),
            assuming={
                "the claim is true": assume(at_most(p, g * q + delta)),
                "it is refuted": assume(below(delta + most, u - g * v)),
                "the threshold": assume(at_most(GAP, most)),
            },
        ),
        Statement(
            "miss",
            "and an event with the shipped excess is missed only if they deviate by that"
            " of 1 - power to the other side",
            at_most(deviation(g, n, 1 - power), p - g * q - (u - g * v)),
            given=("0 < power < 1", "n >= 1"),
            assuming={
                "the claim is broken": assume(at_most(g * q + delta + FOUND, p)),
                "it is not refuted": assume(at_most(u - g * v, delta + most)),
            },
        ),
        Statement(
            "power",
            "so the test refutes with probability at least power",
            at_most(power, E(TEST, 1 - missed)),
            assuming={"deviation": assume(at_most(E(TEST, far), 1 - power))},
        ),
    ),
    rules=(deviation, detected_excess),
)


@proves("one trial")
def one_trial(part: Statement) -> Iterator[Step]:
    """Linearity."""
    first, second = part.assuming["on x"], part.assuming["on the neighbor"]
    means = integrable(first, E(TRIAL, a)), integrable(second, E(TRIAL, b))
    total = linear(TRIAL, ADDED, {a: 1, b: -g}, *means, constant=g * q - p)
    yield total, "the mean of each part"
    yield combine(part.claim, total, first, (second, -g)), "which is taken away"


@proves("power")
def at_least(part: Statement) -> Iterator[Step]:
    """What is missed deviates far."""
    deviates = part.assuming["deviation"]
    less = real("missed <= far", "missed <= far")
    there = integrable(deviates, E(TEST, far))
    finite = dominated(less, TEST, there, lower=real("0 <= missed", "0 <= missed"))
    over = expect(less, TEST, finite, there)
    yield over, "averaged"
    rest = linear(TEST, 1 - missed, {missed: -1}, finite, constant=1)
    yield combine(part.claim, rest, over, deviates), "the rest is refuted"


@proves("moments")
def moments(part: Statement) -> Iterator[Step]:
    """Hoeffding's lemma, one trial after the other."""
    one = under(lemma("cdp/hoeffding", "hoeffding"), "a < b", "0 <= g")
    one = specialize(one, a=low, b=low + 1 + g, t=s)
    bound = exp(s**2 * (1 + g) ** 2 / 8)
    one = combine(at_most(E(ONE, exp(s * X)), bound), one)
    each = renewed(TRIALS, under(one, "0 <= g"))
    yield each, "the moment of one trial, which is independent of the others"
    yield from one_by_one(part.claim, TRIALS, exp(s * X), each, "0 <= g")


@proves("tail")
def tail(part: Statement) -> Iterator[Step]:
    """Chernoff's bound."""
    moment = specialize(THEOREM.part("moments").fact(), k=n)
    body = exp(s * S)
    shift = exp(-s * x)
    line = cases(LARGE, at_most(A, body * shift), "0 <= s")
    yield line, "the indicator lies below an exponential"
    law = TRIALS.at(k=n)
    same = marginal(LARGE, law, body, integrable(moment, E(law, body)))
    scaled = linear(
        LARGE, body * shift, {body: shift}, integrable(same, E(LARGE, body))
    )
    inside = dominated(
        cases(LARGE, at_most(A, 1)), LARGE, lower=cases(LARGE, at_most(0, A))
    )
    over = expect(line, LARGE, inside, integrable(scaled, E(LARGE, body * shift)))
    bound = exp(s**2 * n * (1 + g) ** 2 / 8 - s * x)
    found = combine(
        at_most(E(LARGE, A), bound), over, scaled, (same, shift), (moment, shift)
    )
    yield found, "averaged"
    given = ("0 <= g", "0 <= x", "n >= 1")
    best = specialize(
        under(found, "0 <= s", *given, Whole("n", 0)), s=4 * x / (n * (1 + g) ** 2)
    )
    yield under(combine(part.claim, best, given=given), *part.given), "at the best s"


@proves("deviation")
def reached(part: Statement) -> Iterator[Step]:
    """What the deviation is made for."""
    given = ("0 <= g", "0 < error < 1", "n >= 1")
    found = under(THEOREM.part("tail").fact(), *given, "0 <= x", Whole("n", 0))
    found = under(specialize(found, x=n * GAP), *given, Whole("n", 0))
    yield found, "at n times the deviation"
    value = real(equal(found.relation.right, error), *given)
    yield combine(part.claim, found, value, given=given), "which is the error"


@proves("false alarm")
def false_alarm(part: Statement) -> Iterator[Step]:
    """The two sides of the claim."""
    uses = tuple(part.assuming.values())
    yield (
        combine(part.claim, *uses, given=part.given),
        "the frequencies exceed the claim",
    )


@proves("miss")
def miss(part: Statement) -> Iterator[Step]:
    """The two deviations make up the excess."""
    uses = tuple(part.assuming.values())
    yield (
        combine(part.claim, *uses, given=part.given),
        "the frequencies stay below the claim",
    )


FALSEHOODS = (
    Falsehood(
        "an excess of the threshold alone is found with any power",
        at_most(FOUND, most),
        ("0 <= g", "0 <= most", "0 < power < 1", "n >= 1"),
    ),
)
