"""The privacy guarantees. Each class is one definition, and its docstring is that definition.

Throughout, P and Q are the output laws of a mechanism on two neighboring data sets, in either order, and
L = log dP/dQ is the privacy loss under P. Parameters are exact: numbers, or formulas such as tanh(1/2).
"""

from dataclasses import KW_ONLY, dataclass, fields

from rdpacct.exact.formula import Expr
from rdpacct.exact.parameter import Parameter


class Guarantee:
    """A promise about every pair of neighboring data sets, with exact parameters."""

    def parameters(self) -> dict[str, Expr]:
        """The parameters by name, in order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={value}" for name, value in self.parameters().items())
        return f"{type(self).__name__}({inside})"


@dataclass(frozen=True)
class PureDP(Guarantee):
    """P(S) <= exp(epsilon) Q(S) for every event S."""

    epsilon: Parameter = Parameter()


@dataclass(frozen=True)
class ApproxDP(Guarantee):
    """P(S) <= exp(epsilon) Q(S) + delta for every event S."""

    epsilon: Parameter = Parameter()
    delta: Parameter = Parameter(most=1)


@dataclass(frozen=True)
class RenyiDP(Guarantee):
    """The Renyi divergence of order alpha > 1, log E exp((alpha - 1) L) / (alpha - 1), is at most epsilon."""

    alpha: Parameter = Parameter(least=1, above_least=True)
    epsilon: Parameter = Parameter()


@dataclass(frozen=True)
class ZCDP(Guarantee):
    """The Renyi divergence of every order alpha > 1 is at most xi + rho alpha (Bun and Steinke); xi may be negative."""

    rho: Parameter = Parameter()
    xi: Parameter = Parameter(least=None, default=0)


@dataclass(frozen=True)
class MeanCDP(Guarantee):
    """E L <= mu, and E exp(t (L - E L)) <= exp(t**2 tau**2/2) for all real t (Dwork and Rothblum)."""

    mu: Parameter = Parameter()
    tau: Parameter = Parameter()


@dataclass(frozen=True)
class GaussianDP(Guarantee):
    """No test tells P from Q better than the best test tells N(mu, 1) from N(0, 1)."""

    mu: Parameter = Parameter()


@dataclass(frozen=True)
class RandomDP(Guarantee):
    """P(S) <= exp(alpha) Q(S) + eta for every event S, except for data drawn with probability at most gamma.

    The data are n + 1 independent draws from one unknown law; the neighbors are the first n of them and the same
    with the last one replaced (Hall, Rinaldo and Wasserman). It is not a promise about each pair of data sets.
    """

    alpha: Parameter = Parameter()
    eta: Parameter = Parameter(most=1, default=0)
    _: KW_ONLY
    gamma: Parameter = Parameter(most=1)


GUARANTEES: tuple[type[Guarantee], ...] = (PureDP, ApproxDP, RenyiDP, ZCDP, MeanCDP, GaussianDP, RandomDP)
"""Every guarantee, in the order in which the documentation speaks of them."""
