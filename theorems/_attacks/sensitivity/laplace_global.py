"""What is tried against sensitivity/laplace-global."""

from rdpacct.book.words import Attack, Fraction, Refused, exp, random


def tails(seed: int) -> int:
    """Exact shares of half-lines of random pairs."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(150):
        a = Fraction(rng.randint(1, 40), 10)
        width = Fraction(rng.randint(1, 20), 4)
        shift = width * Fraction(rng.randint(-4, 4), 4)
        point = Fraction(rng.randint(-40, 40), 4)
        shares = []
        for center in (Fraction(0), shift):
            far = exp(-a * abs(point - center) / width) / 2
            shares.append(far if point <= center else 1 - far)
        for one, two in (shares, [1 - share for share in shares]):
            tried += 1
            if (one - exp(a) * two).ball(128).certainly_positive():
                raise Refused(
                    f"alpha = {a}, s = {width}, shift {shift}, outputs up to {point}"
                )
    return tried


ATTACKS = (Attack("half-lines of random pairs", tails),)
