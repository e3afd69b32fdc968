"""A budget in a file: one process at a time, written whole or not at all."""

import os
import subprocess
import sys
import threading
from contextlib import nullcontext, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    Gaussian,
    InputError,
    Ledger,
    MenuFilter,
    PureDP,
    Relation,
    RenyiCurveFilter,
    ZCDPFilter,
)
from rdpacct.filters import locked_file
from rdpacct.filters.filter import Filter

HALF = ZCDP("0.5")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.json"


def test_a_ledger_is_spent_exactly(path: Path) -> None:
    assert Ledger(path, ZCDP(1)).spend(Gaussian(sigma=1))
    assert Ledger(path).spend("Gaussian(sigma=1)").remaining == (Fraction(0),)
    before = path.read_bytes()
    assert not Ledger(path, "ZCDP(rho=1)").spend(ZCDP("1e-300"))
    assert path.read_bytes() == before
    assert ZCDPFilter.from_json(path.read_text()).releases == 2


def test_parts_of_a_ledger(path: Path) -> None:
    ledger = Ledger(path, ZCDP(1), relation="zero_out")
    for part in ("north", "south", None):
        assert ledger.spend(HALF, part=part)
    assert not Ledger(path).spend(HALF, part="north")
    assert ledger.read().part("south").remaining == (Fraction(0),)
    assert ledger.read().relation is Relation.ZERO_OUT


def test_a_look_spends_nothing(path: Path) -> None:
    ledger = Ledger(path, ZCDP(1))
    assert ledger.read().spend(HALF)
    assert not path.exists()
    ledger.spend(HALF)
    assert ledger.read().spend(HALF)
    assert ledger.read().spent == (Fraction(1, 2),)


def test_a_refusal_or_a_mistake_begins_no_ledger(path: Path) -> None:
    assert not Ledger(path, ZCDP(1)).spend(ZCDP(2))
    with pytest.raises(InputError, match="is not known"):
        Ledger(path, ZCDP(1)).spend("Gausian(sigma=1)")
    assert not path.exists()


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("missing", {}, "does not exist"),
    ("kept", {"budget": ZCDP(2)}, "has the budget"),
    ("kept", {"budget": PureDP(1)}, "has the budget"),
    ("kept", {"relation": "replace_one"}, "stated for add_or_remove_one"),
    ("kept", {"relation": "sideways"}, "sideways"),
    ("kept", {"budget": "ZCDP(rho=)"}, "."),
    ("binary", {}, "is not a text"),
    ("empty", {}, "not JSON"),
    ("other", {}, "exactly the fields"),
    ("folder", {}, "is not a file"),
    ("no/such/folder", {"budget": ZCDP(1)}, "cannot be written"),
    ("nul\0", {"budget": ZCDP(1)}, "is not a file"),
    ("x" * 300, {"budget": ZCDP(1)}, "is not a file"),
]


@pytest.mark.parametrize(("name", "more", "says"), BAD)
def test_a_bad_ledger_is_refused_in_a_sentence(
    tmp_path: Path, name: str, more: dict[str, Any], says: str
) -> None:
    Ledger(tmp_path / "kept", ZCDP(1)).spend(HALF)
    before = (tmp_path / "kept").read_bytes()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty").write_text("")
    (tmp_path / "other").write_text("{}")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=says):
        Ledger(f"{tmp_path}/{name}", **more).spend(HALF)
    assert (tmp_path / "kept").read_bytes() == before


@pytest.mark.parametrize("given", ["", None, 7, b"study.json"], ids=str)
def test_what_is_no_path_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match="is not a file"):
        Ledger(given, ZCDP(1))


def test_the_price_of_a_file_is_read_anew(tmp_path: Path) -> None:
    """A file that has changed since costs what it says now."""
    held = ZCDPFilter(1)
    plan = tmp_path / "plan.toml"
    for sigma, price in ((2, Fraction(1, 8)), (1, Fraction(1, 2))):
        plan.write_text(f'plan = "Gaussian(sigma={sigma})"\n')
        assert held.price(str(plan)) == (price,)


def test_a_ledger_that_is_too_large_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ledger(path, ZCDP(1)).spend(HALF)
    monkeypatch.setattr(locked_file, "LARGEST", 10)
    with pytest.raises(InputError, match="larger than 10 bytes"):
        Ledger(path).spend(HALF)


@pytest.mark.parametrize("fault", ["fsync", "replace"])
def test_after_an_error_the_file_is_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """The disk is full, or the file cannot be replaced: nothing is granted, and nothing is left
    behind.
    """
    Ledger(path, ZCDP(1)).spend(HALF)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as changed:
        changed.setattr(f"rdpacct.filters.locked_file.os.{fault}", full)
        with pytest.raises(InputError, match="No space left"):
            Ledger(path).spend(HALF)
    assert path.read_bytes() == before
    assert sorted(one.name for one in path.parent.iterdir()) == [
        "study.json",
        "study.json.lock",
    ]
    assert Ledger(path).spend(HALF)


def test_a_ledger_in_use_is_waited_for_and_not_for_ever(path: Path) -> None:
    """Also under another name of the same file."""
    Ledger(path, ZCDP(1)).spend(HALF)
    other = path.with_name("same.json")
    other.symlink_to(path)
    for name in (path, other):
        waiting = Ledger(name)
        waiting.file.patience = 0
        with (
            Ledger(path).file.locked(),
            pytest.raises(InputError, match="in use by another process"),
        ):
            waiting.spend(HALF)
    assert Ledger(other).spend(HALF)
    assert other.is_symlink()


def test_the_rights_of_a_file_are_kept(path: Path) -> None:
    Ledger(path, ZCDP(1)).spend(HALF)
    path.chmod(0o640)
    Ledger(path).spend(HALF)
    assert path.stat().st_mode & 0o777 == 0o640


class MeetingLedger(Ledger):
    """A ledger whose spenders meet between reading and writing, if they can."""

    barrier: threading.Barrier
    patience = 0.05

    def read(self) -> Filter:
        held = super().read()
        with suppress(threading.BrokenBarrierError):
            self.barrier.wait(self.patience)
        return held


def granted_to_two(path: Path, *, locked: bool) -> int:
    MeetingLedger.barrier = threading.Barrier(2)
    ledgers = [MeetingLedger(path) for _ in range(2)]
    for ledger in ledgers:
        if not locked:
            ledger.file.locked = nullcontext  # type: ignore[method-assign, assignment]
            ledger.patience = 60
    answers = list[bool]()
    threads = [
        threading.Thread(target=lambda one=one: answers.append(bool(one.spend(HALF))))
        for one in ledgers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(answers)


def test_two_spenders_cannot_both_take_the_last_budget(path: Path) -> None:
    """With the lock one of two is granted; without it, both are."""
    Ledger(path, ZCDP(1)).spend(HALF)
    assert granted_to_two(path, locked=True) == 1
    path.unlink()
    Ledger(path, ZCDP(1)).spend(HALF)
    assert granted_to_two(path, locked=False) == 2


@pytest.mark.slow
def test_processes_at_once_grant_the_budget_once(path: Path) -> None:
    """Eight processes ask for a quarter each: four are granted."""
    ledger = f"spend {path} ZCDP(rho=1/4) --budget ZCDP(rho=1)".split()
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "rdpacct", *ledger],
            stdout=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        )
        for _ in range(8)
    ]
    codes = sorted(process.wait(120) for process in started)
    assert codes == [0] * 4 + [1] * 4
    assert Ledger(path).read().remaining == (Fraction(0),)


BOTH = "ApproxDP(epsilon=2, delta=1e-3)"
MENU = ["Laplace(scale=2)", "RandomizedResponse(epsilon=0.1)"]


def test_a_ledger_is_begun_with_a_menu_or_with_orders(path: Path) -> None:
    """It goes on without them, and with the same."""
    assert Ledger(path, BOTH, menu=MENU).spend(MENU[0])
    assert isinstance(Ledger(path).read(), MenuFilter)
    assert Ledger(path, menu=MENU).spend(MENU[1])
    for other in ({"menu": MENU[:1]}, {"menu": MENU[::-1]}, {"orders": [3, 9]}):
        with pytest.raises(InputError, match="was not begun with this menu"):
            Ledger(path, **other).spend(MENU[0])
    path.unlink()
    assert Ledger(path, BOTH, orders=[9, 33]).spend(Gaussian(sigma=4))
    assert Ledger(path, orders=["9", "33"]).spend(Gaussian(sigma=4))
    assert isinstance(Ledger(path).read(), RenyiCurveFilter)
    with pytest.raises(InputError, match="was not begun with this menu"):
        Ledger(path, orders=[9]).spend(Gaussian(sigma=4))


def test_only_epsilon_and_delta_are_for_a_menu(path: Path) -> None:
    with pytest.raises(InputError, match="only an ApproxDP"):
        Ledger(path, ZCDP(1), menu=MENU).read()
    with pytest.raises(InputError, match="for one of the two"):
        Ledger(path, BOTH, menu=MENU, orders=[2]).read()
