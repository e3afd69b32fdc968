"""Values that depend on the data and on nothing else: to look at for study, never to publish."""

from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from rdpacct.errors import InputError

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Unpublishable(Generic[T]):
    """A number computed from private data without noise, such as a smooth sensitivity or the
    epsilon of one data set.

    It neither prints nor turns into a number by itself; ``for_study()`` gives the value to code
    that says so.
    """

    _value: T
    what: str

    def for_study(self) -> T:
        """The value itself.

        Whatever is published must not depend on it, except through a release.
        """
        return self._value

    def __repr__(self) -> str:
        return f"<{self.what}: depends on the data, not publishable>"

    __str__ = __repr__

    def __format__(self, _: str) -> str:
        return repr(self)

    def _refuse(self, *_: Any) -> NoReturn:
        raise InputError(
            f"{self.what} depends on the data and may not be published; use for_study()"
            " to look at it."
        )

    __float__ = __int__ = __bool__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = (
        __mul__
    ) = _refuse
    __reduce__ = _refuse
