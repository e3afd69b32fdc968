"""What is tried against sensitivity/u-statistic."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, combinations, masses, module, product, random,
)  # fmt: skip

ENTRY = module("sensitivity/u-statistic")
p = ENTRY.p
v = ENTRY.v


def pairs(seed: int) -> int:
    """Exact probabilities for small populations and a random symmetric h, at every rank."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(30):
        law = masses(rng, rng.randint(2, 3))
        size = rng.randint(2, 3)
        h = {
            pair: rng.randint(0, 4)
            for pair in product(range(len(law)), repeat=2)
            if pair[0] <= pair[1]
        }
        bad = dict.fromkeys(range(1, size * (size - 1) // 2 + 1), Fraction(0))
        for draw in product(range(len(law)), repeat=size + 1):
            weight = Fraction(1)
            for value in draw:
                weight *= law[value]
            values = {
                p: h[tuple(sorted((draw[p[0]], draw[p[1]])))]
                for p in combinations(range(size + 1), 2)
            }
            sides = [
                sorted(v for p, v in values.items() if gone not in p)
                for gone in (size, size - 1)
            ]
            for rank in bad:
                bad[rank] += weight * (
                    values[size - 1, size] > min(side[rank - 1] for side in sides)
                )
        whole = size * (size + 1) // 2
        for rank, chance in bad.items():
            tried += 1
            if chance > Fraction(whole - rank, whole):
                raise Refused(f"{law}, {size} points, rank {rank}: {chance}")
    return tried


ATTACKS = (
    Attack(
        "points with ties and random pair values, every rank, by enumeration", pairs
    ),
)
