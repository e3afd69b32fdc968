"""A claim that is refuted on a pair of neighbors, and what is shown of it; seeds that follow from
names.
"""

import hashlib
from typing import Any

from rdpacct.auditing.running.code_verdict import CodeVerdict, ObservedEvent
from rdpacct.auditing.verdict import Audited
from rdpacct.exact.bound import decimal_down, decimal_up

DIGITS = 6


class ClaimRefuted(AssertionError):
    """A privacy claim that is refuted on a pair of neighbors; ``verdict`` is the audit's."""

    def __init__(self, message: str, verdict: Audited, pair: tuple[Any, Any]) -> None:
        super().__init__(message)
        self.verdict = verdict
        self.pair = pair


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
