"""What is tried against matrix/sensitivity."""

from rdpacct.book.words import (
    Attack, MatrixMechanism, Random, Refused, combinations, math,
)  # fmt: skip


def moves_in_the_plane(seed: int) -> int:
    """Random matrices and patterns, with moves of random directions in the plane in doubles."""
    rng = Random(seed)
    tried = 0
    for _ in range(40):
        steps = rng.randint(1, 5)
        rows = [[rng.randint(-2, 2) for _ in range(steps)] for _ in range(3)]
        rows[0][0] = 1
        times = rng.randint(1, 3)
        apart = rng.randint(1, 2)
        law = MatrixMechanism(1, rows, times, apart)
        squares = law.squares()
        for pattern in combinations(range(steps), min(times, steps)):
            if not law.taking_part.allows(list(pattern)):
                continue
            for _ in range(10):
                moves = [_move(rng) for _ in pattern]
                found = 0.0
                for row in rows:
                    for axis in range(2):
                        terms = zip(pattern, moves, strict=True)
                        found += sum(row[i] * move[axis] for i, move in terms) ** 2
                tried += 1
                if found > float(squares.upper) + 1e-9:
                    raise Refused(f"moves {moves} in {pattern} exceed that of {rows}.")
    return tried


def _move(rng: Random) -> tuple[float, float]:
    """A vector of length at most 1."""
    turn = rng.choice((0.0, math.pi, rng.uniform(0, 2 * math.pi)))
    size = rng.choice((1.0, rng.random()))
    return size * math.cos(turn), size * math.sin(turn)


ATTACKS = (Attack("random matrices and moves in the plane", moves_in_the_plane),)
