"""The command line: one file for each command in ``commands``, and what they share.

Exit codes: 0 holds or done, 1 fails, 2 bad input, 3 undecided, 70 an error of this program, 130
interrupted.
"""

import sys
from collections.abc import Sequence

from rdpacct.cli.answer import Answer
from rdpacct.cli.parser import parsed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = parsed(given)
        answer: Answer = options.run(options)
        answer.show(as_json=options.json)
    except SystemExit:
        raise
    except BaseException as error:
        from rdpacct.cli.failure import report

        return report(error, given)
    return answer.code
