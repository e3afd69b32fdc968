"""What is tried against adaptive/odometer."""

from rdpacct.book.words import (
    Attack, FiniteMechanism, Fraction, Pair, Refused, RenyiOdometer, any_pair, best_reach, log,
    random,
)  # fmt: skip

Amounts = tuple[Fraction, ...]


def trees(seed: int) -> int:
    """The best strategy against the smallest of two bounds, on random menus, exactly."""
    rng = random.Random(seed)
    for _ in range(8):
        pairs = [any_pair(rng, 2) for _ in "ab"]
        delta = Fraction(rng.randint(2, 9), 10)
        orders = [1 + Fraction(1, 2), 1 + Fraction(2) ** rng.randint(0, 3)]
        held = RenyiOdometer(orders, delta)
        found = _most_often(held, pairs)
        if found > delta:
            raise Refused(f"a strategy on {pairs} has {found} at {delta}.")
    return 8


def _most_often(held: RenyiOdometer, pairs: list[Pair]) -> Fraction:
    """How often the loss of the best strategy reaches the reading at some time."""
    prices = [held.price(FiniteMechanism([one.p, one.q])) for one in pairs]
    tables = [tuple(zip(one.p, one.q, strict=True)) for one in pairs]

    def after(spent: Amounts, number: int) -> Amounts:
        return tuple(x + y for x, y in zip(spent, prices[number], strict=True))

    def reached(spent: Amounts, ratio: Fraction) -> bool:
        return not log(ratio).bound().certainly_below(held.level(spent))

    return best_reach(tables, after, reached, held.nothing, 3)


ATTACKS = (Attack("every strategy on random menus, exactly", trees),)
