"""Assumptions that contradict each other: no point satisfies them, so that a claim under them says
nothing.

Each assumption becomes a row, a sum of multiples of atoms and a constant that is positive or not
negative. An atom is a monomial with variables. Fourier's and Motzkin's elimination combines rows
until no atom is left; a constant that is certainly negative is a contradiction. What is not linear
in the atoms is not seen: then nothing is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.proof.check.balls import constant_sign
from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.language import Expression, Inequality, names_of
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import ZERO, constant_value, order
from rdpacct.proof.check.relations import interval
from rdpacct.proof.check.ring import ONE, Poly
from rdpacct.proof.check.signs import Signs, Undefined
from rdpacct.proof.check.slots import Monomial, size, variable_slot
from rdpacct.proof.check.terms import Terms
from rdpacct.proof.check.termwise import never_negative

MAX_ROWS = 400
NULL: Expression = ("number", Fraction(0))


@dataclass(frozen=True)
class LinearInequality:
    """A sum of multiples of atoms and a constant, which is positive (strict) or at least not
    negative.
    """

    atoms: Terms
    constant: Poly
    strict: bool

    def without(self, atom: Monomial, other: "LinearInequality") -> "LinearInequality":
        """The sum with another row in which the atom has the opposite sign, such that it
        cancels.
        """
        mine = size(other.atoms[atom])
        its = size(self.atoms[atom])
        total = Poly({m: c * mine for m, c in self.atoms.items()}) + Poly(
            {m: c * its for m, c in other.atoms.items()}
        )
        both = self.constant.scaled(mine) + other.constant.scaled(its)
        return LinearInequality(total.terms, both, self.strict or other.strict)

    def impossible(self) -> bool:
        """No atoms are left, and the constant certainly does not do what the row says."""
        if self.atoms:
            return False
        try:
            sign = constant_sign(self.constant)
        except Rejected:
            return False
        return sign < 0 or (sign == 0 and self.strict)


def contradictory(given: list[Inequality]) -> bool:
    """The assumptions are seen to hold nowhere."""
    signs = Signs()
    rows = list[LinearInequality]()
    try:
        for name in sorted(set[str]().union(*map(names_of, given))):
            _learn(name, given, signs)
        for relation in given:
            for demand in (
                relation,
                *_demands(relation.left),
                *_demands(relation.right),
            ):
                rows += _rows(demand, signs)
        rows += _positive_atoms(rows, signs)
        return _eliminated(rows)
    except Undefined:
        return True
    except Rejected:
        return False


def _learn(name: str, given: list[Inequality], signs: Signs) -> None:
    """Note the sign of a variable, if the assumptions give it by a constant."""
    try:
        domain = interval(name, given)
        low = None if domain.low is None else order(domain.low, ZERO)
        high = None if domain.high is None else order(domain.high, ZERO)
    except Rejected:
        return
    here = Poly.slot(variable_slot(name))
    if low is not None and low >= 0:
        signs.learn(here, domain.positive())
    if high is not None and high <= 0:
        signs.learn(here.scaled(-1), high < 0 or not domain.high_closed)


def _demands(tree: Expression) -> Iterator[Inequality]:
    """What has to hold where an expression is defined, but for denominators that are not zero."""
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from _demands(part)
    if tree[0] in ("log", "power"):
        yield Inequality(tree[1], ">", NULL)
    elif tree[0] == "sqrt":
        yield Inequality(tree[1], ">=", NULL)
    elif tree[0] == "**" and (sign := base_sign(tree[2])):
        yield Inequality(tree[1], sign, NULL)


def base_sign(exponent: Expression) -> str:
    """What a constant exponent demands of its base, as a comparison with zero; nothing if it is a
    natural number.
    """
    try:
        form = constant_value(exponent)
    except Rejected:
        return ""
    value = form.top.constant() if not form.bottom else None
    if value is None:
        return ">"
    if value.denominator == 1:
        return "" if value >= 0 else "!="
    return ">=" if value > 0 else ">"


def _rows(relation: Inequality, signs: Signs) -> list[LinearInequality]:
    """The rows of an assumption; none if its normal form is not known.

    An undefined one raises Undefined.
    """
    try:
        top = normal(("-", relation.right, relation.left), signs).top
    except Rejected:
        return []
    if relation.sign == "!=":
        if not top.zero():
            return []
        return [LinearInequality({}, top, True)]
    ways = {"<": (1,), "<=": (1,), ">": (-1,), ">=": (-1,), "==": (1, -1)}[
        relation.sign
    ]
    return [_row(top.scaled(way), relation.sign in ("<", ">")) for way in ways]


def _row(poly: Poly, strict: bool) -> LinearInequality:
    atoms = {m: c for m, c in poly.terms.items() if Poly({m: c}).variables()}
    return LinearInequality(
        atoms, Poly({m: c for m, c in poly.terms.items() if m not in atoms}), strict
    )


def _positive_atoms(
    rows: list[LinearInequality], signs: Signs
) -> list[LinearInequality]:
    """A row for each atom that is never negative."""
    positive_rows = list[LinearInequality]()
    for atom in dict.fromkeys(atom for row in rows for atom in row.atoms):
        term = Poly({atom: ONE})
        if never_negative(term, signs):
            positive_rows.append(_row(term, signs.terms_positive(term)))
    return positive_rows


def _eliminated(rows: list[LinearInequality]) -> bool:
    """Some combination of the rows is impossible; too many combinations are not looked at."""
    while rows and len(rows) <= MAX_ROWS:
        EFFORT.spend(10 * len(rows) + sum(len(row.atoms) for row in rows))
        if any(row.impossible() for row in rows):
            return True
        rows = [row for row in rows if row.atoms]
        atom = min(
            dict.fromkeys(a for row in rows for a in row.atoms),
            key=lambda a: _pairs(rows, a),
            default=None,
        )
        if atom is None or _pairs(rows, atom) > MAX_ROWS:
            return False
        above = [row for row in rows if row.atoms.get(atom, 0) > 0]
        below = [row for row in rows if row.atoms.get(atom, 0) < 0]
        rest = [row for row in rows if atom not in row.atoms]
        rows = [*rest, *(row.without(atom, other) for row in above for other in below)]
    return False


def _pairs(rows: list[LinearInequality], atom: Monomial) -> int:
    """How many rows the elimination of an atom would make."""
    EFFORT.spend(1 + len(rows) // 4)
    signs = [row.atoms[atom] > 0 for row in rows if atom in row.atoms]
    return sum(signs) * (len(signs) - sum(signs))
