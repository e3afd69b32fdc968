"""The audit with a fixed number of trials: confidence limits of events that a pilot chose.

Four limits of each event share the error: a lower and an upper one on each input (Clopper and
Pearson). All half planes of the claim are compared with the same limits.
"""

from dataclasses import replace
from fractions import Fraction

from rdpacct.auditing.running.bets import INPUTS, OrientedEvent, Tally
from rdpacct.auditing.running.certificate import LimitEvidence
from rdpacct.auditing.running.choice import prospects
from rdpacct.auditing.running.code_verdict import CodeVerdict, ObservedEvent
from rdpacct.auditing.running.schedule import fixed as schedule_of
from rdpacct.auditing.running.session import Session
from rdpacct.auditing.running.shares import (
    LIMITS_OF_AN_EVENT,
    contradicted,
    equal_share,
)
from rdpacct.auditing.verdict import Outcome
from rdpacct.errors import InputError
from rdpacct.exact.binomial import outer_lower_limit, outer_upper_limit
from rdpacct.proof.audit.half_plane import HalfPlane

INTERRUPTED = "interrupted from the keyboard, before the fixed number of trials"


def audited(session: Session) -> CodeVerdict:
    """The verdict after all trials; no claim is refuted before these are done."""
    schedule = schedule_of(session.trials)
    tested: list[OrientedEvent] = []
    tallies: list[Tally] = []
    why = ""
    try:
        for _ in session.draw(schedule.pilot):
            pass
        chosen = prospects(session.pilot(), session.claim.planes)
        tested = list(dict.fromkeys(prospect.tested for prospect in chosen))
        tallies = [Tally() for _ in tested]
        events = [each.event for each in tested]
        for chunk, hits in session.count(schedule.stages[0].chunks, events):
            tallies = [
                tally.plus(chunk.size, (hits[place], hits[place + len(events)]))
                for place, tally in enumerate(tallies)
            ]
    except KeyboardInterrupt:
        why = INTERRUPTED
    except InputError as error:
        raise session.failed(error) from error.__cause__
    return _verdict(session, list(zip(tested, tallies, strict=True)), why)


def _verdict(
    session: Session, tested: list[tuple[OrientedEvent, Tally]], why: str
) -> CodeVerdict:
    sharing = LIMITS_OF_AN_EVENT * max(len(tested), 1)
    share = equal_share(session.error, Fraction(sharing))
    planes = session.claim.planes
    seen = [
        _against(_observed(each, tally, planes[0], share), planes)
        for each, tally in tested
        if tally.trials
    ]
    refuting = [] if why else [each for each in seen if refutes(each)]
    rest = [each for each in seen if each not in refuting]
    ordered = refuting + sorted(rest, key=_excess, reverse=True)
    return CodeVerdict(
        session.claim,
        Outcome.FAILS if refuting else Outcome.UNDECIDED,
        session.confidence,
        session.done,
        "fixed",
        tuple(ordered),
        None,
        why,
        None if why else LimitEvidence(session.audit, ordered, sharing),
    )


def _against(seen: ObservedEvent, planes: tuple[HalfPlane, ...]) -> ObservedEvent:
    """The event with a half plane that its limits contradict, or else the one that its frequencies
    exceed most, in standard errors.
    """
    against = [replace(seen, plane=plane) for plane in planes]
    for each in against:
        if refutes(each):
            return each
    return max(against, key=_excess)


def _excess(seen: ObservedEvent) -> float:
    p = seen.likely_hits / seen.trials
    q = seen.rare_hits / seen.trials
    growth = float(seen.plane.growth)
    spread = p * (1 - p) + growth**2 * q * (1 - q) + 1 / seen.trials
    gap = p - growth * q - float(seen.plane.slack)
    return float(gap / spread**0.5)


def _observed(
    tested: OrientedEvent, tally: Tally, plane: HalfPlane, share: Fraction
) -> ObservedEvent:
    side = tested.likely_on
    return ObservedEvent(
        str(tested.event),
        INPUTS[side],
        tally.trials,
        tally.hits[side],
        tally.hits[1 - side],
        plane,
        share,
    )


def refutes(seen: ObservedEvent) -> bool:
    """Whether the limits of an event contradict the line of the claim."""
    trials = seen.trials
    allowed = seen.plane.growth * seen.rare_hits + seen.plane.slack * trials
    if seen.likely_hits <= allowed:
        return False
    least = outer_lower_limit(seen.likely_hits, trials, seen.share)
    most = outer_upper_limit(seen.rare_hits, trials, seen.share)
    return contradicted(least, most, seen.plane.growth, seen.plane.slack) > 0
