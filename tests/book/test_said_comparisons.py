"""Loading takes comparisons of shipped code as said; nothing is believed before they are proved."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rdpacct.book import entry as book_entry
from rdpacct.book import verify as book_verify
from rdpacct.book.entry import check
from rdpacct.book.proofs import read_from
from rdpacct.exact.formula import Symbol
from rdpacct.proof import entries, proof_files
from rdpacct.proof.kernel import Refused, at_most, below, equal, real
from rdpacct.proof.kernel.said import SaidComparison, SaidComparisons, proving, take
from rdpacct.proof.places import folder as folder_of_the_book
from rdpacct.proof.sides import alone
from rdpacct.proof.tactics import shipped
from rdpacct.proof.tactics.shipped import formulas, read
from rdpacct.proof.theorem import Falsehood, Statement, Theorem, by_prover

x, y = map(Symbol, "xy")
SAID = "a formula was made as if "
ORDERS = """
import sys
from rdpacct.proof import entries

for name in entries.ids()[:: int(sys.argv[1])]:
    entries.theorem(name)
for name in entries.ids():
    said = entries.said_in(name)
    print(name, sorted(f"{one.claim} from {one.given}" for one in set(said.all())))
"""


def smaller(first: Any, second: Any) -> Any:
    """As shipped code would find it."""
    return first if first < second else second


def stated(*given: str, proof: Any = None) -> Statement:
    """What shipped code says is the smaller one is x, made as when an entry is loaded."""
    with SaidComparisons().kept():
        return Statement(
            "smaller",
            "x is the smaller one",
            equal(read(smaller(*formulas(x, y, given=given))), x),
            proof or by_prover("as it stands"),
            given,
        )


def lie(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guess that every comparison holds."""

    def first(claims: list[Any], given: tuple[str, ...]) -> Any:  # noqa: ARG001
        return claims[0]

    monkeypatch.setattr(shipped, "_likely", first)


def test_a_comparison_that_follows_is_taken_as_said_and_then_proved() -> None:
    part = stated("x < y")
    assert part.said.own == {SaidComparison(below(x, y), ("x < y",)): False}
    assert str(part.fact().relation) == "x == x"
    assert set(part.said.own.values()) == {True}
    assert stated("0 < x", "2*x <= y").fact()


def test_a_statement_is_refused_where_a_comparison_is_not_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However the guess was made, and although the formula that came out is as it is said."""
    lie(monkeypatch)
    part = stated("0 < x", "0 < y")
    assert str(part.claim) == "x == x"
    for _ in range(2):
        with pytest.raises(Refused, match=f"{SAID}x < y, which is not proved"):
            part.accept(real(part.claim, "0 < x", "0 < y"))
        with pytest.raises(Refused, match=SAID):
            part.fact()
    with pytest.raises(Refused, match=SAID):
        stated("y < x").fact()


def test_without_a_guess_nothing_is_taken_as_said() -> None:
    """What is given cannot hold, or says nothing of the comparison that could be seen."""
    with pytest.raises(Refused, match="none of"):
        stated("x < 0", "0 < x")
    with pytest.raises(Refused, match="none of"):
        stated("x**2 == 2")


def test_a_falsehood_rests_on_its_comparisons_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lie(monkeypatch)
    with SaidComparisons().kept():
        found = read(smaller(*formulas(x, y)))
        falsehood = Falsehood("it is not above y", at_most(found, y))
    from rdpacct.proof.evidence import refutation_of

    point = refutation_of(Falsehood("x is not above y", at_most(x, y)))
    with pytest.raises(Refused, match=SAID):
        falsehood.accept(point)


def test_nothing_is_taken_as_said_where_nothing_is_loaded() -> None:
    """Neither elsewhere, nor in a proof that runs while something is loaded."""
    with pytest.raises(Refused, match="while nothing is loaded"):
        take(below(x, y), ())
    with pytest.raises(Refused, match="none of"):
        smaller(*formulas(x, y))
    with SaidComparisons().kept():
        with proving(), pytest.raises(Refused, match="none of"):
            smaller(*formulas(x, y))

        def proof(part: Statement) -> Any:
            smaller(*formulas(x, y))
            yield from by_prover("")(part)

        with pytest.raises(Refused, match="none of"):
            stated("x < y", proof=proof).steps()


def test_what_one_uses_of_another_rests_on_the_same() -> None:
    """What was taken as said for one is proved for all that use it, in circles as well."""
    from rdpacct.proof.kernel.said import use

    first = SaidComparisons()
    second = SaidComparisons()
    with first.kept():
        take(below(x, y), ())
        use(second)
    with second.kept():
        use(first)
    assert second.all() == first.all() == [SaidComparison(below(x, y), ())]
    with pytest.raises(Refused, match=SAID):
        second.prove()


def twin(folder: Path, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> Theorem:
    """The entry on aliases as it stands in the book, with some of its text changed."""
    place = folder / "engine" / "aliases.py"
    place.parent.mkdir(exist_ok=True)
    shutil.copy(folder_of_the_book() / "engine" / "aliases.py", place)
    text = place.read_text()
    assert old in text
    place.write_text(text.replace(old, new))
    with monkeypatch.context() as elsewhere, SaidComparisons().kept():
        elsewhere.setattr(entries, "folder", lambda: folder)
        return entries.assembled(entries.loaded_anew("engine/aliases"))


def test_a_twin_that_gives_too_little_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The statements of the entry are the same, and so are their derivations; but that t < s does
    not follow from what the shipped code was given.
    """
    file = proof_files.shipped("engine/aliases")
    assert file is not None
    given = "formulas(t, s, W, m, given=ORDER)"
    with alone("engine/aliases"):
        same = twin(tmp_path, given, given, monkeypatch)
        assert read_from(file, same).steps.keys() == {"below", "above", "none above"}
        lie(monkeypatch)
        less = given.replace("ORDER", '("0 < t", "0 < W")')
        broken = twin(tmp_path, given, less, monkeypatch)
        claims = [[part.claim for part in one.parts] for one in (same, broken)]
        assert claims[0] == claims[1]
        with pytest.raises(Refused, match=f"{SAID}t < s, which is not proved"):
            read_from(file, broken)


def test_an_entry_whose_statements_cannot_be_made_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has no verdict, its rules are owed, and nothing crashes."""

    def refuse(name: str) -> Theorem:
        raise Refused(f"nothing is stated by {name}.")

    for module in (book_entry, book_verify):
        monkeypatch.setattr(module, "theorem", refuse)
    checked = check("engine/aliases", attack=False)
    said = "its statements cannot be made: nothing is stated by engine/aliases."
    assert (checked.verdict, checked.problem) == ("failed", said)
    owed = book_verify.owed(["engine/aliases"])
    assert [rule.name for rule in owed] == ["aliases_above", "aliases_below"]


@pytest.mark.parametrize("name", ["engine/aliases", "sampling/gaussian-apart"])
def test_a_checked_entry_has_all_its_comparisons_proved(name: str) -> None:
    """Those of the entry, and those of the entries that it uses."""
    assert check(name, attack=False).problem == ""
    assert entries.said_in(name).all()
    assert entries.said_in(name).unproved() == []


def test_what_is_said_does_not_depend_on_the_order_of_loading() -> None:
    """No formula that is kept in one entry comes to another without its comparisons."""
    forwards, backwards = (
        subprocess.run(
            [sys.executable, "-c", ORDERS, step], capture_output=True, text=True
        )
        for step in ("1", "-1")
    )
    assert forwards.returncode == 0, forwards.stderr
    assert forwards.stdout == backwards.stdout
    saying = [line for line in forwards.stdout.splitlines() if not line.endswith("[]")]
    assert len(saying) > 15
