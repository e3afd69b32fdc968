"""The privacy guarantees. Each class is one definition, and its docstring is that definition.

Throughout, P and Q are the output laws of a mechanism on two neighboring data sets, in either
order, and L = log dP/dQ is the privacy loss under P. Parameters are exact: numbers, or formulas
such as tanh(1/2).
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeVar

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, decimal_text, listed, rational, shorten
from rdpacct.exact.parameter import CheckedField, Parameter
from rdpacct.provenance import Asked, record

G = TypeVar("G", bound="Guarantee")

MOST_POINTS = 1000
"""The most points by which a profile may be given."""


class Guarantee(Asked, questions=("to", "compose", "group", "post_process")):
    """A promise about every pair of neighboring data sets, with exact parameters.

    Each can be asked what it says in the words of another, what several of it amount to, what a
    group is promised, and what is left after processing. An answer is a guarantee again, and
    ``rests_on`` the theorems behind it; what no theorem gives is refused.
    """

    rests_on: frozenset[str] = frozenset()
    """The theorems of the rules that led here; none for a guarantee that was simply stated."""
    also_called: ClassVar[tuple[str, ...]] = ()
    """Other names of it, in papers and in other libraries."""
    instead_of: ClassVar[Mapping[str, str]] = {}
    """What to write in place of parameters that it has under other names, or not at all."""

    def to(self, target: type[G], **free: Any) -> G:
        """The guarantee of another kind that follows, as in ``ZCDP("0.1").to(ApproxDP,
        delta="1e-6")``.

        What is free has the name of its parameter: the epsilon or the delta of ApproxDP, the alpha
        of RenyiDP, the alpha or the eta of RandomDP; for ProfileDP give a list of ``epsilons`` or
        ``deltas``.
        """
        from rdpacct.privacy.conversion_table import convert

        return convert(self, target, free)

    def compose(self, *others: "Guarantee", fixed: bool = False) -> Self:
        """The guarantee of several releases of the same data, each of which has one of these
        guarantees.

        Later releases may depend on earlier outputs. MeanCDP and RandomDP do not allow that: say
        ``fixed=True`` if all releases are fixed in advance, with independent noise.
        """
        from rdpacct.privacy.compose import compose

        for other in others:
            record(getattr(other, "rests_on", ()))
        return compose(self, others, fixed)

    def group(self, size: int) -> Self:
        """The guarantee for data sets that are ``size`` single steps of the relation apart."""
        from rdpacct.privacy.group import group

        grouped: Self = group(self, size)  # type: ignore[assignment]
        return grouped

    def post_process(self) -> Self:
        """The guarantee of any function of the output that is chosen without looking at the
        data.
        """
        from rdpacct.privacy.post_processing import post_process

        processed: Self = post_process(self)  # type: ignore[assignment]
        return processed

    def resting_on(self, theorems: frozenset[str]) -> Self:
        """The same guarantee, which rests on these theorems."""
        if theorems == self.rests_on:
            return self
        marked = copy(self)
        object.__setattr__(marked, "rests_on", theorems)
        return marked

    def parameters(self) -> dict[str, Expr]:
        """The parameters by name, in order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        inside = ", ".join(
            f"{name}={value}" for name, value in self.parameters().items()
        )
        return f"{type(self).__name__}({inside})"

    def __repr__(self) -> str:
        return str(self)

    def __add__(self, other: object) -> Any:
        if isinstance(other, Guarantee):
            raise _no_sum()
        return NotImplemented

    def __radd__(self, other: object) -> Any:
        if other == 0:
            raise _no_sum()
        return NotImplemented

    def __rmul__(self, count: object) -> Any:
        raise TypeError(
            f"a guarantee is repeated as a release; write {count}*Promised({self})."
        )

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):
            cls.__repr__ = Guarantee.__repr__  # type: ignore[method-assign]


def _no_sum() -> TypeError:
    return TypeError(
        "a sum of guarantees alone begins with a plan; write sum(promises,"
        " start=Plan.of()), or compose them."
    )


class PointsIn(CheckedField["Sequence[Sequence[Number]]", "PointList"]):
    """A field that holds points (epsilon, delta) with exact numbers, in the order of epsilon."""

    def checked(self, given: "Sequence[Sequence[Number]]") -> "PointList":
        given = listed(given)
        if (
            isinstance(given, str)
            or not isinstance(given, Sequence)
            or not 1 <= len(given) <= MOST_POINTS
        ):
            raise InputError(
                f"the points are {shorten(str(given))}; give 1 to {MOST_POINTS} pairs"
                " [epsilon, delta]."
            )
        points = PointList(sorted(map(_point, given)))
        if len({level for level, _ in points}) < len(points):
            raise InputError(
                "two of the points have the same epsilon; give one delta for each."
            )
        return points


class PointList(tuple[tuple[Fraction, Fraction], ...]):
    """Points (epsilon, delta), which print as they are written."""

    __slots__ = ()

    def __str__(self) -> str:
        return (
            "["
            + ", ".join(
                f"[{decimal_text(level)}, {decimal_text(mass)}]" for level, mass in self
            )
            + "]"
        )


def _point(given: "Sequence[Number]") -> tuple[Fraction, Fraction]:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise InputError(
            f"a point of the profile is {shorten(str(given))}; give a pair [epsilon,"
            " delta]."
        )
    level = rational(given[0], "epsilon")
    mass = rational(given[1], "delta")
    if level < 0:
        raise InputError(
            f"a point has the epsilon {decimal_text(level)}, but must have at least 0;"
            " give such a value."
        )
    if not 0 <= mass <= 1:
        raise InputError(
            f"a point has the delta {decimal_text(mass)}, but must have one from 0 to"
            " 1; give one."
        )
    return level, mass


@dataclass(frozen=True)
class PureDP(Guarantee):
    """P(S) <= exp(epsilon) Q(S) for every event S."""

    also_called: ClassVar[tuple[str, ...]] = (
        "EpsilonDP",
        "EDP",
        "DP",
        "DifferentialPrivacy",
    )
    epsilon: Parameter = Parameter()


@dataclass(frozen=True)
class ApproxDP(Guarantee):
    """P(S) <= exp(epsilon) Q(S) + delta for every event S."""

    also_called: ClassVar[tuple[str, ...]] = (
        "EpsilonDelta",
        "EpsilonDeltaDP",
        "DP",
        "DifferentialPrivacy",
    )
    epsilon: Parameter = Parameter()
    delta: Parameter = Parameter(most=1)


@dataclass(frozen=True)
class RenyiDP(Guarantee):
    """The Renyi divergence of order alpha > 1, log E exp((alpha - 1) L) / (alpha - 1), is at most
    epsilon.
    """

    also_called: ClassVar[tuple[str, ...]] = ("RDP",)
    instead_of: ClassVar[Mapping[str, str]] = {
        "order": "the order is called alpha",
    }
    alpha: Parameter = Parameter(least=1, above_least=True)
    epsilon: Parameter = Parameter()


@dataclass(frozen=True)
class ZCDP(Guarantee):
    """The Renyi divergence of every order alpha > 1 is at most xi + rho alpha (Bun and Steinke); xi
    may be negative.
    """

    also_called: ClassVar[tuple[str, ...]] = ("ZeroCDP", "CDP", "ConcentratedDP")
    rho: Parameter = Parameter()
    xi: Parameter = Parameter(least=None, default=0)


@dataclass(frozen=True)
class ApproxZCDP(Guarantee):
    """Outside an event of probability delta under P and under Q, ZCDP with this rho and xi (Bun and
    Steinke).

    P = (1 - delta) P' + delta P'' and Q = (1 - delta) Q' + delta Q'', and the pair P', Q' is
    ZCDP(rho, xi).
    """

    rho: Parameter = Parameter()
    delta: Parameter = Parameter(most=1)
    xi: Parameter = Parameter(least=None, default=0)


@dataclass(frozen=True)
class ProfileDP(Guarantee):
    """P(S) <= exp(epsilon) Q(S) + delta for every event S, at each of several points (epsilon,
    delta).
    """

    points: PointsIn = PointsIn()


@dataclass(frozen=True)
class MeanCDP(Guarantee):
    """E L <= mu, and E exp(t (L - E L)) <= exp(t**2 tau**2/2) for all real t (Dwork and
    Rothblum).
    """

    also_called: ClassVar[tuple[str, ...]] = ("MCDP", "CDP", "ConcentratedDP")
    mu: Parameter = Parameter()
    tau: Parameter = Parameter()


@dataclass(frozen=True)
class GaussianDP(Guarantee):
    """No test tells P from Q better than the best test tells N(mu, 1) from N(0, 1)."""

    also_called: ClassVar[tuple[str, ...]] = ("GDP", "FDP")
    mu: Parameter = Parameter()


@dataclass(frozen=True)
class RandomDP(Guarantee):
    """P(S) <= exp(alpha) Q(S) + eta for every event S, except for data drawn with probability at
    most gamma.

    The data are n + 1 independent draws from one unknown law; the neighbors are the first n of them
    and the same with the last one replaced (Hall, Rinaldo and Wasserman). It is not a promise about
    each pair of data sets.
    """

    also_called: ClassVar[tuple[str, ...]] = ("RDP",)
    alpha: Parameter = Parameter()
    eta: Parameter = Parameter(most=1, default=0)
    _: KW_ONLY
    gamma: Parameter = Parameter(most=1)


GUARANTEES: tuple[type[Guarantee], ...] = (
    PureDP,
    ApproxDP,
    ProfileDP,
    RenyiDP,
    ZCDP,
    ApproxZCDP,
    MeanCDP,
    GaussianDP,
    RandomDP,
)
"""Every guarantee, in the order in which the documentation speaks of them."""
