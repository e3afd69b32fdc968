"""What is tried against cdp/noise-n-queries."""

from rdpacct.book.words import Attack, Fraction, Real, Refused, module, random, sqrt

ENTRY = module("cdp/noise-n-queries")
FIRST = ENTRY.FIRST
SECOND = ENTRY.SECOND
eps = ENTRY.eps


def shifts(seed: int) -> int:
    """Random n and eps: the composed shift against eps and sqrt(eps), in balls."""
    rng = random.Random(seed)
    for _ in range(100):
        values: dict[str, Real] = {
            "n": rng.randint(1, 50),
            "eps": Fraction(rng.randint(1, 40), 10),
        }
        for shift, wanted in ((FIRST, eps), (SECOND, sqrt(eps))):
            gap = (shift - wanted).at(**values).ball(200)
            if gap.certainly_positive() or gap.certainly_negative():
                raise Refused(f"{values}: the shift differs from {wanted}.")
    return 100


ATTACKS = (Attack("composed shifts of random n and eps, in balls", shifts),)
