"""What is tried against cdp/hoeffding."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, add, at_most, exp, masses, random,
)  # fmt: skip

TRIES = 200


def attack(seed: int) -> int:
    """Random centered variables in rationals, at random t."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        weights = masses(rng, rng.randint(2, 4))
        values = [Fraction(rng.randint(-20, 20), 4) for _ in weights]
        mean = sum((w * x for w, x in zip(weights, values, strict=True)), Fraction(0))
        rate = Fraction(rng.randint(-30, 30), 10)
        moment = add(
            *(w * exp(rate * (x - mean)) for w, x in zip(weights, values, strict=True))
        )
        width = max(values) - min(values)
        if at_most(moment, exp(rate**2 * width**2 / 8)).at({}) is False:
            raise Refused(
                f"{values} with the probabilities {weights} break the lemma at t ="
                f" {rate}."
            )
    return TRIES


ATTACKS = (Attack("random variables on at most four points, at random t", attack),)
