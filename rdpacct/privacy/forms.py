"""Closed forms of a privacy loss: shortcuts that the laws compare with its parts."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real
from rdpacct.privacy.transform import Transform


@dataclass(frozen=True, slots=True)
class Forms:
    """Closed forms that a loss has; each returns the exact value, and the laws check it against the
    parts.

    A form is a function, called when its question is asked, so that an answer rests on the forms
    that it used only.
    """

    mean: Callable[[], Expr] | None = None
    delta: Callable[[Real], Expr] | None = None
    """From epsilon >= 0 to delta."""
    epsilon: Callable[[Fraction], Bound | None] | None = None
    """From delta > 0 to the smallest epsilon >= 0, or to None to have it searched for."""
    tradeoff: Callable[[Fraction], Bound] | None = None
    """From a false positive rate above 0 and below 1 to the smallest false negative rate."""
    log_moment: Callable[[Real], Expr | None] | None = None
    """From a rate to the logarithm of the expectation of exp(rate L); None for rates without a
    closed form.
    """
    tau_squared: Callable[[], Expr] | None = None
    """The square of the tight tau, about the mean and for all real rates."""
    rho: Callable[[], Expr] | None = None
    """The smallest rho with Renyi divergence at most rho * order, at every order above 1."""
    rho_at_both_ends: bool = False
    """The Renyi divergence is near rho * order for orders near 1 and for arbitrarily large ones."""
    transform: Transform | None = None
    """The expectation of exp(z L) over finite losses, for complex z."""
    gaussian_mu: Expr | None = None
    """The smallest mu for which the pair is no easier to tell apart than N(0, 1) from N(mu, 1)."""

    def log_moment_at(self, rate: Fraction) -> Expr | None:
        """The log moment at a rate, or None where there is no form or it is written as 0/0."""
        try:
            if self.log_moment is None:
                return None
            return self.log_moment(rate)
        except ZeroDivisionError:
            return None
