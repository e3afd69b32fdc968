"""Loading an entry proves nothing, a question about one entry loads little, and a page runs each
proof once.
"""

import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from rdpacct.book.rules import all_rules, rules_by
from rdpacct.cli import main
from rdpacct.proof import entries, proof_files
from rdpacct.proof.entries import ids

LOADING = """
import pkgutil
import sys
from collections import Counter
from importlib import import_module

import rdpacct.book.words
from rdpacct.proof import check, entries
from rdpacct.proof.kernel import said, side

for package in (check, import_module("rdpacct.proof.search")):
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        import_module(found.name)
PROVING = {getattr(side, name).__code__ for name in ("settle", "establish")}
PROVING.add(said.SaidComparisons.prove.__code__)
called = Counter()


def watch(frame, event, _):
    code = frame.f_code
    checks = "/proof/check/" in code.co_filename or "/proof/search/" in code.co_filename
    if event == "call" and (code in PROVING or checks):
        called[code.co_qualname] += 1


proving = {}
sys.setprofile(watch)
for name in entries.ids():
    called.clear()
    entries.theorem(name)
    if called:
        proving[name] = dict(called)
called.clear()
entries.theorem("engine/aliases").part("above").fact()
sys.setprofile(None)
assert called["settle"] and called["establish"] and called["check"], called
print(len(entries.ids()), proving)
"""


def test_loading_every_entry_proves_nothing() -> None:
    """Neither the prover nor the checker is called by any; where one is believed, both are."""
    found = subprocess.run(
        [sys.executable, "-c", LOADING], capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() == f"{len(ids())} {{}}"


def test_rules_of_one_theorem_are_found_without_imports() -> None:
    """The few rules of a theorem are those of the whole list."""
    everything = all_rules()
    for name in ("gaussian/delta", "engine/quadrature", "sampling/poisson"):
        assert (
            rules_by(name)
            == tuple(rule for rule in everything if rule.theorem == name)
            != ()
        )
    code = (
        "import sys; from rdpacct.book.rules import all_rules; all_rules();"
        " print('rdpacct.composition' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "False"


def test_one_entry_loads_only_what_it_needs() -> None:
    """Verifying one entry leaves the others unread."""
    code = (
        "from rdpacct.cli import main; main(['verify', 'cdp/tail']); from"
        " rdpacct.proof.entries import found_module as module;"
        " print(module.cache_info().currsize)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(found.stdout.splitlines()[-1]) <= 5


def test_no_two_rules_of_a_module_share_a_name() -> None:
    """One would hide the other."""
    named = [(rule.module, rule.name) for rule in all_rules()]
    assert len(named) == len(set(named))


def _counted(name: Any, proof: Any, counted: Any, part: Any) -> Any:
    counted.append(name)
    return proof(part)


@pytest.mark.parametrize("name", ["cdp/tail", "engine/chernoff"])
def test_a_page_runs_no_proof(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page shows the steps of the derivation, which were checked for the verdict."""
    counted: list[Any] = []
    entry = entries.theorem(name)
    for part in (*entry.parts, *entry.sharp):
        monkeypatch.delitem(vars(part), "_checked_steps", raising=False)
        monkeypatch.setitem(
            vars(part), "proof", partial(_counted, part.name, part.proof, counted)
        )
    assert main(["show", name]) == 0
    assert counted == []
    page = capsys.readouterr().out
    file = proof_files.shipped(name)
    assert file is not None
    assert all(why in page for steps in file.record.parts.values() for _, why in steps)
