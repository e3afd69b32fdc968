"""What is tried against histogram/neighbours."""

from rdpacct.book.words import Attack, Fraction, Random, Refused, data_set, product


def attack(seed: int) -> int:
    """All pairs of small data sets, and random larger ones: the frequencies move by 0 or 2/n in
    L1.
    """
    rng = Random(seed)
    tried = 0
    small = [
        (data, value)
        for size in (1, 2, 3)
        for data in product(range(3), repeat=size)
        for value in range(3)
    ]
    large = [
        (data_set(rng, 5, rng.randint(4, 20)), rng.randrange(5)) for _ in range(100)
    ]
    for data, value in small + large:
        other = (*data[:-1], value)
        size = len(data)
        moved = sum(
            (abs(Fraction(data.count(j) - other.count(j), size)) for j in range(5)),
            Fraction(0),
        )
        if moved != (0 if value == data[-1] else Fraction(2, size)):
            raise Refused(f"the frequencies of {data} and {other} differ by {moved}.")
        tried += 1
    return tried


ATTACKS = (
    Attack("how far frequencies move, on all small and some large data sets", attack),
)
