"""Noise that remembers where it comes from: numbers that tell the tape what they are added to.

They are floats and integers like any others. Multiples stay noise; a sum with a value is a noisy
value, and a plain number again. What is done to noise beyond this is not seen.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from operator import add, sub
from typing import Any

from rdpacct.auditing.replay.exact_values import exact, is_finite, is_real
from rdpacct.auditing.replay.noise_log import NoiseCall
from rdpacct.auditing.replay.tape import Tape

BinaryOperation = Callable[[Any, Any], Any]


class Tracked:
    """The part of a drawn number that says which call drew it, and how often it was taken."""

    tape: Tape
    call: NoiseCall
    factor: Fraction
    cell: int

    def plain(self) -> Any:
        """The number without its memory."""
        raise NotImplementedError

    def tracing(self, call: NoiseCall, tape: Tape, factor: Fraction, cell: int) -> Any:
        """This number, as a multiple of a number of a call."""
        self.call = call
        self.tape = tape
        self.factor = factor
        self.cell = cell
        return self

    def again(self, number: Any, factor: Fraction) -> Any:
        """A multiple of the same noise."""
        kept = self.factor * factor
        return tracked_number(number, self.call, self.tape, kept, self.cell)

    def meet(self, value: Any, noisy: Any, against: bool, negated: bool) -> Any:
        """The noisy value of an addition to a value, or of a difference with it.

        In a difference the noise is against the value, which is negated if it comes second.
        """
        cells = (self.cell,) * getattr(noisy, "size", 1)
        factor = -self.factor if against else self.factor
        return self.tape.added(self.call, value, factor, cells, noisy, negated)

    def __add__(self, value: Any) -> Any:
        return self._combined(value, add)

    def __radd__(self, value: Any) -> Any:
        return self._combined(value, add, reflected=True)

    def __sub__(self, value: Any) -> Any:
        return self._combined(value, sub)

    def __rsub__(self, value: Any) -> Any:
        return self._combined(value, sub, reflected=True)

    def _combined(
        self, value: Any, operation: BinaryOperation, reflected: bool = False
    ) -> Any:
        noisy = _applied(operation, self.plain(), plain(value), reflected)
        if noisy is NotImplemented:
            return NotImplemented
        if isinstance(value, Tracked):
            return _two_draws(self, value, noisy, operation is sub)
        if not is_real(value):
            return noisy
        against = operation is sub
        return self.meet(value, noisy, against, against and not reflected)

    def __mul__(self, times: Any) -> Any:
        product = self.plain() * plain(times)
        if not is_factor(times):
            return product
        return self.again(product, exact(times))

    __rmul__ = __mul__

    def __truediv__(self, parts: Any) -> Any:
        quotient = self.plain() / plain(parts)
        if not is_factor(parts):
            return quotient
        return self.again(quotient, 1 / exact(parts))

    def __neg__(self) -> Any:
        return self.again(-self.plain(), Fraction(-1))

    def __pos__(self) -> Any:
        return self

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        from rdpacct.auditing.replay.tracked_array import array_operation

        return array_operation(self, ufunc, method, inputs, options)


class TrackedFloat(Tracked, float):
    """A drawn double."""

    def plain(self) -> float:
        return float(self)

    def __getattr__(self, name: str) -> Any:
        """What doubles of NumPy have beyond those of Python."""
        numpy = sys.modules.get("numpy")
        if numpy is None or name.startswith("_"):
            raise AttributeError(name)
        return getattr(numpy.float64(self.plain()), name)


class TrackedInt(Tracked, int):
    """A drawn integer."""

    def plain(self) -> int:
        return int(self)


def tracked_number(
    number: Any, call: NoiseCall, tape: Tape, factor: Fraction, cell: int
) -> Any:
    """A number as noise, if it is a double or an integer; anything else as it is."""
    if isinstance(number, float):
        return TrackedFloat(number).tracing(call, tape, factor, cell)
    if type(number) is int:
        return TrackedInt(number).tracing(call, tape, factor, cell)
    return number


def followed(call: NoiseCall, tape: Tape) -> Any:
    """The outcome of a call, as noise that is followed if it was drawn around zero."""
    if not tape.follows(call):
        return call.outcome
    if getattr(call.outcome, "ndim", 0) == 0:
        return tracked_number(call.outcome, call, tape, Fraction(1), 0)
    from rdpacct.auditing.replay.tracked_array import TrackedArray

    return TrackedArray.drawn(call, tape)


def is_factor(value: Any) -> bool:
    """Whether noise times this value is noise of another scale."""
    return is_real(value) and is_finite(value) and not isinstance(value, Tracked)


def plain(value: Any) -> Any:
    """A value without memory of where it comes from."""
    if isinstance(value, Tracked):
        return value.plain()
    return value


def _applied(
    operation: BinaryOperation, noise: Any, value: Any, reflected: bool
) -> Any:
    try:
        if reflected:
            return operation(value, noise)
        return operation(noise, value)
    except TypeError:
        return NotImplemented


def _two_draws(first: Tracked, second: Tracked, noisy: Any, minus: bool) -> Any:
    """The sum or difference of two draws: Laplace noise if they are exponential ones of the same
    scale, one against the other; otherwise a number that is not followed further.
    """
    sign = -1 if minus else 1
    opposed = first.factor + sign * second.factor == 0
    fresh = first.call is not second.call and not (first.call.uses or second.call.uses)
    both = {first.call.law, second.call.law} == {"exponential"}
    if opposed and fresh and both and first.call.scale == second.call.scale:
        first.call.law = "laplace"
        second.call.is_part = True
        return tracked_number(
            noisy, first.call, first.tape, abs(first.factor), first.cell
        )
    return noisy
