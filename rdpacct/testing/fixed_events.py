"""A test of events that are fixed in advance, whose power is known for every violation of them.

Which events an audit tries depends on what it sees, so that nothing can be said of those it
misses. A fixed event is tested whatever is seen: a violation of it by the shipped excess is refuted
with the shipped power (statistics/fixed-events).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from rdpacct.arrays import generator
from rdpacct.auditing.running.sampling import takes_size
from rdpacct.auditing.verdict import Audited, Outcome
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr, Rational, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import shorten
from rdpacct.privacy.guarantee import ApproxDP, Guarantee, PureDP
from rdpacct.testing.drawing import DataPair
from rdpacct.testing.passing import detected_excess, deviation, each_error
from rdpacct.testing.refuted import seed_of

NamedEvents: TypeAlias = Mapping[str, Callable[[Any], Any]]
PARTS = 10**9
"""The denominator of the rational that stands for exp(epsilon)."""
DIGITS = 6


@dataclass(frozen=True, repr=False)
class FixedEventVerdict(Audited):
    """FAILS if a fixed event exceeds the claim by more than chance allows; else UNDECIDED."""

    claim: Guarantee
    outcome: Outcome
    event: str
    likely_on: str
    likely_hits: int
    rare_hits: int
    trials: int
    most: Fraction
    """The largest excess of the frequencies that chance explains."""
    error: Fraction

    def lines(self) -> list[str]:
        """The event with its counts, and what follows."""
        other = "x_neighbor" if self.likely_on == "x" else "x"
        return [
            f"event: {self.event}, which was given",
            f"on {self.likely_on}: {self.likely_hits} of {self.trials} trials",
            f"on {other}: {self.rare_hits} of {self.trials} trials",
            "bound: the first frequency, less exp(epsilon) times the second and delta, is"
            f" at most {decimal_up(self.most, DIGITS)} by chance",
            "a true claim is refuted with probability at most"
            f" {decimal_up(self.error, 3)}",
        ]


@dataclass(frozen=True)
class FixedEvents:
    """Events by name, a claim P(S) <= growth Q(S) + slack about each, and the trials of the
    test.
    """

    claim: PureDP | ApproxDP
    events: NamedEvents
    trials: int

    @cached_property
    def growth(self) -> Fraction:
        """A rational number that is at least exp(epsilon), and hardly more."""
        upper = Fraction(exp(self.claim.epsilon).bound().upper)
        return Fraction(-(-upper * PARTS // 1), PARTS)

    @property
    def slack(self) -> Expr:
        """The delta of the claim."""
        return self.claim.delta if isinstance(self.claim, ApproxDP) else formula(0)

    def _share(self, error: Fraction) -> Fraction:
        """The error of one event in one order."""
        return Fraction(each_error(error, 2 * len(self.events)).bound().lower)

    def _most(self, error: Fraction) -> Fraction:
        """By how much chance makes frequencies exceed the claim at most, but for its share of the
        error.
        """
        far = deviation(self.growth, self.trials, self._share(error)).bound()
        return Fraction(far.upper)

    def earned_slack(self, error: Fraction, power: Fraction) -> Bound:
        """The eta for which each event with P(S) > exp(epsilon) Q(S) + eta is refuted with
        probability at least ``power``.
        """
        most = self._most(error)
        excess = detected_excess(most, self.growth, self.trials, power)
        rounded = self.growth - exp(self.claim.epsilon)
        return (self.slack + excess + rounded).bound("statistics/fixed-events")

    def judge(
        self, mechanism: Callable[..., Any], pair: DataPair, error: Fraction, seed: int
    ) -> FixedEventVerdict:
        """The verdict on a pair: on the event that exceeds the claim most."""
        hits = [
            self._hits(mechanism, data, seed_of(f"{seed} events {place}"))
            for place, data in enumerate(pair)
        ]
        most = self._most(error)
        worst = max(
            self._compared(hits, likely_on, name)
            for likely_on in (0, 1)
            for name in self.events
        )
        excess, name, likely_on = worst
        return FixedEventVerdict(
            self.claim,
            Outcome.FAILS if excess > most else Outcome.UNDECIDED,
            name,
            ("x", "x_neighbor")[likely_on],
            hits[likely_on][name],
            hits[1 - likely_on][name],
            self.trials,
            most,
            error,
        )

    def _compared(
        self, hits: list[dict[str, int]], likely_on: int, name: str
    ) -> tuple[Fraction, str, int]:
        """By how much the frequencies of an event exceed the claim, in one order."""
        likely = hits[likely_on][name]
        rare = hits[1 - likely_on][name]
        excess = (likely - self.growth * rare) / self.trials
        return excess - Fraction(self.slack.bound().upper), name, likely_on

    def _hits(
        self, mechanism: Callable[..., Any], data: Any, seed: int
    ) -> dict[str, int]:
        """How often each event happened."""
        outputs = _outputs(mechanism, data, seed, self.trials)
        return {
            name: sum(bool(happens(output)) for output in outputs)
            for name, happens in self.events.items()
        }


def _outputs(
    mechanism: Callable[..., Any], data: Any, seed: int, trials: int
) -> Sequence[Any]:
    source = generator(seed)
    if not takes_size(mechanism):
        return [mechanism(data, source) for _ in range(trials)]
    outputs: Sequence[Any] = mechanism(data, source, size=trials)
    if len(outputs) != trials:
        raise InputError(
            f"the mechanism gave {len(outputs)} outputs where {trials} were asked for;"
            " give as many."
        )
    return outputs


def fixed_events(claim: Any, events: Any, trials: int) -> FixedEvents:
    """The events of a user, with the claim about each."""
    if not (
        isinstance(events, Mapping)
        and events
        and all(isinstance(name, str) for name in events)
        and all(map(callable, events.values()))
    ):
        raise InputError(
            f"the events are {shorten(repr(events))}; give a dictionary from names to"
            " functions of an output."
        )
    slack = getattr(claim, "delta", formula(0))
    if not isinstance(claim, PureDP | ApproxDP) or not isinstance(slack, Rational):
        raise InputError(
            f"the claim is {shorten(str(claim))}, but events are tested against PureDP or"
            " ApproxDP with a rational delta; claim one of these."
        )
    return FixedEvents(claim, events, trials)
