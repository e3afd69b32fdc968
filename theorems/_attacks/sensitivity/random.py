"""What is tried against sensitivity/random."""

from rdpacct.book.words import (
    Attack, Expr, Fraction, Refused, exact_eta, exp, formula, masses, module, random,
)  # fmt: skip

ENTRY = module("sensitivity/random")
alpha = ENTRY.alpha
beta = ENTRY.beta
beyond = ENTRY.beyond


def scales(seed: int) -> int:
    """One record, random scales, g = 0: exact gamma of the release against the two-sided
    condition.
    """
    rng = random.Random(seed)
    tried = 0
    alpha = Fraction(1)
    beta = Fraction(1)
    for _ in range(12):
        law = masses(rng, 4)
        logs = [Fraction(rng.randint(0, 12), 4) for _ in law]
        chance = Fraction(0)
        beyond = Fraction(0)
        for mine, one in zip(logs, law, strict=True):
            for other, two in zip(logs, law, strict=True):
                tried += 1
                beyond += one * two * (abs(mine - other) > beta)
                chance += one * two * _is_bad(alpha, beta, mine - other)
        if chance > beyond:
            raise Refused(f"{law}, log scales {logs}")
    return tried


def _is_bad(alpha: Fraction, beta: Fraction, ratio: Fraction) -> bool:
    """The hockey stick of equal means certainly exceeds the exact eta; it is largest for the
    broader law first.
    """
    if ratio == 0:
        return False
    spread = exp(formula(abs(ratio))) - 1
    broad: Expr = (1 - exp(formula(-abs(ratio)))) * exp(
        -(2 * alpha + abs(ratio)) / spread
    )
    return (broad - exact_eta(alpha, beta)).ball(128).certainly_positive()


ATTACKS = (Attack("one record with random scales and equal values", scales),)
