"""What is tried against cdp/chord."""

from rdpacct.book.words import (
    Attack, Ball, Fraction, Refused, at_crest, crest, masses, moment_chords_chord as chord,
    quotient_at, random,
)  # fmt: skip

TRIES = 150
BITS = 128


def attack(seed: int) -> int:
    """Random losses: the log moment at a point between two others, against the shipped chord, and
    its quotient against that of the chord at the crest.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        weights = masses(rng, rng.randint(2, 5))
        losses = [Fraction(rng.randint(-30, 30), 10) for _ in weights]
        start = Fraction(rng.randint(1, 30), 10)
        length = Fraction(rng.randint(1, 40), 10)
        share = Fraction(rng.randint(0, 8), 8)

        rows = list(zip(weights, losses, strict=True))
        ends = start, start + length
        slope, drop = chord(*ends, *(_log_moment(rows, end) for end in ends))
        between = start + share * length
        value = _log_moment(rows, between)
        if (value - (slope * between - drop)).certainly_positive():
            raise Refused(
                f"the losses {losses} with masses {weights} rise above a chord."
            )
        if not (slope.certainly_positive() and drop.certainly_positive()):
            continue
        square = Fraction(1, rng.randint(1, 3))
        linear = Fraction(rng.randint(0, 1))
        top = crest(slope, drop, linear, square)
        highest = at_crest(top, slope, drop, linear, square)
        if (quotient_at(between, value, linear, square) - highest).certainly_positive():
            raise Refused(
                f"the losses {losses} with masses {weights} exceed the crest."
            )
    return TRIES


def _log_moment(rows: list[tuple[Fraction, Fraction]], t: Fraction) -> Ball:
    """log E exp(t L)."""
    terms = [Ball.of(t * loss, BITS).exp() * weight for weight, loss in rows]
    return sum(terms[1:], start=terms[0]).log()


ATTACKS = (Attack("random losses on at most five points, in balls", attack),)
