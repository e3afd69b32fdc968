"""What is tried against matrix/gaussian-mixture."""

from rdpacct.book.words import (
    Attack, Fraction, GaussianMixture, Random, Refused, Relation, math,
)  # fmt: skip


def half_planes(seed: int) -> int:
    """Moves of drawn directions in the plane, each at most as long as its sensitivity, by random
    half-planes in doubles, against the shipped curve.
    """
    rng = Random(seed)
    tried = 0
    for _ in range(12):
        lengths = [Fraction(rng.randint(0, 30), 10) for _ in range(3)]
        cut = sorted(rng.sample(range(1, 10), 2))
        shares = [Fraction(n, 10) for n in (cut[0], cut[1] - cut[0], 10 - cut[1])]
        relation = rng.choice(list(Relation))
        law = GaussianMixture(1, lengths, shares, relation=relation)
        level = Fraction(rng.randint(0, 15), 10)
        most = float(law.profile().delta(level).upper)
        replaced = relation is Relation.REPLACE_ONE
        for _ in range(60):
            edge = rng.uniform(-3, 4)
            way = rng.choice((1, -1))
            with_it = _mass(rng, lengths, shares, edge * way)
            other = math.erfc(edge * way / math.sqrt(2)) / 2
            if replaced:
                other = _mass(rng, lengths, shares, edge * way)
            growth = math.exp(float(level))
            for one, two in ((with_it, other), (other, with_it)):
                for first, second in ((one, two), (1 - one, 1 - two)):
                    tried += 1
                    if first - growth * second > most + 1e-9:
                        raise Refused(f"moves by {lengths} exceed {law} at {level}.")
    return tried


def _mass(
    rng: Random, lengths: list[Fraction], shares: list[Fraction], edge: float
) -> float:
    """The mass beyond a line, of moves that go a part of their length across it."""
    along = [rng.choice((1, 1, -1, rng.uniform(-1, 1))) for _ in lengths]
    return sum(
        float(share) * math.erfc((edge - part * float(length)) / math.sqrt(2)) / 2
        for share, length, part in zip(shares, lengths, along, strict=True)
    )


ATTACKS = (Attack("moves in the plane, by half-planes in doubles", half_planes),)
