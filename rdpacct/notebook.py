"""What values show of themselves in a notebook: small pieces of HTML in which all text is
escaped.
"""

from collections.abc import Iterable, Sequence


def escaped(text: object) -> str:
    """A text in which nothing is read as HTML."""
    from html import escape

    return escape(str(text))


def paragraph(strong: object, rest: object = "") -> str:
    """A line that begins with what matters most, and goes on with the rest."""
    return f"<div><b>{escaped(strong)}</b> {escaped(rest)}</div>"


def line(text: object) -> str:
    """A line of plain text."""
    return f"<div>{escaped(text)}</div>"


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table with a head."""
    titles = f"<tr>{_cells('th', head)}</tr>"
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<table><thead>{titles}</thead><tbody>{body}</tbody></table>"


def _cells(kind: str, row: Sequence[object]) -> str:
    return "".join(
        f'<{kind} style="text-align: left">{escaped(cell)}</{kind}>' for cell in row
    )
