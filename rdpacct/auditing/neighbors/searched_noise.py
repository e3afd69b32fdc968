"""The worst neighbors for the noise of running code: those on which a replay finds most."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.auditing.neighbors.drawn import DataSets
from rdpacct.auditing.neighbors.worst_neighbors import (
    Allowed,
    WorstNeighbors,
    worst_neighbors,
)
from rdpacct.auditing.replay.declared import DeclaredNoise, GivenSensitivity
from rdpacct.auditing.replay.finding import FindingKind
from rdpacct.auditing.replay.recorded_runs import Noisy
from rdpacct.auditing.replay.replayed_pair import ReplayedPair, replayed_pairs
from rdpacct.auditing.replay.verdict import NoiseVerdict, claimed, verdict_on
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation

MEASURED = frozenset({FindingKind.SENSITIVITY, FindingKind.BUDGET})
"""The findings that have a size; others are worse than any of these."""


@dataclass(frozen=True)
class SearchedNoise:
    """The worst neighbors that were found, and the verdict on them."""

    pair: WorstNeighbors
    verdict: NoiseVerdict

    def __str__(self) -> str:
        pair = f"on {self.pair.first} and {self.pair.second}"
        return f"{self.verdict}\n  {pair}, after {self.pair.steps} pairs"


def worst_noise(
    mechanism: Noisy,
    data: DataSets,
    relation: Relation | str,
    *,
    sensitivity: GivenSensitivity = None,
    claim: Guarantee | str | None = None,
    runs: int = 1,
    source: Any = None,
    steps: int = 300,
    seed: int = 0,
    allowed: Allowed | None = None,
    null: Any = None,
) -> SearchedNoise:
    """The neighbors on which a replay of the noise of ``mechanism(data, rng)`` finds most, and what
    it finds.

    ``audit_noise`` says what is declared and found, ``worst_neighbors`` how the search goes. While
    nothing is found, pairs whose values move further are worse.
    """

    declared = DeclaredNoise(sensitivity)
    guarantee = claimed(claim)

    def replayed(first: Any, second: Any) -> list[ReplayedPair]:
        return replayed_pairs(mechanism, first, second, runs, seed, source)

    def score(first: Any, second: Any) -> tuple[int, Fraction]:
        pairs = replayed(first, second)
        verdict = verdict_on(pairs, declared, None)
        furthest = max(pair.furthest(declared) for pair in pairs)
        return len(verdict.kinds - MEASURED), furthest

    pair = worst_neighbors(
        score, data, relation, steps=steps, seed=seed, allowed=allowed, null=null
    )
    worst = replayed(pair.first, pair.second)
    return SearchedNoise(pair, verdict_on(worst, declared, guarantee))
