"""What is tried against smooth/optimal."""

from rdpacct.book.words import Attack, Fraction, Refused, product, random


def search(seed: int) -> int:
    """Random graphs with exp(-beta) = r: S* is the least fixed point of S = max(LS, r S at
    neighbors).
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(150):
        size = rng.randint(1, 7)
        r = Fraction(rng.randint(1, 9), 10)
        edges = [
            (a, b)
            for a, b in product(range(size), repeat=2)
            if a < b and rng.random() < 0.4
        ]
        near = [
            {b for a, b in [*edges, *((b, a) for a, b in edges)] if a == one}
            for one in range(size)
        ]
        f = [rng.randint(0, 5) for _ in range(size)]
        local = [
            Fraction(max([abs(f[a] - f[b]) for b in near[a]], default=0))
            for a in range(size)
        ]
        star = [
            max(local[b] * r**d for b, d in distances(a, near).items())
            for a in range(size)
        ]
        fixed = local
        for _ in range(size):
            fixed = [
                max([fixed[a], *(r * fixed[b] for b in near[a])]) for a in range(size)
            ]
        if star != fixed:
            raise Refused(
                f"on the graph {edges} with f = {f} the smooth sensitivity is not the"
                " least smooth bound."
            )
        tried += 1
    return tried


def distances(start: int, near: list[set[int]]) -> dict[int, int]:
    """The points that can be reached, with the number of steps."""
    found = {start: 0}
    front = [start]
    for one in front:
        for other in near[one] - found.keys():
            found[other] = found[one] + 1
            front.append(other)
    return found


ATTACKS = (
    Attack("random graphs, against the least smooth bound found by iteration", search),
)
