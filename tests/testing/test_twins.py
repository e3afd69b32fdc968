"""Audits of the twins: every broken one is refuted, every right one is not, and an auditor that
sees nothing or blames all has that on its card.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from rdpacct import audit_code, check_refutation
from rdpacct.auditing.running.audit_code import TRIALS
from rdpacct.auditing.running.code_verdict import CodeVerdict
from rdpacct.testing import TWINS, Twin, last_bit, score_card
from rdpacct.testing.twins import added_noise, coins, floating_point, histograms
from rdpacct.testing.twins.score_card import by_audit_code
from rdpacct.testing.twins.truth import excess, is_gross

CONFIDENCE = Fraction(999, 1000)
each_twin = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.name)


def audited(twin: Twin, side: str, trials: int, seed: int = 0) -> CodeVerdict:
    """The verdict on one version of a twin."""
    return audit_code(
        getattr(twin, side),
        twin.x,
        twin.x_neighbor,
        twin.claim,
        CONFIDENCE,
        trials,
        score=twin.score,
        seed=seed,
    )


@each_twin
def test_a_broken_twin_is_refuted(twin: Twin) -> None:
    """Within the trials that it states, with a certificate that the small checker accepts."""
    verdict = audited(twin, "broken", twin.trials)
    assert verdict.fails
    assert verdict.trials <= twin.trials
    check_refutation(verdict.certificate())


@each_twin
def test_a_right_twin_is_not_refuted(twin: Twin) -> None:
    """With as many trials as show that the other is broken, or 20,000 if these are more."""
    verdict = audited(twin, "right", min(twin.trials, 20_000))
    assert verdict.undecided
    assert verdict.trials == min(twin.trials, 20_000)


@pytest.mark.slow
@each_twin
def test_whatever_the_seed(twin: Twin) -> None:
    """The broken twin is refuted for 20 seeds, and the right one for none, with all trials and ten
    times as many.
    """
    for seed in range(1, 21):
        assert audited(twin, "broken", twin.trials, seed).fails
        assert audited(twin, "right", twin.trials, seed).undecided
    assert audited(twin, "right", 10 * twin.trials).undecided


FEW = (
    "laplace-half-scale",
    "clipped-batch",
    "vector-l2-sensitivity",
    "sparse-vector-5",
)


def sequential_trials(twin: Twin, seed: int) -> int:
    """After how many of the usual number of trials the broken version is refuted."""
    verdict = audited(twin, "broken", TRIALS, seed)
    assert verdict.fails
    return verdict.trials


@pytest.mark.parametrize("name", FEW)
def test_bets_need_a_tenth_of_the_fixed_number(name: str) -> None:
    """The sequential audit of a grossly broken twin, and the fixed one with its usual number."""
    [twin] = [twin for twin in TWINS if twin.name == name]
    assert is_gross(twin)
    for seed in (1, 2, 3):
        assert 10 * sequential_trials(twin, seed) <= TRIALS


@pytest.mark.slow
@each_twin
def test_bets_need_a_tenth_whatever_the_seed(twin: Twin) -> None:
    """For each of 20 seeds; the fixed audit does refute with its usual number."""
    if not is_gross(twin):
        pytest.skip("it is not grossly broken")
    for seed in range(1, 21):
        assert 10 * sequential_trials(twin, seed) <= TRIALS
    fixed = audit_code(
        *(twin.broken, twin.x, twin.x_neighbor, twin.claim),
        trials=TRIALS,
        method="fixed",
        score=twin.score,
    )
    assert fixed.fails
    assert fixed.trials == TRIALS


def test_what_is_grossly_broken() -> None:
    """At least twice the claim for certain, which a right version never is."""
    gross = [twin for twin in TWINS if is_gross(twin)]
    assert len(gross) >= 18
    assert {*FEW} <= {twin.name for twin in gross}
    assert excess(added_noise.HALF_THE_SCALE) == 2
    assert excess(histograms.SPARSE) == math.inf
    assert 1.25 < excess(coins.BIASED_COIN) < 1.27
    assert not is_gross(coins.BIASED_COIN)
    for twin in gross[:6]:
        kept = replace(twin, broken=twin.right, broken_law=twin.right_law)
        assert excess(kept) <= 1


def test_noise_in_doubles_passes_for_right_until_its_bits_are_read() -> None:
    """As numbers the outputs keep the claim; the grid on which they lie does not."""
    twin = floating_point.DOUBLES
    unread = audit_code(
        twin.broken, twin.x, twin.x_neighbor, twin.claim, trials=twin.trials
    )
    assert unread.undecided
    by_bits = audit_code(
        added_noise.laplace, 0, 1, "PureDP(epsilon=1)", trials=2000, score=last_bit
    )
    assert by_bits.fails


def test_the_last_bit_of_any_number() -> None:
    """Dividing by two to that power leaves an odd number."""
    rng = np.random.default_rng(2)
    for number in rng.laplace(size=200) * 10.0 ** rng.integers(-5, 15, size=200):
        odd = Fraction(float(number)) / Fraction(2) ** int(last_bit(number))
        assert odd.denominator == 1
        assert odd.numerator % 2 == 1


def test_the_card_of_our_own_auditor() -> None:
    """Three quick twins: all found, none blamed."""
    chosen = (added_noise.HALF_THE_SCALE, histograms.SPARSE, coins.BIASED_COIN)
    card = score_card(by_audit_code, chosen)
    assert card.found == tuple(twin.name for twin in chosen)
    assert card.missed == card.blamed == ()
    assert str(card).splitlines()[-1] == "3 of 3 broken twins refuted, 0 right ones"
    assert "broken refuted, right not refuted  (has epsilon 2)" in str(card)


def test_the_cards_of_bad_auditors() -> None:
    """One that sees nothing, one that blames all, and one that does not answer."""
    chosen = TWINS[:2]
    names = tuple(twin.name for twin in chosen)
    assert score_card(lambda *_: False, chosen).missed == names
    assert score_card(lambda *_: True, chosen).blamed == names
    silent = score_card(lambda *_: None, chosen)
    assert (silent.found, silent.missed, silent.blamed) == ((), names, ())
    assert "broken not asked, right not asked" in str(silent)
