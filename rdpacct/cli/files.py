"""Files that commands write."""

import os
from pathlib import Path

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten


def write_file(name: str, content: str | bytes, option: str = "-o") -> None:
    """Write a file; one that cannot be written is bad input."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        Path(name).write_bytes(data)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise InputError(
            f"the file {shorten(name, 120)} cannot be written ({reason}); give another"
            f" name after {option}."
        ) from None


def ending(name: str, known: tuple[str, ...]) -> str:
    """The ending of a file name, which is one of those known."""
    suffix = Path(name).suffix.lower()
    if suffix in known:
        return suffix
    raise InputError(
        f"the file {shorten(name, 120)} does not end in {' or '.join(known)}; give a"
        " name that does."
    )


def writable(name: str, option: str) -> None:
    """Refuse a file that cannot be written, before the work whose result goes there."""
    try:
        path = Path(name)
        folder = path.parent
        fine = os.access(path if path.exists() else folder, os.W_OK)
        fine = fine and folder.is_dir() and not path.is_dir()
    except (OSError, ValueError):
        fine = False
    if not fine:
        raise InputError(
            f"the file {shorten(name, 120)} cannot be written; give another name after"
            f" {option}."
        )
