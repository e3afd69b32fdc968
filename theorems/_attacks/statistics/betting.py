"""What is tried against statistics/betting."""

from rdpacct.book.words import (
    Attack, Fraction, HalfPlane, Refused, Wager, fair, product, random,
)  # fmt: skip

TRIES = 12
TRIALS = 5


def attack(seed: int) -> int:
    """Every sequence of a few trials of a true claim, exactly: the probability that the wealth of
    two shipped wagers ever reaches 1/err, if the audit stops there.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        plane = HalfPlane(
            Fraction(0),
            1 + Fraction(rng.randint(0, 20), 10),
            Fraction(rng.randint(0, 3), 10),
        )
        wagers = [
            fair(
                (rng.random(), 1 + rng.random()),
                (1 + rng.random(), rng.random()),
                plane,
            )
            for _ in range(2)
        ]
        q = Fraction(rng.randint(0, 20), 20)
        p = min(plane.growth * q + plane.slack, Fraction(1))
        err = Fraction(rng.randint(2, 8), 10)
        chance = Fraction(0)
        for outputs in product((0, 1), repeat=2 * TRIALS):
            weight, reached = _followed(outputs, wagers, (p, q), 1 / err)
            chance += weight * reached
        if chance > err:
            raise Refused(f"a true claim is refuted with {chance} above {err}.")
    return TRIES


def _followed(
    outputs: tuple[int, ...],
    wagers: list[Wager],
    chances: tuple[Fraction, Fraction],
    goal: Fraction,
) -> tuple[Fraction, bool]:
    """The probability of some outputs, and whether the wealth reaches the goal on the way."""
    p, q = chances
    weight = Fraction(1)
    stakes = [Fraction(1, 2), Fraction(1, 2)]
    reached = False
    for a, b in zip(outputs[::2], outputs[1::2], strict=True):
        weight *= (p if a else 1 - p) * (q if b else 1 - q)
        stakes = [
            stake * wager.likely[a] * wager.rare[b]
            for stake, wager in zip(stakes, wagers, strict=True)
        ]
        reached = reached or sum(stakes) >= goal
    return weight, reached


ATTACKS = (Attack("every sequence of a few trials of a true claim", attack),)
