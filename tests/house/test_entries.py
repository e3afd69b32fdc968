"""How an entry of the book looks: one import, of words that the table has."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from rdpacct.book.errata import is_from_the_sources
from rdpacct.book.vocabulary import TABLE, at_home, homes
from rdpacct.proof.entries import ids
from tests.one_import import ENTRIES, Vocabulary, rewritten

PATHS = sorted(ENTRIES.rglob("*.py"))
TWO_IMPORTS = '''"""An entry."""

from fractions import Fraction
from rdpacct.mechanisms.gaussian.gaussian import mean

HALF = mean(Fraction(1, 2))
'''
ONE_IMPORT = '''"""An entry."""

from rdpacct.book.words import Fraction, gaussian_mean as mean

HALF = mean(Fraction(1, 2))
'''


def known_words() -> Vocabulary:
    """The words of the table."""
    return Vocabulary(TABLE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    """The words, and which of them the entries use."""
    words = known_words()
    for path in PATHS:
        rewritten(path.read_text(encoding="utf-8"), words)
    return words


def test_an_entry_has_one_import() -> None:
    """From the words of the book, sorted; ``make fix`` makes it so."""
    words = known_words()
    texts = {path: path.read_text(encoding="utf-8") for path in PATHS}
    assert [p for p, text in texts.items() if rewritten(text, words) != text] == []


def test_the_table_has_the_words_of_the_entries_and_no_more(
    vocabulary: Vocabulary,
) -> None:
    """The table is what ``make fix`` writes."""
    assert TABLE.read_text(encoding="utf-8") == vocabulary.stub(only_used=True)


def test_every_word_has_a_home() -> None:
    """What the table says is there, and each home has one word."""
    assert [word for word, home in homes().items() if at_home(home) is None] == []
    assert len(set(homes().values())) == len(homes())


def test_two_imports_are_found() -> None:
    """The check itself can fail; a name with several homes has its home in front."""
    words = known_words()
    assert rewritten(TWO_IMPORTS, words) == ONE_IMPORT
    assert rewritten(ONE_IMPORT, words) == ONE_IMPORT


def test_a_new_word_is_put_into_the_table() -> None:
    """And one that no entry uses is taken out."""
    words = known_words()
    text = TWO_IMPORTS.replace("fractions import Fraction", "shelve import Shelf")
    assert "import Shelf, gaussian_mean as mean" in rewritten(text, words)
    assert "from shelve import Shelf as Shelf\n" in words.stub(only_used=True)
    assert "Fraction" not in words.stub(only_used=True)


def test_imports_that_stand_apart_are_refused() -> None:
    """Nothing between two imports is lost."""
    text = TWO_IMPORTS.replace("from rdpacct", "X = 1\nfrom rdpacct")
    with pytest.raises(ValueError, match="come together"):
        rewritten(text, known_words())


def test_an_entry_loads_what_it_needs_and_no_more() -> None:
    """One import is not an import of everything."""
    code = (
        "import sys\nfrom rdpacct.proof.entries import module\nmodule('cdp/tail')\n"
        "print([n for n in sys.modules if n.startswith('rdpacct.proof.tactics.laplace')])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_a_name_that_is_no_word_is_refused(tmp_path: Path) -> None:
    """As from any module."""
    entry = tmp_path / "entry.py"
    entry.write_text("from rdpacct.book.words import no_such_word\n")
    run = subprocess.run([sys.executable, str(entry)], capture_output=True, text=True)
    assert "cannot import name 'no_such_word'" in run.stderr


LONGEST = 150
"""So many lines has an entry of the sources at most, but for those below."""
LONGER: dict[str, int] = {
    "cdp/composition": 338,
    "cdp/from-dp": 202,
    "cdp/gaussian": 182,
    "cdp/hoeffding": 184,
    "cdp/kl-sum": 152,
    "cdp/md-dominate": 254,
    "cdp/md-symmetric": 159,
    "cdp/tail": 212,
    "histogram/accuracy": 267,
    "histogram/neighbours": 157,
    "histogram/privacy": 302,
    "random-dp/composition": 347,
    "random-dp/definition": 252,
    "random-dp/relaxation": 173,
    "random-dp/remark-3": 200,
    "sensitivity/quantile": 189,
    "sensitivity/random": 354,
    "sensitivity/ratio": 285,
    "sensitivity/smooth-laplace": 243,
    "sensitivity/strongly-convex": 202,
    "sensitivity/u-statistic": 336,
    "smooth/admissible": 197,
    "smooth/cauchy-like": 273,
    "smooth/gaussian": 176,
    "smooth/median-global": 207,
    "smooth/optimal": 225,
    "smooth/regression": 250,
}
"""Entries that are longer, with the lines that they may have; the list only shrinks."""


def sources() -> list[str]:
    """The entries of the five sources."""
    return list(filter(is_from_the_sources, ids()))


def lines_of(name: str) -> int:
    """How long the file of an entry is."""
    path = ENTRIES / f"{name.replace('-', '_')}.py"
    return path.read_text(encoding="utf-8").count("\n")


def too_long(lengths: dict[str, int], longer: dict[str, int]) -> dict[str, int]:
    """The entries above their limits."""
    return {
        name: lines
        for name, lines in lengths.items()
        if lines > longer.get(name, LONGEST)
    }


def test_an_entry_of_the_sources_can_be_read_at_a_sitting() -> None:
    """None is longer than its limit, and none is excused that need not be."""
    lengths = {name: lines_of(name) for name in sources()}
    assert len(lengths) > 30
    assert too_long(lengths, LONGER) == {}
    assert {name for name in LONGER if lengths[name] <= LONGEST} == set()


def test_a_long_entry_is_found() -> None:
    """The check itself can fail, also for one that may be longer."""
    assert too_long({"a/b": 151, "a/c": 150}, {}) == {"a/b": 151}
    assert too_long({"a/b": 201}, {"a/b": 200}) == {"a/b": 201}


def order_of(text: str) -> list[str]:
    """What stands in an entry, from above: statements, proofs, falsehoods."""
    kinds = map(kind_of, ast.parse(text).body)
    return [kind for kind in kinds if kind]


def kind_of(node: ast.stmt) -> str:
    """Whether this states, proves or denies; nothing for other lines."""
    if isinstance(node, ast.FunctionDef):
        tags = map(ast.unparse, node.decorator_list)
        return "proof" if any(tag.startswith("proves(") for tag in tags) else ""
    if not isinstance(node, ast.Assign):
        return ""
    name = ast.unparse(node.targets[0])
    return name if name in ("THEOREM", "FALSEHOODS") else ""


def is_in_order(order: list[str]) -> bool:
    """Whether the statements stand first, and the falsehoods last."""
    proofs = ["proof"] * (len(order) - 2)
    return order == ["THEOREM", *proofs, "FALSEHOODS"]


def test_statements_stand_first_and_falsehoods_last() -> None:
    """In the entries of the sources; one test, as finding these loads the whole book."""
    names = sources()
    paths = {name: ENTRIES / f"{name.replace('-', '_')}.py" for name in names}
    orders = {
        name: order_of(path.read_text(encoding="utf-8")) for name, path in paths.items()
    }
    assert len(orders) > 30
    assert [name for name, order in orders.items() if not is_in_order(order)] == []


def test_another_order_is_seen() -> None:
    """The check itself can fail."""
    text = "@proves('a')\ndef a(): ...\n\n\nTHEOREM = 1\nFALSEHOODS = 2\n"
    order = order_of(text)
    assert order == ["proof", "THEOREM", "FALSEHOODS"]
    assert not is_in_order(order)
