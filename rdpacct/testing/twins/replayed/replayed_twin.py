"""Code beside a broken version of it, whose noise a replay finds wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rdpacct.auditing.replay import FindingKind, NoiseVerdict, audit_noise


@dataclass(frozen=True)
class ReplayedTwin:
    """Two versions of a mechanism, ``right`` and ``broken``, with what their authors declare."""

    name: str
    claim: str
    x: Any
    x_neighbor: Any
    right: Callable[[Any, Any], Any]
    broken: Callable[[Any, Any], Any]
    finds: FindingKind
    """What a replay finds in the broken one."""
    note: str
    """What is wrong, in one sentence."""
    source: str
    sensitivity: Any = None
    """Declared of the right one, and of the broken one if nothing else is."""
    broken_sensitivity: Any = None

    def audit_right(self) -> NoiseVerdict:
        """The replay of the right version on the two neighbors."""
        return self._audited(self.right, self.sensitivity)

    def audit_broken(self) -> NoiseVerdict:
        """The replay of the broken version on the two neighbors."""
        declared = self.broken_sensitivity
        if declared is None:
            declared = self.sensitivity
        return self._audited(self.broken, declared)

    def _audited(self, code: Callable[[Any, Any], Any], declared: Any) -> NoiseVerdict:
        return audit_noise(
            code, self.x, self.x_neighbor, sensitivity=declared, claim=self.claim
        )
