"""Files of scores: .csv or .json with the columns score and included, read strictly."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.files import each_name_once, no_number, shown

MOST_BYTES = 100_000_000
MOST_FIELD = 400
"""The most characters in a field of a row."""
COLUMNS = ("score", "included")
COINS = {"0": False, "1": True, "false": False, "true": True}
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)

ScoreRows = tuple[list[float], list[bool]]


def read_rows(path: Path) -> ScoreRows:
    """The scores and the coins of a file."""
    text = _text(path)
    if path.suffix.lower() == ".csv":
        return _csv_rows(text, path)
    return _json_rows(text, path)


def _text(path: Path) -> str:
    if path.suffix.lower() not in (".csv", ".json"):
        raise InputError(
            f"the file {shown(path)} is neither .csv nor .json; give one of these, with"
            " the columns score and included."
        )
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(
                f"the file {shown(path)} is larger than {MOST_BYTES} bytes; give a"
                " smaller one."
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            f"the file {shown(path)} is not text in UTF-8; save it as UTF-8."
        ) from None
    except OSError as error:
        raise InputError(
            f"the file {shown(path)} cannot be read ({error.strerror}); give a readable"
            " file."
        ) from None


def _csv_rows(text: str, path: Path) -> ScoreRows:
    lines = csv.reader(text.splitlines(), strict=True)
    try:
        header = [name.strip().lower() for name in next(lines, [])]
        if sorted(header) != sorted(COLUMNS):
            raise InputError(
                f"line 1 of {shown(path)} is {shorten(','.join(header))}; write"
                " score,included there."
            )
        rows = list(_fields(lines, header, path))
    except csv.Error as error:
        raise InputError(
            f"line {lines.line_num} of {shown(path)} is not a row ({error}); write a score"
            " and 0 or 1, as in 0.25,1."
        ) from None
    return [score for score, _ in rows], [coin for _, coin in rows]


def _fields(lines: Any, header: list[str], path: Path) -> Iterator[tuple[float, bool]]:
    for fields in lines:
        where = f"line {lines.line_num} of {shown(path)}"
        if len(fields) != len(COLUMNS) or max(map(len, fields)) > MOST_FIELD:
            raise InputError(
                f"{where} has {len(fields)} fields; write a score and 0 or 1, as in 0.25,1."
            )
        row = dict(zip(header, fields, strict=True))
        yield _score(row["score"].strip(), where), _coin(row["included"].strip(), where)


def _score(text: str, where: str) -> float:
    if not DECIMAL.fullmatch(text):
        raise InputError(
            f"{where} has the score {shorten(repr(text))}; write a decimal number, as in"
            " 0.25."
        )
    return float(text)


def _coin(text: str, where: str) -> bool:
    coin = COINS.get(text.lower())
    if coin is None:
        raise InputError(
            f"{where} has {shorten(repr(text))} for included; write 1 or true for a canary"
            " that was included, and 0 or false for one that was not."
        )
    return coin


def _json_rows(text: str, path: Path) -> ScoreRows:
    try:
        data = json.loads(
            text, object_pairs_hook=each_name_once, parse_constant=no_number
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"line {error.lineno} of {shown(path)} is not valid JSON ({error.msg});"
            " correct it."
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"the file {shown(path)} is not valid JSON ({error}); correct it."
        ) from None
    if isinstance(data, dict) and sorted(data) == sorted(COLUMNS):
        columns = [data[name] for name in COLUMNS]
        if all(isinstance(column, list) for column in columns):
            return _checked(columns[0], columns[1], path)
    if isinstance(data, list) and all(_is_row(row) for row in data):
        scores = [row["score"] for row in data]
        return _checked(scores, [row["included"] for row in data], path)
    raise InputError(
        f"the file {shown(path)} does not hold scores and coins; write"
        ' {"score": [0.5, 0.1], "included": [1, 0]}, or a list of such rows.'
    )


def _checked(scores: list[Any], coins: list[Any], path: Path) -> ScoreRows:
    for number, score in enumerate(scores, 1):
        if type(score) not in (int, float):
            raise InputError(
                f"row {number} of {shown(path)} has the score {shorten(repr(score))};"
                " write a number."
            )
    for number, coin in enumerate(coins, 1):
        if type(coin) not in (bool, int) or coin not in (0, 1):
            raise InputError(
                f"row {number} of {shown(path)} has {shorten(repr(coin))} for included;"
                " write true or 1, or false or 0."
            )
    return scores, [bool(coin) for coin in coins]


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and sorted(row) == sorted(COLUMNS)
