"""The audit of running code against a claim: trials in chunks, bets on events, and a verdict."""

from collections.abc import Callable
from concurrent.futures import Executor
from fractions import Fraction
from typing import Any

import rdpacct.auditing.running.fixed as fixed_trials
import rdpacct.auditing.running.sequential as bets_in_turn
from rdpacct.auditing.running.claimed import claimed
from rdpacct.auditing.running.code_verdict import CodeVerdict
from rdpacct.auditing.running.sampling import Runner, takes_size
from rdpacct.auditing.running.scores import ScoreReading
from rdpacct.auditing.running.session import Progress, Session
from rdpacct.errors import InputError
from rdpacct.exact.number import Number, rational, shorten, whole
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.guarantee import Guarantee

CONFIDENCE = "0.999"
TRIALS = 100_000
"""How many trials there are unless the caller says otherwise. A fixed number is chosen before
anything is known of the code: with this one a twentieth too much is seen at epsilon 1.
"""
MOST_TRIALS = 10**12
MOST_SEED = 2**128
METHODS: dict[str, Callable[[Session], CodeVerdict]] = {
    "sequential": bets_in_turn.audited,
    "fixed": fixed_trials.audited,
}


def audit_code(
    mechanism: Callable[..., Any],
    x: Any,
    x_neighbor: Any,
    claim: Guarantee | Plan | Mechanism | str,
    confidence: Number = CONFIDENCE,
    trials: int = TRIALS,
    *,
    seed: int = 0,
    method: str = "sequential",
    score: ScoreReading | None = None,
    loss: Mechanism | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> CodeVerdict:
    """Whether outputs of a mechanism on two neighboring inputs refute a claim, in either order.

    ``mechanism(data, rng)`` gives one output: a number, a vector, or anything hashable. With a
    parameter ``size`` it gives an array or a list of that many. ``rng`` is a generator of NumPy,
    whose seed depends on ``seed`` and on the number of the chunk alone.

    One trial is one output on each input. ``sequential`` bets on events, trial after trial, and
    stops as soon as the claim is refuted; ``fixed`` runs all trials, and compares confidence
    limits. A true claim is refuted with probability at most 1 - ``confidence`` by either.

    ``score`` makes a number of an output; ``loss`` is a shipped mechanism whose privacy loss of an
    output is the score.
    """
    level = confidence_of(confidence)
    count = whole(trials, "the number of trials", 16, MOST_TRIALS)
    if method not in METHODS:
        raise InputError(
            f"the method is {shorten(repr(method))}; give 'sequential' or 'fixed'."
        )
    _check_callable(mechanism, "the mechanism", "mechanism(data, rng)")
    _check_callable(score, "the score", "a function from an output to a number")
    _check_callable(progress, "progress", "a function of two numbers of trials")
    submits = getattr(executor, "submit", executor)
    _check_callable(submits, "the executor", "one of concurrent.futures, or none")
    runner = Runner(
        mechanism,
        (x, x_neighbor),
        whole(seed, "the seed", 0, MOST_SEED),
        takes_size(mechanism),
        _reading(score, loss),
    )
    session = Session(runner, claimed(claim), level, count, executor, progress)
    return METHODS[method](session)


def _check_callable(given: object, name: str, remedy: str) -> None:
    """Refuse what cannot be called; the mechanism alone may not be left out."""
    if callable(given) or (given is None and name != "the mechanism"):
        return
    raise InputError(f"{name} is {shorten(repr(given))}; give {remedy}.")


def confidence_of(given: Number) -> Fraction:
    """A confidence above 0 and below 1."""
    level = rational(given, "the confidence")
    if not 0 < level < 1:
        raise InputError(
            f"the confidence is {given}, but must be above 0 and below 1; give one such"
            " as 0.999."
        )
    return level


def _reading(score: ScoreReading | None, loss: Mechanism | None) -> ScoreReading | None:
    """The score of an output, or its privacy loss."""
    if score is not None and loss is not None:
        raise InputError("both a score and a loss are given; give one of them.")
    if loss is None:
        return score
    if not isinstance(loss, Mechanism):
        raise InputError(
            f"the loss is {shorten(repr(loss))}; give a mechanism of this package."
        )
    return loss.observed
