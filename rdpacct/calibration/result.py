"""What a calibration finds: a value that suffices, one that does not, and a short one."""

from dataclasses import dataclass, field
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.number import decimal_text
from rdpacct.mechanisms.mechanism import Plan


@dataclass(frozen=True, repr=False)
class Calibration:
    """The value of the open number: an enclosure of where it just meets the target, an exact value
    that suffices, and one that does not.

    ``short`` is a decimal of few digits that suffices, too: ``sufficient`` rounded to the safe
    side, and compared with the target itself.
    """

    name: str
    value: Bound
    sufficient: Fraction
    insufficient: Fraction | None
    short: Fraction = Fraction(0)
    plan: Plan = field(default_factory=Plan.of, compare=False)
    """The plan with the value that suffices in the place of the open number."""
    short_plan: Plan = field(default_factory=Plan.of, compare=False)
    """The plan with the short value."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    def lines(self) -> list[str]:
        """The value to take, and below it where the target is just met."""
        first = f"{self.name} = {decimal_text(self.short)} suffices"
        if self.insufficient is None:
            return [first, f"  and so does every value up to {self.value}"]
        if self.value.is_exact:
            return [first, f"  {decimal_text(self.insufficient)} does not"]
        best = "least" if self.sufficient > self.insufficient else "largest"
        return [first, f"  the {best} that does is certainly in {self.value}"]

    @property
    def ends(self) -> tuple[Fraction, ...]:
        """The values that were compared with the target: the one that suffices, the one that does
        not, and the short one.
        """
        ends = (self.sufficient, self.insufficient, self.short)
        return tuple(end for end in ends if end is not None)
