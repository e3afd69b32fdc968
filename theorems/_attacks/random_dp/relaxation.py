"""What is tried against random-dp/relaxation."""

from rdpacct.book.words import Attack, Fraction, Random, Refused, module, smallest_gamma

ENTRY = module("random-dp/relaxation")
exact_count = ENTRY.exact_count


def attack(seed: int) -> int:
    """Counts of random symbols: the exact gamma is 2 s (1 - s), whatever alpha is."""
    rng = Random(seed)
    for _ in range(40):
        weight = Fraction(rng.randint(1, 19), 20)
        records = rng.randint(1, 3)
        found = smallest_gamma(
            exact_count,
            {1: weight, 0: 1 - weight},
            records,
            Fraction(rng.randint(1, 99)),
        )
        if found != 2 * weight * (1 - weight):
            raise Refused(f"a count has gamma {found} at s = {weight}.")
    return 40


ATTACKS = (Attack("counts of random symbols, by enumeration", attack),)
