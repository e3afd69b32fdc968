"""Whether an entry of the theorem book is proved, and if not, why not, in a sentence."""

from collections.abc import Mapping
from functools import cache

from rdpacct.book.entry import SETTLED, Checked
from rdpacct.book.verify import verify
from rdpacct.errors import InputError

SETTLED_VERDICTS = frozenset(verdict.value for verdict in SETTLED)
EXAMPLE = '@pytest.mark.theorem("cdp/composition")'


def objection(ids: tuple[object, ...], others: Mapping[str, object]) -> str | None:
    """Why a test that a marker ties to these entries must fail; None if all are proved."""
    if not ids or others or not all(isinstance(each, str) for each in ids):
        return (
            f"a theorem marker takes the ids of entries of the book; write {EXAMPLE}."
        )
    reasons = (why_not_proved(str(each)) for each in ids)
    return next((reason for reason in reasons if reason is not None), None)


@cache
def _checked(name: str) -> Checked:
    """The entry after its derivation was read again, once a process."""
    [checked] = verify(name)
    return checked


def why_failed(name: str) -> str | None:
    """What failed in the check of an entry, or what is missing for it; None if nothing did."""
    entry = _checked(name)
    if entry.problem:
        return f"{name} fails: {entry.problem}"
    if entry.needs:
        return (
            f"{name} cannot be checked: it needs {entry.needs}, which is not installed."
        )
    return None


def why_not_proved(name: str) -> str | None:
    """Why nothing may rest on an entry; None if it was checked, and is proved, sharpened or
    corrected.
    """
    try:
        failed = why_failed(name)
    except InputError as error:
        return str(error)
    if failed is None and _checked(name).verdict not in SETTLED_VERDICTS:
        return (
            f"{name} is not proved, its verdict is {_checked(name).verdict}: `rdpacct show"
            f" {name}` says what is missing; rest the test on another theorem."
        )
    return failed
