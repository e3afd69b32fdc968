"""A bound on the work that one certificate may cause."""

from rdpacct.proof.check.language import Rejected

MAX_AT_ONCE = 60_000


class Effort:
    """A bound on the products of terms that one check may compute, so that no certificate can keep it busy for long."""

    left: int | None = None

    def spend(self, products: int) -> None:
        """Count the products of one multiplication."""
        if products > MAX_AT_ONCE:
            raise Rejected("a product of polynomials is too large.")
        if self.left is not None:
            self.left -= products
            if self.left < 0:
                raise Rejected("the certificate needs too much work.")


EFFORT = Effort()
