"""The checker of refutations from one run: it accepts right ones, and nothing that was changed."""

import json
from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from rdpacct import CanaryGuesses, audit_one_run, check_refutation
from rdpacct.proof.audit.certificate import digest
from rdpacct.proof.check import Rejected


def certificate(correct: int = 300, tests: int = 1) -> dict[str, Any]:
    """A refutation by guesses of 400 coins of 1000, as data of its own."""
    return deepcopy(_certificate(correct, tests))


@cache
def _certificate(correct: int, tests: int) -> dict[str, Any]:
    run = CanaryGuesses(1000, 400, correct)
    claim = "ApproxDP(epsilon=0.5, delta=1e-5)"
    return audit_one_run([run] * tests, claim, "0.99").certificate()


def test_a_refutation_is_accepted_after_a_walk_through_json() -> None:
    """With what it rests on."""
    refuted = check_refutation(json.loads(json.dumps(certificate())))
    assert refuted.method == "one_run"
    assert refuted.wealth is None
    assert refuted.rests_on == ("statistics/one-run",)
    assert "300 of 400 guesses" in refuted.events[0]
    assert refuted.confidence == Fraction(99, 100)
    assert check_refutation(certificate(tests=3)).confidence == Fraction(99, 100)


def test_another_digest_is_rejected() -> None:
    """A count that was raised by hand."""
    other = certificate()
    other["evidence"]["correct"] = 301
    with pytest.raises(Rejected, match="digest"):
        check_refutation(other)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"correct": 262}, "share of the error"),
        ({"correct": 0}, "right guesses"),
        ({"correct": 401}, "right guesses"),
        ({"correct": 300.0}, "right guesses"),
        ({"guesses": 2000}, "number of guesses"),
        ({"canaries": 10**7}, "share of the error"),
        ({"canaries": 10**9}, "number of canaries"),
        ({"sides": "left"}, "sides"),
        ({"sides": ["in"]}, "sides"),
        ({"sharing": 0}, "number of tests"),
        ({"sharing": 10**6}, "share of the error"),
        ({"confidence": "99999999999/100000000000"}, "share of the error"),
        ({"method": "one run"}, "method"),
        ({"half_plane": None}, "half plane"),
    ],
)
def test_what_does_not_follow_is_rejected(entries: dict[str, Any], words: str) -> None:
    """Other counts, another share of the error, and things that are no counts."""
    other = certificate()
    for name, value in entries.items():
        place = other["evidence"] if name in other["evidence"] else other
        place[name] = value
    other["digest"] = digest(other)
    with pytest.raises(Rejected, match=words):
        check_refutation(other)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"slack": "0"}, "does not follow from the claim"),
        ({"growth": "1"}, "exp"),
        ({"epsilon": "0", "growth": "1"}, "below that of the claim"),
        ({"growth": "1/2", "epsilon": "-1"}, "epsilon"),
    ],
)
def test_another_half_plane_is_rejected(entries: dict[str, Any], words: str) -> None:
    """One that the claim does not imply."""
    other = certificate()
    other["evidence"]["half_plane"] |= entries
    other["digest"] = digest(other)
    with pytest.raises(Rejected, match=words):
        check_refutation(other)


def test_a_weaker_claim_is_rejected_by_the_same_counts() -> None:
    """The counts refute an epsilon of 0.5, and not one of 1."""
    other = certificate()
    other["claim"]["parameters"]["epsilon"] = "1"
    other["digest"] = digest(other)
    with pytest.raises(Rejected, match="below that of the claim"):
        check_refutation(other)
    other["evidence"]["half_plane"] |= {"epsilon": "1", "growth": "2.7182818284591"}
    other["digest"] = digest(other)
    with pytest.raises(Rejected, match="share of the error"):
        check_refutation(other)


def test_evidence_that_is_no_evidence() -> None:
    """Missing and surplus entries, and other things in their place."""
    more: dict[str, Any] = {**certificate()["evidence"], "more": 1}
    wrong: tuple[object, ...] = (None, [], {}, more)
    for evidence in wrong:
        other = certificate()
        other["evidence"] = evidence
        other["digest"] = digest(other)
        with pytest.raises(Rejected):
            check_refutation(other)
