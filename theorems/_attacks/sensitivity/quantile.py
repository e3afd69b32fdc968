"""What is tried against sensitivity/quantile."""

from rdpacct.book.words import Attack, Fraction, Refused, masses, product, random


def samples(seed: int) -> int:
    """Exact probabilities for independent values with ties, at every rank."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(40):
        law = masses(rng, rng.randint(1, 3))
        size = rng.randint(1, 3)
        bad = dict.fromkeys(range(1, size + 1), Fraction(0))
        for draw in product(range(len(law)), repeat=size + 1):
            weight = Fraction(1)
            for value in draw:
                weight *= law[value]
            for rank in bad:
                bad[rank] += weight * (draw[-1] > sorted(draw[:-1])[rank - 1])
        for rank, chance in bad.items():
            tried += 1
            if chance > Fraction(size + 1 - rank, size + 1):
                raise Refused(f"{law}, {size} values, rank {rank}: {chance}")
    return tried


ATTACKS = (Attack("independent values with ties, every rank, by enumeration", samples),)
