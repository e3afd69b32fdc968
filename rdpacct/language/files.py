"""The data of TOML and JSON files: read within limits, with numbers as they are written."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from rdpacct.errors import InputError, TextPlace
from rdpacct.exact.number import shorten
from rdpacct.language.grammar import MAX_LENGTH

LINE_AND_COLUMN = re.compile(r"line (?P<line>\d+),? column (?P<column>\d+)")
REMEDIES = {
    "invalid value": "write text in double quotes, and numbers with a point",
    "expected newline": "put one field on each line, and text in double quotes",
    "expecting property name": "write names in double quotes, without a comma at the end",
    "expecting ',' delimiter": "separate fields by commas",
    "expecting ':' delimiter": 'write a field as "name": value',
    "expecting value": "write text in double quotes",
    "expected '='": "write a field as name = value",
    "cannot overwrite": "give each field once",
    "stands twice": "give it once",
    "unterminated string": "close the text with a double quote",
    "utf-8": "save it as UTF-8",
}
"""What to do, by what the readers of TOML and JSON say."""


class NumberText(str):
    """A number with a point or an exponent, as it is written in a file."""

    __slots__ = ()


def data_of(path: Path, what: str = "a plan", most: int = 2 * MAX_LENGTH) -> Any:
    """The content of a file of this many bytes at most; if it cannot be read, an error that says
    where it is wrong.
    """
    text = ""
    try:
        if path.stat().st_size > most:
            raise InputError(
                f"the file {shown(path)} is larger than {most} bytes; make it smaller."
            )
        text = path.read_text(encoding="utf-8")
        if path.suffix.lower() == ".toml":
            import tomllib

            return tomllib.loads(text, parse_float=_written)
        return json.loads(
            text,
            object_pairs_hook=each_name_once,
            parse_float=NumberText,
            parse_constant=no_number,
        )
    except FileNotFoundError:
        raise InputError(
            f"the file {shown(path)} does not exist; give {what} or the path of a"
            " .toml or .json file."
        ) from None
    except OSError as error:
        raise InputError(
            f"the file {shown(path)} cannot be read ({error.strerror}); give a"
            " readable file."
        ) from None
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        kind = path.suffix[1:].upper()
        raise InputError(
            f"the file {shown(path)} is not valid {kind}: {_reason(error)};"
            f" {_remedy(error)}.",
            _place(text, str(error)),
        ) from None


def shown(path: Path) -> str:
    """The path of a file in a sentence."""
    return shorten(str(path), 120)


def _place(text: str, message: str) -> TextPlace | None:
    """The character of a file that a reader stopped at, by what it says of the line and the
    column.
    """
    said = LINE_AND_COLUMN.search(message)
    lines = text.split("\n")
    if said is None or int(said["line"]) > len(lines):
        return None
    column = int(said["column"]) - 1
    return TextPlace(lines[int(said["line"]) - 1], column, column + 1)


def _remedy(error: Exception) -> str:
    """What is most likely wrong, by what the reader says."""
    message = str(error).lower()
    for words, remedy in REMEDIES.items():
        if words in message:
            return remedy
    return "correct it"


def _reason(error: Exception) -> str:
    """The message of the reader in full: both readers name the line and the column in few words."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not text in UTF-8, from byte {error.start + 1} on"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = shorten(" ".join(str(error).split()), 160)
    return text[:1].lower() + text[1:]


def _written(text: str) -> NumberText:
    """A number of a TOML file, which may have underscores between its digits."""
    return NumberText(text.replace("_", ""))


def no_number(text: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python's reader of JSON would take."""
    raise ValueError(f"{text} is not a number of JSON")


class RepeatedName(ValueError):
    """A name that stands more than once in an object of JSON."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the field '{shorten(name)}' stands twice")
        self.name = name


def each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which no name may stand twice."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise RepeatedName(min(name for name in counts if counts[name] > 1))
    return entries
