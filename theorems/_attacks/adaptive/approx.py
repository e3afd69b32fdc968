"""What is tried against adaptive/approx."""

from rdpacct.book.words import Attack, Fraction, Refused, best_delta, random


def trees(seed: int) -> int:
    """The best strategy against sums of epsilons and deltas, on random menus, in rationals; an
    epsilon is the logarithm of a power of 2.
    """
    rng = random.Random(seed)
    for _ in range(12):
        prices = [(rng.randint(0, 2), Fraction(rng.randint(0, 4), 20)) for _ in "abc"]
        menu = [_worst_pair(Fraction(2) ** power, share) for power, share in prices]
        powers = rng.randint(1, 4)
        share = Fraction(rng.randint(1, 8), 20)

        def allowed(
            spent: tuple[int, Fraction],
            number: int,
            prices: list[tuple[int, Fraction]] = prices,
            caps: tuple[int, Fraction] = (powers, share),
        ) -> tuple[int, Fraction] | None:
            power, mass = prices[number]
            after = (spent[0] + power, spent[1] + mass)
            if after[0] > caps[0] or after[1] > caps[1]:
                return None
            return after

        growth = Fraction(2) ** powers
        found = best_delta(menu, allowed, (0, Fraction(0)), growth, 3)
        if found > share:
            raise Refused(f"a strategy on {prices} has {found} at {growth}.")
    return 12


def _worst_pair(
    growth: Fraction, share: Fraction
) -> tuple[tuple[Fraction, Fraction], ...]:
    """The pair that all others of this epsilon and delta are dominated by."""
    high = (1 - share) * growth / (1 + growth)
    low = (1 - share) / (1 + growth)
    none = Fraction(0)
    return ((share, none), (high, low), (low, high), (none, share))


ATTACKS = (Attack("every strategy on random menus, exactly", trees),)
