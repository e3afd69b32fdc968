"""A file that one process at a time changes, whole or not at all."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten

LARGEST = 10_000_000
"""The most bytes of such a file."""
PATIENCE = 20.0
"""The seconds to wait for a file that is in use."""
PAUSE = 0.01


class LockedFile:
    """A text file with a lock beside it; ``what`` it is called in sentences."""

    def __init__(self, path: str | os.PathLike[str], what: str) -> None:
        self.what = what
        self.path = _real(path, what)
        self.patience = PATIENCE

    def __str__(self) -> str:
        return f"{self.what} {shorten(str(self.path), 120)}"

    def text(self) -> str | None:
        """What the file holds; None if there is none."""
        try:
            if self.path.stat().st_size > LARGEST:
                raise InputError(
                    f"{self} is larger than {LARGEST} bytes; give another file."
                )
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise InputError(f"{self} is not a text; give another file.") from None
        except OSError as error:
            raise self._refusal("read", error) from None

    def replace(self, text: str) -> None:
        """The text takes the place of the file; after an error the file is as it was."""
        name = ""
        if len(text.encode()) > LARGEST:
            raise InputError(
                f"{self} would be larger than {LARGEST} bytes; begin another one, nothing"
                " was spent."
            )
        try:
            folder = self.path.parent
            number, name = tempfile.mkstemp(prefix=".ledger.", dir=folder)
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if self.path.exists():
                os.chmod(name, self.path.stat().st_mode)
            os.replace(name, self.path)
        except OSError as error:
            with suppress(OSError):
                os.unlink(name)
            raise self._refusal("written", error) from None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """The file for this process alone; the lock is a file beside it, which stays there."""
        try:
            lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise self._refusal("written", error) from None
        try:
            until = time.monotonic() + self.patience
            while not _taken(lock):
                if time.monotonic() > until:
                    raise InputError(
                        f"{self} is in use by another process; try again, nothing was"
                        " spent."
                    )
                time.sleep(PAUSE)
            yield
        finally:
            os.close(lock)

    def _refusal(self, done: str, error: OSError) -> InputError:
        return InputError(
            f"{self} cannot be {done} ({error.strerror}); give a file that can be read"
            " and written."
        )


def _real(path: str | os.PathLike[str], what: str) -> Path:
    """The file that a path leads to, so that two names of it have one lock."""
    try:
        name = os.fspath(path)
        real = Path(os.path.realpath(name))
        fine = isinstance(name, str) and name != ""
        # a device or a pipe has no end, and cannot be replaced
        fine = fine and (real.is_file() or not real.exists())
    except (TypeError, ValueError, OSError):
        fine = False
    if not fine:
        raise InputError(
            f"{what} is {shorten(repr(path))}, which is not a file; give the path of one."
        )
    return real


def _taken(lock: int) -> bool:
    """Whether the lock was free, and is ours now."""
    try:
        import fcntl
    except ImportError:
        raise InputError(
            "this system has no locks on files; keep the state with to_json."
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
