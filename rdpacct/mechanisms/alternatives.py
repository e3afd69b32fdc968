"""What one release of a mechanism amounts to: plans of other releases."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rdpacct.mechanisms.mechanism import Plan


@dataclass(frozen=True)
class Alternatives:
    """What one release amounts to: each of the plans can happen, and what is above is never better
    than any that can.

    If they are ``all_of_them``, one release is as bad as the worst of the plans. Where it is the
    record that decides, which plan it is stays the same from one release to the next.
    """

    plans: "tuple[Plan, ...]"
    above: "Plan"
    all_of_them: bool
    of_the_record: bool = False
    why_apart: str = ""
    """Why the ends of answers may be apart, if it is not that the worst plan may change."""
    or_above: "Plan | None" = None  # it dominates too, and the lower answer counts
