"""What is tried against smooth/cauchy-like."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, exp, formula, log, module, random,
)  # fmt: skip

ENTRY = module("smooth/cauchy-like")
g = ENTRY.g
z = ENTRY.z


def search(seed: int) -> int:
    """Random g, places, slides and dilations, in balls: the log ratios are at most eps/2."""
    rng = random.Random(seed)
    for _ in range(100):
        g = Fraction(rng.randint(11, 60), 10)
        z = Fraction(rng.randint(1, 90), rng.choice((10, 100)))
        move = Fraction(rng.randint(1, 40), 10)
        turn = Fraction(rng.randint(-20, 20), 10)
        slope = formula(g - 1) ** ((g - 1) / g)
        there = formula(z + move)
        slid = log(1 + there**g) - log(1 + formula(z) ** g) - slope * move
        dilated = (
            log(1 + formula(z) ** g * exp(g * turn))
            - turn
            - log(1 + formula(z) ** g)
            - max(Fraction(1), g - 1) * abs(turn)
        )
        if any(gap.ball(100).certainly_positive() for gap in (slid, dilated)):
            raise Refused(
                f"the noise is not admissible: g = {g}, z = {z}, slide {move}, dilation"
                f" {turn}."
            )
    return 200


ATTACKS = (Attack("random exponents, places, slides and dilations", search),)
