"""The work of a check at the precision that a certificate asks for."""

from flint import ctx

from rdpacct.proof.check.effort import EFFORT, transcendental


def spend(units: int) -> None:
    """Count work that takes this many units at a low precision, before it is done."""
    EFFORT.spend(units * transcendental(ctx.prec) // transcendental(0))
