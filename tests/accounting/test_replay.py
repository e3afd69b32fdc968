"""Audits by replay: what the same noise on two data sets shows of running code."""

import copy
import math
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rdpacct import (
    ZCDP,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    InputError,
    Laplace,
    RandomDP,
    Sensitivity,
)
from rdpacct.auditing.replay import (
    FindingKind,
    NoiseVerdict,
    audit_noise,
    record_noise,
    replay_noise,
)
from rdpacct.mechanisms import Mechanism
from rdpacct.privacy.relation import Norm
from rdpacct.testing import TWINS, Twin
from rdpacct.testing.twins.replayed import REPLAYED_TWINS, ReplayedTwin
from tests.house.test_without_extras import run_without

Code = Callable[[Any, Any], Any]
D = [1, 2, 3]
D_PRIME = [1, 2]


def found(code: Code, x: Any = D, y: Any = D_PRIME, **options: Any) -> set[FindingKind]:
    """The kinds of findings on two neighbors."""
    return set(audit_noise(code, x, y, **options).kinds)


@pytest.mark.parametrize("twin", REPLAYED_TWINS, ids=lambda twin: twin.name)
def test_a_broken_twin_is_found_and_its_right_one_passes(twin: ReplayedTwin) -> None:
    """The right version has no finding and a budget that is known to suffice."""
    right = twin.audit_right()
    assert (right.findings, right.notes, right.outcome) == ((), (), "undecided")
    assert right.accounted is not None
    assert right.accounted.holds
    broken = twin.audit_broken()
    assert broken.fails
    assert twin.finds in broken.kinds


def test_every_pair_breaks_in_one_place() -> None:
    """The names are those of the pairs, and most kinds of findings have one."""
    assert len({twin.name for twin in REPLAYED_TWINS}) == len(REPLAYED_TWINS) >= 10
    kinds = {twin.finds for twin in REPLAYED_TWINS}
    others = {"NO_NOISE", "NOT_FINITE", "UNDECLARED"}
    assert {kind.name for kind in FindingKind} == {kind.name for kind in kinds} | others


SEEN = {
    "laplace-fixed-seed": {FindingKind.NO_NOISE},
    "mean-true-batch-size": {FindingKind.OUTPUT},
    "median-local-sensitivity": {FindingKind.SCALE},
    "shuffle-keeps-the-order": {FindingKind.OUTPUT},
    "sparse-vector-5": {FindingKind.NO_NOISE},
    "vector-one-draw": {FindingKind.SHARED},
}
"""What is found in broken twins for audits of outputs if nothing is declared of them."""


FLIPPED = {"unary-encoding-budget-per-bit"}
"""Twins that flip the bits of a value, which with the same coins have other outputs."""


@pytest.mark.parametrize(
    "twin",
    [twin for twin in TWINS if twin.name not in FLIPPED],
    ids=lambda twin: twin.name,
)
def test_a_twin_of_the_other_kind_is_replayed(twin: Twin) -> None:
    """Nothing is found in the right version; in the broken one what no number of a declaration is
    needed for.
    """
    right = audit_noise(twin.right, twin.x, twin.x_neighbor)
    assert right.findings == ()
    broken = audit_noise(twin.broken, twin.x, twin.x_neighbor, runs=4)
    assert set(broken.kinds) == SEEN.get(twin.name, set())


@pytest.mark.parametrize("twin", REPLAYED_TWINS, ids=lambda twin: twin.name)
def test_a_finding_names_the_line_of_the_call(twin: ReplayedTwin) -> None:
    """The file and the line are those where noise is drawn or added."""
    for finding in twin.audit_broken().findings:
        if finding.place is None:
            assert finding.kind in (FindingKind.BUDGET, FindingKind.OUTPUT)
            continue
        file = Path(finding.place.file)
        line = file.read_text().splitlines()[finding.place.line - 1]
        assert file.parent.name == "replayed"
        assert "rng." in line or "+ noise" in line


def test_the_verdict_says_all_in_a_text() -> None:
    """Outcome, claim, finding with its place, and what was recorded."""

    def code(data: Any, rng: Any) -> Any:
        return sum(data) + rng.laplace(scale=2)

    verdict = audit_noise(code, D, D_PRIME, sensitivity=1, claim="PureDP(epsilon=1/2)")
    first, second, third = str(verdict).splitlines()
    assert first == "fails: PureDP(epsilon=0.5)"
    assert second.startswith("  sensitivity: call 0 (test_replay.py:")
    assert second.endswith("moved by 3 in L1, more than the declared sensitivity 1")
    assert third == "  recorded: Laplace(scale=2)"
    [finding] = verdict.findings
    assert finding.measured is not None
    assert finding.measured.lower == finding.measured.upper == 3
    assert "<b>fails:</b> PureDP" in verdict._repr_html_()
    with pytest.raises(TypeError, match="not true or false"):
        assert verdict


def test_doubles_are_compared_as_the_rationals_that_they_are() -> None:
    """0.1 + 0.2 is more than three tenths, and exactly itself."""

    def code(data: Any, rng: Any) -> Any:
        return sum(data) + rng.laplace(scale=1.0)

    pair: tuple[list[float], list[float]] = ([0.1, 0.2], [])
    assert found(code, *pair, sensitivity="0.3") == {FindingKind.SENSITIVITY}
    assert found(code, *pair, sensitivity=0.1 + 0.2) == set()


@pytest.mark.parametrize(
    ("move", "declared", "is_found"),
    [
        ((3.0, 4.0), 5, False),
        ((3.0, 4.0 + 2**-50), 5, True),
        ((1.0, 1.0), "1.41421356", True),
        ((1.0, 1.0), "1.41421357", False),
    ],
)
def test_the_length_of_a_move_is_exact(
    move: tuple[float, float], declared: Any, is_found: bool
) -> None:
    """Normal noise is calibrated in L2: lengths are compared by their squares."""

    def code(data: Any, rng: Any) -> Any:
        return np.array(data) + rng.normal(scale=1.0, size=2)

    kinds = found(code, [0.0, 0.0], list(move), sensitivity=declared)
    assert (FindingKind.SENSITIVITY in kinds) is is_found


def test_laplace_noise_is_compared_in_the_sum_of_moves() -> None:
    """The same move is longer in L1 than in L2; a sensitivity in the wrong norm is refused."""

    def code(data: Any, rng: Any) -> Any:
        return np.array(data) + rng.laplace(scale=1.0, size=2)

    pair = ([0, 0], [3, 4])
    assert found(code, *pair, sensitivity=6) == {FindingKind.SENSITIVITY}
    assert found(code, *pair, sensitivity=7) == set()
    assert found(code, *pair, sensitivity=Sensitivity(7, norm=Norm.L1)) == set()
    with pytest.raises(InputError, match="calibrated in L1"):
        audit_noise(code, *pair, sensitivity=Sensitivity(5, norm=Norm.L2))


def test_code_that_is_guided_by_noisy_values_goes_the_same_way() -> None:
    """A branch on a noisy count is no finding; a branch on the count is one."""

    def guided(data: Any, rng: Any) -> Any:
        count = len(data) + rng.laplace(scale=1.0)
        if count > 2:
            return count, sum(data) + rng.laplace(scale=count)
        return count, None

    def peeking(data: Any, rng: Any) -> Any:
        count = len(data) + rng.laplace(scale=1.0)
        if len(data) > 2:
            return count, sum(data) + rng.laplace(scale=1.0)
        return count, None

    runs = {"runs": 20}
    assert found(guided, sensitivity=[1, 3], **runs) == set()
    assert FindingKind.DRAWS in found(peeking, sensitivity=[1, 3], **runs)


def test_the_sparse_vector_technique_passes_as_it_is_proved() -> None:
    """Its threshold does not move, and it stops where the noisy values say so."""

    def above(data: Any, rng: Any) -> Any:
        threshold = 3 + rng.laplace(scale=2.0)
        for index in range(5):
            count = sum(x > index for x in data)
            if count + rng.laplace(scale=4.0) >= threshold:
                return index
        return None

    declared = [0, 1, 1, 1, 1, 1]
    assert found(above, runs=30, sensitivity=declared) == set()


def test_a_noisy_value_may_be_used_as_often_as_one_likes() -> None:
    """Also if noise is drawn around a value that is zero by chance."""

    def code(data: Any, rng: Any) -> Any:
        noisy = rng.laplace(sum(data), 3.0)
        return noisy + 5, noisy + 7, 2 * noisy

    for first, second in ((0, 3), (3, 0), (-3, 0)):
        assert found(code, [first], [second], sensitivity=3) == set()
        kinds = found(code, [first], [second], sensitivity=2)
        assert kinds == {FindingKind.SENSITIVITY}


def test_a_difference_of_two_exponential_draws_is_laplace_noise() -> None:
    """Only of the same scale, and one against the other."""

    def laplace(data: Any, rng: Any) -> Any:
        return sum(data) + 2 * (rng.expovariate(1.0) - rng.expovariate(1.0))

    def one_sided(data: Any, rng: Any) -> Any:
        return sum(data) + (rng.expovariate(1.0) + rng.expovariate(1.0))

    def lopsided(data: Any, rng: Any) -> Any:
        return sum(data) + (rng.expovariate(1.0) - rng.expovariate(2.0))

    options: dict[str, Any] = {"sensitivity": 3, "source": random.Random}
    claim = "PureDP(epsilon=3/2)"
    verdict = audit_noise(laplace, D, D_PRIME, claim=claim, **options)
    assert str(verdict.plan) == "Laplace(scale=2, sensitivity=3)"
    assert (verdict.findings, verdict.notes) == ((), ())
    for code in (one_sided, lopsided):
        verdict = audit_noise(code, D, D_PRIME, claim=claim, **options)
        assert str(verdict.plan) == "nothing"
        assert verdict.accounted is None
        assert verdict.notes


def test_noise_of_another_source_is_said_to_be_there() -> None:
    """Nothing is concluded from an output whose noise is not seen."""
    hidden = random.Random(7)

    def code(data: Any, rng: Any) -> Any:  # noqa: ARG001
        return sum(data) + hidden.gauss(0, 1)

    verdict = audit_noise(code, D, D_PRIME, sensitivity=1)
    assert verdict.undecided
    assert verdict.findings == ()
    assert "noise of another source" in verdict.notes[0]
    assert "never called" in verdict.notes[1]


@pytest.mark.parametrize(
    ("code", "source"),
    [
        (
            lambda d, rng: sum(d) + np.random.Generator(rng.bit_generator).normal(),
            None,
        ),
        (lambda d, rng: sum(d) + restarted(rng.getstate()).gauss(0, 1), random.Random),
    ],
)
def test_a_generator_that_is_taken_apart_is_said_to_be(code: Code, source: Any) -> None:
    """Its noise is the same in all runs, so that only the output is compared."""
    verdict = audit_noise(code, D, D_PRIME, source=source, claim="PureDP(epsilon=1)")
    assert verdict.findings == ()
    assert "only the output tells" in verdict.notes[0]
    assert verdict.accounted is None
    kinds = audit_noise(code, D, D_PRIME, source=source, sensitivity=2).kinds
    assert kinds == {FindingKind.SENSITIVITY}


def restarted(state: Any) -> random.Random:
    """A generator of Python with the state of another."""
    rng = random.Random()
    rng.setstate(state)
    return rng


def test_a_copied_generator_records_too() -> None:
    """A copy would draw the same noise again; here it writes on the same tape."""

    def code(data: Any, rng: Any) -> Any:
        return sum(data) + copy.deepcopy(rng).normal() + copy.copy(rng).normal()

    for source in (None, random.Random):
        noisy = (
            code if source is None else lambda d, r: sum(d) + copy.deepcopy(r).gauss()
        )
        verdict = audit_noise(noisy, D, D_PRIME, source=source, sensitivity=3)
        assert verdict.findings == ()
        assert len(verdict.log.calls) == (2 if source is None else 1)


def test_the_budget_is_not_compared_where_noise_may_be_missing() -> None:
    """Noise by inversion, or of another source, is in no plan."""
    hidden = random.Random(7)

    def inverted(data: Any, rng: Any) -> Any:
        return len(data) + math.log(rng.random())

    def other(data: Any, rng: Any) -> Any:
        return len(data) + hidden.gauss(0, 1) + rng.laplace()

    def unsteady(data: Any, rng: Any) -> Any:
        return Laplace(1).sample(len(data) + hidden.random(), rng)

    for code in (inverted, other, unsteady):
        verdict = audit_noise(
            code, D, D_PRIME, sensitivity=1, claim="PureDP(epsilon=5)"
        )
        assert verdict.accounted is None
        assert verdict.findings == ()
        assert any(note.startswith("the budget") for note in verdict.notes)


def test_an_output_without_noise_is_found() -> None:
    """Two runs on the same data agree, and the neighbor has another output."""

    def code(data: Any, rng: Any) -> Any:  # noqa: ARG001
        return sum(data)

    verdict = audit_noise(code, D, D_PRIME)
    assert verdict.kinds == {FindingKind.NO_NOISE}
    assert "never called" in verdict.notes[0]
    assert audit_noise(code, [1, 2], [1, 2, 0]).undecided


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (lambda d, rng: sum(d) + 0 * rng.laplace(), FindingKind.NO_NOISE),
        (lambda d, rng: sum(d) + rng.laplace(scale=0.0), FindingKind.NO_NOISE),
        (lambda d, rng: sum(d) + (len(d) > 2) * rng.laplace(), FindingKind.SCALE),
        (lambda d, rng: sum(d) + rng.laplace() / len(d), FindingKind.SCALE),
        (lambda d, rng: 1 / (3 - len(d) or 1e-320) + rng.laplace(), "NOT_FINITE"),
        (lambda d, rng: (sum(d) + rng.laplace(), len(d)), FindingKind.OUTPUT),
        (lambda d, rng: sum(d) + rng.laplace(size=len(d)).sum(), FindingKind.DRAWS),
        (lambda d, rng: [x + rng.laplace() for x in d], FindingKind.DRAWS),
        (lambda d, rng: Laplace(len(d)).sample(0, rng), FindingKind.SCALE),
        (lambda d, rng: Laplace(1).sample(d, rng), FindingKind.DRAWS),
        (lambda d, rng: Laplace(1).sample(sum(d), rng), FindingKind.SENSITIVITY),
    ],
)
def test_each_slip_is_found(code: Code, kind: FindingKind | str) -> None:
    """One slip each, in one line."""
    named = kind if isinstance(kind, FindingKind) else FindingKind[kind]
    assert named in found(code, sensitivity=3)


def test_more_draws_than_declared_are_found() -> None:
    """A list of sensitivities has one for each draw."""

    def code(data: Any, rng: Any) -> Any:
        return [len(data) + rng.laplace(scale=1.0) for _ in range(3)]

    assert found(code, sensitivity=[1, 1, 1]) == set()
    assert found(code, sensitivity=[1, 1]) == {FindingKind.UNDECLARED}
    assert found(code, sensitivity=[1, 0, None]) == {FindingKind.SENSITIVITY}


def test_uniform_numbers_are_judged_by_the_output() -> None:
    """Noise by inversion is not followed: the output moves as the value does."""

    def code(data: Any, rng: Any) -> Any:
        u = float(rng.random()) - 0.5
        return sum(data) - 2 * float(np.sign(u) * np.log1p(-2 * abs(u)))

    verdict = audit_noise(code, [1, 2, 4], [1, 2], sensitivity=1)
    assert verdict.kinds == {FindingKind.SENSITIVITY}
    assert "in the output, with the same noise" in str(verdict)
    assert audit_noise(code, [1, 2, 4], [1, 2], sensitivity=5).findings == ()
    assert "only the output tells" in verdict.notes[0]


def test_the_output_of_selected_records_is_held_to_the_noisy_values() -> None:
    """Shuffling and coins for records are no noise, so that nothing else may move the output."""

    def shuffled(data: Any, rng: Any) -> Any:
        rng.shuffle(data)
        return data[0], sum(data) + rng.laplace(scale=3.0)

    def reported(data: Any, rng: Any) -> Any:
        return int(rng.random() < 0.75) ^ data[0]

    pair = ([1, 1], [1, 3])
    assert found(shuffled, *pair, sensitivity=3, runs=9) == {FindingKind.OUTPUT}
    assert found(reported, [1], [0]) == set()


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("is_removed", [True, False])
def test_coins_go_with_their_records(place: int, is_removed: bool) -> None:
    """Whichever record is removed or added, the others are in the sample if they were before."""

    def by_array(data: Any, rng: Any) -> Any:
        chosen = np.array(data)[rng.random(len(data)) < 0.5]
        return chosen.sum() + rng.laplace(scale=1.0)

    def by_loop(data: Any, rng: Any) -> Any:
        chosen = [x for x in data if rng.random() < 0.5]
        return sum(chosen) + rng.laplace(scale=1.0)

    def by_pairs(data: Any, rng: Any) -> Any:
        chosen = [x for x in data if min(rng.random() for _ in range(2)) < 0.5]
        return sum(chosen) + rng.laplace(scale=1.0)

    data = [1, 10, 100, 1000]
    fewer = [*data[:place], *data[place + 1 :]]
    pair = (data, fewer) if is_removed else (fewer, data)
    for code in (by_array, by_loop, by_pairs):
        assert found(code, *pair, sensitivity=data[place], runs=8) == set()
        kinds = found(code, *pair, sensitivity=[data[place] - 1], runs=8)
        assert kinds == {FindingKind.SENSITIVITY}


@pytest.mark.parametrize(
    "mechanism",
    [
        each
        for cls in Mechanism.registry.values()
        if cls.__module__.startswith("rdpacct.")
        for each in cls.examples()
        if each.pair() is not None and each.has_sampler
    ],
    ids=str,
)
def test_the_worst_pair_of_a_mechanism_is_within_what_it_declares(
    mechanism: Any,
) -> None:
    """Every mechanism of the package, on the inputs for which its loss is stated."""
    verdict = audit_noise(lambda x, rng: mechanism.sample(x, rng), *mechanism.pair())
    assert verdict.findings == ()
    assert verdict.log.calls[0].mechanism == mechanism


@pytest.mark.parametrize(
    ("mechanism", "first", "second"),
    [
        (Laplace(1), 0, 1.5),
        (DiscreteLaplace(2, sensitivity=3), 0, 4),
        (DiscreteGaussian(sigma_squared=2, dimension=2), [0, 0], [1, 1]),
        (DiscreteGaussian(sigma_squared=2, shift=(1, 2)), [0, 0], [2, 2]),
        (Exponential(1), [0, 1], [0, 3]),
        (Exponential(1, monotone=True), [0, 1], [1, 0]),
    ],
)
def test_inputs_beyond_what_a_mechanism_declares_are_found(
    mechanism: Any, first: Any, second: Any
) -> None:
    """The same mechanism passes on inputs that are equal."""

    def code(data: Any, rng: Any) -> Any:
        return mechanism.sample(data, rng)

    assert found(code, first, second) == {FindingKind.SENSITIVITY}
    assert found(code, first, first) == set()


def test_a_plan_of_recorded_releases_is_audited() -> None:
    """Mechanisms of the package and draws of NumPy together; too small a claim fails."""

    def code(data: Any, rng: Any) -> Any:
        count = DiscreteGaussian(2).sample(len(data), rng)
        return count, sum(min(x, 3) for x in data) + rng.normal(scale=6.0)

    def verdict(rho: str) -> NoiseVerdict:
        return audit_noise(code, D, D_PRIME, sensitivity=3, claim=ZCDP(rho))

    enough = verdict("1/4")
    assert (
        str(enough.plan)
        == "DiscreteGaussian(sigma=2) + Gaussian(sigma=6, sensitivity=3)"
    )
    assert enough.accounted is not None
    assert enough.accounted.holds
    assert enough.findings == ()
    assert verdict("0.2499").kinds == {FindingKind.BUDGET}


def test_the_same_seed_gives_the_same_record() -> None:
    """The noise of a call depends on the seed and the number of the call alone."""

    def code(data: Any, rng: Any) -> Any:
        return [x + rng.laplace(scale=1.0) for x in data]

    long = record_noise(code, [0, 0, 0], seed=5)
    short = record_noise(code, [0, 0], seed=5)
    assert long.output[:2] == short.output
    assert record_noise(code, [0, 0], seed=6).output != short.output
    expected = np.random.default_rng((5, 0, 1)).laplace(scale=1.0)
    assert short.output[1] == expected
    again = replay_noise(code, long, [7, 8, 9])
    assert again.output == long.output
    assert [call.values for call in again.calls] == [[7], [8], [9]]


def test_a_log_is_a_text() -> None:
    """One line for each call."""

    def code(data: Any, rng: Any) -> Any:
        rng.shuffle(data)
        return Laplace(2).sample(data, rng), rng.normal(3.0, 2.0)

    lines = str(record_noise(code, [0, 0, 0, 0])).splitlines()
    assert lines[0].endswith("Laplace(scale=2) of [0, 0, 0, ... (4 numbers)]")
    assert lines[1].endswith("normal of scale 2.0 around 3.0")
    assert lines[2] == "and 1 other random choices"
    assert str(record_noise(lambda *_: 0, [])) == "no call of the noise"


def test_the_data_are_left_as_they_were() -> None:
    """Each run has a copy."""
    data = [3, 1, 2]

    def code(data: Any, rng: Any) -> Any:
        data.sort()
        return data.pop() + rng.laplace(scale=1.0)

    assert audit_noise(code, data, [1, 2], sensitivity=1).findings == ()
    assert data == [3, 1, 2]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sensitivity": -1}, "must be at least 0"),
        ({"sensitivity": "none"}, "not a finite number"),
        ({"claim": RandomDP(1, gamma="0.1")}, "about two data sets"),
        ({"claim": 3}, "give a guarantee"),
        ({"runs": 0}, "whole number from 1"),
        ({"seed": -1}, "the seed is -1"),
        ({"source": "numpy"}, "give random.Random"),
        ({"mechanism": 3}, "give a function"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    options: dict[str, Any], words: str
) -> None:
    """The value, the reason and the remedy."""

    def code(data: Any, rng: Any) -> Any:
        return len(data) + rng.laplace(scale=1.0)

    arguments = {"mechanism": code, "x": D, "x_neighbor": D_PRIME, **options}
    with pytest.raises(InputError, match=words):
        audit_noise(**arguments)


def test_python_alone_is_enough() -> None:
    """Without NumPy a generator of Python is recorded, and the sentence says so."""
    code = """
import random
from rdpacct import NotInstalledError, audit_noise
code = lambda data, rng: sum(data) + rng.gauss(0, 1)
print(audit_noise(code, [1], [], source=random.Random, sensitivity=1).findings)
try:
    audit_noise(code, [1], [])
except NotInstalledError as error:
    print(error.needs, error)
"""
    sentence = (
        "the noise is recorded with a generator of NumPy, which is not installed;"
        " install rdpacct[data], or give source=random.Random."
    )
    assert run_without(code) == ["()", f"numpy {sentence}"]


def test_a_recorded_fraction_is_exact() -> None:
    """The scale of Python's exponential draws is one over a rational."""

    def code(data: Any, rng: Any) -> Any:  # noqa: ARG001
        return rng.expovariate(3)

    [call] = record_noise(code, [], source=random.Random).calls
    assert call.scale == Fraction(1, 3)


def test_numpy_is_loaded_for_arrays_only() -> None:
    """The public names bring no NumPy."""
    program = (
        "import sys; from rdpacct import audit_noise, record_noise, replay_noise;"
        " print('numpy' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"
