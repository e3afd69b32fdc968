"""Code beside a version of it that doubles break, and the audit that tells them apart."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rdpacct.judged import Judged


@dataclass(frozen=True)
class FloatingTwin:
    """Two versions of some code, ``right`` and ``broken``, of which doubles break the second."""

    name: str
    right: Callable[..., Any]
    broken: Callable[..., Any]
    audited: Callable[[Callable[..., Any]], Judged]
    """The audit of a version, which fails for the broken one."""
    note: str
    """What is wrong, in one sentence."""
    source: str

    def audit_right(self) -> Judged:
        """The verdict on the right version."""
        return self.audited(self.right)

    def audit_broken(self) -> Judged:
        """The verdict on the broken version."""
        return self.audited(self.broken)
