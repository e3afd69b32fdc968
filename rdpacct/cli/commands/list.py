"""What there is: mechanisms, guarantees and theorems, with a line on each."""

import inspect
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

from rdpacct.cli.answer import DONE, JSON, Answer
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.remedies import did_you_mean

EXAMPLES = (
    "rdpacct list mechanisms",
    "rdpacct list guarantees --json",
    "rdpacct list theorems gaussian",
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """What to list, and words to look for."""
    parser.add_argument(
        "what",
        nargs="?",
        metavar="WHAT",
        help="mechanisms, guarantees or theorems; all of them without it",
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="only lines that have all of these words, in either case",
    )


def run(options: Namespace) -> Answer:
    """The lists, as far as they have the words that are looked for."""
    chosen = list(LISTS) if options.what is None else [_named(options.what)]
    words = [word.lower() for word in options.words]
    data: JSON = {}
    lines = []
    for what in chosen:
        data[what] = [row for row in LISTS[what]() if _has(row, words)]
        lines += [f"{what}: {len(data[what])}", *(_line(row) for row in data[what])]
    return Answer(DONE, data, "\n".join(lines))


def _named(what: str) -> str:
    if what in LISTS:
        return what
    meant = did_you_mean(what, LISTS)
    remedy = f"did you mean {meant}?" if meant else f"give one of {', '.join(LISTS)}."
    raise InputError(f"there is no list of '{shorten(what)}'; {remedy}")


def _has(row: JSON, words: list[str]) -> bool:
    text = " ".join(map(str, row.values())).lower()
    return all(word in text for word in words)


def _line(row: JSON) -> str:
    if "verdict" in row:
        where = f" ({row['source']})" if row["source"] else ""
        return f"  {row['id']} [{row['verdict']}]: {row['says']}{where}"
    return f"  {row['written']}: {row['says']}"


def _mechanisms() -> list[JSON]:
    from rdpacct.mechanisms import known_mechanisms

    return [_class(cls) for _, cls in sorted(known_mechanisms().items())]


def _guarantees() -> list[JSON]:
    from rdpacct.privacy.guarantee import GUARANTEES

    return [_class(cls) for cls in GUARANTEES]


def _class(cls: type[Any]) -> JSON:
    """The name of a class, how it is written, and the first sentence on it."""
    parameters = [field for field in fields(cls) if field.name != "relation"]
    inside = ", ".join(
        f"{field.name}=..." if field.default is MISSING else f"[{field.name}=...]"
        for field in parameters
    )
    return {
        "name": cls.__name__,
        "written": f"{cls.__name__}({inside})",
        "parameters": [field.name for field in parameters],
        "says": _sentence(cls),
    }


def _sentence(cls: type[Any]) -> str:
    """The first sentence of a docstring, on one line."""
    first = inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0]
    return " ".join(first.split()).rstrip(".")


def _theorems() -> list[JSON]:
    from rdpacct.book.index import rows

    return [
        {
            "id": row.name,
            "verdict": row.verdict,
            "says": row.title,
            "source": row.source,
        }
        for row in rows()
    ]


LISTS: dict[str, Callable[[], list[JSON]]] = {
    "mechanisms": _mechanisms,
    "guarantees": _guarantees,
    "theorems": _theorems,
}
"""What can be listed."""
