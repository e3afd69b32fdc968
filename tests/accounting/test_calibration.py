"""Calibration: the certified ends meet and miss the target, and agree with closed forms."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct import InputError, UndecidedError, calibrate, delta, epsilon, work
from rdpacct.cli import main
from rdpacct.language.grammar import parse


@pytest.mark.parametrize(
    ("plan", "epsilon", "target", "reference"),
    [
        ("1000*Gaussian(sigma=?)", "1", "1e-6", "133.59607673103"),
        (
            "10000*PoissonSampled(Gaussian(sigma=?), rate=0.01)",
            "3",
            "1e-5",
            "1.56496553546",
        ),
    ],
)
def test_the_workloads_are_calibrated(
    plan: str, epsilon: str, target: str, reference: str
) -> None:
    """W7a and W7b."""
    value = calibrate(plan, epsilon, target).value
    half = Fraction(1, 2 * 10 ** len(reference.partition(".")[2]))
    assert value.lower <= Fraction(reference) + half
    assert value.upper >= Fraction(reference) - half
    assert value.relative_width < 1e-8


@pytest.mark.parametrize(
    ("plan", "epsilon", "target"),
    [
        ("Gaussian(sigma=?)", "1", "1e-6"),
        ("1000*Laplace(scale=?)", "20", "1e-6"),
        ("10*Laplace(scale=?)", "2", "1e-6"),
        ("50*RandomizedResponse(epsilon=?)", "5", "1e-6"),
        ("10000*PoissonSampled(Gaussian(sigma=1), rate=?)", "3", "1e-5"),
        ("?*PoissonSampled(Gaussian(sigma=1), rate=0.01)", "3", "1e-5"),
        ("?*Gaussian(sigma=10) + Laplace(scale=10)", "1", "1e-6"),
    ],
)
def test_one_end_meets_the_target_and_the_other_misses_it(
    plan: str, epsilon: str, target: str
) -> None:
    """Whatever is open, the value that suffices suffices, and the other one does not."""
    found = calibrate(plan, epsilon, target)
    assert delta(plan.replace("?", str(found.sufficient)), epsilon).certainly_at_most(
        Fraction(target)
    )
    assert delta(plan.replace("?", str(found.insufficient)), epsilon).certainly_above(
        Fraction(target)
    )
    assert found.value.relative_width < 1e-8
    if found.name == "count":
        assert found.insufficient == found.sufficient + 1


@pytest.mark.parametrize(
    ("plan", "epsilon", "target", "reason"),
    [
        (
            "Gaussian(sigma=?) + Gaussian(sigma=0.1)",
            "1",
            "1e-6",
            "the rest of the plan",
        ),
        ("Gaussian(sigma=1)", "1", "1e-6", "0 open numbers"),
        ("Gaussian(sigma=?) + Laplace(scale=?)", "1", "1e-6", "2 open numbers"),
        (
            "RandomizedResponse(epsilon=1, answers=?)",
            "1",
            "1e-6",
            "cannot be calibrated",
        ),
        ("Gaussian(sigma=?)", "-1", "1e-6", "at least 0"),
        ("Gaussian(sigma=?)", "1", "0", "above 0"),
        ("Gaussian(sigma=?)", "1", "2", "below 1"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(
    plan: str, epsilon: str, target: str, reason: str
) -> None:
    """One sentence says why."""
    with pytest.raises(InputError, match=reason):
        calibrate(plan, epsilon, target)


def test_a_count_of_zero_and_a_rate_of_one_are_answers() -> None:
    """Where one release is too many, none is allowed; where sampling is not needed, the rate is
    one.
    """
    assert calibrate("?*Gaussian(sigma=0.1)", 1, "1e-6").sufficient == 0
    assert (
        calibrate("PoissonSampled(Gaussian(sigma=10), rate=?)", 3, "1e-5").sufficient
        == 1
    )


def test_a_plan_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many values are tried, the text is parsed once, and the relation of a file is
    kept.
    """
    texts = []

    def counting(text: Any, *rest: Any) -> Any:
        texts.append(text)
        return parse(text, *rest)

    for reader in ("plan.text", "language.written"):
        monkeypatch.setattr(f"rdpacct.{reader}.parse", counting)
    plan = "100*PoissonSampled(Gaussian(sigma=?), rate=0.1)"
    assert main(["calibrate", plan, "--epsilon", "3", "--delta", "1e-6"]) == 0
    assert len(texts) == 1


def test_the_relation_of_a_file_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As for epsilon, so for a calibration."""
    file = tmp_path / "plan.toml"
    file.write_text(
        'plan = "Laplace(scale=?, sensitivity=2)"\nrelation = "replace_one"\n'
    )
    assert main(["calibrate", str(file), "--epsilon", "1", "--delta", "0"]) == 0
    assert "relation replace_one;" in capsys.readouterr().out
    file.write_text(
        'plan = "Laplace(scale=2, sensitivity=2)"\nrelation = "replace_one"\n'
    )
    assert main(["epsilon", str(file), "--delta", "0"]) == 0
    assert "relation replace_one;" in capsys.readouterr().out


def test_streams_that_amount_to_several_releases_are_calibrated() -> None:
    """The search plans with the releases that a sampled stream stands for."""
    found = calibrate(
        "SampledBands(sigma=?, steps=4, coefficients=[1, 1/2], rate=1/4)", "1", "1e-5"
    )
    assert found.value.relative_width < 1e-6
    assert found.value.lower > 2


def test_a_costly_plan_says_why_it_is_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each value of a shuffled report takes a good part of the work."""
    monkeypatch.setattr(work, "WHOLE", 200_000)
    with pytest.raises(UndecidedError, match="before two values of epsilon enclosed"):
        calibrate("Shuffled(RandomizedResponse(epsilon=?), people=50)", "0.3", "1e-6")


@pytest.mark.slow
def test_shuffled_reports_are_calibrated_between_two_ends() -> None:
    plan = "Shuffled(PureDP(epsilon=?), people=100)"
    found = calibrate(plan, "0.3", "1e-6")
    assert found.value.lower == found.sufficient < found.value.upper < 1
    enough = plan.replace("?", str(found.short))
    assert epsilon(enough, "1e-6").upper <= Fraction(3, 10)


def test_ends_that_stay_apart_are_no_mistake_of_the_user() -> None:
    """Below, nothing is known of two answers, so that no epsilon certainly fails; the search ends
    before the largest local epsilon, and says so.
    """
    plan = "Shuffled(RandomizedResponse(epsilon=?), people=3)"
    with pytest.raises(UndecidedError, match="between two ends only") as said:
        calibrate(plan, "1", "1e-2")
    found = re.search(r"epsilon = (\S+) certainly suffices", str(said.value))
    assert found is not None
    assert epsilon(plan.replace("?", found[1]), "1e-2").upper <= 1
