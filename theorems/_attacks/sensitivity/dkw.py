"""What is tried against sensitivity/dkw."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, ceil, exp, factorial, formula, module, random,
)  # fmt: skip

ENTRY = module("sensitivity/dkw")
eps = ENTRY.eps


def chance_below(size: int, eps: Fraction) -> Fraction:
    """P(sup |H - D| < eps) for continuous H, exactly: the matrix of Durbin, as in Marsaglia, Tsang
    and Wang (2003).
    """
    whole = ceil(size * eps)
    width = 2 * whole - 1
    part = whole - size * eps
    matrix = [
        [Fraction(int(i - j + 1 >= 0)) for j in range(width)] for i in range(width)
    ]
    for i in range(width):
        matrix[i][0] -= part ** (i + 1)
        matrix[width - 1][i] -= part ** (width - i)
    if 2 * part > 1:
        matrix[width - 1][0] += (2 * part - 1) ** width
    for i in range(width):
        for j in range(width):
            if i - j + 1 > 0:
                matrix[i][j] /= factorial(i - j + 1)
    row = [Fraction(int(i == whole - 1)) for i in range(width)]
    for _ in range(size):
        row = [
            sum((row[i] * matrix[i][j] for i in range(width)), Fraction(0))
            for j in range(width)
        ]
    return row[whole - 1] * factorial(size) / Fraction(size) ** size


def exact_law(seed: int) -> int:
    """The exact law of the supremum against the bound."""
    rng = random.Random(seed)
    tried = 0
    for size in (1, 2, 3, 4, 6, 8, 12):
        for _ in range(12):
            eps = Fraction(rng.randint(1, 59), 60)
            tried += 1
            if (
                (1 - chance_below(size, eps) - 2 * exp(formula(-2 * size * eps**2)))
                .ball(128)
                .certainly_positive()
            ):
                raise Refused(f"{size} values, eps = {eps}")
    return tried


ATTACKS = (Attack("the exact law of the supremum of up to 12 values", exact_law),)
