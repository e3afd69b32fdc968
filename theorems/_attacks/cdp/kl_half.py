"""What is tried against cdp/kl-half."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, any_pair, at_most, bounded_pair, equal, log,
    maximally_divergent_above, mean_loss, module, random,
)  # fmt: skip

ENTRY = module("cdp/kl-half")
BOUND = ENTRY.BOUND

TRIES = 200


def attack(seed: int) -> int:
    """Random pairs, most with ratios at the ends 1/k and k, with eps = log k their largest loss."""
    rng = random.Random(seed)
    for turn in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        pair = (
            any_pair(rng, 3)
            if turn % 4 == 0
            else bounded_pair(rng, k, rng.randint(2, 4))
        )
        largest = log(max(max(one, 1 / one) for one in pair.ratios()))
        if at_most(mean_loss(pair.p, pair.q), BOUND.at(eps=largest)).at({}) is False:
            raise Refused(f"the pair {pair} breaks the bound.")
    return TRIES


def through_split(seed: int) -> int:
    """The proof, pair by pair: KL <= KL of the shipped split = eps tanh(eps/2), in both
    directions.
    """
    rng = random.Random(seed)
    for _ in range(TRIES // 2):
        pair = any_pair(rng, rng.randint(2, 4))
        if pair.p == pair.q:
            continue
        rows = maximally_divergent_above(pair.p, pair.q).rows
        value = BOUND.at(eps=log(max(max(one, 1 / one) for one in pair.ratios())))
        for first, second in (rows, rows[::-1]):
            if equal(mean_loss(tuple(first), tuple(second)), value).at({}) is False:
                raise Refused(
                    f"the split of {pair} has a divergence other than eps tanh(eps/2)."
                )
        if at_most(mean_loss(pair.p, pair.q), value).at({}) is False:
            raise Refused(f"the pair {pair} breaks the bound.")
    return TRIES // 2


ATTACKS = (
    Attack("random pairs of bounded ratio", attack),
    Attack("random pairs, through the shipped split", through_split),
)
