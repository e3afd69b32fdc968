"""Every mechanism, found and not listed: it obeys the laws, its sampled outputs pass its audit, and
its broken twin fails it.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import Gaussian, audit_code
from rdpacct.mechanisms import Mechanism, known_mechanisms
from rdpacct.testing import TWINS
from rdpacct.testing.twins import batches, drawn_batches
from tests.every_mechanism import EXEMPT, ROWS, Run, run_of
from tests.mechanisms.test_laws import EXAMPLES

TRIALS = 100
KINDS = {
    name: kind
    for name, kind in known_mechanisms().items()
    if kind.__module__.startswith("rdpacct.")
}
QUICK = (
    "GaussianMixture",
    "HadamardResponse",
    "MatrixMechanism",
    "PoissonSampled",
    "SampledBands",
    "SampledWithReplacement",
    "SampledWithoutReplacement",
    "SmoothStudent",
    "Staircase",
    "SubsetSelection",
    "TreeAggregation",
    "TruncatedLaplace",
    "TruncatedPoissonSampled",
)
"""Those whose audits the default run has; the slow run has all."""


def missing(kinds: dict[str, type[Mechanism]]) -> list[str]:
    """What mechanisms lack, in words: examples for the laws, or a way to run them."""
    found = []
    for name, kind in sorted(kinds.items()):
        if not any(type(example) is kind for example in EXAMPLES):
            found.append(f"{name} has no example on which the laws are tested")
        if name not in EXEMPT and run_of(kind) is None:
            found.append(f"{name} has no sampled outputs: no pair, and no row")
    return found


def test_every_mechanism_has_laws_an_audit_and_a_twin() -> None:
    assert missing(KINDS) == []
    assert len(KINDS) >= 42


def test_exemptions_are_few_and_of_mechanisms_that_there_are() -> None:
    """With its reason each; one that can be run is not exempt, but for its claim."""
    assert EXEMPT.keys() <= KINDS.keys()
    assert len(EXEMPT) <= 4
    for name, reason in EXEMPT.items():
        assert len(reason) > 20
        assert run_of(KINDS[name]) is None
        print(f"{name}: {reason}")


def test_samplers_have_twins_of_their_own() -> None:
    """Where the twin is another way to draw a batch, and not one release too many."""
    copies = drawn_batches.COPIES_COUNT
    cut = drawn_batches.CUT_AS_POISSON
    fixed = batches.FIXED_SIZE
    assert {copies, cut, fixed} <= set(TWINS)
    assert str(copies.broken_law()).startswith("SampledWithReplacement(")
    assert cut.claim.startswith("TruncatedPoissonSampled(")
    assert fixed.claim.startswith("PoissonSampled(")


@dataclass(frozen=True)
class _Unsampled(Mechanism):
    """A new mechanism that nobody can run."""

    sigma: Any = 1

    def loss(self) -> Any:
        return Gaussian(self.sigma).loss()


def test_a_mechanism_without_them_is_noticed() -> None:
    """The walk can fail: for a class without examples, without a pair and without a row."""
    assert missing({"_Unsampled": _Unsampled}) == [
        "_Unsampled has no example on which the laws are tested",
        "_Unsampled has no sampled outputs: no pair, and no row",
    ]


def _check(run: Run) -> None:
    right = audit_code(run.right, run.x, run.x_neighbor, run.claim, trials=TRIALS)
    assert right.undecided, right
    other = run.no_neighbor or run.x_neighbor
    broken = audit_code(run.broken, run.x, other, run.claim, trials=TRIALS)
    assert broken.fails, broken


@pytest.mark.parametrize("name", QUICK)
def test_sampled_outputs_pass_the_audit_and_a_twin_fails_it(name: str) -> None:
    """One output for each release that is counted, and several that are counted once."""
    run = run_of(KINDS[name])
    assert run is not None
    _check(run)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(KINDS.keys() - EXEMPT.keys() - set(QUICK)))
def test_all_other_outputs_pass_too(name: str) -> None:
    run = run_of(KINDS[name])
    assert run is not None
    _check(run)


def numbers(data: Any) -> list[Fraction]:
    """The inputs of a mechanism, as it compares them."""
    values = data[0] if isinstance(data[0], list) else data
    return [Fraction(value) for value in values]


COMPARED = [
    run for run in ROWS if run.method == "sample" and run.mechanism.inside is None
]


@pytest.mark.parametrize("run", COMPARED, ids=lambda run: type(run.mechanism).__name__)
def test_the_inputs_of_a_row_are_neighbors(run: Run) -> None:
    """As far as the mechanism says which are."""
    first, second = numbers(run.x), numbers(run.x_neighbor)
    assert run.mechanism.uncovered(first, second) == ""
    if run.no_neighbor is not None:
        assert run.mechanism.uncovered(first, numbers(run.no_neighbor))
