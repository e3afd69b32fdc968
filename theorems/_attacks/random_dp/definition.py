"""What is tried against random-dp/definition."""

from rdpacct.book.words import (
    Attack, Fraction, Random, Refused, any_pair, hockey_stick, largest_excess, log, masses, product,
    smallest_gamma,
)  # fmt: skip


def attack(seed: int) -> int:
    """Random pairs: all events against the hockey stick; random releases: both gammas."""
    rng = Random(seed)
    for _ in range(80):
        pair = any_pair(rng, rng.randint(2, 5))
        factor = Fraction(rng.randint(0, 12), 4)
        p_ = dict(enumerate(pair.p))
        q_ = dict(enumerate(pair.q))
        events = product((0, 1), repeat=len(p_))
        best = max(
            sum(
                ((p_[i] - factor * q_[i]) * bit for i, bit in enumerate(one)),
                Fraction(0),
            )
            for one in events
        )
        if best != hockey_stick(p_, q_, factor):
            raise Refused(f"the best event gives {best}.")
        if factor and not largest_excess(p_, q_, log(factor)).bound().contains(best):
            raise Refused(
                f"the best event gives {best}, and not what the formula says."
            )
        population = dict(enumerate(masses(rng, 3)))
        outputs = {(i,): dict(enumerate(masses(rng, 3, 5))) for i in range(3)}
        release = outputs.__getitem__
        ratio = Fraction(rng.randint(4, 9), 4)
        one, both = (
            smallest_gamma(release, population, 1, ratio, both_ways=way)
            for way in (False, True)
        )
        if not one <= both <= 2 * one:
            raise Refused(f"the gammas are {one} and {both}.")
    return 80


ATTACKS = (
    Attack("all events of random pairs, and both gammas of random releases", attack),
)
