"""What is tried against smooth/gaussian."""

from rdpacct.book.words import (
    Attack, Fraction, Refused, chi_tail, module, normal_cdf, random, sqrt,
)  # fmt: skip

ENTRY = module("smooth/gaussian")
dilation_excess = ENTRY.dilation_excess
eps = ENTRY.eps
rho = ENTRY.rho
slide_excess = ENTRY.slide_excess


def search(seed: int) -> int:
    """Random quantiles, eps <= 1 and even d <= rho, in balls: the exact excesses are at most
    delta/2.
    """
    rng = random.Random(seed)
    for _ in range(120):
        eps = Fraction(rng.randint(1, 10), 10)
        rho = Fraction(rng.randint(1, 50), 10)
        d = 2 * rng.randint(1, 5)
        slid = slide_excess(eps / 2, sqrt(rho**2 + eps) - rho) - normal_cdf(-rho)
        far_ = d + Fraction(rng.randint(0, 300), 10)
        dilated = dilation_excess(d, eps / 2, eps / (2 * far_)) - chi_tail(d, far_)
        if any(gap.ball(200).certainly_positive() for gap in (slid, dilated)):
            raise Refused(
                f"normal noise is not admissible for eps = {eps}, rho = {rho} or"
                f" {far_}, d = {d}."
            )
    return 240


ATTACKS = (Attack("exact excesses of slides and dilations", search),)
