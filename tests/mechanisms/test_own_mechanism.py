"""A mechanism with its own transform is one file: it obeys the laws, is sampled and composed."""

import ast
import importlib.util
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path
from types import ModuleType

import pytest

from rdpacct import Mechanism, delta, epsilon
from rdpacct.testing import check_laws

FILE = Path(__file__).parents[2] / "examples" / "lossy_laplace.py"
NARROW = 1e-9


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The file, read from a folder of its own; other tests do not know its mechanism."""
    place = tmp_path_factory.mktemp("own") / "own_mechanism.py"
    place.write_text(FILE.read_text())
    spec = importlib.util.spec_from_file_location("own_mechanism", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    Mechanism.registry.pop(module.LossyLaplace.__name__)


@pytest.mark.parametrize("name", ["KeptTransform", "LossyLaplace"])
def test_its_classes_stand_in_the_guide(name: str) -> None:
    """As they are in the file."""
    text = FILE.read_text()
    [node] = [
        node for node in ast.parse(text).body if getattr(node, "name", "") == name
    ]
    source = ast.get_source_segment(text, node)
    assert source is not None
    assert source in (FILE.parents[1] / "CONTRIBUTING.md").read_text()


def test_it_obeys_the_laws(own: ModuleType) -> None:
    for mechanism in own.LossyLaplace.examples():
        check_laws(mechanism)


def test_its_plans_are_narrow(own: ModuleType) -> None:
    """Alone, beside a shipped mechanism, and sampled."""
    for text in own.PLANS:
        assert epsilon(text, "1e-6").relative_width <= NARROW


KEEP = Fraction(1, 2)


@pytest.mark.parametrize(
    ("kept", "shipped"),
    [
        ("LossyLaplace(scale=2, keep=1/2)", "Laplace(scale=2)"),
        (
            "PoissonSampled(LossyLaplace(scale=2, keep=1/2), rate=0.1)",
            "PoissonSampled(Laplace(scale=2), rate=0.1)",
        ),
    ],
)
def test_it_is_the_mixture_over_what_was_kept(
    own: ModuleType, kept: str, shipped: str
) -> None:
    """Which releases were kept is public, so delta is a mean over how many there were.

    For the sampled one in one direction, since the worst one may change with their number.
    """
    assert own.LossyLaplace
    count = 4
    level = Fraction(1, 2)
    bounds = [delta("Gaussian(sigma=2)", level)]
    bounds += [
        delta(f"{number}*{shipped} + Gaussian(sigma=2)", level)
        for number in range(1, count + 1)
    ]
    shares = [
        comb(count, number) * KEEP**number * (1 - KEEP) ** (count - number)
        for number in range(count + 1)
    ]
    low = sum(share * bound.lower for share, bound in zip(shares, bounds, strict=True))
    high = sum(share * bound.upper for share, bound in zip(shares, bounds, strict=True))
    found = delta(f"{count}*{kept} + Gaussian(sigma=2)", level)
    assert found.lower <= high
    assert low <= found.upper
    assert found.relative_width < 1e-8
