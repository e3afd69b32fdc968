"""What is tried against cdp/tail."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, add, exp, masses, module, random,
)  # fmt: skip

ENTRY = module("cdp/tail")
rate = ENTRY.rate


def random_tails(seed: int) -> int:
    """Random finite losses: a tau that covers whole rates would have to fail at none; the tail,
    exactly.
    """
    rng = random.Random(seed)
    for _ in range(150):
        values = [Fraction(rng.randint(-30, 30), 10) for _ in range(4)]
        masses_ = masses(rng, 4)
        rate = Fraction(rng.randint(1, 30), 10)
        level = Fraction(rng.randint(-20, 40), 10)
        moment = add(
            *(
                mass * exp(rate * (value - level))
                for mass, value in zip(masses_, values, strict=True)
            )
        )
        beyond = sum(
            mass for mass, value in zip(masses_, values, strict=True) if value >= level
        )
        if (beyond - moment).ball(200).certainly_positive():
            raise Refused(
                f"the tail of {values} with {masses_} exceeds its moment at {rate}."
            )
    return 150


ATTACKS = (
    Attack(
        "tails of random finite losses against their moments, in balls",
        random_tails,
    ),
)
