"""Audits of running code in tests: seeds that follow from a name, and failures that show what was
seen.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from rdpacct.auditing.running.audit_code import CONFIDENCE, TRIALS, audit_code
from rdpacct.auditing.running.code_verdict import CodeVerdict, ObservedEvent
from rdpacct.exact.bound import decimal_down, decimal_up
from rdpacct.exact.number import Number
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.guarantee import Guarantee

DIGITS = 6


class ClaimRefuted(AssertionError):
    """A privacy claim that outputs of running code refute; ``verdict`` is the audit's."""

    def __init__(self, message: str, verdict: CodeVerdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class PrivacyAudit:
    """Audits with a seed for each, made from a name; a claim that is refuted raises."""

    def __init__(self, name: str, report: Callable[[str], object]) -> None:
        self._name = name
        self._report = report
        self._audits = 0

    def __repr__(self) -> str:
        return f"audits of {self._name}"

    def __call__(
        self,
        mechanism: Callable[..., Any],
        x: Any,
        x_neighbor: Any,
        claim: Guarantee | Plan | Mechanism | str,
        confidence: Number = CONFIDENCE,
        trials: int = TRIALS,
        **options: Any,
    ) -> CodeVerdict:
        """The verdict of ``audit_code`` if it does not refute the claim; else ``ClaimRefuted``.

        The options are those of ``audit_code``, but for the seed.
        """
        __tracebackhide__ = True
        self._audits += 1
        seed = seed_of(f"{self._name} {self._audits}")
        verdict = audit_code(
            mechanism, x, x_neighbor, claim, confidence, trials, seed=seed, **options
        )
        self._report("\n".join([*evidence(verdict), f"  seed: {seed}"]))
        if verdict.fails:
            raise ClaimRefuted(str(verdict), verdict)
        return verdict


def seed_of(name: str) -> int:
    """A seed that is the same for the same name, on every machine and in every process."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])


def evidence(verdict: CodeVerdict) -> list[str]:
    """The verdict, the event with its counts, and the bound that it is measured by."""
    lines = [f"{verdict.outcome.value}: {verdict.claim}"]
    for seen in verdict.events[:1]:
        lines += _seen(seen)
    if verdict.fails and verdict.wealth is not None:
        grown = decimal_down(verdict.wealth.lower, DIGITS)
        lines.append(f"  bets against the bound turned 1 into at least {grown}")
    lines += [f"  {line}" for line in verdict.lines()[1:]]
    return lines


def _seen(seen: ObservedEvent) -> list[str]:
    other = "x_neighbor" if seen.likely_on == "x" else "x"
    plane = seen.plane
    slack = f" + {decimal_up(plane.slack, DIGITS)}" if plane.slack else ""
    return [
        f"  event: {seen.event}",
        f"  on {seen.likely_on}: {seen.likely_hits} of {seen.trials} trials, so a"
        f" probability of at least {decimal_down(seen.p.lower, DIGITS)}",
        f"  on {other}: {seen.rare_hits} of {seen.trials} trials, so a probability of at"
        f" most {decimal_up(seen.q.upper, DIGITS)}",
        f"  bound: the first is at most {decimal_up(plane.growth, DIGITS)} times the"
        f" second{slack}",
    ]
