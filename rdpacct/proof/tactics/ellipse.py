"""The error of a Gauss-Legendre rule for a sampled Laplace loss, on each path of what ships."""

from collections.abc import Callable

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import PI, cos, exp, log, maximum, minimum
from rdpacct.proof.kernel import at_most, below
from rdpacct.proof.tactics.shipped import formulas, read
from rdpacct.proof.tactics.turned import RATE, RATIO, q

a, theta, mu, wide, rho, N = map(Symbol, ("a", "theta", "mu", "wide", "rho", "N"))
FAR = mu + wide * ((rho + 1 / rho) / 2 - 1)
TALL = (rho - 1 / rho) / 2 * wide
"""How far the ellipses reach along the axis, and how high."""


def on_ellipse(
    shipped: Callable[..., object], negative: bool, is_narrow: bool
) -> tuple[Expr, Expr]:
    """What the shipped function computes on the path of this sign of a, and of ellipses that are
    narrow or not, and the product of the bounds on the ellipse.
    """
    power = "a < 0" if negative else "a >= 0"
    width = below(2 * TALL, PI) if is_narrow else at_most(PI, 2 * TALL)
    asked = tuple(map(str, (*RATE, power, "rho > 1", "N >= 2", below(TALL, PI), width)))
    numbers = formulas(mu, q, a, theta, wide, N, rho, given=asked)
    computed = read(shipped(*numbers))
    ends = [exp(a * log(RATIO.at(u=end))) for end in (-FAR, FAR)]
    size = maximum(*ends) * exp((FAR - mu) / 2) / 4
    if negative:
        size = size * exp(a * log(cos(TALL / 2)))
    turn = TALL * minimum(q * exp(FAR) / (1 - q), 1) if is_narrow else TALL
    return computed, wide * size * exp(theta * turn)
