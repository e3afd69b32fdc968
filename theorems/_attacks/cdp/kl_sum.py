"""What is tried against cdp/kl-sum."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, at_most, bounded_pair, log, mean_loss, module, random,
)  # fmt: skip

ENTRY = module("cdp/kl-sum")
TWICE = ENTRY.TWICE

TRIES = 200


def attack(seed: int) -> int:
    """Random pairs with ratios in [1/k, k], eps = log k, in balls."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        pair = bounded_pair(rng, k, rng.randint(2, 4))
        if (
            at_most(
                mean_loss(pair.p, pair.q) + mean_loss(pair.q, pair.p),
                TWICE.at(eps=log(k)),
            ).at({})
            is False
        ):
            raise Refused(f"the pair {pair} breaks the bound at k = {k}.")
    return TRIES


ATTACKS = (Attack("random pairs of bounded ratio", attack),)
