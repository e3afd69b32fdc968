"""What is tried against smooth/regression."""

from rdpacct.book.words import Attack, Fraction, Refused, math, random

Vector = tuple[Fraction, Fraction]


def solve(
    rows: list[tuple[Vector, Fraction]], ridge: Fraction
) -> tuple[Vector, Fraction]:
    """The minimizer in the plane, and a number just below the smallest eigenvalue of A."""
    a, b, c = (sum(x[i] * x[j] for x, _ in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    a = a + ridge
    c = c + ridge
    p, q = (sum((x[i] * y for x, y in rows), Fraction(0)) for i in (0, 1))
    determinant = a * c - b * b
    gap = (a - c) ** 2 + 4 * b * b
    root = Fraction(math.isqrt(math.ceil(gap * 10**12)) + 1, 10**6)
    return ((c * p - b * q) / determinant, (a * q - b * p) / determinant), (
        a + c - root
    ) / 2


def search(seed: int) -> int:
    """Random rows in the plane, in rationals: one row added, one row replaced."""
    rng = random.Random(seed)

    def row() -> tuple[Vector, Fraction]:
        return (Fraction(rng.randint(-4, 4)), Fraction(rng.randint(-4, 4))), Fraction(
            rng.randint(-9, 9)
        )

    def gradient(one: tuple[Vector, Fraction], at: Vector) -> Fraction:
        (u, v), y = one
        return (y - u * at[0] - v * at[1]) ** 2 * (u * u + v * v)

    for _ in range(200):
        rows = [row() for _ in range(3)]
        new = row()
        ridge = Fraction(rng.randint(1, 9), rng.randint(1, 9))
        theta, least = solve(rows, ridge)
        if least <= 0:
            continue
        more, _ = solve([*rows, new], ridge)
        other, _ = solve([*rows[1:], new], ridge)
        moves = [(v[0] - theta[0]) ** 2 + (v[1] - theta[1]) ** 2 for v in (more, other)]
        limits = (
            min(gradient(new, more), gradient(new, theta)),
            4 * max(gradient(one, other) for one in (rows[0], new)),
        )
        if any(
            least**2 * move > limit for move, limit in zip(moves, limits, strict=True)
        ):
            raise Refused(f"the minimizer of {rows} moves too far for {new}.")
    return 200


ATTACKS = (
    Attack(
        "random rows in the plane, against a number just below the smallest eigenvalue",
        search,
    ),
)
