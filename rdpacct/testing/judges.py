"""Two ways to judge a claim on one pair of neighbors: by the exact laws of the outputs, or by an
audit of real ones.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rdpacct.auditing.claims import audit
from rdpacct.auditing.running.audit_code import audit_code
from rdpacct.auditing.verdict import Audited, Outcome, Verdict
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.number import rational, shorten
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.plan import read_claim
from rdpacct.privacy.guarantee import Guarantee, RandomDP
from rdpacct.testing.drawing import DataPair
from rdpacct.testing.earned import EarnedEvents
from rdpacct.testing.exact_laws import ExactLaws
from rdpacct.testing.fixed_events import FixedEvents, FixedEventVerdict, fixed_events
from rdpacct.testing.refuted import evidence

JudgedClaim = Guarantee | Plan | Mechanism | str


class PairJudge(ABC):
    """Whether a claim is refuted on a pair."""

    claim: Any
    decides: bool
    """Every pair that breaks the claim is refuted."""

    @abstractmethod
    def judge(self, pair: DataPair, error: Fraction, seed: int) -> Audited:
        """The verdict; a claim that holds on the pair is refuted with probability at most
        ``error``.
        """

    @abstractmethod
    def lines(self, verdict: Audited) -> list[str]:
        """What the verdict rests on."""

    def earned_events(self, error: Fraction, power: Fraction) -> EarnedEvents | None:  # noqa: ARG002
        """What passing pairs say of events that are fixed in advance; None if there are none."""
        return None


@dataclass(frozen=True)
class ExactJudge(PairJudge):
    """Judges by the laws of the outputs, which ``law(data)`` gives in exact probabilities."""

    law: Callable[[Any], Any]
    claim: Guarantee
    decides = True

    def judge(self, pair: DataPair, error: Fraction, seed: int) -> Audited:  # noqa: ARG002
        laws = ExactLaws(*map(self._masses, pair))
        table = laws.table()
        if laws.obey(self.claim):
            return Verdict(self.claim, Outcome.HOLDS)
        verdict = audit(table, self.claim)
        if verdict.undecided:
            raise UndecidedError(
                f"{self.claim} could not be decided on {shorten(repr(pair), 200)}:"
                f" {verdict.why or 'it is too close to the tight value'}."
            )
        return replace(verdict, witness=laws.witness(self.claim))

    def lines(self, verdict: Audited) -> list[str]:
        return str(verdict).split("\n")

    def _masses(self, data: Any) -> dict[Any, Fraction]:
        given = self.law(data)
        if not isinstance(given, Mapping):
            raise InputError(
                f"a mechanism of the data alone gave {shorten(repr(given))}, but gives"
                " the exact probability of each output; return such a dictionary, or"
                " take a source of randomness, as in mechanism(data, rng)."
            )
        return {
            output: rational(mass, "a probability") for output, mass in given.items()
        }


@dataclass(frozen=True)
class SampledJudge(PairJudge):
    """Judges by an audit of real outputs."""

    mechanism: Callable[..., Any]
    claim: JudgedClaim
    trials: int
    options: Mapping[str, Any] = field(default_factory=dict)
    decides = False

    def judge(self, pair: DataPair, error: Fraction, seed: int) -> Audited:
        return audit_code(
            self.mechanism,
            *pair,
            self.claim,
            1 - error,
            self.trials,
            seed=seed,
            **self.options,
        )

    def lines(self, verdict: Audited) -> list[str]:
        return evidence(verdict)  # type: ignore[arg-type]


@dataclass(frozen=True)
class EventsJudge(PairJudge):
    """Judges by an audit of real outputs, and by a test of fixed events with others; each has half
    of the error.
    """

    audits: SampledJudge
    fixed: FixedEvents
    decides = False

    @property
    def claim(self) -> Guarantee:
        """That of the test, and of the audit."""
        return self.fixed.claim

    def judge(self, pair: DataPair, error: Fraction, seed: int) -> Audited:
        verdict = self.fixed.judge(self.audits.mechanism, pair, error / 2, seed)
        return verdict if verdict.fails else self.audits.judge(pair, error / 2, seed)

    def lines(self, verdict: Audited) -> list[str]:
        if isinstance(verdict, FixedEventVerdict):
            return str(verdict).split("\n")
        return self.audits.lines(verdict)

    def earned_events(self, error: Fraction, power: Fraction) -> EarnedEvents:
        slack = self.fixed.earned_slack(error / 2, power)
        return EarnedEvents(self.fixed.claim.epsilon, slack, tuple(self.fixed.events))


def judge_of(
    mechanism: Callable[..., Any],
    claim: JudgedClaim,
    trials: int,
    options: Mapping[str, Any],
) -> PairJudge:
    """By the exact laws if the mechanism is a function of the data alone; else by audits."""
    if not callable(mechanism):
        raise InputError(
            f"the mechanism is {shorten(repr(mechanism))}; give a function"
            " mechanism(data, rng) that runs, or mechanism(data) that gives the exact"
            " probability of each output."
        )
    if not _of_data_alone(mechanism):
        return _by_audits(mechanism, claim, trials, dict(options))
    if options:
        raise InputError(
            f"{', '.join(options)} is for audits of real outputs, but the mechanism gives"
            " its exact laws; leave it out."
        )
    stated = read_claim(claim) if isinstance(claim, str) else claim
    if not isinstance(stated, Guarantee) or isinstance(stated, RandomDP):
        raise InputError(
            f"the claim is {shorten(str(claim))}; give a guarantee about every pair, such"
            " as ApproxDP(epsilon=1, delta=0)."
        )
    return ExactJudge(mechanism, stated)


def _by_audits(
    mechanism: Callable[..., Any],
    claim: JudgedClaim,
    trials: int,
    options: dict[str, Any],
) -> PairJudge:
    events = options.pop("events", None)
    audits = SampledJudge(mechanism, claim, trials, options)
    if events is None:
        return audits
    stated = read_claim(claim) if isinstance(claim, str) else claim
    return EventsJudge(audits, fixed_events(stated, events, trials))


def _of_data_alone(mechanism: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(mechanism).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [
        each
        for each in parameters
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    return len(needed) == 1 and len(needed) == len(parameters)
