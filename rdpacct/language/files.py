"""Plan files: TOML or JSON with the text field ``plan`` and, if it is stated, the field
``relation``.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.grammar import MAX_LENGTH

READ = (".toml", ".json")
OTHERS = (".yaml", ".yml", ".txt", ".ini", ".cfg", ".csv", ".xml", ".py")
"""Endings of files that are not read, so that they are not taken for plans."""


def is_file(source: str) -> bool:
    """Whether a text is the name of a plan file, and not a plan."""
    name = source.strip().lower()
    if name.endswith(OTHERS):
        raise InputError(
            f"the plan '{shorten(source.strip())}' is the name of a file of another"
            " kind; only .toml and .json are read, so write the plan into one of"
            " these."
        )
    return name.endswith(READ)


def read_file(name: str) -> tuple[str, str | None]:
    """The plan text of a file, and its relation if it states one."""
    path = Path(name.strip())
    data = _data(path)
    if not isinstance(data, dict) or not isinstance(data.get("plan"), str):
        raise InputError(
            f"the file {_shown(path)} has no text field 'plan'; add one, as in"
            f" {_example(path)}."
        )
    unknown = sorted(str(field) for field in data.keys() - {"plan", "relation"})
    if unknown:
        raise InputError(
            f"the file {_shown(path)} has the unknown field '{shorten(unknown[0])}'; it"
            " takes plan and relation."
        )
    relation = data.get("relation")
    return data["plan"], None if relation is None else str(relation)


def _data(path: Path) -> Any:
    """The content of a file; if it cannot be read, an error that says where it is wrong."""
    try:
        if path.stat().st_size > 2 * MAX_LENGTH:
            raise InputError(
                f"the file {_shown(path)} is larger than {2 * MAX_LENGTH} bytes; give a"
                " smaller plan."
            )
        text = path.read_text(encoding="utf-8")
        if path.suffix.lower() == ".toml":
            return tomllib.loads(text)
        return json.loads(text, object_pairs_hook=_once)
    except FileNotFoundError:
        raise InputError(
            f"the file {_shown(path)} does not exist; give a plan or the path of a"
            " .toml or .json file."
        ) from None
    except OSError as error:
        raise InputError(
            f"the file {_shown(path)} cannot be read ({error.strerror}); give a"
            " readable file."
        ) from None
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        kind = path.suffix[1:].upper()
        raise InputError(
            f"the file {_shown(path)} is not valid {kind}: {_place(error)}; correct it."
        ) from None


def _place(error: Exception) -> str:
    """The message of the reader in full: both readers name the line and the column in few words."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not text in UTF-8, from byte {error.start + 1} on"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = shorten(" ".join(str(error).split()), 160)
    return text[:1].lower() + text[1:]


def _shown(path: Path) -> str:
    return shorten(str(path), 120)


def _example(path: Path) -> str:
    if path.suffix.lower() == ".toml":
        return 'plan = "Gaussian(sigma=1)"'
    return '{"plan": "Gaussian(sigma=1)"}'


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON file, in which no field may occur twice."""
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"the field '{shorten(twice[0])}' stands twice")
    return dict(pairs)
