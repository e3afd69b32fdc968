"""What is tried against random-dp/composition."""

from rdpacct.book.words import (
    Attack, Data, Fraction, Random, Refused, Release, in_turn, masses, module, product,
    random_dp_Masses as Masses, smallest_gamma, together,
)  # fmt: skip

ENTRY = module("random-dp/composition")
m = ENTRY.m


def counts(symbol: int) -> Release:
    """The exact number of records that equal a symbol."""
    return lambda data: {data.count(symbol): Fraction(1)}


def adaptive_counterexample(m: int, records: int = 1) -> tuple[Fraction, Fraction]:
    """The exact gammas of the count of a fixed symbol, and of a random symbol with its count.

    They are enumerated at exp(alpha) = 10**6; as outputs that differ exclude each other, no alpha
    changes them.
    """
    population = {symbol: Fraction(1, m) for symbol in range(m)}

    def any_symbol(_: Data) -> Masses:
        return population

    factor = Fraction(10**6)
    fixed = max(
        smallest_gamma(counts(symbol), population, records, factor)
        for symbol in population
    )
    chosen = in_turn(any_symbol, lambda symbol: counts(int(str(symbol))))
    return fixed, smallest_gamma(chosen, population, records, factor)


def enumerate_adaptive(_: int) -> int:
    """The gammas of the adaptive pair and of its parts, against 2(m-1)/m**2 and 1 - 1/m."""
    cases = [(size, records) for size in (2, 3, 4) for records in (1, 2, 3)]
    for size, records in cases:
        if adaptive_counterexample(size, records) != (
            Fraction(2 * (size - 1), size**2),
            1 - Fraction(1, size),
        ):
            raise Refused(f"other gammas for {size} symbols and {records} records.")
    return len(cases)


def attack(seed: int) -> int:
    """Random releases on random small populations, with etas that are reached on some data."""
    rng = Random(seed)
    for _ in range(60):
        size = rng.randint(2, 3)
        records = rng.randint(1, 2)
        population = dict(enumerate(masses(rng, size)))
        first, second = (_some_release(rng, size, records) for _ in range(2))
        one, two = (Fraction(rng.randint(4, 12), 4) for _ in range(2))
        eta1, eta2 = (Fraction(rng.choice((0, 0, 1, 2, 5)), 20) for _ in range(2))
        sum_ = smallest_gamma(first, population, records, one, eta1)
        sum_ += smallest_gamma(second, population, records, two, eta2)
        pair = smallest_gamma(
            together(first, second),
            population,
            records,
            one * two,
            eta1 + eta2 - eta1 * eta2,
        )
        if pair > sum_:
            raise Refused(f"bad data of a pair have probability {pair} > {sum_}.")
    return 60


def _some_release(rng: Random, size: int, records: int) -> Release:
    """Outputs with random masses, the same for data that are equal but for their order."""
    rows = {
        tuple(sorted(data)): masses(rng, 2, 6)
        for data in product(range(size), repeat=records)
    }
    return lambda data: dict(enumerate(rows[tuple(sorted(map(int, map(str, data))))]))


ATTACKS = (
    Attack("random releases on small populations", attack),
    Attack("the adaptive pair, by enumeration", enumerate_adaptive),
)
