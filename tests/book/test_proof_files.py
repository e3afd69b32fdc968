"""Proof files, one for each entry: each stands on its own, wrong ones are refused, and those that
are stale are written anew.
"""

import gzip
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rdpacct.book.entry import check
from rdpacct.cli.certify import main
from rdpacct.proof import places, proof_files
from rdpacct.proof.entries import ids
from rdpacct.proof.kernel import side as side_module
from rdpacct.proof.proof_files import from_bytes, place_of, shipped, to_bytes

ROOT = Path(__file__).parents[2]
NAME = "cdp/tail"
OTHER = "cdp/kl-half"


def test_each_entry_has_one_file_and_no_file_is_left_over() -> None:
    folder = places.folder() / proof_files.FOLDER
    assert set(folder.rglob("*.*")) == set(map(place_of, ids()))


def test_files_are_written_as_they_are_read() -> None:
    """Each file that ships is what it is read as, byte for byte."""
    certificates = 0
    for name in ids():
        data = place_of(name).read_bytes()
        file = from_bytes(data)
        assert file.record.name == name
        assert to_bytes(file.record, file.certificates, file.derivation.lines) == data
        certificates += len(file.certificates)
    assert certificates > 1000


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of an entry, where it can be changed, and nothing is settled yet."""
    monkeypatch.setattr(side_module, "_settled", {})
    monkeypatch.setattr(side_module, "_in_vain", {})
    sources = {name: place_of(name) for name in (NAME, OTHER)}
    monkeypatch.setattr(proof_files, "folder", lambda: tmp_path)
    for name, source in sources.items():
        place_of(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place_of(name))
    shipped.cache_clear()
    yield place_of(NAME)
    shipped.cache_clear()


def _problem() -> str:
    shipped.cache_clear()
    return check(NAME, attack=False).problem


def _read(place: Path) -> list[Any]:
    return [
        json.loads(line) for line in gzip.decompress(place.read_bytes()).splitlines()
    ]


def _write(place: Path, lines: list[Any]) -> None:
    text = "\n".join(map(json.dumps, lines))
    place.write_bytes(gzip.compress(text.encode()))


def test_a_file_is_enough_for_its_entry(elsewhere: Path) -> None:
    """There is no other but that of an entry that it does not look at."""
    assert elsewhere.is_file()
    assert _problem() == ""


def test_an_entry_without_a_file_fails(elsewhere: Path) -> None:
    elsewhere.unlink()
    assert "no derivation ships" in _problem()


def test_the_file_of_another_entry_is_refused(elsewhere: Path) -> None:
    """Under its own name, under the name of the entry, and with the digest of the entry as well."""
    own = _read(elsewhere)[0]
    shutil.copy(place_of(OTHER), elsewhere)
    assert f"is one of {OTHER}" in _problem()
    head, *rest = _read(elsewhere)
    _write(elsewhere, [[NAME, *head[1:]], *rest])
    assert "has changed since" in _problem()
    _write(elsewhere, [[*own[:2], *head[2:]], *rest])
    assert "the proof has no steps" in _problem()
    _write(elsewhere, [own, *rest])
    assert _problem()


def test_certificates_of_other_files_are_not_used(elsewhere: Path) -> None:
    """Not even if the other entry is loaded and its file has what is missing."""
    head, *rest = _read(elsewhere)
    kept = [line for line in rest if isinstance(line, dict)]
    others = [line for line in rest if not isinstance(line, dict)]
    other = _read(place_of(OTHER))
    _write(place_of(OTHER), [*other, *kept])
    _write(elsewhere, [head, *others])
    check(OTHER, attack=False)
    side_module._settled.clear()
    assert "no certificate ships" in _problem()


def _with_another_byte(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "half": lambda data: data[: len(data) // 2],
    "a byte": _with_another_byte,
    "a certificate": lambda data: gzip.compress(
        gzip.decompress(data) + b'{"claim":[],"known":[],"proof":[]}'
    ),
}
TEXTS = {
    "nothing": b"",
    "no text": b"\xff\xfe",
    "no JSON": b"record",
    "a number": b"5",
    "a short record": b'["cdp/tail"]',
    "parts": b'["cdp/tail","",5,{},{}]',
    "steps": b'["cdp/tail","",{"tail":[1]},{},{}]',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("how", CHANGES)
def test_a_broken_file_is_as_none(elsewhere: Path, how: str) -> None:
    elsewhere.write_bytes(CHANGES[how](elsewhere.read_bytes()))
    assert "no derivation ships" in _problem()


@pytest.mark.parametrize("how", TEXTS)
def test_a_file_of_another_form_is_as_none(elsewhere: Path, how: str) -> None:
    for data in (TEXTS[how], gzip.compress(TEXTS[how])):
        elsewhere.write_bytes(data)
        assert "no derivation ships" in _problem()


def test_a_tampered_file_is_refused(elsewhere: Path) -> None:
    """A line of the file that is missing or doubled, or a certificate without its proof: what is
    left is refused, or proves the same statements.
    """
    rng = random.Random(5)
    whole = _read(elsewhere)
    refused = 0
    for turn in range(40):
        place = rng.randrange(1, len(whole))
        line = whole[place]
        if isinstance(line, dict):
            changed = [{**line, "proof": [{"rule": "ground"}]}]
        else:
            changed = [[], [line, line]][turn % 2]
        _write(elsewhere, [*whole[:place], *changed, *whole[place + 1 :]])
        side_module._settled.clear()
        side_module._in_vain.clear()
        refused += bool(_problem())
    assert refused >= 35


def _book(tmp_path: Path) -> Path:
    """A copy of the package with a book of two entries and their files, compiled as it is here."""
    root = tmp_path / "copy"
    shutil.copytree(ROOT / "rdpacct", root / "rdpacct")
    for name in (NAME, OTHER):
        for source in (
            places.folder() / f"{name.replace('-', '_')}.py",
            place_of(name),
        ):
            target = root / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return root


def _certify(root: Path, *arguments: str, code: int = 0) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "rdpacct.cli.certify", *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    assert bool(ran.stderr) == bool(code), ran.stderr
    return ran.stdout.splitlines()


def _files(root: Path) -> dict[str, bytes]:
    found = (root / "theorems" / proof_files.FOLDER).rglob("*.gz")
    return {place.name: place.read_bytes() for place in found}


@pytest.mark.slow
def test_stale_files_are_written_anew(tmp_path: Path) -> None:
    """Those of an entry that has changed, that is new, or whose file is tampered with; that of an
    entry that is gone is removed; the same entries give the same bytes.
    """
    root = _book(tmp_path)
    before = _files(root)
    folder = root / "theorems" / proof_files.FOLDER / "cdp"
    tail = folder / "tail.jsonl.gz"
    nothing = "entries run: 0, files changed: 0, failed: 0"
    tail.unlink()
    once = [f"written: {NAME}", "entries run: 1, files changed: 1, failed: 0"]
    assert _certify(root) == once
    assert _files(root) == before
    _write(tail, _read(tail)[:-1])
    assert _certify(root) == once
    assert _certify(root, NAME) == ["entries run: 1, files changed: 0, failed: 0"]
    assert _files(root) == before
    entry = root / "theorems" / "cdp" / "tail.py"
    entry.write_text(entry.read_text() + "\n# changed\n")
    assert _certify(root) == once
    changed = _files(root)
    assert {name for name in before if changed[name] != before[name]} == {tail.name}
    entry.unlink()
    assert _certify(root) == [f"removed: {tail.name}, whose entry is gone", nothing]
    assert not tail.exists()


def test_a_file_is_stale_if_the_package_states_another_formula(tmp_path: Path) -> None:
    """The text of the entry is the same, but a function that it calls promises too much: the entry
    is run, fails, and its file is left as it is.
    """
    root = _book(tmp_path)
    before = _files(root)
    convert = root / "rdpacct" / "privacy" / "convert.py"
    right = "promise.mu + promise.tau * sqrt(-2 * log(small))"
    text = convert.read_text()
    assert right in text
    convert.write_text(text.replace(right, right.replace("-2", "-1")))
    said = _certify(root, code=1)
    assert said == ["entries run: 1, files changed: 0, failed: 1"]
    assert _files(root) == before


def test_an_unknown_entry_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cdp/tial"]) == 2
    assert "did you mean cdp/tail" in capsys.readouterr().err
