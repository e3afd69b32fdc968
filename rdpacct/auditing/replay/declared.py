"""What is declared of the noise of a run: how far each noisy value moves, and so what the releases
cost together.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from rdpacct.auditing.replay.exact_values import exact, flat
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import Number, rational
from rdpacct.mechanisms.discrete.discrete_gaussian import DiscreteGaussian
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.moved import too_far
from rdpacct.privacy.relation import Norm, Sensitivity

GivenSensitivity: TypeAlias = (
    Number | Sensitivity | Sequence[Number | Sensitivity | None] | None
)
"""How users declare sensitivities: one for all draws, or one for each; None where nothing is
declared.
"""
NORMS = {"normal": Norm.L2, "discrete_gaussian": Norm.L2}
"""The norm of a bare number, for the laws that are not calibrated in L1."""
MECHANISMS: dict[str, Callable[[Fraction, Sensitivity], Mechanism]] = {
    "laplace": Laplace,
    "normal": Gaussian,
    "discrete_laplace": DiscreteLaplace,
    "discrete_gaussian": lambda square, sensitivity: DiscreteGaussian(
        sigma_squared=square, sensitivity=sensitivity
    ),
}
"""The mechanism that a draw with a scale and a sensitivity is."""


@dataclass(frozen=True, slots=True)
class DeclaredMove:
    """How far a value may move: at most by a sensitivity, or not at all if there is none."""

    sensitivity: Sensitivity | None
    norm: Norm = Norm.L1

    def exceeded(self, moves: Sequence[Fraction]) -> str:
        """A sentence that the value moved further; empty if it did not."""
        if self.sensitivity is not None:
            return too_far(moves, self.sensitivity)
        if any(moves):
            return "the value moved, but was declared not to"
        return ""

    def measured(self, moves: Sequence[Fraction]) -> Bound:
        """By how much the value moved, in the norm of the declaration."""
        return self.norm.length(moves).bound("exact difference of two runs")


@dataclass(frozen=True, slots=True)
class DeclaredNoise:
    """The sensitivities of the draws, in their order; mechanisms of the package say theirs
    themselves.
    """

    given: GivenSensitivity = None

    @property
    def count(self) -> int | None:
        """For how many draws there is a declaration; None if it is for all."""
        if isinstance(self.given, list | tuple):
            return len(self.given)
        return None

    def of(self, call: NoiseCall, number: int) -> DeclaredMove | None:
        """The declaration for draw ``number``; None if there is none."""
        given: Any = self.given
        if isinstance(given, list | tuple):
            given = given[number] if number < len(given) else None
        if given is None:
            return None
        if isinstance(given, Sensitivity):
            return DeclaredMove(given, given.norm)
        norm = NORMS.get(call.law or "", Norm.L1)
        value = rational(given, "the sensitivity")
        if value < 0:
            raise InputError(
                f"the sensitivity is {given}, but must be at least 0; give 0 for a"
                " value that does not move."
            )
        if value == 0:
            return DeclaredMove(None, norm)
        return DeclaredMove(Sensitivity(value, norm=norm), norm)


def draws(log: NoiseLog) -> list[NoiseCall]:
    """The draws of a run, those of mechanisms of the package left out."""
    return [call for call in log.calls if call.mechanism is None and not call.is_part]


def declared_plan(log: NoiseLog, declared: DeclaredNoise) -> tuple[Plan, list[str]]:
    """The plan of the recorded releases with their declared sensitivities, and why some are not in
    it.
    """
    terms = [call.mechanism for call in log.calls if call.mechanism is not None]
    left_out = list[str]()
    for number, call in enumerate(draws(log)):
        move = declared.of(call, number)
        if move is None:
            left_out.append(f"call {call.index} has no declared sensitivity")
        elif move.sensitivity is None:
            continue
        elif call.law not in MECHANISMS:
            left_out.append(f"call {call.index} is {call.kind} noise")
        elif (scale := _one_scale(call)) is None:
            left_out.append(f"call {call.index} has no single positive scale")
        else:
            terms.append(MECHANISMS[call.law](scale, move.sensitivity))
    return Plan.of(*terms), left_out


def _one_scale(call: NoiseCall) -> Fraction | None:
    """The scale of the noise in the noisy values, if it is one positive number."""
    scales = set(_scales(call))
    if len(scales) != 1:
        return None
    [scale] = scales
    return scale if scale > 0 else None


def _scales(call: NoiseCall) -> Iterator[Fraction]:
    factors = {abs(use.factor) for use in call.uses} or {Fraction(1)}
    for scale in flat(call.scale):
        for factor in factors:
            power = 2 if call.law == "discrete_gaussian" else 1
            yield exact(scale) * factor**power
