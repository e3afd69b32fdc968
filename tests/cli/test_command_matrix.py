"""Every mechanism, by every command about a plan, for every relation: an answer or one sentence."""

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rdpacct.mechanisms import known_mechanisms
from rdpacct.privacy.relation import Relation
from tests.cli.test_fuzzed_commands import SENTENCE, said
from tests.cli.test_hypotheses import ABOUT_A_PLAN, words_of

CASES = [
    (str(example), command, relation.value)
    for name, cls in sorted(known_mechanisms().items())
    for example in cls.examples()
    for command, relation in product(sorted(ABOUT_A_PLAN), Relation)
]
SLOWER = (
    *("BestOf", "SparseHistogram", "GaussianSparse", "Allocation", "WithReplacement"),
    *("Smooth", "Shuffled", "TruncatedPoisson", "Bands", "MatrixM", "FiniteM"),
)
"""Kinds of which some answers take more than a tenth of a second."""
QUICK = [
    case
    for case in CASES
    if case[1] not in ("explain", "report", "calibrate", "curve", "gaussian-dp")
    and not any(kind in case[0] for kind in SLOWER)
]
SAMPLE = random.Random(7).sample(QUICK, 30)


def ends(data: Any) -> list[dict[str, Any]]:
    """All enclosures in an answer."""
    if isinstance(data, list):
        return [found for each in data for found in ends(each)]
    if not isinstance(data, dict):
        return []
    own = [data] if {"lower", "upper"} <= data.keys() else []
    return own + [found for each in data.values() for found in ends(each)]


def check(plan: str, command: str, relation: str) -> None:
    """Run one command, and look at how it ended."""
    words = [*words_of(command, plan), "--relation", relation, "--json"]
    if command == "curve":
        words += ["--least-delta", "1e-4"]
    Path("ledger.json").unlink(missing_ok=True)
    answer = said(words)
    assert answer.code in (0, 1, 2, 3), (words, answer.err)
    if not answer.out:
        assert answer.code in (2, 3), words
        assert SENTENCE.fullmatch(answer.err), (words, answer.err)
        return
    data = json.loads(answer.out)
    for bound in ends(data):
        lower, upper = (float(bound[end]) for end in ("lower", "upper"))
        assert lower <= upper, (words, bound)
    if command != "spend":
        assert data.get("relation", relation) in (relation, "replace_one"), words


@pytest.mark.parametrize(("plan", "command", "relation"), SAMPLE)
def test_a_sample_is_answered(
    plan: str,
    command: str,
    relation: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    check(plan, command, relation)


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(ABOUT_A_PLAN))
def test_all_are_answered(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed = []
    for case in CASES:
        if case[1] != command:
            continue
        try:
            check(*case)
        except AssertionError as error:
            failed.append(str(error)[:400])
    assert not failed


def test_ends_out_of_order_are_seen() -> None:
    """The walk over an answer finds enclosures at every depth."""
    data = {"a": [{"lower": 1, "upper": 2, "b": {"lower": 3, "upper": "inf"}}]}
    assert [bound["lower"] for bound in ends(data)] == [1, 3]
