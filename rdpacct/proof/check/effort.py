"""A bound on the work that one certificate may cause, and the clock of the search.

Work is counted where it is done: in terms, characters, bits and nodes. A unit is about three
microseconds of one processor core. The count depends on the input alone, so that no verdict changes
with the load of the machine. Processor time is looked at too, as a net under the count: it ends
what the count has underestimated.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import flint

UNITS_PER_SECOND = 300_000
STEP = 20_000
"""The units after which the processor time is looked at again."""


class Rejected(ValueError):
    """The certificate, or a text in it, does not establish what it says."""


class TooMuchWork(Rejected):
    """More work is needed than was allowed."""


class Vacuous(Rejected):
    """The claim speaks of no point at all."""


class Effort(threading.local):
    """The work that this thread has done, and how far it may go; each thread has its own."""

    spent: int = 0
    limit: int | None = None
    until: float | None = None
    next_look: int = 0

    def spend(self, units: int) -> None:
        """Count some work, before it is done where it may be long."""
        spent = self.spent + units
        self.spent = spent
        if spent > self.next_look:
            self.look()

    def look(self) -> None:
        """Stop if the work or the processor time is used up."""
        if self.limit is not None and self.spent > self.limit:
            raise TooMuchWork("the certificate needs too much work.")
        if self.until is not None and time.thread_time() > self.until:
            raise TooMuchWork("the certificate needs too much processor time.")
        step = self.spent + STEP
        self.next_look = step if self.limit is None else min(step, self.limit)

    @contextmanager
    def allowed(self, units: int, seconds: float) -> Iterator[None]:
        """Allow so much work and processor time within, and no more than is allowed outside."""
        before = self.limit, self.until
        limit = self.spent + units
        until = time.thread_time() + seconds
        self.limit = limit if self.limit is None else min(limit, self.limit)
        self.until = until if self.until is None else min(until, self.until)
        self.next_look = self.spent
        try:
            yield
        finally:
            self.limit, self.until = before
            self.next_look = self.spent


EFFORT = Effort()

LOCK = vars(flint).setdefault("one_user_at_a_time", threading.RLock())
"""The backend's precision is one for all threads. Whoever sets it takes this lock, which lies
beside it, so that the checker and the rest of the package, of which it knows nothing, take turns
too.
"""


def transcendental(bits: int) -> int:
    """The work of one value of a function such as exp, at that precision."""
    return 3 + bits * bits // 200_000
