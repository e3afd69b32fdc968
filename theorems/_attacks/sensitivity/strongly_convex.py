"""What is tried against sensitivity/strongly-convex."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, module, random, ridge_most, ridge_move, ridge_reach,
)  # fmt: skip

ENTRY = module("sensitivity/strongly-convex")
u = ENTRY.u
v = ENTRY.v


def estimates(seed: int) -> int:
    """Random records and ridges in rationals: the slope moves by the bound at most, which is at
    most the largest.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(200):
        ends = (Fraction(rng.randint(1, 8), 2), Fraction(rng.randint(1, 8), 2))
        root = Fraction(rng.randint(1, 12), 4)
        ridge = root**2
        turn = min(ends[0], root)
        count = rng.randint(1, 4)
        rows = [
            tuple(end * Fraction(rng.randint(-4, 4), 4) for end in ends)
            for _ in range(count + 1)
        ]
        one = slope(rows[:-1], ridge)
        two = slope([*rows[:-2], rows[-1]], ridge)
        (u, v), (s, z) = rows[-2:]
        limit = ridge_reach(ends[1], turn, ridge)
        move = ridge_move(abs(u**2 - s**2), abs(u * v - s * z), limit, ridge)
        tried += 1
        if (
            count * abs(one - two) > move
            or abs(one) > limit
            or move > ridge_most(*ends, turn, ridge)
        ):
            raise Refused(f"rows {rows}, ridge {ridge}: slopes {one} and {two}")
    return tried


def slope(rows: list[tuple[Fraction, ...]], ridge: Fraction) -> Fraction:
    """The minimizer of the mean of (y - theta x)**2/2 plus ridge theta**2/2."""
    return sum((u * v for u, v in rows), Fraction(0)) / (
        sum((u * u for u, _ in rows), Fraction(0)) + ridge * len(rows)
    )


ATTACKS = (Attack("slopes of random records, every bound in rationals", estimates),)
