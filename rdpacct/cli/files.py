"""Files that commands write."""

from pathlib import Path

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten


def write_file(name: str, content: str | bytes) -> None:
    """Write a file; one that cannot be written is bad input."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        Path(name).write_bytes(data)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise InputError(
            f"the file {shorten(name, 120)} cannot be written ({reason}); give another"
            " name after -o."
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
