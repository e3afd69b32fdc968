"""A bound on the work that one certificate may cause."""

import threading
import time

from rdpacct.proof.check.language import Rejected

MAX_AT_ONCE = 60_000


class Effort(threading.local):
    """A bound on the products of terms that one check may compute, so that no certificate can keep it busy for long.

    The search sets a time, a value of ``time.monotonic()``, which also holds for the checks that it asks for.
    """

    left: int | None = None
    until: float | None = None

    def spend(self, products: int) -> None:
        """Count the products of one multiplication."""
        if products > MAX_AT_ONCE:
            raise Rejected("a product of polynomials is too large.")
        if self.left is not None:
            self.left -= products
            if self.left < 0:
                raise Rejected("the certificate needs too much work.")
        self.look()

    def look(self) -> None:
        """Stop if the time is up; loops that may be long call this in each round."""
        if self.until is not None and time.monotonic() > self.until:
            raise Rejected("the time is up.")


EFFORT = Effort()
