"""Audits of running code: one event of real outputs whose frequencies contradict a guarantee."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.chosen_event import Beyond, best_event
from rdpacct.auditing.claims import audit
from rdpacct.auditing.verdict import Audited, EventWitness, Outcome
from rdpacct.errors import InputError
from rdpacct.exact.binomial import lower_limit, upper_limit
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.number import Number, rational, shorten, whole
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.plan import read_claim
from rdpacct.privacy.convert import mean_cdp_to_zcdp
from rdpacct.privacy.guarantee import Guarantee, MeanCDP, RandomDP
from rdpacct.privacy.post_processing import post_process
from rdpacct.provenance import by

ERROR = Fraction(1, 10**6)
MOST_RUNS = 10**9
Run = Callable[[], float]


@dataclass(frozen=True, slots=True, repr=False)
class SampledVerdict(Audited):
    """FAILS if an event refutes the claim, which is wrong with probability at most ``error``; else
    UNDECIDED, since samples never show that a claim holds.
    """

    claim: Guarantee
    outcome: Outcome
    witness: EventWitness
    """The event that refutes the claim, or else one that was tested, with confidence limits for its
    two probabilities.
    """
    error: Fraction

    def lines(self) -> list[str]:
        """The event that was tested, and what follows."""
        because = "samples can refute a claim, and never show that it holds"
        if self.fails:
            error = decimal_up(self.error, 3)
            because = f"a true claim is refuted with probability at most {error}"
        return [f"tested: {self.witness}", f"because {because}"]


@by("statistics/clopper-pearson")
def audit_samples(
    on_first: Run,
    on_second: Run,
    claim: Guarantee | str,
    runs: int,
    error: Number = ERROR,
) -> SampledVerdict:
    """Whether real outputs on two neighbors refute a guarantee, in either order of the two.

    ``on_first()`` and ``on_second()`` run the mechanism once, on one and on the other data set, and
    give a number: a score of the output that tells the neighbors apart. Each is called 2 ``runs``
    times: the first half of the outputs choose an event for each order, the others test the two. A
    sound mechanism is called failing with probability at most ``error``, which the eight confidence
    limits share.
    """
    guarantee = read_claim(claim) if isinstance(claim, str) else claim
    tested_claim = _of_events(guarantee)
    count = whole(runs, "the number of runs", 1, MOST_RUNS)
    level = _level(error)
    for run in (on_first, on_second):
        if not callable(run):
            raise InputError(
                f"a run is {shorten(repr(run))}; give a function without arguments that"
                " runs the mechanism."
            )
    first, second = (
        [_output(run) for _ in range(count)] for run in (on_first, on_second)
    )
    share = level / 8
    chosen = [
        best_event(*seen, tested_claim, float(share))
        for seen in ((first, second), (second, first))
    ]
    fresh_first, fresh_second = (
        [_output(run) for _ in range(count)] for run in (on_first, on_second)
    )
    tested = [
        _tested(chosen[0], fresh_first, fresh_second, share, "the first"),
        _tested(chosen[1], fresh_second, fresh_first, share, "the second"),
    ]
    refuting = [witness for witness in tested if _refutes(witness, tested_claim)]
    outcome = Outcome.FAILS if refuting else Outcome.UNDECIDED
    return SampledVerdict(guarantee, outcome, (refuting or tested)[0], level)


def _of_events(guarantee: Guarantee) -> Guarantee:
    """The guarantee that a claim implies for every event of the outputs: the claim itself, and for
    MeanCDP the ZCDP that follows from it.
    """
    if not isinstance(guarantee, Guarantee):
        raise InputError(
            f"the claim is {shorten(repr(guarantee))}; give a guarantee or the text of"
            " one."
        )
    if isinstance(guarantee, RandomDP):
        raise InputError(
            f"{guarantee} is about drawn data and not about two data sets; claim"
            " ApproxDP(epsilon=alpha, delta=eta) of the two, or ask"
            " random_dp.estimate_from_runs."
        )
    if isinstance(guarantee, MeanCDP):
        return post_process(mean_cdp_to_zcdp(guarantee))
    return post_process(guarantee)


def _level(error: Number) -> Fraction:
    level = rational(error, "error")
    if not 0 < level < 1:
        raise InputError(
            f"error is {error}, but must be above 0 and below 1; give a probability"
            " such as 1e-6."
        )
    return level


def _output(run: Run) -> float:
    """One output, as a number that can be compared with others."""
    given = run()
    try:
        output = float(given)
    except (TypeError, ValueError, OverflowError):
        output = math.nan
    if math.isnan(output):
        raise InputError(
            f"a run gave {shorten(repr(given))}, which is not a number; give a number"
            " for each output."
        )
    return output


def _tested(
    event: Beyond, likely: list[float], rare: list[float], share: Fraction, name: str
) -> EventWitness:
    """The event with confidence limits for its probabilities; D is the data set on which it was
    chosen to be likely.
    """
    p, q = (
        _limits(sum(map(event, outputs)), len(outputs), share)
        for outputs in (likely, rare)
    )
    return EventWitness(f"{event}, where D is {name} input", p, q)


def _limits(hits: int, runs: int, share: Fraction) -> Bound:
    return Bound(
        lower_limit(hits, runs, share),
        upper_limit(hits, runs, share),
        f"{hits} of {runs} runs",
    )


def _refutes(witness: EventWitness, claim: Guarantee) -> bool:
    """Whether the claim fails for an event, at the confidence limits that favor the claim most.

    These limits are the probabilities of a randomized function of the event, so that the claim
    covers them too.
    """
    p = Fraction(witness.p.lower)
    q = Fraction(witness.q.upper)
    return p > q and audit(FiniteMechanism([[p, 1 - p], [q, 1 - q]]), claim).fails
