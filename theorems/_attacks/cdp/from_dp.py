"""What is tried against cdp/from-dp."""

from rdpacct.book.words import (
    Attack, Fraction, PureDP, Refused, add, at_most, bounded_pair, exp, log, pure_to_mean_cdp,
    pure_to_zcdp, random,
)  # fmt: skip

TRIES = 150


def attack(seed: int) -> int:
    """Random pairs with ratios in [1/k, k]: mean, one-sided moments, centered moments."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        rate = Fraction(rng.randint(-24, 24), 8)
        pair = bounded_pair(rng, k, rng.randint(2, 4))
        losses = [(a, log(a / b)) for a, b in zip(pair.p, pair.q, strict=True)]
        promise = pure_to_mean_cdp(PureDP(log(k)))
        average = add(*(a * loss for a, loss in losses))
        moment = add(*(a * exp(rate * loss) for a, loss in losses))
        claims = [
            at_most(average, promise.mu),
            at_most(moment, exp(rate * average + (rate * promise.tau) ** 2 / 2)),
        ]
        if rate >= 0:
            claims.append(
                at_most(
                    moment, exp(rate * (rate + 1) * pure_to_zcdp(PureDP(log(k))).rho)
                )
            )
        if any(claim.at({}) is False for claim in claims):
            raise Refused(
                f"the pair {pair} breaks the theorem at k = {k} and t = {rate}."
            )
    return TRIES


ATTACKS = (Attack("random pairs of bounded ratio, at random t", attack),)
