"""Every mechanism of few coins in exact numbers: the law of its guesses, its delta, and how many
guesses are right; for comparison with the limits of one-run audits.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb
from random import Random

Sides = tuple[int, ...]
"""For each coin 1 (in) or -1 (out); of a guess also 0, for a coin that is not guessed."""
Joint = dict[Sides, dict[Sides, Fraction]]
"""The law of the guesses for each outcome of the coins."""
ZERO = Fraction(0)


def binomial(trials: int, right: Fraction) -> list[Fraction]:
    """The binomial probabilities."""
    return [
        comb(trials, k) * right**k * (1 - right) ** (trials - k)
        for k in range(trials + 1)
    ]


def exact_limit(
    coins: int, guesses: int, count: int, odds: Fraction, delta: Fraction, kinds: int
) -> Fraction:
    """The limit of the theorem, retyped, in fractions."""
    law = binomial(guesses, odds / (1 + odds))
    tail = sum(law[count:], ZERO)
    leak = coins * delta * Fraction(kinds, 2)
    return min(Fraction(1), tail + leak * tail * (1 - tail) / (count * law[count]))


def outcomes(coins: int) -> Iterator[Sides]:
    """All outcomes of the coins."""
    return product((1, -1), repeat=coins)


def guesses_of(coins: int, guesses: int, called: Sides = (1, -1)) -> list[Sides]:
    """All guesses of so many coins."""
    found = []
    for places in combinations(range(coins), guesses):
        for signs in product(called, repeat=guesses):
            at = dict(zip(places, signs, strict=True))
            found.append(tuple(at.get(place, 0) for place in range(coins)))
    return found


def hits(sides: Sides, guess: Sides) -> int:
    """How many guesses are right."""
    return sum(one == other for one, other in zip(sides, guess, strict=True))


def delta_of(joint: Joint, odds: Fraction) -> Fraction:
    """The smallest delta at exp(epsilon) = odds: the largest excess between neighbors."""
    worst = ZERO
    for sides, law in joint.items():
        for place in range(len(sides)):
            other = joint[(*sides[:place], -sides[place], *sides[place + 1 :])]
            sticks = (max(law[t] - odds * other[t], ZERO) for t in law)
            worst = max(worst, sum(sticks, ZERO))
    return worst


def tail_of(joint: Joint, count: int) -> Fraction:
    """The probability that at least so many guesses are right, over fair coins."""
    total = ZERO
    for sides, law in joint.items():
        total += sum((law[t] for t in law if hits(sides, t) >= count), ZERO)
    return total / len(joint)


def responses(coins: int, odds: Fraction) -> Joint:
    """Randomized response of each coin."""
    right = odds / (1 + odds)
    return {
        sides: {
            guess: right ** hits(sides, guess)
            * (1 - right) ** (coins - hits(sides, guess))
            for guess in outcomes(coins)
        }
        for sides in outcomes(coins)
    }


def leaking(coins: int, odds: Fraction, leaks: int, share: Fraction) -> Joint:
    """Randomized responses, of which a random set of so many is replaced by the truth, in a share
    of the runs.
    """
    right = odds / (1 + odds)
    places = list(combinations(range(coins), leaks))
    joint: Joint = {}
    for sides in outcomes(coins):
        law = dict.fromkeys(outcomes(coins), ZERO)
        for guess in law:
            plain = right ** hits(sides, guess) * (1 - right) ** (
                coins - hits(sides, guess)
            )
            law[guess] += (1 - share) * plain
            for told in places:
                if all(sides[k] == guess[k] for k in told):
                    kept = hits(sides, guess) - leaks
                    rest = right**kept * (1 - right) ** (coins - leaks - kept)
                    law[guess] += share * rest / len(places)
        joint[sides] = law
    return joint


def attaining(
    coins: int, guesses: int, count: int, odds: Fraction, top: Fraction
) -> Joint:
    """The mechanism of the theorem in which at least ``count`` guesses are right with probability
    ``top``.
    """
    right = odds / (1 + odds)
    law = binomial(guesses, right)
    tail = sum(law[count:], ZERO)
    joint: Joint = {}
    for sides in outcomes(coins):
        joint[sides] = {}
        for guess in guesses_of(coins, guesses):
            got = hits(sides, guess)
            scale = top / tail if got >= count else (1 - top) / (1 - tail)
            each = law[got] / comb(guesses, got) / comb(coins, guesses)
            joint[sides][guess] = scale * each
    return joint


def drawn(rng: Random, coins: int, guesses: int, called: Sides) -> Joint:
    """A mechanism with random laws that lean towards the truth, here more and there less."""
    possible = guesses_of(coins, guesses, called)
    joint: Joint = {}
    for sides in outcomes(coins):
        lean = rng.choice((1, 2, 5, 30))
        weights = {
            guess: Fraction(rng.randint(0, 9) + 1) * lean ** hits(sides, guess)
            for guess in possible
        }
        whole = sum(weights.values(), ZERO)
        joint[sides] = {guess: weight / whole for guess, weight in weights.items()}
    return joint
