"""What is tried against sensitivity/ratio."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, formula, module, pair_quantile as rules, product, random,
)  # fmt: skip

ENTRY = module("sensitivity/ratio")
high = ENTRY.high
low = ENTRY.low


def moved(seed: int) -> int:
    """Random samples that share all but one value: both quantiles lie between the two common
    values.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(200):
        common = sorted(
            Fraction(rng.randint(0, 9), 3) for _ in range(rng.randint(2, 7))
        )
        rank = rng.randint(2, len(common))
        for _ in range(2):
            value = sorted([*common, Fraction(rng.randint(-3, 12), 3)])[rank - 1]
            tried += 1
            if not common[rank - 2] <= value <= common[rank - 1]:
                raise Refused(f"{common}, rank {rank}: {value}")
    return tried


def levels(seed: int) -> int:
    """Uniform values, known by which of some equal intervals they are in: where two ranks are, by
    enumeration.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        count = rng.randint(1, 4)
        parts = rng.randint(2, 4)
        low = rng.randint(0, parts - 1)
        high = rng.randint(low + 1, parts)
        draws = [
            [-1, *sorted(draw), parts] for draw in product(range(parts), repeat=count)
        ]
        for rank in range(1, count + 2):
            tried += 1
            misses = [
                (low > 0 and draw[rank - 1] < low)
                + (high < parts and draw[rank] >= high)
                for draw in draws
            ]
            chance = min(Fraction(sum(misses), len(draws)), Fraction(1))
            rule = rules.QuantileRule(count + 1, rank, 1, formula(1))
            claimed = rules.outside(
                Fraction(low, parts), Fraction(high, parts), rule
            ).bound()
            if claimed.certainly_below(chance) or claimed.certainly_above(
                chance + Fraction(1, 10**9)
            ):
                raise Refused(
                    f"{count} values, rank {rank}, levels {low}/{parts} to"
                    f" {high}/{parts}: {chance}"
                )
    return tried


ATTACKS = (
    Attack(
        "quantiles of samples that differ in one value lie between the same two",
        moved,
    ),
    Attack("the level of a rank, by enumeration", levels),
)
