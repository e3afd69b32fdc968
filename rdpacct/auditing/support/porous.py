"""Audits of the support: outputs in doubles that one data set reaches and its neighbor never does.

Sums with noise in doubles are porous (Mironov 2012): which of them can happen depends on the value
that noise is added to.
"""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rdpacct.auditing.claims import audit
from rdpacct.auditing.replay.recorded_runs import Noisy
from rdpacct.auditing.replay.verdict import claimed
from rdpacct.auditing.support.inverted_outputs import inverted_outputs
from rdpacct.auditing.support.recorded_sums import Seen, recorded_outputs
from rdpacct.auditing.support.unreachable import UnreachableOutput
from rdpacct.auditing.verdict import HasOutcome, Outcome
from rdpacct.exact.binomial import lower_limit
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import whole
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.privacy.guarantee import Guarantee

ERROR = Fraction(1, 10**6)
MOST_OUTPUTS = 10**6
LARGEST_SEED = 2**64


@dataclass(frozen=True, repr=False)
class SupportVerdict(HasOutcome):
    """FAILS if outputs on one data set that its neighbor never has refute the claim; else
    UNDECIDED, since other outputs may.
    """

    claim: Guarantee | None
    outcome: Outcome
    witness: UnreachableOutput | None
    """An output of one data set that is never one of the other."""
    share: Bound
    """The probability of such outputs, which is wrong with probability at most 1e-6."""
    seen: Seen
    """How many outputs were tried, and what became of them."""

    def lines(self) -> list[str]:
        """The witness, and what was tried."""
        witness_lines = [f"only on D: {self.witness}"] if self.witness else []
        return [*witness_lines, str(self.seen)]

    def title(self) -> str:
        """The claim, if there is one."""
        if self.claim is None:
            return "the same outputs on both"
        return str(self.claim)


def audit_support(
    mechanism: Noisy,
    x: Any,
    x_neighbor: Any,
    claim: Guarantee | str | None = None,
    *,
    outputs: int = 100,
    seed: int = 0,
    source: Any = None,
) -> SupportVerdict:
    """Whether outputs of ``mechanism(data, rng)`` on one data set are never outputs on the other.

    ``outputs`` outputs are drawn on each. One that is a value plus noise in doubles is compared
    with the sums of the other value and every double. An output that is computed from one uniform
    double, as by inversion, is looked for among the outputs of all 2**53 uniform doubles. An output
    that is found to be impossible on the other data set refutes pure differential privacy with
    every epsilon, and has a certificate. Other claims are compared with the probability of such
    outputs.
    """
    guarantee = claimed(claim)
    count = whole(outputs, "the number of outputs", 1, MOST_OUTPUTS)
    start = whole(seed, "the seed", 0, LARGEST_SEED)
    tried = [
        _tried(mechanism, first, second, count, start, source)
        for first, second in ((x, x_neighbor), (x_neighbor, x))
    ]
    for turned, (seen, witness) in enumerate(tried):
        if witness is not None:
            turned_witness = replace(witness, turned=bool(turned))
            return _verdict(guarantee, seen, turned_witness)
    return _verdict(guarantee, tried[0][0].and_of(tried[1][0]), None)


def _tried(
    mechanism: Noisy, x: Any, x_neighbor: Any, outputs: int, seed: int, source: Any
) -> tuple[Seen, UnreachableOutput | None]:
    """Outputs on one data set that are compared with those of the other, as sums or by
    inversion.
    """
    seen, witness = recorded_outputs(mechanism, x, x_neighbor, outputs, seed, source)
    if seen.decided:
        return seen, witness
    rng = random.Random(seed)
    inverted = inverted_outputs(mechanism, x, x_neighbor, outputs, rng, source)
    if inverted[0].decided:
        return inverted
    both = f"{seen.why}, and {inverted[0].why}"
    return replace(seen, why=both), None


def _verdict(
    claim: Guarantee | None, seen: Seen, witness: UnreachableOutput | None
) -> SupportVerdict:
    share = unreachable_share(seen.unreachable, seen.outputs)
    fails = witness is not None
    if claim is not None and fails:
        p = Fraction(share.lower)
        fails = audit(FiniteMechanism([[p, 1 - p], [0, 1]]), claim).fails
    outcome = Outcome.FAILS if fails else Outcome.UNDECIDED
    return SupportVerdict(claim, outcome, witness, share, seen)


def unreachable_share(hits: int, outputs: int) -> Bound:
    """The probability of outputs that only one data set has, from how many there were; the limit
    holds for both orders of the data sets.
    """
    lower = lower_limit(hits, outputs, ERROR / 2) if hits else Fraction(0)
    how = f"{hits} of {outputs} outputs (statistics/clopper-pearson)"
    return Bound(lower, Fraction(1), how, frozenset({"statistics/clopper-pearson"}))
