"""What an auditor makes of the twins: the broken ones that it finds, the right ones it blames."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rdpacct.auditing.running.audit_code import audit_code
from rdpacct.testing import twins as corpus
from rdpacct.testing.twins.truth import truly
from rdpacct.testing.twins.twin import Code, Twin

Auditor: TypeAlias = Callable[[Code, Twin], bool | None]
"""Runs the code of one version of a twin, and says whether that refutes the claim of the twin; None
if it cannot be asked.
"""
WORDS = {True: "refuted", False: "not refuted", None: "not asked"}


@dataclass(frozen=True)
class Scored:
    """What an auditor says about the two versions of a twin."""

    twin: Twin
    broken: bool | None
    right: bool | None

    def __str__(self) -> str:
        verdicts = f"broken {WORDS[self.broken]}, right {WORDS[self.right]}"
        return f"{self.twin.name:32} {verdicts}  (has {truly(self.twin)})"


@dataclass(frozen=True, repr=False)
class ScoreCard:
    """The broken twins that an auditor found, and the right ones that it blamed."""

    rows: tuple[Scored, ...]

    @property
    def found(self) -> tuple[str, ...]:
        """The names of the broken twins that were refuted."""
        return tuple(row.twin.name for row in self.rows if row.broken)

    @property
    def missed(self) -> tuple[str, ...]:
        """The names of the broken twins that were not."""
        return tuple(row.twin.name for row in self.rows if not row.broken)

    @property
    def blamed(self) -> tuple[str, ...]:
        """The names of the twins whose right version was refuted, which is an error."""
        return tuple(row.twin.name for row in self.rows if row.right)

    def __str__(self) -> str:
        total = len(self.rows)
        said = f"{len(self.found)} of {total} broken twins refuted"
        return "\n".join(
            [*map(str, self.rows), f"{said}, {len(self.blamed)} right ones"]
        )

    __repr__ = __str__


def score_card(auditor: Auditor, twins: Iterable[Twin] | None = None) -> ScoreCard:
    """What an auditor says about both versions of every twin, or of these."""
    chosen = corpus.TWINS if twins is None else tuple(twins)
    rows = [
        Scored(twin, auditor(twin.broken, twin), auditor(twin.right, twin))
        for twin in chosen
    ]
    return ScoreCard(tuple(rows))


def by_audit_code(code: Code, twin: Twin) -> bool:
    """Our own auditor, at its usual confidence."""
    verdict = audit_code(
        code,
        twin.x,
        twin.x_neighbor,
        twin.claim,
        trials=twin.trials,
        score=twin.score,
    )
    return verdict.fails
