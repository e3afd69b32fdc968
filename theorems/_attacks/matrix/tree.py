"""What is tried against matrix/tree."""

from rdpacct.book.words import Attack, Participation, Refused, combinations, tree_square


def all_patterns(_: int) -> int:
    """All patterns of up to three participations in trees of up to 12 steps."""
    tried = 0
    for steps in range(1, 13):
        for times in range(1, 4):
            for apart in range(1, 6):
                taking_part = Participation(steps, times, apart)
                squares = tree_square(taking_part)
                largest = 0
                for pattern in combinations(range(steps), taking_part.most):
                    if taking_part.allows(list(pattern)):
                        largest = max(largest, _square(steps, pattern))
                        tried += 1
                if not squares.lower <= largest <= squares.upper:
                    raise Refused(f"{taking_part} has {largest}, not {squares}.")
    return tried


def _square(steps: int, pattern: tuple[int, ...]) -> int:
    """The squares of the numbers below each node."""
    total = 0
    size = 1
    while size <= steps:
        for start in range(0, steps - size + 1, size):
            total += sum(start <= step < start + size for step in pattern) ** 2
        size *= 2
    return total


ATTACKS = (Attack("all patterns of small trees, exactly", all_patterns),)
