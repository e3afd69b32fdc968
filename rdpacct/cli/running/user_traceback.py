"""The traceback of an error in code of the user, from this process or from a worker."""

import traceback

from rdpacct.errors import InputError

CHAINED = "\nThe above exception was the direct cause"


def user_traceback(error: InputError) -> str:
    """The traceback of what an error was raised for; a sentence if it was not raised for one."""
    cause = error.__cause__
    while isinstance(cause, InputError):
        cause = cause.__cause__
    if cause is None:
        return "(no code of yours raised an error)"
    if type(cause).__name__ == "_RemoteTraceback":
        # what a worker sent: its text, of which the first part is the cause
        return str(cause).strip().strip('"').strip().partition(CHAINED)[0].rstrip()
    return "".join(traceback.format_exception(cause)).rstrip()
