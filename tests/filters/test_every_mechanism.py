"""Filters of every kind and every mechanism: granted, refused or one sentence, and exact sums."""

from fractions import Fraction

import pytest

from rdpacct import ApproxDP, GaussianDP, InputError, PureDP, RenyiDP, UndecidedError
from rdpacct.filters.begun import begun
from rdpacct.filters.filter import Decision, Filter
from rdpacct.mechanisms import Mechanism, Plan, known_mechanisms
from rdpacct.privacy.guarantee import ZCDP, Guarantee
from rdpacct.privacy.relation import Relation

BUDGETS = (
    *(PureDP(3), ApproxDP(3, "1e-2"), ZCDP("0.7"), GaussianDP(2)),
    RenyiDP(4, "1.3"),
)
NAMES = sorted(known_mechanisms())
QUICK = [
    (PureDP(3), name)
    for name in NAMES
    if not any(
        slow in name for slow in ("BestOf", "Smooth", "Allocation", "SparseVector")
    )
]


def spent_or_said(
    held: Filter, example: Mechanism, relation: Relation
) -> tuple[Decision | None, str]:
    """The decision on a release, or the sentence that says why there is none."""
    try:
        return held.spend(Plan.of(example.stated_for(relation))), ""
    except (InputError, UndecidedError) as error:
        return None, str(error)


def check(budget: Guarantee, name: str, relation: Relation) -> bool:
    """Spend the examples of a mechanism twice each; whether any was decided."""
    held = begun(budget, relation)
    decided = False
    for example in known_mechanisms()[name].examples():
        for _ in range(2):
            before = held.spent
            decision, sentence = spent_or_said(held, example, relation)
            if decision is None:
                assert sentence.endswith((".", "?")), sentence
                assert held.spent == before
                continue
            decided = True
            rows = zip(before, decision.asked, decision.spent, strict=True)
            for old, asked, new in rows:
                assert all(isinstance(one, Fraction | int) for one in (old, asked, new))
                assert new == (old + asked if decision else old)
            for cap, new, left in zip(
                held.caps, decision.spent, decision.remaining, strict=True
            ):
                assert new + left == cap
            fits = all(
                old + asked <= cap
                for old, asked, cap in zip(
                    before, decision.asked, held.caps, strict=True
                )
            )
            assert bool(decision) == fits
            assert held.spent == decision.spent
    return decided


@pytest.mark.parametrize(("budget", "name"), QUICK, ids=str)
def test_a_budget_of_pure_privacy(budget: Guarantee, name: str) -> None:
    check(budget, name, Relation.ADD_OR_REMOVE_ONE)


@pytest.mark.slow
@pytest.mark.parametrize("relation", list(Relation), ids=str)
@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_every_budget_and_mechanism(budget: Guarantee, relation: Relation) -> None:
    decided = [name for name in NAMES if check(budget, name, relation)]
    assert "RandomizedResponse" in decided
