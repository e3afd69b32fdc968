"""The formula that ships is the formula that is proved: the rules of an entry stand in its
statements or proofs.
"""

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.proof.entries import ids, theorem
from rdpacct.proof.tactics.shipped import Formal
from rdpacct.testing import bound_rules
from rdpacct.testing.bound_rules import is_symbolic, unbound_rules

REFUSES = "it only refuses: there is no formula"
SEARCH = "a search or a bracket, whose ends the formulas that it calls decide"
LOOP = "a loop over data, atoms, cells or terms; a statement has the body of the loop"
PLAN = "an object is put together; the formulas in it are rules of their own"
DOUBLES = "it works in doubles, or in arrays of them, rounded outward"
ENDS = "ends of bounds, or whole numbers: rounded up or down"
CHECKED = (
    "it takes numbers only and checks them; what it computes are rules of their own"
)
ARCSINE = "an arc sine, which formulas do not have"
ADDED = "a sum of bounds over the draws of a plan"

UNBOUND = {
    "cdp/coin-adversary": {"coin_then_responses": PLAN},
    "cdp/hoeffding": {"hoeffding": ENDS},
    "cdp/md-dominate": {"maximally_divergent_above": LOOP},
    "cdp/post-processing": {"post_process_mean_cdp": REFUSES},
    "composition/adaptive-choice": {
        "ChoiceLattice._values": LOOP,
        "Choices._after_fixed": PLAN,
        "FinitePairs.best": SEARCH,
        "FittedGame.enclosure": LOOP,
        "Points.enclosure": SEARCH,
        "best_next": SEARCH,
        "run_last": PLAN,
    },
    "composition/dominating-pairs": {
        "AmongPlans._asked": PLAN,
        "dominating_mu": ENDS,
        "dominating_sum": PLAN,
    },
    "composition/finite-choice": {"concave_hull": LOOP, "game_pair": LOOP},
    "composition/mean": {"AddedLoss.mean": ADDED},
    "composition/parallel": {"training_with": PLAN, "worst_part": PLAN},
    "composition/renyi": {"AddedLoss.renyi": ADDED},
    "composition/subgaussian": {"AddedLoss._tau": ADDED},
    "composition/zcdp": {"AddedLoss.zcdp_rho": ADDED},
    "discrete-gaussian/lattice-decay": {
        "DiscreteGaussianTransform.lattice_decay": LOOP
    },
    "discrete-gaussian/worst-pair": {"worst_pair": PLAN},
    "discrete-laplace/worst-pair": {"DiscreteLaplace.directions": PLAN},
    "engine/atom-sums": {"AtomMixture.enclosures": LOOP, "AtomSums.enclosure": LOOP},
    "engine/connect-the-dots": {
        "CellSums.enclosures": LOOP,
        "Cells.above": LOOP,
        "Cells.below": LOOP,
        "least_law": LOOP,
        "split_atom": LOOP,
    },
    "engine/knots": {"lower_dots": LOOP, "lower_hull": LOOP},
    "engine/lattice": {"LatticeLine._cell": LOOP},
    "engine/quadrature": {"enclosure": LOOP, "sum_at_least": LOOP},
    "engine/smoothing": {"SmoothLine.enclosure": LOOP},
    "exponential/choice": {"ChoiceLattice.best_choice": SEARCH},
    "exponential/worst-law": {"Exponential.directions": PLAN},
    "gaussian/composition": {"mu_of_squares": ENDS},
    "gaussian-dp/corners": {
        "gaussian_mu_between": SEARCH,
        "gaussian_mu_of_profile": SEARCH,
        "smallest_gaussian_mu": SEARCH,
    },
    "histogram/accuracy": {"nearest_histogram": LOOP},
    "histogram/privacy": {"bad_probability": LOOP},
    "histogram/worst-gamma": {"worst_gamma": SEARCH},
    "engine/exact-series": {"Series.at": LOOP},
    "post-processing/divergences": {
        "post_process_profile": PLAN,
        "worst_block": SEARCH,
    },
    "profile/highest": {"least_law": PLAN},
    "random-dp/composition": {"compose_random_adaptively": REFUSES},
    "random-dp/definition": {"hockey_stick": LOOP, "largest_excess": LOOP},
    "random-dp/relaxation": {"worst_gamma_of": REFUSES},
    "random-dp/remark-3": {"random_to_approx": REFUSES},
    "release/propose-test-release": {"first_beyond": SEARCH},
    "sampling/gaussian-apart": {"ApartCurve.enclosure": LOOP},
    "sampling/gaussian-decay": {"SampledGaussianTransform.decay": LOOP},
    "sampling/laplace-apart": {"falling_profile": LOOP},
    "sampling/poisson": {"sampled_directions": PLAN, "sampled_part": PLAN},
    "sampling/random-allocation": {"RandomAllocation._on_all": PLAN},
    "sampling/several-records": {"several_loss": PLAN},
    "sampling/truncated": {"cut_directions": PLAN, "cut_loss": PLAN},
    "sampling/with-replacement": {
        "fewer_copies": PLAN,
        "folded_copies": PLAN,
        "with_copies": PLAN,
    },
    "sampling/without-replacement": {
        "both_directions": PLAN,
        "either_way": PLAN,
        "folded_direction": PLAN,
        "one_way": PLAN,
    },
    "selection/threshold": {"noise_or_new": PLAN},
    "sensitivity/grid": {"OnGrid.local_within": ENDS},
    "sensitivity/ratio": {"outside": ENDS},
    "sensitivity/smooth-laplace": {
        "first_failing_alpha": SEARCH,
        "largest_beta": SEARCH,
    },
    "sensitivity/smooth-quantile": {"raised": DOUBLES},
    "sensitivity/strongly-convex": {
        "Location.pair": DOUBLES,
        "RidgeSlope.pair": DOUBLES,
    },
    "smooth/cauchy-like": {
        "power_admissible": CHECKED,
        "printed_power_admissible": CHECKED,
    },
    "smooth/circle-transform": {"CircleTransform.at": LOOP, "circle_error": ARCSINE},
    "smooth/corners": {"ShiftAndScale.masses": PLAN, "corners": PLAN},
    "smooth/efficient": {"Query.smooth": LOOP},
    "smooth/gaussian": {
        "explicit_gaussian_admissible": CHECKED,
        "gaussian_admissible": CHECKED,
    },
    "smooth/laplace": {
        "laplace_admissible": CHECKED,
        "printed_laplace_admissible": CHECKED,
    },
    "smooth/optimal": {"FiniteQuery.smooth_by_definition": LOOP},
    "smooth/order-statistic": {
        "RankedRecord.local_within": LOOP,
        "RankedRecord.smooth": DOUBLES,
    },
    "smooth/power-loss": {
        "SmoothPower.loss": PLAN,
        "largest_log_ratio": SEARCH,
        "pure_epsilon": SEARCH,
    },
    "statistics/clopper-pearson": {"audit_samples": LOOP},
    "tradeoff/from-profile": {
        "ComposedLoss.never_infinite": ENDS,
        "PrivacyLoss.never_infinite": ENDS,
        "below_chords": SEARCH,
        "tradeoff_of_atoms": LOOP,
        "without_alarms": ENDS,
    },
}
"""The rules that neither a statement nor a proof of their entry speaks of, and why. The list may
only become shorter, but for new rules that put plans together and have no formula.
"""


def test_every_rule_stands_in_a_statement_or_a_proof_of_its_entry() -> None:
    found = {name: unbound_rules(name) for name in ids() if theorem(name).rules}
    assert {name: rules for name, rules in found.items() if rules} == {
        name: sorted(rules) for name, rules in UNBOUND.items()
    }
    assert sum(map(len, UNBOUND.values())) <= 104


def test_a_call_with_numbers_binds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With all arguments taken for numbers, the rules that only a statement calls are unbound."""
    name = "group/approx"
    assert unbound_rules(name) == []
    monkeypatch.setattr(bound_rules, "is_symbolic", lambda _: False)
    assert unbound_rules(name) == ["chained"]


def test_what_holds_a_symbol_is_symbolic() -> None:
    x = Symbol("x")
    assert is_symbolic(x + 1)
    assert is_symbolic([(1, {"rate": x})])
    assert is_symbolic(Formal(formula(1)))
    assert not is_symbolic(formula(1))
    assert not is_symbolic([(1, {"rate": 2.0})])
