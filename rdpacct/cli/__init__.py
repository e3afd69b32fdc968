"""The command line: one file for each command in ``commands``; exit codes that no command gives are
in ``failure``.

Exit codes: 0 holds or done, 1 fails, 2 bad input, 3 undecided, 70 an error of this program, 130
    interrupted.
"""

import json
import os
import sys
from collections.abc import Sequence

from rdpacct.cli.failure import report, write
from rdpacct.cli.parser import parsed
from rdpacct.command import Answer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = parsed(given)
        answer: Answer = options.run(options)
        text = json.dumps(answer.data, allow_nan=False) if options.json else answer.text
        _print(text)
    except SystemExit:
        raise
    except BaseException as error:
        return report(error, given)
    return answer.code


def _print(text: str) -> None:
    """Print an answer; a reader that has gone away is no error."""
    try:
        write(text, sys.stdout)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
