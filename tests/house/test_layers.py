"""Who may import whom: the data walks through the package one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.layers import PACKAGE, ROOT, documented, imported, imports, layer

BELOW = documented()
"""For each layer, the layers that it may import besides itself."""


def wrong_imports(path: Path, own: str) -> list[str]:
    """The imports of a file that its layer may not have."""
    inside = [name for name in imports(path) if name.split(".")[0] == "rdpacct"]
    return [
        name for name in inside if layer(name) != own and layer(name) not in BELOW[own]
    ]


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_imports_point_down(path: Path) -> None:
    """Every import of the package goes to a layer below."""
    relative = path.relative_to(PACKAGE)
    own = relative.parts[0].removesuffix(".py")
    if own != "__init__":
        assert wrong_imports(path, own) == []


def test_the_table_of_layers_has_no_more_than_there_is() -> None:
    """Every layer has its row, and every import in a row is made somewhere."""
    assert imported() == BELOW


def test_an_upward_import_is_found(tmp_path: Path) -> None:
    """The check itself can fail: exact may not import privacy."""
    bad = tmp_path / "bad.py"
    bad.write_text("from rdpacct.privacy.loss import PrivacyLoss\n")
    assert wrong_imports(bad, "exact") == ["rdpacct.privacy.loss"]


def test_only_the_exact_layer_imports_the_ball_backend() -> None:
    """The ball backend is behind exact/ball.py and exact/raw.py, but for the checker and its
    search.
    """
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "flint" in imports(path)
    }
    assert {
        user
        for user in users
        if not user.startswith(
            ("proof/audit/", "proof/budget/", "proof/check/", "proof/search/")
        )
    } == {
        "exact/ball.py",
        "exact/raw.py",
    }


def test_the_checker_imports_nothing_else_of_ours() -> None:
    """The checker uses the standard library, the ball backend and itself."""
    for path in (PACKAGE / "proof" / "check").glob("*.py"):
        ours = {name for name in imports(path) if name.split(".")[0] == "rdpacct"}
        assert all(name.startswith("rdpacct.proof.check") for name in ours), path
        assert "sympy" not in imports(path)


def test_the_checker_of_budgets_imports_no_engine() -> None:
    """It uses the standard library, the ball backend, itself and the limits of the checker."""
    allowed = ("rdpacct.proof.budget", "rdpacct.proof.check.effort")
    for path in (PACKAGE / "proof" / "budget").glob("*.py"):
        ours = {name for name in imports(path) if name.split(".")[0] == "rdpacct"}
        assert all(name.startswith(allowed) for name in ours), path


def test_the_checker_of_refutations_imports_no_engine() -> None:
    """It uses the standard library, the ball backend and the other checkers."""
    allowed = (
        "rdpacct.proof.audit",
        "rdpacct.proof.budget",
        "rdpacct.proof.check.effort",
    )
    for path in (PACKAGE / "proof" / "audit").glob("*.py"):
        ours = {name for name in imports(path) if name.split(".")[0] == "rdpacct"}
        assert all(name.startswith(allowed) for name in ours), path


KERNEL_MAY_IMPORT = (
    "rdpacct.proof.kernel",
    "rdpacct.proof.check",
    "rdpacct.proof.claim",
    "rdpacct.proof.language",
)


def test_the_kernel_imports_no_search() -> None:
    """What is trusted imports nothing that searches: certificates are handed to the kernel, which
    checks them.
    """
    for path in (PACKAGE / "proof" / "kernel").glob("*.py"):
        inside = {name for name in imports(path) if name.startswith("rdpacct.proof")}
        assert all(name.startswith(KERNEL_MAY_IMPORT) for name in inside), path


def test_composition_knows_no_mechanism_from_another() -> None:
    """It imports what all mechanisms are, and asks for the rest by methods."""
    for path in (PACKAGE / "composition").glob("*.py"):
        inside = {name for name in imports(path) if layer(name) == "mechanisms"}
        assert inside <= {"rdpacct.mechanisms.mechanism"}, path


def test_no_code_reads_how_an_answer_was_found() -> None:
    """The name of a method is for people: composition compares it with nothing."""
    for path in (PACKAGE / "composition").glob("*.py"):
        compared = [
            side
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Compare)
            for side in (node.left, *node.comparators)
            if isinstance(side, ast.Attribute) and side.attr in ("how", "name")
        ]
        assert compared == [], path


def test_the_package_never_imports_the_theorems() -> None:
    """The book is loaded as data, not imported."""
    assert not [
        path
        for path in PACKAGE.rglob("*.py")
        if any(name.startswith("theorems") for name in imports(path))
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["epsilon", "Gaussian(sigma=1)", "--delta", "1e-6"],
        ["tour"],
        ["verify", "--owed"],
    ],
)
def test_the_accounting_path_stays_light(arguments: list[str]) -> None:
    """Answering on the command line imports neither sympy nor numpy nor matplotlib."""
    code = (
        "import sys, io, contextlib\nfrom rdpacct.cli import main\nwith"
        f" contextlib.redirect_stdout(io.StringIO()): main({arguments!r})\nprint([name"
        " for name in ('sympy', 'numpy', 'scipy', 'matplotlib', 'mpmath') if name in"
        " sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_files_stay_readable() -> None:
    """No module of the package grows beyond 500 lines."""
    assert {
        p.name: n
        for p in PACKAGE.rglob("*.py")
        if (n := p.read_text().count("\n")) > 500
    } == {}
