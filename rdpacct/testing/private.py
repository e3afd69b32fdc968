"""A privacy claim on many drawn pairs of neighbors: refuted by one of them, or a statement that is
earned.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rdpacct.auditing.verdict import Audited
from rdpacct.errors import InputError
from rdpacct.exact.bound import decimal_up
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, rational, shorten, whole
from rdpacct.testing.drawing import DataPair, PairDraws, draws_from
from rdpacct.testing.earned import EarnedStatement
from rdpacct.testing.judges import JudgedClaim, PairJudge, judge_of
from rdpacct.testing.passing import each_error, earned_gamma
from rdpacct.testing.refuted import ClaimRefuted, seed_of

PAIRS = 60
TRIALS = 5000
MOST_PAIRS = 10**6
MOST_SHRINKS = 100
"""How many smaller pairs are judged after one that refutes the claim."""
LONGEST_PAIR = 2000


def assert_private(
    mechanism: Callable[..., Any],
    claim: JudgedClaim,
    pairs: Any,
    *,
    count: int = PAIRS,
    trials: int = TRIALS,
    confidence: Number = "0.999",
    earned_confidence: Number = "0.95",
    power: Number = "0.9",
    seed: int = 0,
    **options: Any,
) -> EarnedStatement:
    """Judge a claim on ``count`` independent pairs: what is earned if all pass, else
    ``ClaimRefuted``.

    ``pairs`` is a strategy of hypothesis such as ``neighbors("replace_one")``, or a function from a
    generator of NumPy to two neighbors. A ``mechanism(data, rng)`` or ``mechanism(data, rng,
    size)`` is audited with ``trials`` outputs on each of the two, with the ``options`` of
    ``audit_code``; a ``mechanism(data)`` gives the exact probability of each output. With
    ``events``, a dictionary from names to functions of an output, these are tested on each pair
    too. The whole run refutes a true claim with probability at most 1 - ``confidence``.
    """
    judge = judge_of(mechanism, claim, trials, options)
    draws = draws_from(pairs, whole(seed, "the seed", 0, 2**128))
    number = whole(count, "the number of pairs", 1, MOST_PAIRS)
    share = _level(power, "the power")
    run = PairRun(judge, draws, number, 1 - _level(confidence, "the confidence"), seed)
    doubt = 1 - _level(earned_confidence, "the confidence in what is earned")
    for each in range(1, number + 1):
        if run.fails_on(each):
            raise run.refuted(each)
    detected = Fraction(1) if judge.decides else share
    gamma = earned_gamma(number, doubt, detected).bound("statistics/passing-pairs")
    return EarnedStatement(
        judge.claim,
        number,
        gamma,
        1 - doubt,
        None if judge.decides else detected,
        trials,
        judge.earned_events(run.share, detected),
    )


@dataclass(frozen=True)
class PairRun:
    """Pairs judged one after the other, all with the same share of the error."""

    judge: PairJudge
    draws: PairDraws
    count: int
    error: Fraction
    seed: int
    known: dict[str, bool] = field(default_factory=dict)
    """Which of the smaller pairs refute the claim."""

    def fails_on(self, number: int) -> bool:
        """Whether the pair of a number refutes the claim; an error says on which pair it was."""
        pair = self.draws.pair(number)
        try:
            return self.verdict(pair, f"audit {number}").fails
        except Exception as error:
            where = f"on pair {number} of {self.count}, seed {self.seed}:"
            error.add_note("\n".join([where, *_pair_lines("x", pair)]))
            raise

    def verdict(self, pair: DataPair, name: str) -> Audited:
        """The verdict on a pair."""
        return self.judge.judge(pair, self.share, seed_of(f"{self.seed} {name}"))

    @property
    def share(self) -> Fraction:
        """The error of one audit, of those of all pairs and of all that may be tried to make one
        smaller.
        """
        more = MOST_SHRINKS if self.draws.can_shrink else 0
        share: Expr = each_error(self.error, self.count + more)
        return Fraction(share.bound().lower)

    def refuted(self, number: int) -> ClaimRefuted:
        """The error of a pair that refutes the claim, with the smallest one like it."""
        drawn = self.draws.pair(number)
        pair = self.draws.smaller(number, self._also_refuted)
        smaller = repr(pair) != repr(drawn)
        verdict = self.verdict(pair, "shrunk" if smaller else f"audit {number}")
        [first, *rest] = self.judge.lines(verdict)
        lines = [first, *_pair_lines("x", pair)]
        lines += rest
        lines.append(f"  pair {number} of {self.count}, seed {self.seed}")
        if smaller:
            lines.append(f"  shrunk from {_shown(drawn[0])} and {_shown(drawn[1])}")
        if not self.judge.decides:
            error = decimal_up(self.error, 3)
            lines.append(
                "  in the whole run a true claim is refuted with probability at most"
                f" {error}"
            )
        return ClaimRefuted("\n".join(lines), verdict, pair)

    def _also_refuted(self, pair: DataPair) -> bool:
        """Whether a smaller pair refutes the claim; one on which the mechanism breaks down does
        not.
        """
        key = repr(pair)
        if key not in self.known and len(self.known) < MOST_SHRINKS - 1:
            self.known[key] = False
            with suppress(Exception):
                self.known[key] = self.verdict(pair, "shrunk").fails
        return self.known.get(key, False)


def _pair_lines(name: str, pair: DataPair) -> list[str]:
    return [f"  {name}: {_shown(pair[0])}", f"  {name}_neighbor: {_shown(pair[1])}"]


def _shown(data: Any) -> str:
    return shorten(repr(data), LONGEST_PAIR)


def _level(given: Number, name: str) -> Fraction:
    level = rational(given, name)
    if not 0 < level < 1:
        raise InputError(
            f"{name} is {given}, but must be above 0 and below 1; give one such as 0.95."
        )
    return level
