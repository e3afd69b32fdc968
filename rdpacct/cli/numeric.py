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
        "numeric": [
            _data(name, opinion) for name in names for opinion in opinions[name]
        ],
        "tables": {
            name: [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
            for name, rows in tables.items()
        },
    }
    lines = []
    for name in names:
        lines += [name, *(f"  {_line(opinion)}" for opinion in opinions[name])]
        lines += _table(tables.get(name, []))
    every = [
        opinion for entry_opinions in opinions.values() for opinion in entry_opinions
    ]
    lines.append(_summary(every))
    return Answer(_code(every), data, "\n".join(lines))


def _code(every: list[Opinion]) -> int:
    readings = [opinion.reading for opinion in every if opinion.reading is not None]
    if any(reading.violated for reading in readings):
        return FAILS
    return DONE if readings else UNDECIDED


def _data(name: str, opinion: Opinion) -> JSON:
    data: JSON = {"id": name, "statement": opinion.statement, "points": opinion.tried}
    if opinion.reading is None:
        return {**data, "margin": None, "why": opinion.why}
    return {
        **data,
        "margin": float(opinion.reading.margin),
        "error": float(opinion.reading.error),
        "violated": opinion.reading.violated,
        "at": {key: float(value) for key, value in opinion.reading.at.items()},
    }


def _line(opinion: Opinion) -> str:
    if opinion.reading is None:
        return f"{opinion.statement}: {opinion.why}"
    place = opinion.reading.place()
    margin = f"least margin {float(opinion.reading.margin):.3g}"
    fails = "VIOLATED, " if opinion.reading.violated else ""
    at = f" at {place}" if place else ""
    return f"{opinion.statement}: {fails}{margin}{at} ({opinion.tried} points)"


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
    readings = [opinion.reading for opinion in every if opinion.reading is not None]
    violated = sum(reading.violated for reading in readings)
    return (
        f"statements: {len(every)}, of which {len(readings)} evaluated, {violated}"
        " violated"
    )
