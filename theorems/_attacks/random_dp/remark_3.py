"""What is tried against random-dp/remark-3."""

from rdpacct.book.words import (
    Attack, Fraction, Random, Refused, hockey_stick, masses, product, smallest_gamma,
)  # fmt: skip


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


ATTACKS = (Attack("forbidden pairs of random releases", attack),)
