"""What is printed when there is no answer: one sentence, with the place of a mistake below it, or
an object if --json is given.

Details go to a file.
"""

import json
import os
import sys
from collections.abc import Sequence

from rdpacct.cli.answer import BAD_INPUT, UNDECIDED, write
from rdpacct.errors import InputError, UndecidedError

CRASHED, INTERRUPTED = 70, 130
"""The exit codes of an error of this program and of an interrupt, which are not verdicts."""
LONGEST = 380
"""How many characters a sentence has at most."""
DETAILS = "RDPACCT_DETAILS"
"""The environment variable that names the file for details."""


def report(error: BaseException, arguments: Sequence[str]) -> int:
    """Say in one sentence why there is no answer, and return the exit code."""
    code, message = _meaning(error, arguments)
    try:
        write(f"rdpacct: {message}", sys.stderr)
        if "--json" in arguments:
            write(json.dumps({"error": message, "exit": code}), sys.stdout)
        elif isinstance(error, InputError) and error.place is not None:
            for line in error.place.lines():
                write(f"  {line}", sys.stderr)
    except OSError:
        pass  # nobody is left to be told
    return code


def _meaning(error: BaseException, arguments: Sequence[str]) -> tuple[int, str]:
    """The exit code of an error, and its sentence."""
    if isinstance(error, InputError):
        return BAD_INPUT, sentence(str(error))
    if isinstance(error, UndecidedError):
        return UNDECIDED, sentence(f"undecided: {error}")
    if _is_interrupt(error):
        return INTERRUPTED, "interrupted."
    return CRASHED, sentence(
        f"an error of this program, and no verdict: {_kind(error)};"
        f" {_details(error, arguments)}.",
    )


def _is_interrupt(error: BaseException | None) -> bool:
    """Whether the user interrupted: inside of a call from compiled code the interrupt is the cause
    of another error.
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _kind(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "it ran out of memory"
    if isinstance(error, RecursionError):
        return "it nested too deeply"
    text = sentence(str(error), 160).rstrip(".")
    if text:
        return f"{type(error).__name__}: {text}"
    return type(error).__name__


def _details(error: BaseException, arguments: Sequence[str]) -> str:
    """Write the traceback into the file that was asked for, or into the temporary folder, and say
    where it is.
    """
    import platform
    import traceback
    from pathlib import Path

    import rdpacct

    lines = [
        (
            f"rdpacct {rdpacct.__version__}, Python {platform.python_version()},"
            f" {platform.platform()}\n"
        ),
        f"arguments: {list(arguments)!r}\n",
        *traceback.format_exception(error),
    ]
    name = _details_file(arguments)
    try:
        name = name or _new_file()
        Path(name).write_text(
            "".join(lines), encoding="utf-8", errors="backslashreplace"
        )
    except (OSError, ValueError) as problem:
        return (
            f"the details cannot be written to {name or 'the temporary folder'}"
            f" ({getattr(problem, 'strerror', None) or problem}); give --details FILE"
        )
    return f"the details to report are in {name}"


def _new_file() -> str:
    """A new file in the temporary folder, which only its owner can read."""
    from tempfile import mkstemp

    handle, name = mkstemp(prefix="rdpacct-details-", suffix=".txt")
    os.close(handle)
    return name


def _details_file(arguments: Sequence[str]) -> str | None:
    for place, argument in enumerate(arguments):
        if argument == "--details" and place + 1 < len(arguments):
            return arguments[place + 1]
        if argument.startswith("--details="):
            return argument.removeprefix("--details=")
    return os.environ.get(DETAILS)


def sentence(text: str, longest: int = LONGEST) -> str:
    """The text on one line without control characters; if it is too long, its middle is left
    out.
    """
    shown = "".join(
        character if character.isprintable() else _escaped(character)
        for character in text
    )
    if len(shown) <= longest:
        return shown
    tail = longest // 2
    return f"{shown[: longest - tail - 5]} ... {shown[-tail:]}"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
