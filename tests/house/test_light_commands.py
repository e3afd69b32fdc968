"""No command imports what it does not use, by the modules of a process and not on a clock."""

import pydoc
import subprocess
import sys

import pytest

import rdpacct
from tests.layers import PACKAGE

PLAN = "Gaussian(sigma=1)"
HEAVY = {
    *("sympy", "numpy", "scipy", "matplotlib", "mpmath", "jinja2"),
    *("tqdm", "shtab", "tomllib", "multiprocessing", "html", "tempfile"),
}
"""What no accounting needs."""
ACCOUNTING = {
    *("cli", "errors", "exact", "judged", "language", "mechanisms", "notebook"),
    *("plan", "privacy", "provenance", "questions", "work", "arrays"),
}
COMMANDS = {
    ("--help",): {"cli", "errors", "exact", "language"},
    ("--version",): {"cli", "errors", "exact", "language"},
    ("help",): {"cli", "errors", "exact", "language"},
    ("epsilon", "--help"): ACCOUNTING,
    ("epsilon", PLAN, "--delta", "1e-6"): ACCOUNTING,
    ("epsilon", f"9*{PLAN}", "--delta", "1e-6"): ACCOUNTING | {"composition"},
    ("delta", PLAN, "--epsilon", "1", "--json"): ACCOUNTING,
    ("audit", PLAN, "--claim", "PureDP(epsilon=1)"): ACCOUNTING | {"auditing"},
    ("list", "guarantees"): ACCOUNTING - {"mechanisms", "plan", "questions", "arrays"},
    ("prove", "x**2 >= 0"): {
        *("cli", "errors", "exact", "judged", "language", "notebook", "proof"),
        *("privacy", "provenance", "work"),
    },
}
"""What each command may load of the package."""


def loaded_by(arguments: tuple[str, ...]) -> set[str]:
    """The modules that a command line loads beyond those of bare Python."""
    program = f"""
import sys, io, contextlib
before = set(sys.modules)
from rdpacct.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    try:
        main({list(arguments)!r})
    except SystemExit:
        pass
print(*(set(sys.modules) - before))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(ran.stdout.split())


def layers_of(modules: set[str]) -> set[str]:
    """The layers of the package among some modules."""
    return {name.split(".")[1] for name in modules if name.startswith("rdpacct.")}


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_command_loads_what_it_needs(arguments: tuple[str, ...]) -> None:
    """None of the heavy packages, and of this one only the layers of its row."""
    modules = loaded_by(arguments)
    assert {name.split(".")[0] for name in modules} & HEAVY == set()
    assert layers_of(modules) <= COMMANDS[arguments]


def test_one_command_loads_no_other() -> None:
    """The file of the command alone is imported, and the help imports none."""
    for arguments, own in (
        (("--help",), set()),
        (("epsilon", PLAN, "--delta", "1e-6"), {"epsilon"}),
        (("list", "guarantees"), {"list"}),
    ):
        place = "rdpacct.cli.commands."
        files = {
            name.removeprefix(place)
            for name in loaded_by(arguments)
            if name.startswith(place)
        }
        assert files == own


def test_a_plain_plan_loads_no_method_that_it_does_not_ask() -> None:
    """Neither choices nor grids that are made for a question; a plan that asks them loads them."""
    unasked = {
        f"rdpacct.composition.{name}"
        for name in (
            "choices.choices",
            "grids.fine_grids",
            "grids.fitted_cells",
            "sweep",
        )
    }
    plain = loaded_by(("epsilon", f"9*{PLAN}", "--delta", "1e-6"))
    assert "rdpacct.composition.methods" in plain
    assert not plain & unasked
    chosen = "2*FiniteMechanism(rows=[[7/10, 1/5, 1/10], [3/10, 3/10, 2/5]])"
    assert "rdpacct.composition.choices.choices" in loaded_by(
        ("epsilon", chosen, "--delta", "1e-6")
    )


def test_the_layers_are_those_of_the_package() -> None:
    """A layer of a row that is gone would let anything pass."""
    known = {path.stem for path in PACKAGE.iterdir()}
    assert set().union(*COMMANDS.values()) <= known


def test_something_heavy_is_found() -> None:
    """The check itself can fail: a completion loads its library, a composition its methods."""
    assert "shtab" in loaded_by(("completion", "bash"))
    assert "composition" in layers_of(
        loaded_by(("delta", f"9*{PLAN}", "--epsilon", "1"))
    )


def test_the_help_of_python_shows_the_public_names() -> None:
    """help(rdpacct) and dir(rdpacct) have the functions, the mechanisms and the guarantees."""
    page = pydoc.plain(pydoc.render_doc(rdpacct))
    for part in ("class Gaussian(", "class ApproxDP(", "epsilon(plan", "audit(plan"):
        assert part in page
    assert {"epsilon", "Gaussian", "ApproxDP", "functions"} <= set(dir(rdpacct))
    assert {"importlib", "Any", "HOMES"} & set(dir(rdpacct)) == set()
