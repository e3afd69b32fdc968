"""One import for an entry of the book: ``python -m tests.one_import [FILE ...]``.

Whatever an entry imports is turned into one import from ``rdpacct.book.words``, sorted, in lines of
at most 100 characters. What is not a word yet becomes one in ``rdpacct/book/words.pyi``; with no
files, all entries are gone through, and words that none of them uses are taken out.
"""

import ast
import sys
from collections.abc import Iterable
from pathlib import Path

from rdpacct.book.vocabulary import TABLE, Home, at_home, home_of, homes_in

ROOT = Path(__file__).parents[1]
ENTRIES = ROOT / "theorems"
WORDS = "rdpacct.book.words"
WIDTH = 100
ONE_LINE = 88
SHORT = 2
"""Names of so many letters are words only with their home in front, but for a few."""
SHORT_WORDS = ("E", "On", "PI", "at")


class Vocabulary:
    """The words with their homes; it grows by what entries import."""

    def __init__(self, text: str) -> None:
        self.homes = homes_in(text)
        self.words = {home: word for word, home in self.homes.items()}
        self.used = set[str]()

    def word(self, home: Home) -> str:
        """The word for what lives there; a new one if there is none."""
        if home[0] == WORDS:
            home = self.homes[home[1]]
        word = self.words.get(home) or self._same(home) or self._added(home)
        self.used.add(word)
        return word

    def _same(self, home: Home) -> str | None:
        """The word of the same class or function, imported from elsewhere."""
        word = home[1]
        if word not in self.homes or at_home(self.homes[word]) is not at_home(home):
            return None
        return word

    def _added(self, home: Home) -> str:
        name = home[1] or home[0]
        is_short = len(name) <= SHORT and name not in SHORT_WORDS
        if is_short or name in self.homes:
            name = f"{home[0].split('.')[-1]}_{name}"
        if name in self.homes:
            raise ValueError(f"{name} is {self.homes[name]} and {home}")
        self.homes[name] = home
        self.words[home] = name
        return name

    def stub(self, only_used: bool) -> str:
        """The text of the table."""
        kept = {
            word: home
            for word, home in self.homes.items()
            if word in self.used or not only_used
        }
        named = [word for word, home in kept.items() if _own_name(home) != word]
        lines = sorted({_import(word, home) for word, home in kept.items()}, key=_place)
        renamed = [f"{word} = _{word}" for word in sorted(named)]
        return "\n".join([*lines, "", *renamed, ""])


def _own_name(home: Home) -> str:
    return home[1] or home[0]


def _import(word: str, home: Home) -> str:
    alias = word if _own_name(home) == word else f"_{word}"
    if not home[1]:
        return f"import {home[0]} as {alias}"
    return f"from {home[0]} import {home[1]} as {alias}"


def _place(line: str) -> tuple[bool, bool, str, int, str]:
    """The order of the linter: the standard library first, modules first."""
    kind, module, *rest = line.split()
    name = rest[1] if kind == "from" else ""
    return module.startswith("rdpacct"), kind == "from", module, _rank(name), line


def _rank(name: str) -> int:
    if name.isupper() and len(name) > 1:
        return 0
    return 1 if name[:1].isupper() else 2


def rewritten(text: str, vocabulary: Vocabulary) -> str:
    """The entry with one import, after its docstring."""
    nodes = [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    lines = text.split("\n")
    taken = {n for node in nodes for n in range(node.lineno - 1, node.end_lineno or 0)}
    first, last = min(taken), max(taken)
    between = [
        line for n, line in enumerate(lines[first:last], first) if n not in taken
    ]
    if any(between):
        raise ValueError("the imports of an entry come together, after its docstring")
    asked = (_asked(node, alias, vocabulary) for node in nodes for alias in node.names)
    return "\n".join([*lines[:first], *one_import(set(asked)), *lines[last + 1 :]])


def _asked(
    node: ast.Import | ast.ImportFrom, alias: ast.alias, vocabulary: Vocabulary
) -> str:
    local = alias.asname or alias.name
    word = vocabulary.word(home_of(node, alias))
    return word if word == local else f"{word} as {local}"


def one_import(names: Iterable[str]) -> list[str]:
    """The lines of the import of these words."""
    ordered = sorted(names)
    single = f"from {WORDS} import {', '.join(ordered)}"
    if len(single) <= ONE_LINE:
        return [single]
    filled = [f"    {ordered[0]},"]
    for name in ordered[1:]:
        if len(filled[-1]) + len(name) + 2 <= WIDTH:
            filled[-1] += f" {name},"
        else:
            filled.append(f"    {name},")
    return [f"from {WORDS} import (", *filled, ")  # fmt: skip"]


def main(arguments: list[str]) -> None:
    """Rewrite the entries that are named, or all, and the table of words."""
    paths = [Path(one) for one in arguments] or sorted(ENTRIES.rglob("*.py"))
    before = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    vocabulary = Vocabulary(before)
    for path in paths:
        text = path.read_text(encoding="utf-8")
        new = rewritten(text, vocabulary)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(f"written: {path}")
    stub = vocabulary.stub(only_used=not arguments)
    if stub != before:
        TABLE.write_text(stub, encoding="utf-8")
        print(f"written: {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
