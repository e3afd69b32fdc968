"""Pairs of laws that occur for the best of several runs: outputs of large losses against others."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from rdpacct.exact.bound import Bound, End
from rdpacct.mechanisms.selection.best_run_costs import Costs
from rdpacct.mechanisms.selection.number_of_runs import Ends, NumberOfRuns
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.provenance import attempt
from rdpacct.work import spend

Events: TypeAlias = tuple[Bound, Bound]
"""The probabilities of an event under the two laws."""
ALL: Events = (Bound.exactly(Fraction(1)), Bound.exactly(Fraction(1)))
DELTAS = tuple(
    Fraction(text)
    for text in ("0.25", "0.1", "0.01", "3e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-11")
)
"""At the epsilons of one run for these deltas the losses of its outputs are cut."""
PAIR_WORK = 2500
"""The work of a pair."""
FEW = 40
"""Of more losses of one run than this, only the most telling ones are taken."""
MOST_LEVEL = 700
"""Larger losses count as infinite for a plan in doubles."""
MOST_BITS = 8000
"""Pairs whose probabilities have more bits are left out: they are next to nothing."""


def best_run_pairs(costs: Costs) -> Iterator[PrivacyLoss]:
    """Outputs of large losses against all others, where nothing is better, or outputs of small
    losses are.
    """
    known = costs.run.known
    if known is None:
        return
    levels = [known.profile.epsilon(delta).lower for delta in DELTAS]
    cuts = [_short(level) for level in levels if isinstance(level, Fraction)]
    for loss in _most_telling(known.occurring, cuts):
        tails = [_events(loss, cut) for cut in dict.fromkeys(cuts)]
        rests = [_events(loss, level) for level in costs.levels]
        nested = product([ALL, *rests], tails)
        whole = zip(rests, rests, strict=True)
        for rest, above in (*nested, *whole):
            if rest is not None and above is not None:
                yield from best_run_pair(costs.number, above, rest)


def _most_telling(losses: Sequence[Loss], levels: Sequence[Fraction]) -> list[Loss]:
    """All of few losses; of many, which are one event each if a run is the best of several runs
    itself, those that tell most at one of these levels.
    """
    if len(losses) <= FEW:
        return list(losses)
    events = {loss: _one_event(loss) for loss in losses}
    chosen = [loss for loss in losses if events[loss] is None]
    single = {loss: event for loss, event in events.items() if event is not None}
    for level in (Fraction(0), *levels) if single else ():
        growth = math.exp(min(float(level), MOST_LEVEL))
        told = {loss: p - growth * q for loss, (p, q) in single.items()}
        chosen.append(max(told, key=lambda loss: told[loss]))
    return list(dict.fromkeys(chosen))


def _one_event(loss: Loss) -> tuple[float, float] | None:
    """About the probabilities of the event of a loss that has no other, under P and Q."""
    parts = loss.parts if isinstance(loss, PrivacyLoss) else ()
    if len(parts) != 2:
        return None
    first = parts[0]
    if not isinstance(first, Atom) or not isinstance(parts[1], Atom):
        return None
    return float(first.p.bound().upper), float(first.q.bound().upper)


def _events(loss: Loss, level: Fraction) -> Events | None:
    """The probabilities of a loss above a level, if they are worked out."""
    try:
        return loss.event_probabilities(level)
    except NotImplementedError:
        return None


def best_run_pair(
    number: NumberOfRuns, above: Events, rest: Events
) -> Sequence[PrivacyLoss]:
    """Whether the best run has an output of one event, if better outputs are those outside of a
    larger one; none if that tells nothing.
    """
    spend(PAIR_WORK)
    with attempt() as used:
        likely = _kept(number, rest[0].lower, above[0].lower).lower
        rare = _kept(number, rest[1].upper, above[1].upper).upper
    if not 0 < rare < likely < 1 or _longest(likely, rare) > MOST_BITS:
        return ()
    atoms = Atom.of(likely, rare), Atom.of(1 - likely, 1 - rare)
    return (PrivacyLoss(atoms, rests_on=frozenset(used)),)


def _longest(*numbers: Fraction) -> int:
    """How many bits the longest denominator has."""
    return max(number.denominator.bit_length() for number in numbers)


def _kept(number: NumberOfRuns, reached: End, chance: End) -> Ends:
    """The chance that the best run has an output, if one run has it or a worse one with the chance
    ``reached``.
    """
    top = Fraction(min(Fraction(reached), Fraction(1)))
    upper = number.generating(top)
    lower = number.generating(max(top - Fraction(chance), Fraction(0)))
    return Ends(upper.lower - lower.upper, upper.upper - lower.lower)


def _short(level: Fraction) -> Fraction:
    """About a level, as a short number."""
    return Fraction(round(float(level) * 2**20), 2**20)
