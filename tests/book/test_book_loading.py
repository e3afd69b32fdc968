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
import sys
from rdpacct.proof import entries, prove
from rdpacct.proof.kernel import side

def refuse(*args, **kwargs):
    raise SystemExit("a proof was checked while an entry was loaded")

for module in list(sys.modules.values()):
    searches = getattr(module, "find_proof", None) is not None
    if searches and module.__name__.startswith("rdpacct.proof"):
        module.find_proof = refuse
for name in entries.ids():
    entries.module(name)
print(len(entries.ids()))
"""


def test_loading_every_entry_proves_nothing() -> None:
    """With the search taken out, all entries load."""
    found = subprocess.run(
        [sys.executable, "-c", LOADING], capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    assert int(found.stdout) == len(ids())


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
        " rdpacct.proof.entries import module; print(module.cache_info().currsize)"
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
