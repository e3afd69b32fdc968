"""What is tried against cdp/group-gaussian."""

from rdpacct.book.words import (
    Attack, Fraction, Gaussian, Refused, data_set, random, tau,
)  # fmt: skip


def sums(seed: int) -> int:
    """Random data sets and the sum of their rows: s changed rows move it by at most s Delta,
    exactly.
    """
    rng = random.Random(seed)
    for _ in range(200):
        rows = list(data_set(rng, 4, 6))
        size = rng.randint(1, 6)
        moved = list(rows)
        for place in rng.sample(range(6), size):
            moved[place] = rng.randrange(4)
        shift = Gaussian(
            Fraction(1, 2), sensitivity=max(abs(sum(rows) - sum(moved)), 1)
        ).shift
        if (
            tau(shift)
            .bound()
            .certainly_above(
                tau(Gaussian(Fraction(1, 2), sensitivity=3 * size).shift).bound()
            )
        ):
            raise Refused(
                f"{rows} and {moved} are further apart than {size} steps allow."
            )
    return 200


ATTACKS = (Attack("sums of random data sets with some rows changed, exactly", sums),)
