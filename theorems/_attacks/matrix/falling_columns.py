"""What is tried against matrix/falling-columns."""

from rdpacct.book.words import (
    Attack, Fraction, Participation, Random, Refused, combinations, square_root_coefficients,
    toeplitz_square,
)  # fmt: skip


def all_patterns(seed: int) -> int:
    """All patterns of short streams, for random coefficients, falling and not."""
    rng = Random(seed)
    tried = 0
    for _ in range(120):
        steps = rng.randint(1, 8)
        numbers = [
            Fraction(rng.randint(-3, 4), 2) for _ in range(rng.randint(1, steps))
        ]
        if rng.random() < 0.5:
            numbers = sorted(map(abs, numbers), reverse=True)
        taking_part = Participation(steps, rng.randint(1, 3), rng.randint(1, 3))
        squares = toeplitz_square(numbers, taking_part)
        for pattern in combinations(range(steps), taking_part.most):
            if taking_part.allows(list(pattern)):
                tried += 1
                if _square(numbers, steps, pattern) > squares.upper:
                    raise Refused(f"{numbers} in the steps {pattern} exceed {squares}.")
    return tried


def _square(numbers: list[Fraction], steps: int, pattern: tuple[int, ...]) -> Fraction:
    """The square for moves by 1 in these steps."""
    total = Fraction(0)
    for row in range(steps):
        terms = (numbers[row - i] for i in pattern if 0 <= row - i < len(numbers))
        total += sum(terms, Fraction(0)) ** 2
    return total


def is_the_square_root(_: int) -> int:
    """The coefficients, multiplied with themselves, are those of all prefix sums: 1 each."""
    numbers = square_root_coefficients(60)
    for index in range(60):
        total = sum(
            (numbers[j] * numbers[index - j] for j in range(index + 1)), Fraction(0)
        )
        if total != 1:
            raise Refused(f"coefficient {index} of the square is {total}.")
    return 60


ATTACKS = (
    Attack("all patterns of short streams, exactly", all_patterns),
    Attack("the square of the square root, exactly", is_the_square_root),
)
