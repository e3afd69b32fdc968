"""Uniform numbers that are only compared with others: coins, which are not noise; this module needs
NumPy.
"""

from typing import Any

import numpy as np

from rdpacct.auditing.replay.noise_log import NoiseCall

COMPARISONS = (np.less, np.less_equal, np.greater, np.greater_equal)


class CoinArray(np.ndarray[Any, Any]):
    """Uniform numbers, as an array of NumPy; whatever is done to them but a comparison makes them
    possible noise.
    """

    call: NoiseCall | None = None

    @classmethod
    def drawn(cls, call: NoiseCall) -> "CoinArray":
        """The numbers of a call, so far not used."""
        coins: CoinArray = call.outcome.copy().view(cls)
        coins.call = call
        call.selects = True
        return coins

    def __array_finalize__(self, made_from: Any) -> None:
        """Views and copies escape."""
        if isinstance(made_from, CoinArray) and made_from.call is not None:
            made_from.call.selects = False

    def __getitem__(self, key: Any) -> Any:
        self._escape()
        return self.view(np.ndarray)[key]

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        if ufunc not in COMPARISONS or method != "__call__":
            self._escape()
        plain = [_without_memory(each) for each in inputs]
        if "out" in options:
            options["out"] = tuple(map(_without_memory, options["out"]))
        return getattr(ufunc, method)(*plain, **options)

    def _escape(self) -> None:
        if self.call is not None:
            self.call.selects = False


def _without_memory(value: Any) -> Any:
    if isinstance(value, CoinArray):
        return value.view(np.ndarray)
    return value
