"""What is tried against selection/best-run: exact laws of the best of several runs."""

from rdpacct.book.words import (
    Attack, Fraction, Random, Refused, best_run_delta, pairwise, spare_growth,
)  # fmt: skip


def attack(seed: int) -> int:
    """Random pairs of one run and the best of geometrically many, in exact rationals: the hockey
    stick at random levels against m times that of one run.
    """
    rng = Random(seed)
    for _ in range(100):
        size = rng.choice((2, 3, 4))
        rows = [[Fraction(rng.randint(1, 12)) for _ in range(size)] for _ in range(2)]
        first, second = ([one / sum(row) for one in row] for row in rows)
        share = Fraction(rng.randint(1, 9), 10)
        factor = least_growth(first, second, share)
        level = Fraction(rng.randint(5, 60), 10)
        best_stick = hockey(best(first, share), best(second, share), level)
        one_stick = hockey(first, second, level / factor**2)
        if best_stick > best_run_delta(1 / share, one_stick):
            raise Refused(f"{rows} with {share} lose more at {level}.")
    return 100


def hockey(first: list[Fraction], second: list[Fraction], level: Fraction) -> Fraction:
    """The hockey stick of two rows."""
    rows = zip(first, second, strict=True)
    return sum((max(x - level * y, Fraction(0)) for x, y in rows), Fraction(0))


def least_growth(
    first: list[Fraction], second: list[Fraction], share: Fraction
) -> Fraction:
    """A growth with room for the stick of the exchanged pair, near the least one."""
    growth = Fraction(1)
    while spare_growth(share, growth, hockey(second, first, growth)) < 0:
        growth += Fraction(1, 50)
    return growth


def best(law: list[Fraction], share: Fraction) -> list[Fraction]:
    """The law of the best output of a geometric number of runs, the last output being the best."""
    reached = [Fraction(0)]
    for one in law:
        reached.append(reached[-1] + one)
    values = [share * x / (1 - (1 - share) * x) for x in reached]
    return [after - before for before, after in pairwise(values)]


ATTACKS = (Attack("the best of geometrically many runs", attack),)
