"""What a calibration takes for granted is said of the plan that it prints, in text and in JSON."""

import json
import re
from fractions import Fraction

import pytest

from rdpacct.calibration import Calibration
from rdpacct.calibration.search import LOWERS_PRIVACY
from rdpacct.cli import main
from rdpacct.cli.commands import calibrate as command
from rdpacct.cli.rendering import hypothesis_lines
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.mechanisms import Mechanism, known_mechanisms
from rdpacct.plan import PlanText, read_plan
from rdpacct.privacy.relation import Relation
from rdpacct.target import RAISES_PRIVACY

OPEN = RAISES_PRIVACY | LOWERS_PRIVACY.keys()
"""The parameters that may be open."""
PLANS = {
    ("PoissonSampled", "rate"): "PoissonSampled(Gaussian(sigma=1), rate=?/60000)",
    ("PoissonSampled", "sigma"): "PoissonSampled(Gaussian(sigma=?), rate=1/7)",
    ("PoissonSampled", "scale"): "PoissonSampled(Laplace(scale=?), rate=1/7)",
    ("RandomAllocation", "sigma"): "RandomAllocation(Gaussian(sigma=?/3), steps=2)",
    ("RepeatAndSelect", "epsilon"): "RepeatAndSelect(epsilon=?/7, gamma=0.1)",
    ("SampledBands", "rate"): (
        "SampledBands(sigma=2, steps=2, coefficients=[1, 1/2], rate=?/7)"
    ),
    ("SampledWithReplacement", "sigma"): (
        "SampledWithReplacement(Gaussian(sigma=?/3), batch=2, of=9)"
    ),
    ("SampledWithoutReplacement", "sigma"): (
        "SampledWithoutReplacement(Gaussian(sigma=?/3), batch=10, of=100)"
    ),
    ("TreeAggregation", "sensitivity"): (
        "TreeAggregation(sigma=4, steps=5, participations=2, separation=2,"
        " sensitivity=?/7)"
    ),
    ("TruncatedPoissonSampled", "sigma"): (
        "TruncatedPoissonSampled(Gaussian(sigma=?/3), rate=0.1, of=9, cap=8)"
    ),
    ("TruncatedPoissonSampled", "rate"): (
        "TruncatedPoissonSampled(Gaussian(sigma=2), rate=?/7, of=9, cap=8)"
    ),
}
"""A plan for each open number that stands in an assumption."""
BESIDE = (
    "PureDP(epsilon=?/7) + PureDP(epsilon=1/10)",
    "PoissonSampled(Gaussian(sigma=1), rate=?/60000) + PureDP(epsilon=1/10)",
    "?*PoissonSampled(Gaussian(sigma=3), rate=1/70)",
)
"""Assumptions that name their mechanism, and a count."""


def said_otherwise(mechanism: Mechanism, other: Mechanism) -> bool:
    """Whether two mechanisms take different things for granted, but for their own names."""
    said, changed = (
        [sentence.removeprefix(f"{one}: ") for sentence in one.hypotheses()]
        for one in (mechanism, other)
    )
    return said != changed


def with_other_numbers(text: str, relation: Relation) -> list[tuple[str, Mechanism]]:
    """A mechanism with one of its open parameters changed a little, each with the name of that."""
    found = []
    for number in re.finditer(r"(\w+)=([0-9][\w./+-]*)", text):
        for factor in ("1234577/1234567", "1234567/1234577"):
            changed = f"{number[2]}*{factor}"
            begin, end = number.span(2)
            try:
                plan = read_plan(text[:begin] + changed + text[end:], relation)
            except InputError:
                continue
            if number[1] in OPEN and plan.single is not None:
                found.append((number[1], plan.single))
    return found


def test_each_open_number_of_an_assumption_is_looked_at() -> None:
    """Whatever example of a mechanism has a parameter in what it takes for granted."""
    needed = set()
    for name, cls in known_mechanisms().items():
        for example in cls.examples():
            for parameter, other in with_other_numbers(str(example), example.relation):
                if said_otherwise(example, other):
                    needed.add((name, parameter))
    assert needed == set(PLANS)


def check(
    words: list[str], relation: Relation, capsys: pytest.CaptureFixture[str]
) -> str:
    """Ask in text and in JSON: what each assumes is what its plan takes for granted."""
    words = [*words, "--relation", relation.value]
    assert main(words) == 0
    text = capsys.readouterr().out
    shown: str
    (shown,) = re.findall("^  for (.*) at epsilon", text, re.MULTILINE)
    lines = [line for line in text.splitlines() if line.startswith("  assumes: ")]
    assert lines == hypothesis_lines(read_plan(shown, relation)) != []
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    plan = read_plan(data["plan"], relation)
    assert data["assumptions"] == list(plan.hypotheses())
    assert data["short_plan"] == shown
    return shown


@pytest.mark.parametrize("plan", [PLANS["PoissonSampled", "rate"], *BESIDE])
@pytest.mark.parametrize("relation", [Relation.ADD_OR_REMOVE_ONE, Relation.REPLACE_ONE])
def test_what_is_assumed_is_about_the_plan_that_is_printed(
    plan: str, relation: Relation, capsys: pytest.CaptureFixture[str]
) -> None:
    check(["calibrate", plan, "--epsilon", "1", "--delta", "1e-6"], relation, capsys)


@pytest.mark.parametrize("plan", PLANS.values())
def test_so_it_is_for_each_open_number_whatever_it_was_found_to_be(
    plan: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the search replaced by two values that suffice, of which one is short."""
    enough = Fraction(1234567891, 2469135803)
    short = Fraction(1, 2)

    def found(text: str, *_: object) -> Calibration:
        written = PlanText(text)
        return Calibration(
            "?", Bound.exactly(enough, ""), enough, short / 2, short,
            written.plan(enough), written.plan(short),
        )  # fmt: skip

    monkeypatch.setattr(command, "calibrated", found)
    words = ["calibrate", plan, "--epsilon", "1", "--delta", "1e-6"]
    shown = check(words, Relation.ADD_OR_REMOVE_ONE, capsys)
    assert "2469135803" not in shown
