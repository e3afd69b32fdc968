"""What every command gives back, the exit codes, and how an answer is printed."""

import os
import sys
from typing import Any, TextIO, TypeAlias

DONE, FAILS, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
"""The exit codes: done or holds, fails or refuted, bad input, undecided."""

JSON: TypeAlias = dict[str, Any]


class Answer:
    """What a command says: its exit code, the object printed by --json, and the text printed
    otherwise.
    """

    def __init__(self, code: int, data: JSON, text: str) -> None:
        self.code = code
        self._data = data
        self._text = text

    @property
    def data(self) -> JSON:
        """The object that --json prints."""
        return self._data

    @property
    def text(self) -> str:
        """The lines that are printed otherwise."""
        return self._text

    def show(self, as_json: bool) -> None:
        """Print the answer; a reader that has gone away is not an error."""
        text = _json_of(self.data) if as_json else self.text
        try:
            write(text, sys.stdout)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _json_of(data: JSON) -> str:
    import json

    return json.dumps(data, allow_nan=False)


def write(text: str, stream: TextIO) -> None:
    """Print a line; characters that the stream cannot show are escaped."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    print(
        text.encode(encoding, "backslashreplace").decode(encoding),
        file=stream,
        flush=True,
    )


def write_progress(text: str) -> None:
    """Replace the line of progress on a terminal; an empty text clears it."""
    if sys.stderr.isatty():
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)
