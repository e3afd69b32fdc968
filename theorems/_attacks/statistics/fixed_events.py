"""What is tried against statistics/fixed-events."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, comb, detected_excess, passing_deviation as deviation, random,
)  # fmt: skip


def exact_tests(seed: int) -> int:
    """All counts of a few trials, at random probabilities: how often a true claim is refuted, and
    one that is broken by the shipped excess is not.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        trials = rng.randint(1, 40)
        growth = Fraction(rng.randint(4, 8), 4)
        error = Fraction(1, rng.choice((2, 5, 20)))
        power = Fraction(rng.randint(1, 9), 10)
        q = Fraction(rng.randint(0, 10), 40)
        gap = Fraction(deviation(growth, trials, error).bound().upper)
        excess = Fraction(detected_excess(gap, growth, trials, power).bound().upper)
        slack = Fraction(rng.randint(0, 4), 10)
        true = refuted(
            trials, growth, min(growth * q + slack, Fraction(1)), q, slack + gap
        )
        if true > error:
            raise Refused(f"a true claim is refuted with probability {true}.")
        tried += 1
        if growth * q + slack + excess <= 1:
            broken = growth * q + slack + excess
            found = refuted(trials, growth, broken, q, slack + gap)
            if found < power:
                raise Refused(f"a broken claim is refuted with probability {found}.")
            tried += 1
    return tried


def refuted(
    trials: int, growth: Fraction, p: Fraction, q: Fraction, beyond: Fraction
) -> Fraction:
    """The probability that the frequency on x exceeds growth times the other by more than that."""
    on_x = binomial(trials, p)
    on_neighbor = binomial(trials, q)
    return sum(
        (
            one * two
            for i, one in enumerate(on_x)
            for j, two in enumerate(on_neighbor)
            if i - growth * j > trials * beyond
        ),
        Fraction(0),
    )


def binomial(trials: int, p: Fraction) -> list[Fraction]:
    """The law of a count."""
    return [comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(trials + 1)]


ATTACKS = (Attack("all counts of a few trials, exactly", exact_tests),)
