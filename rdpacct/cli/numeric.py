"""The second opinion as an answer: the least margin of each statement, and tables of values."""

from rdpacct.book.numeric import Opinion, second_opinion, table_of
from rdpacct.cli.answer import DONE, FAILS, JSON, UNDECIDED, Answer
from rdpacct.cli.progress import bar


def numeric_answer(names: list[str], show_progress: bool = False) -> Answer:
    """The statements of these entries, evaluated; a violated margin fails, and an answer without
    any number is undecided.
    """
    opinions = dict[str, list[Opinion]]()
    with bar(len(names), show_progress) as tell:
        for done, name in enumerate(names):
            tell(done, name)
            opinions[name] = second_opinion(name)
    tables = {name: rows for name in names if (rows := table_of(name))}
    data = {
        "numeric": [_data(name, one) for name in names for one in opinions[name]],
        "tables": {
            name: [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
            for name, rows in tables.items()
        },
    }
    lines = []
    for name in names:
        lines += [name, *(f"  {_line(one)}" for one in opinions[name])]
        lines += _table(tables.get(name, []))
    every = [one for found in opinions.values() for one in found]
    lines.append(_summary(every))
    return Answer(_code(every), data, "\n".join(lines))


def _code(every: list[Opinion]) -> int:
    readings = [one.reading for one in every if one.reading is not None]
    if any(one.violated for one in readings):
        return FAILS
    return DONE if readings else UNDECIDED


def _data(name: str, one: Opinion) -> JSON:
    found: JSON = {"id": name, "statement": one.statement, "points": one.tried}
    if one.reading is None:
        return {**found, "margin": None, "why": one.why}
    return {
        **found,
        "margin": float(one.reading.margin),
        "error": float(one.reading.error),
        "violated": one.reading.violated,
        "at": {key: float(value) for key, value in one.reading.at.items()},
    }


def _line(one: Opinion) -> str:
    if one.reading is None:
        return f"{one.statement}: {one.why}"
    place = one.reading.place()
    margin = f"least margin {float(one.reading.margin):.3g}"
    fails = "VIOLATED, " if one.reading.violated else ""
    at = f" at {place}" if place else ""
    return f"{one.statement}: {fails}{margin}{at} ({one.tried} points)"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """A table with columns of even width."""
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "    "
        + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def _summary(every: list[Opinion]) -> str:
    readings = [one.reading for one in every if one.reading is not None]
    violated = sum(one.violated for one in readings)
    return (
        f"statements: {len(every)}, of which {len(readings)} evaluated, {violated}"
        " violated"
    )
