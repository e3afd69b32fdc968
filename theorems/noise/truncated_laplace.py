"""The law of the loss of truncated Laplace noise, in scales of the noise.

Printed: not in the sources.
Proved: Let the noise have density exp(-|x|)/(2 (1 - exp(-b))) on [-b, b]. For a move by s <= b the
    loss of an output x around s is s on [s, b], 2x - s on [0, s], -s on [s - b, 0] and infinite
    above b, with the shipped masses and density; for b <= s <= 2b it is 2x - s on [s - b, b] and
    infinite above. With b as the authors print it, the mass at infinity is their delta. The noise
    falls with the distance, so that no smaller move is worse (noise/unimodal).
Idea: Integrals of exponentials.
Source: Geng, Ding, Guo and Kumar, Tight analysis of privacy and utility tradeoff in approximate
    differential privacy (2020), Theorem 1: with A = (Delta/eps) log(1 + (exp(eps) - 1)/(2 delta))
    it is (eps, delta)-differentially private.
"""

from rdpacct.book.words import (
    Attack, Expr, Falsehood, Fraction, Random, Refused, Statement, Status, Symbol, Theorem,
    TruncatedLaplace, at_most, by_prover, equal, exp, far_pair, formula, formulas, log, near_pair,
    only_one_gives, pairwise, parts_LOSS as LOSS, read, stretch_excess,
)  # fmt: skip

x, s, b, m, e, delta, loss = map(Symbol, ("x", "s", "b", "m", "e", "delta", "loss"))
LEFT, RIGHT = (exp(one) / (2 * (1 - exp(-b))) for one in (x - s, s - x))
"""The density around s, before and after s: antiderivatives of themselves, but for a sign."""
NEAR = near_pair(s, b)
TOP, BOTTOM = (part.p for part in NEAR.parts[:2])  # type: ignore[attr-defined]
MIDDLE = NEAR.parts[2].density.at(**{LOSS.name: loss})  # type: ignore[attr-defined]
FAR = far_pair(s, b)
(BETWEEN,) = FAR.parts


def left(low: Expr, high: Expr) -> Expr:
    """The mass between two points before s."""
    return LEFT.at(x=high) - LEFT.at(x=low)


def right(low: Expr, high: Expr) -> Expr:
    """The mass between two points after s."""
    return RIGHT.at(x=low) - RIGHT.at(x=high)


def excess(upto: Expr) -> Expr:
    """An antiderivative, in the loss, of 1 - exp(e - loss) times the density exp(loss/2), over
    the mass that this density has on [-m, m].
    """
    whole = 2 * (exp(m / 2) - exp(-m / 2))
    return 2 * (exp(upto / 2) + exp(e - upto / 2)) / whole


zero = formula(0)
CLOSE = ("0 < s", "s <= b")


def masses(name: str, says: str, shipped: Expr, value: Expr, *given: str) -> Statement:
    """One of the shipped masses is an integral of the density."""
    why = "the antiderivative at the ends"
    return Statement(name, says, equal(shipped, value), by_prover(why), given)


def attack(seed: int) -> int:
    """The shipped delta of growing moves, at random epsilons, near and far."""
    rng = Random(seed)
    for _ in range(10):
        reach = Fraction(rng.randint(5, 40), 10)
        level = Fraction(rng.randint(0, 20), 10)
        moves = sorted(Fraction(rng.randint(1, 80), 10) for _ in range(4))
        deltas = [
            TruncatedLaplace(1, reach, sensitivity=move).loss().delta(level)
            for move in moves
        ]
        if any(less.certainly_above(more) for less, more in pairwise(deltas)):
            raise Refused(f"a smaller move is worse among {moves} for {reach}.")
    return 10


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "what an output tells on each of the intervals, and that the density falls with the"
        " distance, so that noise/unimodal applies",
    ),
    parts=(
        masses(
            "whole",
            "the density is one",
            left(s - b, s) + right(s, s + b),
            formula(1),
            "0 < b",
        ),
        masses("upper", "the mass of the largest loss", TOP, right(s, b), *CLOSE),
        masses(
            "lower",
            "the mass of the smallest loss",
            BOTTOM,
            left(s - b, zero),
            *CLOSE,
        ),
        masses(
            "infinite",
            "the mass at infinity",
            NEAR.at_infinity,
            right(b, s + b),
            *CLOSE,
        ),
        masses(
            "density",
            "the density of the losses between",
            MIDDLE,
            LEFT.at(x=(loss + s) / 2) / 2,
            "0 < b",
        ),
        masses(
            "far density",
            "the same for a larger move",
            BETWEEN.density.at(**{LOSS.name: loss}),  # type: ignore[attr-defined]
            LEFT.at(x=(loss + s) / 2) / 2,
            "0 < b",
        ),
        masses("far ends", "from s - b to b", BETWEEN.high, 2 * b - s),  # type: ignore[attr-defined]
        masses(
            "far infinite",
            "the mass at infinity of a larger move",
            FAR.at_infinity,
            left(b, s) + right(s, s + b),
            "0 < b",
        ),
    ),
    sharp=(
        masses(
            "profile",
            "delta of the losses between, divided by their mass, for -m <= e <= m",
            read(stretch_excess(*formulas(m, e))),
            excess(m) - excess(e),
            "0 < m",
        ),
        Statement(
            "printed",
            "the printed bound has the printed delta, and no larger one",
            equal(only_one_gives(s, log(1 + (exp(s) - 1) / (2 * delta))), delta),
            by_prover("the logarithm and the exponential cancel"),
            ("0 < s", "0 < delta", "delta < 1/2"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the tail of the noise that is cut off is the delta",
            at_most(only_one_gives(s, b), exp(-b)),
            CLOSE,
        ),
        Falsehood(
            "a bound of a few sensitivities has no delta",
            at_most(only_one_gives(s, b), 0),
            CLOSE,
        ),
    ),
    attacks=(Attack("random moves and bounds", attack),),
    rules=(near_pair, far_pair, only_one_gives, stretch_excess),
)
