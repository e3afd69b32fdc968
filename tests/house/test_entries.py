"""How an entry of the book looks: one import, of words that the table has."""

import subprocess
import sys
from pathlib import Path

import pytest

from rdpacct.book.vocabulary import TABLE, at_home, homes
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
