"""What a statement says in full: each of its laws in words, with the support, which is a hypothesis
like the others.
"""

from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.laws import (
    Chain,
    Density,
    Draw,
    Event,
    Exchangeable,
    Independent,
    Lattice,
    Law,
    Ranked,
    Table,
    Tilted,
)
from rdpacct.proof.kernel.statements import laws_of
from rdpacct.proof.kernel.stretch import Stretch
from rdpacct.proof.theorem import Statement


def laws_in(statement: Statement) -> list[str]:
    """The laws that a statement speaks of, each described once, those first that others are built
    on.
    """
    said = [statement.claim]
    for assumed in statement.assuming.values():
        said += [hypothesis.relation for hypothesis in assumed.hypotheses]
    laws = {law for relation in said for law in laws_of(relation)}
    return sorted(set(map(described, laws)))


def described(law: Law) -> str:
    """A law in words, by its name."""
    return f"{law.name}: {_words(law)}"


def _words(law: Law) -> str:
    """What makes the law, and what holds under it."""
    if isinstance(law, Draw):
        chances = [
            f"{value} with probability {weight}" for value, weight in law.weights
        ]
        return f"{law.base.name}, and {law.drawn} is {' or '.join(chances)}, given the rest"
    if isinstance(law, Event):
        return (
            f"{law.base.name}, and {law.variables[-1]} is 1 where {law.happens}, else 0"
        )
    if isinstance(law, Independent):
        return f"{law.first.name} and {law.second.name}, independent of each other"
    if isinstance(law, Chain):
        return _sequence(law) + _where(law.support)
    if isinstance(law, Tilted):
        return f"the law whose density with respect to {law.base.name} is {law.ratio}"
    return _own_words(law) + _where(law.support)


def _sequence(law: Chain) -> str:
    """How the laws of a sequence follow each other."""
    steps = [
        f"{name} is {start} at 0 and from each to the next {update}"
        for name, start, update in zip(law.past, law.start, law.update, strict=True)
    ]
    fresh = law.fresh.variables if law.fresh else ()
    drawn = []
    if law.fresh:
        names = ", ".join(fresh)
        drawn.append(f"{names} independent of the past as in {law.fresh.name}")
    if law.new != fresh:
        names = ", ".join(law.new[len(fresh) :])
        drawn.append(f"any {names} given the rest")
    return (
        f"a sequence of laws, where {' and '.join(steps)}, with {' and '.join(drawn)}"
    )


def _own_words(law: Law) -> str:
    names = ", ".join(law.variables)
    if isinstance(law, Table):
        rows = [
            f"({', '.join(map(str, point))}) with probability {mass}"
            for point, mass in law.rows
        ]
        return f"({names}) is {' or '.join(rows)}"
    if isinstance(law, Density):
        return f"{names} has the density {' and '.join(map(_stretch, law.pieces))}"
    if isinstance(law, Lattice):
        return f"{names} is an integer, with probabilities proportional to {law.weight}"
    if isinstance(law, Ranked):
        return (
            f"of {law.count} exchangeable values, last is 1 if at least {law.rank} are"
            " below the last one, and total is the number of those of which this holds"
        )
    if isinstance(law, Exchangeable):
        last, total, *rest = law.variables
        others = f", beside {', '.join(rest)}" if rest else ""
        return (
            f"of {law.count} exchangeable variables, {last} is the last and {total} the"
            f" sum{others}"
        )
    return f"any law of {names}"


def _stretch(piece: Stretch) -> str:
    if piece.lower is None and piece.upper is None:
        return str(piece.density)
    if piece.lower is None:
        return f"{piece.density} up to {piece.upper}"
    if piece.upper is None:
        return f"{piece.density} from {piece.lower} on"
    return f"{piece.density} from {piece.lower} to {piece.upper}"


def _where(support: tuple[Comparison, ...]) -> str:
    if not support:
        return ""
    return f", with {' and '.join(map(str, support))}"
