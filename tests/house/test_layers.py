"""Who may import whom: the data walks through the package one way."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.layers import (
    PACKAGE,
    ROOT,
    documented,
    imported,
    imports,
    layer,
    layer_of,
    modules,
    reached,
    trusted,
)

BELOW = documented()
"""For each layer, the layers that it may import besides itself."""


def wrong_imports(path: Path, own: str) -> list[str]:
    """The imports of a file that its layer may not have."""
    return sorted(
        name
        for name in modules(path)
        if layer(name) != own and layer(name) not in BELOW[own]
    )


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_imports_point_down(path: Path) -> None:
    """Every import of the package goes to a layer below."""
    own = layer_of(path)
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


def is_within(module: str, allowed: Iterable[str]) -> bool:
    """Whether a module is one of these, or lies in one of these folders."""
    return any(module == name or module.startswith(f"{name}.") for name in allowed)


CHECKERS = {
    "check": ("rdpacct.proof.check",),
    "budget": ("rdpacct.proof.budget", "rdpacct.proof.check.effort"),
    "audit": (
        "rdpacct.proof.audit",
        "rdpacct.proof.budget",
        "rdpacct.proof.check.effort",
    ),
}
"""For each checker, what it may import of ours: itself, and what the smaller ones share."""


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_checker_stands_alone(checker: str) -> None:
    """It uses the standard library, the ball backend, itself and what its row names."""
    for path in (PACKAGE / "proof" / checker).glob("*.py"):
        ours = {name for name in imports(path) if name.split(".")[0] == "rdpacct"}
        assert all(is_within(name, CHECKERS[checker]) for name in ours), path
        assert "sympy" not in imports(path)


def test_a_name_that_only_begins_alike_is_another_module() -> None:
    """The modules ``claims`` and ``check_search`` would be neither claim nor check."""
    allowed = ("rdpacct.proof.claim", "rdpacct.proof.check")
    assert is_within("rdpacct.proof.claim", allowed)
    assert is_within("rdpacct.proof.check.ring", allowed)
    assert not is_within("rdpacct.proof.claims", allowed)
    assert not is_within("rdpacct.proof.check_search", allowed)


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
        inside = {name for name in imports(path) if is_within(name, ["rdpacct.proof"])}
        assert all(is_within(name, KERNEL_MAY_IMPORT) for name in inside), path


TRUSTED_STANDS_ON = {"errors", "exact", "notebook", "work"}
"""The layers below the proofs: arithmetic, and how values are shown."""


def strangers_to_trust(files: Iterable[Path]) -> list[str]:
    """What these files reach by imports, at any depth, and the page of trust does not count."""
    counted = set(trusted())
    return [
        f"{file.relative_to(PACKAGE)}, which {by.name} imports"
        for file, by in reached(files).items()
        if by is not None
        and file not in counted
        and layer_of(file) not in TRUSTED_STANDS_ON
    ]


def test_what_is_trusted_imports_nothing_else() -> None:
    """No file that docs/trust.md counts reaches the search, the prover or where certificates come
    from, nor any other file about proofs that the page does not count.
    """
    assert len(trusted()) > 50
    assert strangers_to_trust(trusted()) == []


def test_an_import_of_the_search_is_found(tmp_path: Path) -> None:
    """The check itself can fail: inside a function, and at a distance."""
    bad = tmp_path / "bad.py"
    bad.write_text("def late():\n    from rdpacct.proof import evidence\n")
    found = strangers_to_trust([bad])
    assert "proof/evidence.py, which bad.py imports" in found
    assert "proof/prove.py, which evidence.py imports" in found
    assert any(line.startswith("proof/search/") for line in found)


def test_one_module_is_loaded_by_its_name() -> None:
    """Among what is trusted, only the kernel does so, with the module that it asks for
    certificates; these it checks.
    """
    loading = [
        file
        for file in trusted()
        if re.search(r"import_module|__import__", file.read_text())
    ]
    assert [file.relative_to(PACKAGE).as_posix() for file in loading] == [
        "proof/kernel/side.py"
    ]


def test_composition_knows_no_mechanism_from_another() -> None:
    """It imports what all mechanisms are, and asks for the rest by methods."""
    for path in (PACKAGE / "composition").rglob("*.py"):
        inside = {name for name in imports(path) if layer(name) == "mechanisms"}
        assert inside <= {"rdpacct.mechanisms.mechanism"}, path


def test_no_code_reads_how_an_answer_was_found() -> None:
    """The name of a method is for people: composition compares it with nothing."""
    for path in (PACKAGE / "composition").rglob("*.py"):
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
