"""What noisy totals promise, tested with the kit of rdpacct."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noisy_totals import MOST, hasty_total, noisy_total, total

from rdpacct import PureDP
from rdpacct.testing.strategies import neighbors

HOURS = st.integers(-5, 50)
BUSY = ([8, 7, 24], [8, 7])
"""Two neighbors, one with a record more that counts as much as any can."""


@given(neighbors("add_or_remove_one", HOURS))
def test_one_record_moves_the_total_by_at_most_a_day(pair):
    """For every pair that hypothesis can find."""
    first, second = pair
    assert abs(total(first) - total(second)) <= MOST


def test_the_noisy_total_is_private(privacy_audit):
    """No event of 20 000 outputs speaks against it."""
    privacy_audit(noisy_total, *BUSY, "PureDP(epsilon=1)", trials=20_000)


def test_the_hasty_total_is_not(privacy_audit):
    """The audit would notice."""
    with pytest.raises(AssertionError, match="refuted after"):
        privacy_audit(hasty_total, *BUSY, "PureDP(epsilon=1)", trials=20_000)


def test_drawn_pairs_speak_for_it(privacy_audit):
    """Each of ten independent pairs is audited; the summary says what that earns."""
    pairs = neighbors("add_or_remove_one", HOURS)
    privacy_audit.assert_private(
        noisy_total, "PureDP(epsilon=1)", pairs, count=10, trials=2000
    )


@pytest.mark.theorem("group/pure")
def test_a_patient_with_three_visits_is_protected_three_times_less():
    """By group privacy, which the theorem book proves."""
    assert PureDP(1).group(3) == PureDP(3)
