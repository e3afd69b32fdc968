"""What is tried against histogram/privacy."""

from rdpacct.book.words import (
    Attack, Fraction, Random, Refused, bad_probability, masses, prod, product,
)  # fmt: skip


def attack(seed: int) -> int:
    """Random populations: draws that change the empty cells, by enumeration, against the formula
    and the bound.
    """
    rng = Random(seed)
    for _ in range(60):
        cells = masses(rng, rng.randint(2, 4), 5)
        records = rng.randint(1, 4)
        found = Fraction(0)
        for draws in product(range(len(cells)), repeat=records + 1):
            if set(draws[:-1]) != {*draws[:-2], draws[-1]}:
                found += prod((cells[j] for j in draws), start=Fraction(1))
        if found != bad_probability(cells, records):
            raise Refused(
                f"the formula gives {bad_probability(cells, records)}, not {found}."
            )
        if found > 2 * len(cells) * Fraction(
            records**records, (records + 1) ** (records + 1)
        ):
            raise Refused(
                f"bad data have probability {found} for {cells} and {records} records."
            )
    return 60


ATTACKS = (Attack("random populations, by enumeration", attack),)
