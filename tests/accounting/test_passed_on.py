"""A question that is passed on: its theorems are collected, and the answer is marked once."""

from fractions import Fraction

import pytest

from rdpacct.exact.bound import Bound
from rdpacct.provenance import Asked, answered, attempt, by, passed_on
from rdpacct.work import is_asked

HALF = Bound(Fraction(1, 2), Fraction(1, 2), "by hand")


@by("gaussian/delta")
def rule() -> Bound:
    return HALF


class Inner(Asked, questions=("epsilon",)):
    """Answers by a rule, and rests on a theorem itself."""

    rests_on = frozenset({"laplace/delta"})
    asked = 0

    def epsilon(self, delta: Fraction) -> Bound:
        self.asked += 1
        assert is_asked()
        return rule() if delta > 0 else HALF


class Outer(Asked, questions=("epsilon", "plainly")):
    """Passes a question on, or asks it as one of its own."""

    def __init__(self, inner: Inner) -> None:
        self.inner = inner

    def epsilon(self, delta: Fraction) -> Bound:
        found: Bound = passed_on(self.inner, "epsilon", delta)
        return found

    def plainly(self, delta: Fraction) -> Bound:
        return self.inner.epsilon(delta)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 2)])
def test_it_carries_what_asking_would(delta: Fraction) -> None:
    outer = Outer(Inner())
    passed = outer.epsilon(delta)
    assert passed == outer.plainly(delta)
    assert passed.rests_on == outer.plainly(delta).rests_on
    assert outer.inner.asked == 3
    used = {"laplace/delta"} | ({"gaussian/delta"} if delta else set())
    assert passed.rests_on == used


def test_the_inner_answer_is_not_marked_itself() -> None:
    """It is the function behind the question that runs; the outer question marks the answer."""
    inner = Inner()
    seen = []

    @answered
    def epsilon() -> Bound:
        seen.append(passed_on(inner, "epsilon", Fraction(1, 2)))
        return HALF

    assert epsilon().rests_on == {"laplace/delta", "gaussian/delta"}
    assert seen[0].rests_on == frozenset()


def test_what_is_passed_on_is_in_the_record() -> None:
    with attempt() as used:
        Outer(Inner()).epsilon(Fraction(1, 2))
    assert used >= {"laplace/delta", "gaussian/delta"}
