"""Arrays of noise that tell the tape what they are added to; this module needs NumPy."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rdpacct.auditing.replay.exact_values import exact
from rdpacct.auditing.replay.noise_log import NoiseCall
from rdpacct.auditing.replay.tape import Tape
from rdpacct.auditing.replay.tracked import Tracked, is_factor, plain, tracked_number

ADDED = (np.add, np.subtract)


class TrackedArray(np.ndarray[Any, Any]):
    """Noise as an array of NumPy, with the call that drew it.

    An array that was made from one in ways that are not followed has no call.
    """

    call: NoiseCall | None = None
    tape: Tape
    factor: Fraction
    cells: Any
    """For each number, which one of the draw it is."""

    @classmethod
    def of(
        cls, values: Any, call: NoiseCall, tape: Tape, factor: Fraction, cells: Any
    ) -> "TrackedArray":
        """These numbers, as a multiple of those of a call."""
        made = np.array(values).view(cls)
        made.call = call
        made.tape = tape
        made.factor = factor
        made.cells = cells
        return made

    @classmethod
    def drawn(cls, call: NoiseCall, tape: Tape) -> "TrackedArray":
        """The numbers of a call."""
        cells = np.arange(call.outcome.size).reshape(call.outcome.shape)
        return cls.of(call.outcome, call, tape, Fraction(1), cells)

    def plain(self) -> Any:
        """The array without its memory."""
        return self.view(np.ndarray)

    def again(self, values: Any, factor: Fraction) -> Any:
        """A multiple of the same noise."""
        assert self.call is not None  # noqa: S101
        return self.of(values, self.call, self.tape, self.factor * factor, self.cells)

    def meet(self, value: Any, noisy: Any, against: bool, negated: bool) -> Any:
        """The noisy value of an addition to a value, or of a difference with it."""
        assert self.call is not None  # noqa: S101
        factor = -self.factor if against else self.factor
        whole = np.broadcast_to(value, noisy.shape)
        cells = tuple(np.broadcast_to(self.cells, noisy.shape).ravel().tolist())
        return self.tape.added(self.call, whole, factor, cells, noisy, negated)

    def reshape(self, *shape: Any, **options: Any) -> Any:
        """The same noise in another shape."""
        return self._rearranged(lambda array: array.reshape(*shape, **options))

    def ravel(self, *order: Any) -> Any:
        """The same noise in a row."""
        return self._rearranged(lambda array: array.ravel(*order))

    def flatten(self, *order: Any) -> Any:
        """The same noise in a row."""
        return self._rearranged(lambda array: array.flatten(*order))

    def copy(self, *order: Any) -> Any:
        """The same noise."""
        return self._rearranged(lambda array: array.copy(*order))

    def squeeze(self, *axis: Any) -> Any:
        """The same noise without dimensions of one."""
        return self._rearranged(lambda array: array.squeeze(*axis))

    def transpose(self, *axes: Any) -> Any:
        """The same noise, with rows for columns."""
        return self._rearranged(lambda array: array.transpose(*axes))

    @property
    def T(self) -> Any:  # noqa: N802
        """The same noise, with rows for columns."""
        return self.transpose()

    def __getitem__(self, key: Any) -> Any:
        return self._rearranged(lambda array: array[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.call = None
        super().__setitem__(key, value)

    def _rearranged(self, by: Any) -> Any:
        """Some of the numbers, in some order."""
        values = by(self.plain())
        if self.call is None:
            return values
        cells = by(self.cells)
        if getattr(values, "ndim", 0) == 0:
            return tracked_number(
                values.item(), self.call, self.tape, self.factor, int(cells)
            )
        return self.of(values, self.call, self.tape, self.factor, cells)

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        return array_operation(self, ufunc, method, inputs, options)


def array_operation(
    noise: Any, ufunc: Any, method: str, inputs: Sequence[Any], options: dict[str, Any]
) -> Any:
    """An operation of NumPy in which noise takes part: sums and multiples are followed."""
    into = options.pop("out", None)
    plain_inputs = [_untracked(each) for each in inputs]
    if into is None and method != "__call__":
        return getattr(ufunc, method)(*plain_inputs, **options)
    if into is not None and method != "__call__":
        targets = tuple(map(_untracked, into))
        return getattr(ufunc, method)(*plain_inputs, out=targets, **options)
    result = ufunc(*plain_inputs, **options)
    followed = [each for each in inputs if _is_noise(each)]
    if len(followed) == 1 and not options:
        result = _followed(followed[0], ufunc, inputs, result)
    if into is None:
        return result
    return _written(into[0], result, noise)


def _followed(noise: Any, ufunc: Any, inputs: Sequence[Any], result: Any) -> Any:
    """The result of an operation on noise and at most one other value."""
    others = [each for each in inputs if each is not noise]
    if ufunc is np.negative:
        return noise.again(result, Fraction(-1))
    if len(others) != 1:
        return result
    value = _untracked(others[0])
    if ufunc in ADDED:
        against = ufunc is np.subtract
        return noise.meet(value, result, against, against and noise is inputs[0])
    if not is_factor(value) or getattr(result, "shape", ()) != np.shape(noise):
        return result
    if ufunc is np.multiply:
        return noise.again(result, exact(value))
    if ufunc is np.true_divide and others[0] is inputs[1] and value:
        return noise.again(result, 1 / exact(value))
    return result


def _written(target: Any, result: Any, noise: Any) -> Any:
    """The result in place of an earlier array; one that held noise holds what the result is."""
    np.copyto(_untracked(target), _untracked(result), casting="same_kind")
    if isinstance(target, TrackedArray):
        target.call = None
        if _is_noise(result) and target is noise:
            target.call = result.call
            target.factor = result.factor
    return target


def _is_noise(value: Any) -> bool:
    if isinstance(value, TrackedArray):
        return value.call is not None
    return isinstance(value, Tracked)


def _untracked(value: Any) -> Any:
    if isinstance(value, TrackedArray):
        return value.plain()
    return plain(value)
