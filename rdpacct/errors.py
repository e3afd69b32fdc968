"""The two ways in which an answer can be withheld, and where in a text a mistake is."""

from dataclasses import dataclass

BEFORE, AFTER = 40, 32
"""How many characters of a long text are shown before and after a mistake."""
CUT = "..."


@dataclass(frozen=True, slots=True)
class TextPlace:
    """The characters of a text from ``start`` up to ``end``, counted from 0."""

    text: str
    start: int
    end: int

    def lines(self) -> tuple[str, str]:
        """The text around the place, on one line, and carets under the characters."""
        first = max(self.start - BEFORE, 0) if self.start > BEFORE + len(CUT) else 0
        last = max(min(self.end, self.start + AFTER), self.start + 1)
        stop = last + AFTER if len(self.text) > last + AFTER + len(CUT) else None
        before = (CUT if first else "") + _shown(self.text[first : self.start])
        marked = _shown(self.text[self.start : last])
        after = _shown(self.text[last:stop]) + (CUT if stop is not None else "")
        carets = "^" * max(_width(marked), 1)
        return f"{before}{marked}{after}", f"{' ' * _width(before)}{carets}"


def _shown(text: str) -> str:
    """The text with a space for each character that would move the others."""
    return "".join(character if character.isprintable() else " " for character in text)


def _width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    import unicodedata

    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class InputError(ValueError):
    """Input that cannot be used; the message is one sentence with the value, the reason and the
    remedy, and ``place`` is where it is in a text that was read.
    """

    def __init__(self, message: str, place: TextPlace | None = None) -> None:
        super().__init__(message)
        self.place = place

    def within(self, name: str) -> "InputError":
        """The same, said of a part of the input that has this name."""
        return InputError(f"{name}: {self}" if name else str(self), self.place)

    def happened_at(self, place: TextPlace | None) -> None:
        """Note where in a text it was, unless a nearer place is known."""
        if self.place is None:
            self.place = place


class NotInstalledError(InputError):
    """A part of the package needs something that is not installed; ``needs`` names it."""

    def __init__(self, message: str, needs: str) -> None:
        super().__init__(message)
        self.needs = needs


class UndecidedError(ArithmeticError):
    """A question that the arithmetic could not settle within its limits; never read as a yes or a
    no.
    """
