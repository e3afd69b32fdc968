"""Tests of events that are fixed in advance: their numbers, their errors and their power."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import ApproxDP, GaussianDP, InputError, Outcome, PureDP
from rdpacct.functions import log
from rdpacct.testing import ClaimRefuted, assert_private
from rdpacct.testing.fixed_events import FixedEvents, FixedEventVerdict, fixed_events
from rdpacct.testing.strategies import neighbors

TENTH = Fraction(1, 10)
TINY = Fraction(1, 10**12)
ONE = {"it is 1": lambda output: output == 1}
BOTH = ONE | {"it is 0": lambda output: output == 0}


def coin(chance: float, rng: Any, size: int) -> Any:
    """An output that is 1 with the given probability, and else 0."""
    return (rng.random(size) < chance).astype(int)


def test_the_numbers_are_the_closed_forms() -> None:
    """The threshold and the earned slack, by mpmath."""
    test = FixedEvents(ApproxDP(1, "0.01"), BOTH, 5000)
    power = Fraction(9, 10)
    verdict = test.judge(coin, (0.5, 0.5), TENTH, 1)
    slack = test.earned_slack(TENTH, power)
    with mpmath.workdps(40):
        growth = mpmath.e
        share = mpmath.mpf(1) / 40
        far, near = (
            (1 + growth) * mpmath.sqrt(mpmath.log(1 / error) / 10000)
            for error in (share, mpmath.mpf(1) / 10)
        )
        true = far + near + mpmath.mpf("0.01")
        assert abs(mpmath.mpf(float(verdict.most)) - far) < 1e-8
        assert 0 <= mpmath.mpf(float(slack.upper)) - true < 1e-8


def rate(p: float, q: float, test: FixedEvents) -> float:
    """How often the test refutes, in 300 runs."""
    runs = [test.judge(coin, (p, q), TENTH, seed) for seed in range(300)]
    return sum(run.fails for run in runs) / len(runs)


@pytest.mark.parametrize("claim", [PureDP(1), ApproxDP(log(2), "0.05")], ids=str)
def test_error_and_power_are_as_said(claim: Any) -> None:
    """A claim that just holds is refuted in at most a tenth of the runs; a violation by the earned
    slack in nine tenths, in both orders.
    """
    test = FixedEvents(claim, ONE, 400)
    growth, slack = float(test.growth), float(test.slack.bound().upper)
    earned = float(test.earned_slack(TENTH, Fraction(9, 10)).upper)
    assert rate(growth * 0.1 + slack, 0.1, test) <= 0.1
    assert rate(growth * 0.1 + earned, 0.1, test) >= 0.9
    assert rate(0.1, growth * 0.1 + earned, test) >= 0.9


def test_a_refutation_shows_the_event() -> None:
    """The most telling one, on the input on which it is likely."""
    verdict = FixedEvents(PureDP(1), BOTH, 1000).judge(coin, (0.9, 0.1), TENTH, 0)
    assert isinstance(verdict, FixedEventVerdict)
    assert verdict.outcome is Outcome.FAILS
    assert (verdict.event, verdict.likely_on) in {
        ("it is 1", "x"),
        ("it is 0", "x_neighbor"),
    }
    assert verdict.likely_hits > 850
    assert verdict.rare_hits < 150


def counted(data: Any, rng: Any, size: int) -> Any:
    """A noisy number of records."""
    return len(data) + rng.laplace(scale=1, size=size)


def listed(data: Any, rng: Any) -> str:
    """One output at a time, which tells the number of records."""
    return f"{len(data)} records" if rng.random() < 0.9 else "no answer"


def test_what_is_earned_names_the_events() -> None:
    """With the slack of the whole run, in which each pair has half of its error for them."""
    many = {"above 2": lambda output: output > 2}
    pairs = neighbors("add_or_remove_one")
    earned = assert_private(
        counted, "PureDP(epsilon=1)", pairs, events=many, count=4, trials=4000
    )
    share = Fraction(1, 1000) / (4 + 100) / 2
    alone = FixedEvents(PureDP(1), many, 4000).earned_slack(share, Fraction(9, 10))
    assert earned.events is not None
    assert earned.events.names == ("above 2",)
    assert abs(Fraction(earned.events.slack.upper) - Fraction(alone.upper)) < TINY
    line = str(earned).splitlines()[2]
    assert line.startswith("  so but for such pairs P(S) <= 2.71829 Q(S) + 0.")
    assert line.endswith(
        "for the events that were given: above 2 (statistics/fixed-events)"
    )
    assert earned.random_dp is None


def test_outputs_of_any_kind_one_by_one() -> None:
    """An event that tells is refuted, and shown with the pair."""
    events = {"no records": lambda output: output == "0 records"}
    with pytest.raises(ClaimRefuted) as raised:
        assert_private(
            listed, PureDP(1), lambda _: ((), (1,)), events=events, trials=1000
        )
    assert "event: no records, which was given" in str(raised.value)
    assert isinstance(raised.value.verdict, FixedEventVerdict)


MISTAKES: list[tuple[Any, Any, str]] = [
    (PureDP(1), {}, r"the events are {}; give a dictionary"),
    (PureDP(1), {"one": 1}, "give a dictionary from names to functions"),
    (PureDP(1), {1: bool}, "give a dictionary from names to functions"),
    (PureDP(1), [bool], "give a dictionary from names to functions"),
    (GaussianDP(1), ONE, r"the claim is GaussianDP\(mu=1\), but events are tested"),
    (ApproxDP(1, 1 / log(9)), ONE, "with a rational delta"),
]


@pytest.mark.parametrize(("claim", "events", "sentence"), MISTAKES)
def test_mistakes_get_one_sentence(claim: Any, events: Any, sentence: str) -> None:
    """Events without names, and claims that are not about events."""
    with pytest.raises(InputError, match=sentence) as raised:
        fixed_events(claim, events, 100)
    assert str(raised.value).endswith(".")


def test_too_few_outputs_are_refused() -> None:
    """A mechanism that does not give what it is asked for."""
    with pytest.raises(InputError, match="gave 1 outputs where 100 were asked for"):
        FixedEvents(PureDP(1), ONE, 100).judge(
            lambda data, rng, size: [data + rng.random() + 0 * size], (0, 1), TENTH, 0
        )
