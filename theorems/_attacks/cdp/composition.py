"""What is tried against cdp/composition."""

from rdpacct.book.words import Attack, Fraction, Refused, bounded_pair, random


def composes(seed: int) -> int:
    """The moments of random adaptive pairs of releases, against the product of the largest ones."""
    rng = random.Random(seed)
    tried = 0
    while tried < 200:
        first = bounded_pair(rng, Fraction(rng.randint(11, 60), 10), 3)
        after = [
            bounded_pair(rng, Fraction(rng.randint(11, 60), 10), 3) for _ in first.p
        ]
        for rate in range(1, 5):
            one = sum(
                p * (p / q) ** rate for p, q in zip(first.p, first.q, strict=True)
            )
            given = [
                sum(p * (p / q) ** rate for p, q in zip(pair.p, pair.q, strict=True))
                for pair in after
            ]
            both = sum(
                p * (p / q) ** rate * m
                for p, q, m in zip(first.p, first.q, given, strict=True)
            )
            if both > one * max(given):
                raise Refused(
                    f"{first} and {after} break the composition of one-sided moments at"
                    f" rate {rate}."
                )
            tried += 1
    return tried


ATTACKS = (Attack("moments of random adaptive pairs of releases, exactly", composes),)
