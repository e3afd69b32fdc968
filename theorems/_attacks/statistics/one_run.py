"""What is tried against statistics/one-run."""

from rdpacct.book.words import (
    Attack, Fraction, Random, Refused, accuracy, comb, combinations, masses, product, tail_limit,
)  # fmt: skip

Output = tuple[int, ...]
"""For each coin 1 if it is called in, -1 if it is called out, 0 if it is not guessed."""
Joint = dict[Output, dict[Output, Fraction]]
"""The law of the guesses for each outcome of the coins, which are 1 and -1."""


def limit(
    coins: int, guesses: int, count: int, factor: Fraction, delta: Fraction, kinds: int
) -> Fraction:
    """The shipped limit, with exact binomial probabilities."""
    right = accuracy(factor)
    law = [
        comb(guesses, k) * right**k * (1 - right) ** (guesses - k)
        for k in range(guesses + 1)
    ]
    tail = sum(law[count:], Fraction(0))
    bound: Fraction = tail_limit(tail, 1 - tail, law[count], count, coins, delta, kinds)
    return min(Fraction(1), bound)


def excess(joint: Joint, factor: Fraction) -> Fraction:
    """The smallest delta of the mechanism at this factor: the largest excess over all coins."""
    worst = Fraction(0)
    for coins, law in joint.items():
        for place in range(len(coins)):
            other = joint[(*coins[:place], -coins[place], *coins[place + 1 :])]
            stick = sum(
                (max(law[t] - factor * other[t], Fraction(0)) for t in law), Fraction(0)
            )
            worst = max(worst, stick)
    return worst


def tail(joint: Joint, count: int) -> Fraction:
    """The probability that at least so many guesses are right."""
    found = Fraction(0)
    for coins, law in joint.items():
        for guess, mass in law.items():
            right = sum(one == other for one, other in zip(coins, guess, strict=True))
            found += mass * (right >= count)
    return found / len(joint)


def outputs(coins: int, guesses: int, kinds: int) -> list[Output]:
    """All guesses of so many coins."""
    called = (1, -1) if kinds == 2 else (1,)
    found = []
    for places in combinations(range(coins), guesses):
        for signs in product(called, repeat=guesses):
            guess = [0] * coins
            for place, sign in zip(places, signs, strict=True):
                guess[place] = sign
            found.append(tuple(guess))
    return found


def random_joint(rng: Random, coins: int, guesses: int, kinds: int) -> Joint:
    """A mechanism that leans to the right guesses of some outcomes, and mixes it with others."""
    possible = outputs(coins, guesses, kinds)
    joint: Joint = {}
    for sides in product((1, -1), repeat=coins):
        drawn = masses(rng, len(possible))
        lean = rng.choice((0, 1, 3, 20))
        weights = [
            mass * (1 + lean) ** sum(a == b for a, b in zip(sides, guess, strict=True))
            for mass, guess in zip(drawn, possible, strict=True)
        ]
        whole = sum(weights, Fraction(0))
        joint[sides] = {
            guess: weight / whole
            for guess, weight in zip(possible, weights, strict=True)
        }
    return joint


def attack(seed: int) -> int:
    """Random mechanisms of up to three coins, every number of guesses and of right ones."""
    rng = Random(seed)
    tried = 0
    for _ in range(60):
        coins = rng.randint(1, 3)
        guesses = rng.randint(1, coins)
        kinds = rng.choice((1, 2))
        joint = random_joint(rng, coins, guesses, kinds)
        factor = 1 + Fraction(rng.randint(0, 40), 4)
        delta = excess(joint, factor)
        for count in range(1, guesses + 1):
            most = limit(coins, guesses, count, factor, delta, kinds)
            if tail(joint, count) > most:
                raise Refused(
                    f"{joint} has {count} right guesses more often than {most}."
                )
            tried += 1
    return tried


def worst(
    coins: int, guesses: int, count: int, factor: Fraction, top: Fraction
) -> Joint:
    """The mechanism that attains the limit: with r random coins, any W of them guessed right, where
    W has the binomial law but for the probability ``top`` of at least ``count``.
    """
    right = accuracy(factor)
    one = [right**k * (1 - right) ** (guesses - k) for k in range(guesses + 1)]
    tail_ = sum(
        (comb(guesses, k) * one[k] for k in range(count, guesses + 1)), Fraction(0)
    )
    joint: Joint = {}
    places = comb(coins, guesses)
    for sides in product((1, -1), repeat=coins):
        law = {}
        for guess in outputs(coins, guesses, 2):
            hits = sum(a == b for a, b in zip(sides, guess, strict=True))
            scale = top / tail_ if hits >= count else (1 - top) / (1 - tail_)
            law[guess] = scale * one[hits] / places
        joint[sides] = law
    return joint


def attained(seed: int) -> int:
    """The worst mechanisms: their delta and their tail, in exact numbers."""
    rng = Random(seed)
    for _ in range(40):
        coins = rng.randint(1, 4)
        guesses = rng.randint(1, coins)
        count = rng.randint(1, guesses)
        factor = 1 + Fraction(rng.randint(0, 12), 4)
        free = limit(coins, guesses, count, factor, Fraction(0), 2)
        top = free + (1 - free) * Fraction(rng.randint(0, 10), 10)
        joint = worst(coins, guesses, count, factor, top)
        delta = excess(joint, factor)
        reached = limit(coins, guesses, count, factor, delta, 2)
        if not tail(joint, count) == top == reached:
            raise Refused(f"{joint} attains {tail(joint, count)}, not {reached}.")
    return 40


ATTACKS = (
    Attack("random mechanisms of up to three coins", attack),
    Attack("the mechanisms that attain the limit", attained),
)
