"""The two ways in which an answer can be withheld."""


class InputError(ValueError):
    """Input that cannot be used; the message is one sentence with the value, the reason and the
    remedy.
    """


class NotInstalledError(InputError):
    """A part of the package needs something that is not installed; ``needs`` names it."""

    def __init__(self, message: str, needs: str) -> None:
        super().__init__(message)
        self.needs = needs


class UndecidedError(ArithmeticError):
    """A question that the arithmetic could not settle within its limits; never read as a yes or a
    no.
    """
