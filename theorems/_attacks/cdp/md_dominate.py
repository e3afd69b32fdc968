"""What is tried against cdp/md-dominate."""

from rdpacct.book.words import (
    Attack, FiniteMechanism, Fraction, InputError, Refused, Sequence, any_pair, at_most,
    bounded_pair, maximally_divergent_above, mean_loss, module, random,
)  # fmt: skip

ENTRY = module("cdp/md-dominate")
a = ENTRY.a
b = ENTRY.b

TRIES = 100


def attack(seed: int) -> int:
    """The shipped split of random pairs: exact masses, ratios and merging, delta in rationals, KL
    in balls.
    """
    rng = random.Random(seed)
    for turn in range(TRIES):
        size = rng.randint(2, 5)
        ratio = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        pair = any_pair(rng, size) if turn % 2 else bounded_pair(rng, ratio, size)
        if pair.p == pair.q:
            continue
        top = max(max(one, 1 / one) for one in pair.ratios())
        above, below_ = maximally_divergent_above(pair.p, pair.q).rows
        at = Fraction(rng.randint(0, 30), 10)
        if (
            any(sum(row) != 1 for row in (above, below_))
            or {a / b for a, b in zip(above, below_, strict=True) if b} - {top, 1 / top}
            or [above[2 * i] + above[2 * i + 1] for i in range(size)] != list(pair.p)
            or [below_[2 * i] + below_[2 * i + 1] for i in range(size)] != list(pair.q)
            or hockey(pair.p, pair.q, at) > hockey(above, below_, at)
            or at_most(mean_loss(pair.p, pair.q), mean_loss(above, below_)).at({})
            is False
            or at_most(mean_loss(pair.q, pair.p), mean_loss(below_, above)).at({})
            is False
        ):
            raise Refused(f"the pair {pair} is not below {above}, {below_}.")
    return TRIES


def edges(seed: int) -> int:
    """Outcomes of mass 0, ratios of any size, equal laws, and laws of different supports, which are
    refused.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        tiny = Fraction(1, rng.randint(3, 10**12))
        p = (tiny, 1 - tiny, Fraction(0))
        q = (1 - tiny, tiny, Fraction(0))
        whole: list[list[Fraction | int]] = [
            [0, tiny, 1 - tiny, 0],
            [0, 1 - tiny, tiny, 0],
        ]
        if maximally_divergent_above(p, q).rows != FiniteMechanism(whole).rows:
            raise Refused(
                f"the pair {p}, {q} is changed, though it is maximally divergent."
            )
        if maximally_divergent_above(p, p).rows != FiniteMechanism([p, p]).rows:
            raise Refused(f"the equal laws {p} are changed.")
        try:
            maximally_divergent_above(p, (1 - tiny, Fraction(0), tiny))
        except InputError:
            continue
        raise Refused("a pair of infinite largest loss is split.")
    return TRIES


def hockey(p: Sequence[Fraction], q: Sequence[Fraction], at: Fraction) -> Fraction:
    """The sum of the positive parts of p - at q."""
    return sum(
        (max(Fraction(0), a - at * b) for a, b in zip(p, q, strict=True)), Fraction(0)
    )


ATTACKS = (
    Attack("random pairs, split by the shipped construction", attack),
    Attack("the shipped construction at its edges", edges),
)
