"""What was found about a printed statement, each finding with its grade.

A finding is a section of the docstring of an entry: ``Finding (false): ...``. A plain ``Finding:``
says what is proved beyond the print, and corrects nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from rdpacct.book.entry import text


class Grade(Enum):
    """How wrong the print is, the worst first."""

    FALSE = "false"
    GAP = "gap"
    MISPRINT = "misprint"
    AMBIGUITY = "ambiguity"
    NOTE = "note"


MEANING = {
    Grade.FALSE: "something printed is false, with a counterexample",
    Grade.GAP: "a condition, a range or a step is missing in print",
    Grade.MISPRINT: "a slip of notation; what is meant is clear",
    Grade.AMBIGUITY: "the print can be read in several ways, and the reading decides",
    Grade.NOTE: "true as printed; what holds beyond that",
}
"""What each grade says of the print."""


@dataclass(frozen=True)
class Finding:
    """One finding about a printed statement."""

    grade: Grade
    says: str

    def __str__(self) -> str:
        if self.grade is Grade.NOTE:
            return f"Finding: {self.says}"
        return f"Finding ({self.grade.value}): {self.says}"


def findings(name: str) -> tuple[Finding, ...]:
    """The findings of an entry, the worst first."""
    return tuple(sorted(_found(name), key=lambda finding: _order(finding.grade)))


def worst_grade(name: str) -> Grade | None:
    """The grade under which an entry is listed; None if there is no finding."""
    graded = findings(name)
    return graded[0].grade if graded else None


def _order(grade: Grade) -> int:
    return list(Grade).index(grade)


def _found(name: str) -> Iterator[Finding]:
    for section, says in text(name).items():
        if section == "Finding":
            yield Finding(Grade.NOTE, says)
        elif section.startswith("Finding ("):
            yield Finding(Grade(section[len("Finding (") : -1]), says)
