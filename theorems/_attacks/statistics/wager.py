"""What is tried against statistics/wager."""

from rdpacct.book.words import (
    Attack, Fraction, HalfPlane, Refused, Wager, largest_mean, mean_factor, random,
)  # fmt: skip

TRIES = 300


def attack(seed: int) -> int:
    """Random wagers and half planes: the shipped largest mean against the means of random pairs,
    most of them on the line or at its ends.
    """
    rng = random.Random(seed)

    def part() -> Fraction:
        return Fraction(rng.randint(0, 60), 60)

    for _ in range(TRIES):
        slack = part() / 2 if rng.random() < 0.7 else Fraction(0)
        plane = HalfPlane(Fraction(0), 1 + 4 * part(), slack)
        least = part()
        low = part()
        wager = Wager((least, least + 2 * part()), (low + 2 * part(), low))
        most = largest_mean(wager, plane)
        for turn in range(30):
            q = part()
            line = min(plane.growth * q + slack, Fraction(1))
            p = line if turn % 3 else line * part()
            if mean_factor(p, q, wager.likely, wager.rare) > most:
                raise Refused(f"{wager} has a larger mean than {most} at {p}, {q}.")
    return TRIES


ATTACKS = (Attack("random wagers, half planes and pairs", attack),)
