"""What is tried against cdp/md-symmetric."""

from rdpacct.book.words import Attack, Fraction, Refused, equal, log, module, random

ENTRY = module("cdp/md-symmetric")
LIKELY = ENTRY.LIKELY
RARE = ENTRY.RARE

TRIES = 200


def attack(seed: int) -> int:
    """Random ratios k and random masses of the outcome of ratio 1, in rationals."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 60), rng.randint(1, 20))
        neutral = Fraction(rng.randint(0, 9), 10)
        high, low = (mass.at(eps=log(k), n=neutral) for mass in (LIKELY, RARE))
        p = [(1 - neutral) * k / (1 + k), neutral, (1 - neutral) / (1 + k)]
        q = [
            mass / ratio for mass, ratio in zip(p, (k, Fraction(1), 1 / k), strict=True)
        ]
        if sum(p) != 1 or sum(q) != 1 or q != p[::-1]:
            raise Refused(
                f"the pair of ratio {k} and neutral mass {neutral} is not symmetric."
            )
        if equal(high, p[0]).at({}) is False or equal(low, p[2]).at({}) is False:
            raise Refused(
                f"the masses of the package at ratio {k} and neutral mass {neutral} are"
                " not those of the pair."
            )
    return TRIES


ATTACKS = (
    Attack(
        "random maximally divergent pairs, with the masses that the package gives",
        attack,
    ),
)
