"""What is tried against smooth/laplace."""

from rdpacct.book.words import (
    Attack, Expr, Fraction, Refused, exp, formula, gamma_tail, module, random,
)  # fmt: skip

ENTRY = module("smooth/laplace")
d = ENTRY.d
eps = ENTRY.eps


def excess(d: int, half: Fraction, shift: Fraction) -> Expr:
    """The largest P(Z in S) - exp(eps/2) P(Z in exp(l) S), for half = eps/2 and the dilation by
    exp(l).
    """
    if shift < 0 <= half + d * shift:
        return formula(0)
    x = (half + d * formula(shift)) / (exp(shift) - 1)
    if shift > 0:
        return gamma_tail(d, x) - exp(half) * gamma_tail(d, x * exp(shift))
    return (1 - gamma_tail(d, x)) - exp(half) * (1 - gamma_tail(d, x * exp(shift)))


def search(seed: int) -> int:
    """Random d, quantiles with delta < 1, eps <= 1 and dilations, in balls: the exact excess is at
    most delta/2.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(150):
        d = rng.randint(1, 5)
        quantile_ = Fraction(rng.randint(4, 80), 8)
        eps = Fraction(rng.randint(1, 10), 10)
        rest = gamma_tail(d, formula(quantile_))
        shift = (
            rng.choice((-1, 1))
            * eps
            / (2 * quantile_)
            * rng.choice((1, 1, Fraction(1, 2)))
        )
        if not (rest - Fraction(1, 2)).ball(100).certainly_negative():
            continue
        if (excess(d, eps / 2, shift) - rest).ball(100).certainly_positive():
            raise Refused(
                f"Laplace noise in {d} dimensions is not admissible: rho = {quantile_},"
                f" eps = {eps}."
            )
        tried += 1
    return tried


ATTACKS = (Attack("exact excesses in up to five dimensions, delta up to 1", search),)
