"""Clones of randomizers of which more is known than their epsilon.

Printed: not in the sources.
Proved: Let the report of the person tell for the own value with probability k s, for the other one
    with s, and for none with the rest n, where k = e**eps. Then (1 + k) s + n = 1, which gives the
    shipped s for a randomizer of three losses, and for randomized response with m answers the
    probability s = 1/(k + m - 1) of a wrong one. Each other report has the density max(a, b)/k at
    least: s for each of the two values, and n/k where it tells for none; with randomized response
    every answer has probability s at least, so that it is n = (m - 2) s. If all other people have a
    third value, their answers that are none of the two have the probability 1 - 2 s.
Idea: The masses of three kinds of outputs add up to 1.
Source: Balle, Bell, Gascon and Nissim, The privacy blanket of the shuffle model (2019), for
    randomized response.
Finding: Two kinds of neutral reports of other people cannot be pooled. Wang and others, Privacy
    amplification via shuffling: unified, simplified, and tightened (2024), state for randomized
    response with m answers, as an upper bound for all data sets, the counts of three kinds of
    reports of which the last has probability 1 - 2 s. For m = 4, k = 2, two people and the level
    8/5 that is 2/125, and the delta of the values 0 or 1 beside 2 is 3/125, as counted below.
"""

from rdpacct.book.words import (
    Attack, Clones, Falsehood, Fraction, Refused, Statement, Status, Symbol, Theorem, at_most,
    by_prover, equal, exp, of_responses, of_three_losses, pooled, symbols, untold,
    with_a_third_value,
)  # fmt: skip

eps = Symbol("epsilon")
s, n, m, c = symbols("s n m c")
k = exp(eps)
THREE = of_three_losses(eps, n)
RESPONSES = of_responses(eps, m)
THIRD = with_a_third_value(eps, m)
POOLED = pooled(Clones(eps, s, s), c)


def two_people(level: Fraction) -> tuple[Fraction, Fraction]:
    """The exact delta of two shuffled answers of four with k = 2, for the values 0 or 1 beside 2;
    and that of three pooled kinds of answers.
    """
    wrong = Fraction(1, 5)

    def chance(value: int, answer: int) -> Fraction:
        return 2 * wrong if value == answer else wrong

    def both(value: int, x: int, y: int) -> Fraction:
        one = chance(value, x) * chance(2, y)
        if x == y:
            return one
        return one + chance(value, y) * chance(2, x)

    def kind(answer: int) -> int:
        return min(answer, 2)

    exact = Fraction(0)
    counted = dict[tuple[int, int], Fraction]()
    for x in range(4):
        for y in range(x, 4):
            gap = both(0, x, y) - level * both(1, x, y)
            exact += max(gap, Fraction(0))
            kinds = (min(kind(x), kind(y)), max(kind(x), kind(y)))
            counted[kinds] = counted.get(kinds, Fraction(0)) + gap
    return exact, sum((max(gap, Fraction(0)) for gap in counted.values()), Fraction(0))


def pooling(seed: int) -> int:  # noqa: ARG001
    """The counterexample, and that the shipped clones are not below it."""
    exact, counted = two_people(Fraction(8, 5))
    if (exact, counted) != (Fraction(3, 125), Fraction(2, 125)):
        raise Refused(f"two people have {exact}, and {counted} with pooled answers.")
    return 1


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "own",
            "the report of the person tells for none of the values with the rest",
            equal(k * s + s + untold(eps, s), 1),
            by_prover("the three add up"),
        ),
        Statement(
            "three losses",
            "so a randomizer of three losses tells with the shipped probability",
            equal(k * THREE.telling + THREE.telling + n, 1),
            by_prover("the three add up"),
        ),
        Statement(
            "clones of three losses",
            "a clone tells k times less often than the person for the own value",
            equal(k * THREE.clone, k * THREE.telling),
            by_prover("the same"),
        ),
        Statement(
            "neutral clones",
            "and is neutral k times less often",
            equal(k * THREE.neutral, n),
            by_prover("divided by k"),
        ),
        Statement(
            "responses",
            "one true answer and m - 1 wrong ones",
            equal(k * RESPONSES.telling + (m - 1) * RESPONSES.telling, 1),
            by_prover("the answers add up"),
            ("m >= 2",),
        ),
        Statement(
            "neutral responses",
            "the person and a clone have the other m - 2 answers alike",
            equal(RESPONSES.neutral, untold(eps, RESPONSES.clone)),
            by_prover("the answers add up"),
            ("m >= 2",),
        ),
        Statement(
            "third value",
            "the true third answer and m - 3 wrong ones",
            equal(THIRD.neutral, k * THIRD.clone + (m - 3) * THIRD.clone),
            by_prover("the answers add up"),
            ("m >= 3",),
        ),
        Statement(
            "pooled",
            "reports that tell for two values with probability c each, and all others",
            equal(2 * POOLED.clone + POOLED.neutral, 2 * c + (1 - 2 * c)),
            by_prover("the three add up"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "pooled neutral answers are an upper bound for all data sets, here as many for one"
            " person as for another: 1 - 2 s <= (m - 2) s",
            at_most(THIRD.neutral, RESPONSES.neutral),
            ("epsilon > 0", "m >= 3"),
        ),
    ),
    attacks=(Attack("two people and four answers, counted exactly", pooling),),
    rules=(untold, of_three_losses, of_responses, with_a_third_value, pooled),
    in_words=(
        "The three kinds of outputs are those of loss eps, -eps and 0; on each, a and b are"
        " multiples of one law, so that only the counts of the kinds matter.",
        "Pooling outputs of all people is post-processing, so that with a third value it gives no"
        " more than the reports themselves.",
    ),
)
