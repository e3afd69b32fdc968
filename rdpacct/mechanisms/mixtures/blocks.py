"""How a transform falls along a line: a density is at least a sum of blocks, and a block turns."""

from collections.abc import Sequence

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real
from rdpacct.provenance import by


@by("engine/block-decay")
def turned_share(length: RealBall, height: RealBall) -> RealBall:
    """At most 1 - |sin(v)/v| for all v >= length height/2: what a block of this length loses at
    every height from this one on.
    """
    angle = length * height / 2
    square = angle.min(real(1.875)) ** 2
    near = square / 6 - square * square / 120
    if not angle > 1:
        return near
    return near.max(1 - 1 / angle)


@by("engine/block-decay")
def lost_in_blocks(
    blocks: Sequence[tuple[RealBall, RealBall]], height: RealBall
) -> RealBall:
    """At least what the modulus of a transform loses at every height from this one on, if the
    density is at least the sum of blocks, each with its length and its own height.
    """
    return sum(
        (length * own * turned_share(length, height) for length, own in blocks),
        start=real(0),
    )
