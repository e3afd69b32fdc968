"""The choice of events and wagers from a pilot: planned in doubles, right whatever it chooses.

The trials of the pilot are not used again, so that given the pilot the events, the wagers and the
weights are fixed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.bets import Bet, OrientedEvent
from rdpacct.auditing.running.candidates import Candidates, OutputsPair, candidates
from rdpacct.auditing.running.growth import (
    best_wager,
    far_enough,
    growth_rates,
    nearest,
)
from rdpacct.proof.audit.half_plane import HalfPlane

CAUTIONS = (1.0, 3.0)
"""Frequencies are moved towards the claim by these numbers of standard errors before events
compete.
"""
MOST_EVENTS = 2 * len(CAUTIONS)
"""The most events that are chosen: one for each caution and each order of the inputs."""
PREFERENCE = 6.0
"""A certain event is preferred to a rare one by this many standard errors."""
LEAST, MOST = 1e-9, 1 - 1e-9


@dataclass(frozen=True)
class Prospect:
    """An event and a half plane, with the frequencies of the pilot moved towards the claim."""

    tested: OrientedEvent
    plane: HalfPlane
    likely: float
    rare: float
    rate: float
    """How fast a bet grows at these frequencies; 0 if they obey the claim."""


def choose(
    pilot: OutputsPair,
    planes: Sequence[HalfPlane],
    share: Fraction,
    start: int,
    trials: int,
    error: Fraction,
) -> list[Bet]:
    """The bets that share a part of the wealth from some trial on."""
    np = load()
    promising = prospects(pilot, planes)
    bets = []
    for prospect in promising:
        ways = [(1, _horizon(np, prospect, trials, error))]
        if prospect.rate > 0:
            wager = best_wager(np, prospect.likely, prospect.rare, prospect.plane)
            ways.append((1 + int(prospect.rate * start), wager))
        bets += [
            Bet(prospect.tested, prospect.plane, wager, Fraction(parts), start)
            for parts, wager in ways
        ]
    total = sum(bet.weight for bet in bets)
    return [replace(bet, weight=share * bet.weight / total) for bet in bets]


def prospects(pilot: OutputsPair, planes: Sequence[HalfPlane]) -> list[Prospect]:
    """The best events for each order of the inputs, at several degrees of caution."""
    np = load()
    known = candidates(pilot)
    by_event: dict[tuple[OrientedEvent, HalfPlane], Prospect] = {}
    for likely_on in (0, 1):
        for caution in CAUTIONS:
            best = _best(np, known, planes, likely_on, caution)
            by_event.setdefault((best.tested, best.plane), best)
    return list(by_event.values())


def _best(
    np: Any,
    known: Candidates,
    planes: Sequence[HalfPlane],
    likely_on: int,
    caution: float,
) -> Prospect:
    p = _moved(np, known.hits[likely_on], known.trials, -caution)
    q = _moved(np, known.hits[1 - likely_on], known.trials, caution)
    options = []
    for plane in planes:
        rates = growth_rates(np, p, q, plane)
        place = int(np.argmax(rates))
        if rates[place] <= 0:
            place = int(np.argmax(_standardized(np, p, q, plane, known.trials)))
        options.append((float(rates[place]), place, plane))
    rate, place, plane = max(options, key=lambda option: option[0])
    if rate <= 0:
        _, place, plane = max(
            options,
            key=lambda option: _gap(p[option[1]], q[option[1]], option[2], known),
        )
    tested = OrientedEvent(known.events[place], likely_on)
    return Prospect(tested, plane, float(p[place]), float(q[place]), rate)


def _gap(p: float, q: float, plane: HalfPlane, known: Candidates) -> float:
    np = load()
    gap = _standardized(np, np.array([p]), np.array([q]), plane, known.trials)
    return float(gap[0])


def _standardized(np: Any, p: Array, q: Array, plane: HalfPlane, trials: int) -> Array:
    """By how many standard errors frequencies exceed the claim, with a preference for events that
    are frequent: a factor too much in a probability is seen first there.
    """
    growth = float(plane.growth)
    spread = (p * (1 - p) + growth**2 * q * (1 - q)) / trials + trials**-2.0
    gap = (p - growth * q - float(plane.slack)) / np.sqrt(spread)
    return gap + PREFERENCE * np.sqrt(p)


def _moved(np: Any, hits: Array, trials: int, errors: float) -> Array:
    """A frequency, moved by a number of standard errors, and kept off 0 and 1."""
    share = (hits + 0.5) / (trials + 1)
    moved = share + errors * np.sqrt(share * (1 - share) / trials)
    return np.clip(moved, min(0.2 / trials, LEAST * 1e6), 1 - min(0.2 / trials, 1e-3))


def _horizon(np: Any, prospect: Prospect, trials: int, error: Fraction) -> Any:
    """The wager that is best for a violation that all trials together can just detect."""
    likely, rare = nearest(
        np, np.array([prospect.likely]), np.array([prospect.rare]), prospect.plane
    )
    p = min(max(float(likely[0]), LEAST), MOST)
    q = min(max(float(rare[0]), LEAST), MOST)
    nats = (math.log(float(1 / error)) + 3) / trials
    return best_wager(np, *far_enough(p, q, prospect.plane, nats), prospect.plane)
