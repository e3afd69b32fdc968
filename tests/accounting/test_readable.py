"""What a prompt, a failing test or a notebook shows of a value is what a person would write."""

from dataclasses import fields
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest

from rdpacct import (
    ApproxDP,
    Bound,
    Gaussian,
    Laplace,
    Mechanism,
    PureDP,
    Relation,
    audit,
    audit_samples,
    calibrate,
    epsilon,
    explain,
    profile,
    read_plan,
    theorem,
)
from rdpacct.functions import log
from rdpacct.mechanisms import known_mechanisms
from rdpacct.privacy.guarantee import GUARANTEES, ProfileDP

OURS = [
    example
    for cls in known_mechanisms().values()
    if cls.__module__.startswith("rdpacct.")
    for example in list(cls.examples())[:2]
]


class _Twin(Gaussian):
    """A mechanism of a user, whose text has to be escaped."""

    def __str__(self) -> str:
        return "<script>alert(1)</script>"


VALUES: dict[str, Any] = {
    "bound": epsilon(Gaussian(1), "1e-6"),
    "plan": 1000 * Gaussian(1) + Laplace(2),
    "no plan": 0 * Gaussian(1),
    "verdict": audit(Gaussian(1), ApproxDP(1, "1e-5")),
    "sampled verdict": audit_samples(lambda: 0.0, lambda: 1.0, PureDP(1), 500),
    "calibration": calibrate("Gaussian(sigma=?)", 1, "1e-5"),
    "explanation": explain(Gaussian(1), "1e-6"),
    "theorem": theorem("cdp/composition"),
    "number": Gaussian(1).sigma,
    "formula": log(3),
}


@pytest.mark.parametrize("name", VALUES)
def test_repr_is_str(name: str) -> None:
    """No raw fields of a dataclass anywhere."""
    value = VALUES[name]
    assert repr(value) == str(value)
    assert "Rational(" not in repr(value)
    assert "Fraction(" not in repr(value)


@pytest.mark.parametrize("mechanism", OURS, ids=str)
def test_a_mechanism_shows_its_text(mechanism: Mechanism) -> None:
    """The text from which it can be read again, also in a list."""
    assert repr([mechanism]) == f"[{mechanism}]"
    assert "Rational(" not in repr(mechanism)


def test_a_guarantee_shows_its_text() -> None:
    """Each kind that there is."""
    for cls in GUARANTEES:
        made: Any = (
            cls([[0, "0.1"]])
            if cls is ProfileDP
            else cls(**dict.fromkeys(_names(cls), Fraction(1, 2)) | _above_one(cls))
        )
        assert repr(made) == str(made)
        assert repr(made).startswith(f"{cls.__name__}(")


def _names(cls: Any) -> list[str]:
    return [field.name for field in fields(cls)]


def _above_one(cls: Any) -> dict[str, int]:
    return {"alpha": 2} if cls.__name__ == "RenyiDP" else {}


class Tags(HTMLParser):
    """Collects the tags and the text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("bound", "<= 4.88656"),
        ("plan", "Laplace(scale=2)"),
        ("verdict", "tight delta <= 0.126937"),
        ("sampled verdict", "tested: "),
        ("theorem", "cdp/composition"),
    ],
)
def test_a_notebook_shows_it(name: str, says: str) -> None:
    """Whole HTML, with the safe number or the text in it."""
    page = Tags(VALUES[name]._repr_html_())
    assert page.open == []
    assert says in page.text
    assert page.tags <= {"div", "b", "table", "thead", "tbody", "tr", "td", "th"}


def test_html_is_escaped() -> None:
    """A text that looks like a tag stays a text."""
    page = Tags((2 * _Twin(1))._repr_html_())
    assert "<script>alert(1)</script>" in page.text
    assert "script" not in page.tags


def test_the_false_negatives_are_quoted_from_below() -> None:
    """Too few is safe there: of a plan, of one release, of a choice of plans, of a loss."""
    for text in (
        "Gaussian(sigma=2)",
        "3*Laplace(scale=2)",
        "DiscreteGaussian(sigma=2)",
    ):
        found = profile(read_plan(text)).tradeoff("0.05")
        assert found.stated("x").startswith(("x >= ", "x = "))
        assert float(found) <= found.lower
        assert Fraction(found.short()) <= found.lower
    assert float(Gaussian(2).loss().tradeoff(Fraction(1, 20))) <= 0.8738652


def test_a_theorem_knows_its_name() -> None:
    """The id, the title and the verdict."""
    shown = str(theorem("gaussian/delta")).split("\n")[0]
    assert shown.startswith("gaussian/delta: The hockey-stick divergence")
    assert shown.endswith("(proved)")


@pytest.mark.parametrize(
    ("plan", "target"),
    [
        ("Gaussian(sigma=?)", (1, "1e-5")),
        ("14062*PoissonSampled(Gaussian(sigma=?), rate=256/60000)", (3, "1e-5")),
        ("50*PoissonSampled(Gaussian(sigma=1), rate=?)", (1, "1e-6")),
        ("Laplace(scale=?) + Laplace(scale=3)", ("1/2", 0)),
        ("Gaussian(sigma=2) + PureDP(epsilon=?)", (3, "1e-6")),
        ("?*Gaussian(sigma=10)", (1, "1e-6")),
    ],
)
def test_the_short_value_of_a_calibration_suffices(
    plan: str, target: tuple[Any, Any]
) -> None:
    """Asked anew, the plan with the short value meets the target, and the next shorter decimal on
    the other side of the enclosure does not.
    """
    found = calibrate(plan, *target)
    assert audit(found.short_plan, ApproxDP(*target)).holds
    assert len(str(found).split("\n")[0]) < 40
    if found.insufficient is None or found.value.is_exact:
        return
    short = found.short
    unit = abs(short) / 10**5
    beyond = short - unit if found.sufficient > found.insufficient else short + unit
    tried = read_plan(plan.replace("?", f"({beyond})"))
    assert audit(tried, ApproxDP(*target)).fails


def test_the_enclosure_of_a_calibration_has_its_safe_end() -> None:
    """The end that suffices: the upper one for a sigma, the lower one for a rate."""
    sigma = calibrate("Gaussian(sigma=?)", 1, "1e-5")
    rate = calibrate("50*PoissonSampled(Gaussian(sigma=1), rate=?)", 1, "1e-6")
    for found in (sigma, rate):
        assert found.value.safe_end == found.sufficient
    assert Fraction(f"{sigma.value:.4f}") >= sigma.value.upper
    assert Fraction(f"{rate.value:.4f}") <= rate.value.lower


def test_a_plan_names_its_relation_in_a_notebook() -> None:
    """Which the text leaves out."""
    plan = 3 * Gaussian(1).stated_for(Relation.REPLACE_ONE)
    assert "replace_one" in plan._repr_html_()
    assert isinstance(epsilon(plan, "1e-6"), Bound)
