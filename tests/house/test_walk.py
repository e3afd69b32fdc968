"""The way of one question through the package stays short; nothing is converted or built twice."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FrameType
from typing import Any

import pytest

from rdpacct.cli import main
from rdpacct.exact import number
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.laplace.laplace import Laplace
from tests.layers import ROOT

QUESTION = [
    *("epsilon", "1000*Laplace(scale=10) + Gaussian(sigma=5)"),
    *("--delta", "1e-6"),
]
MOST_WORKING, MOST_ENTERED = 20, 41
"""How many files may do work, as benchmarks/walk.py defines it, and how many may be entered."""


def walk(*command: str) -> dict[str, Any]:
    """What benchmarks/walk.py counts."""
    ran = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "walk.py", "--json", *command],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    counted: dict[str, Any] = json.loads(ran.stdout)
    return counted


@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="other versions have other instructions"
)
def test_few_files_do_the_work() -> None:
    """``python benchmarks/walk.py`` shows which; docs/architecture.md tells the way."""
    counted = walk()
    assert len(counted["working"]) <= MOST_WORKING
    assert len(counted["files"]) <= MOST_ENTERED


def test_a_longer_way_is_seen() -> None:
    """The count can fail: atoms beside a Gaussian loss take more files."""
    plan = "2*RandomizedResponse(epsilon=1) + Gaussian(sigma=5)"
    counted = walk("epsilon", plan, "--delta", "1e-3")
    assert len(counted["files"]) > MOST_ENTERED


@contextlib.contextmanager
def watched(seen: Callable[[FrameType], None]) -> Iterator[None]:
    """Show every call of a Python function to a watcher."""

    def profile(frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG001
        if event == "call":
            seen(frame)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(before)


def given_to(function: Any, words: list[str]) -> list[dict[str, Any]]:
    """What each call of a function is given in the walk of a command line."""
    code = getattr(function, "__wrapped__", function).__code__
    found: list[dict[str, Any]] = []

    def seen(frame: FrameType) -> None:
        if frame.f_code is code:
            found.append(dict(frame.f_locals))

    with contextlib.redirect_stdout(io.StringIO()), watched(seen):
        main(words)
    return found


def conversions_of_delta() -> list[object]:
    """The values that are read as delta, in the walk of the question."""
    calls = given_to(number.rational, QUESTION)
    return [call["value"] for call in calls if "delta" in call["name"]]


def test_delta_is_converted_once() -> None:
    """From its text to a fraction, which is handed on and never made anew."""
    text, *others = conversions_of_delta()
    assert text == "1e-6"
    assert all(isinstance(other, Fraction) for other in others)
    assert len({id(other) for other in others}) == 1


@pytest.mark.parametrize("mechanism", [Laplace, Gaussian])
def test_the_directions_of_a_mechanism_are_built_once(mechanism: Any) -> None:
    """Composition asks each mechanism of the plan once."""
    assert len(given_to(mechanism.directions, QUESTION)) == 1


def test_a_second_conversion_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts can fail: a composition that reads delta from its text again is caught."""
    from rdpacct.composition import plans

    monkeypatch.setattr(
        plans, "rational", lambda value, name: number.rational(str(float(value)), name)
    )
    texts = [one for one in conversions_of_delta() if isinstance(one, str)]
    assert texts == ["1e-6", "1e-06"]


def test_a_second_building_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts can fail: a composition that asks again is caught."""
    built = Laplace.directions

    def twice(mechanism: Laplace) -> Any:
        built(mechanism)
        return built(mechanism)

    monkeypatch.setattr(Laplace, "directions", twice)
    assert len(given_to(built, QUESTION)) == 2
