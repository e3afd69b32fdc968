"""The questions to a sampled release whose two laws are far apart."""

from typing import Protocol

from rdpacct.exact.ball import RealBall


class Apart(Protocol):
    """A sampled release in one direction: how likely its loss is far from that of the component
    that was drawn.
    """

    @property
    def removing(self) -> bool:
        """Whether the record is removed, so that the loss is never below the nearby one."""

    def planned_share(self, distance: float, tilt: float, log_delta: float) -> float:
        """About the logarithm of the share of delta that draws near neither component can have."""

    def missed(self, distance: float) -> RealBall:
        """At least the probability that the loss is farther than this distance from that of a
        component.
        """

    def missed_moment(self, tilt: float, distance: float) -> RealBall | None:
        """At least the part of the tilted moment of draws near neither component, when the record
        is removed; None if it is not known.
        """
