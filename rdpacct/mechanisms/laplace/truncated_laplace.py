"""Truncated Laplace noise on one number: bounded errors, at the price of a delta."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.errors import UndecidedError
from rdpacct.exact.formula import ONE, Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.laplace.truncated_transform import atoms_and_stretch
from rdpacct.mechanisms.mechanism import NoiseMechanism
from rdpacct.mechanisms.moved import shown
from rdpacct.mechanisms.noisy import not_one_number, one_number, worst_move
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.mechanisms.study_only import study_only
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Atom, Piece
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.provenance import attempt, by


@dataclass(frozen=True)
class TruncatedLaplace(NoiseMechanism):
    """f(D) + noise of density proportional to exp(-|x|/scale) on [-bound, bound], for one number.

    Outputs that only one of two neighbors can give have an infinite loss.
    """

    scale: Parameter = Parameter(above_least=True)
    bound: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L1)
    continuous: ClassVar[bool] = True

    @property
    def shift(self) -> Expr:
        """The sensitivity in scales of the noise."""
        return worst_move(self.sensitivity.value) / self.scale

    @property
    def reach(self) -> Expr:
        """The largest noise, in scales."""
        return self.bound / self.scale

    def loss(self) -> PrivacyLoss:
        with attempt() as used:
            law = self._law()
        return replace(law, event=self._event, rests_on=law.rests_on | used)

    def _law(self) -> PrivacyLoss:
        if _at_least(self.bound, self.sensitivity.value):
            return near_pair(self.shift, self.reach)
        if _at_least(2 * self.bound, self.sensitivity.value):
            return far_pair(self.shift, self.reach)
        return PrivacyLoss((), ONE, ONE, symmetric=True)

    def hypotheses(self) -> tuple[str, ...]:
        return (f"{self}: the query is one number.",)

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        return not_one_number(first) or super().uncovered(first, second)

    def sample(self, value: Any, rng: Source = None) -> float:
        """The noisy value, for study only: noise in doubles is porous and leaks the input."""
        study_only(self)
        center = one_number(value, self)
        source = randomness(rng)
        rate = 1 / float(self.scale.ball(64))
        most = float(self.bound.ball(64))
        while True:
            noise = source.expovariate(rate) - source.expovariate(rate)
            if abs(noise) <= most:
                return center + noise

    def pair(self) -> tuple[float, float]:
        return float(self.sensitivity.value.ball(64)), 0.0

    def observed(self, output: float) -> float:
        width = float(self.sensitivity.value.ball(64))
        if abs(output) > float(self.bound.ball(64)):
            return float("inf")
        return (abs(output) - abs(output - width)) / float(self.scale.ball(64))

    def _event(self, threshold: Fraction) -> str:
        beyond = (threshold * self.scale + self.sensitivity.value) / 2
        where = f"where f(D) - f(D') = {self.sensitivity.value}"
        if (beyond - self.bound).bound().certainly_below(0):
            return f"output - f(D') > {shown(beyond)}, {where}"
        return f"output - f(D') > {shown(self.bound)}, {where}"

    @classmethod
    def examples(cls) -> Iterable["TruncatedLaplace"]:
        return (cls(1, 10),)


@by("noise/truncated-laplace")
def near_pair(shift: Expr, reach: Expr) -> PrivacyLoss:
    """The loss of a shift by at most the largest noise, both in scales."""
    whole = 2 * (1 - exp(-reach))
    up = (1 - exp(shift - reach)) / whole
    down = exp(-shift) * up
    atoms = Atom(up, down, shift), Atom(down, up, -shift)
    piece = Piece(exp((LOSS - shift) / 2) / (2 * whole), -shift, shift)
    apart = only_one_gives(shift, reach)
    return PrivacyLoss(
        (*atoms, piece),
        apart,
        apart,
        symmetric=True,
        forms=Forms(
            transform=atoms_and_stretch(atoms, shift, (1 - exp(-shift)) / whole)
        ),
    )


@by("noise/truncated-laplace")
def far_pair(shift: Expr, reach: Expr) -> PrivacyLoss:
    """The loss of a shift by more than the largest noise and at most twice as much."""
    whole = 2 * (1 - exp(-reach))
    most = 2 * reach - shift
    piece = Piece(exp((LOSS - shift) / 2) / (2 * whole), -most, most)
    inside = (exp(reach - shift) - exp(-reach)) / whole
    apart = 1 - inside
    return PrivacyLoss(
        (piece,),
        apart,
        apart,
        symmetric=True,
        forms=Forms(transform=atoms_and_stretch((), most, inside)),
    )


@by("noise/truncated-laplace")
def only_one_gives(shift: Real, reach: Real) -> Expr:
    """The probability of the outputs that only one of two neighbors can give, for shift <= reach.

    It is the delta at epsilon = shift.
    """
    return (exp(formula(shift)) - 1) / (2 * (exp(formula(reach)) - 1))


def _at_least(left: Expr, right: Expr) -> bool:
    """Whether one number is at least another."""
    gap = left - right
    if not gap.bound().lower < 0:
        return True
    if gap.bound().certainly_below(0):
        return False
    raise UndecidedError(
        f"{left} and {right} are too close to compare; give exact numbers for the bound"
        " and the sensitivity."
    )
