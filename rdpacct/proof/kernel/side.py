"""Side conditions: real claims that the prover settles, whose certificates the facts keep."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from rdpacct.exact.formula import Apply, Expr, Power, Product, Rational, Sum, Symbol, formula
from rdpacct.proof.check.effort import Vacuous
from rdpacct.proof.claim import Claim, Comparison
from rdpacct.proof.kernel.fact import Condition, On, Whole
from rdpacct.proof.kernel.terms import Expectation, Quantity, Refused, abstract, at_most, conditions, fold, replace
from rdpacct.proof.language import KERNEL_FUNCTIONS, read_comparisons
from rdpacct.proof.refute import refute
from rdpacct.proof.search import find_proof
from rdpacct.proof.search.claims import BROKEN

SECONDS = 20.0
"""How much the search may do for the proof of one side condition, in seconds of work."""

FIRST = 0.06
"""The share of the work in which a claim is first tried in each of its forms."""

LEAST = 0.3
"""What each attempt may take at least, in seconds of work."""

QUICK = 0.08
"""What an attempt to refute a form of a claim takes, in seconds of work: most false ones fall at once."""

Certificate = dict[str, Any]
_settled: dict[tuple[str, tuple[str, ...]], Certificate] = {}
_in_vain: dict[tuple[str, tuple[str, ...]], float] = {}
"""Claims that were proved, and with how much work others were tried; both are kept, since claims recur."""


def settle(claim: Comparison, given: Iterable[Condition], seconds: float | None = None) -> list[Certificate]:
    """The certificate of a claim without expectations, from what is given; none if it is given itself."""
    known = [one for condition in given for one in _as_relations(condition)]
    if claim in known:
        return []
    known = _connected(claim, [one for one in dict.fromkeys(known) if is_pure(one)])
    for one in (claim, *known):
        _is_readable(one)
    key = (str(claim), tuple(map(str, known)))
    allowed = SECONDS if seconds is None else seconds
    if key not in _settled:
        if _in_vain.get(key, 0.0) >= allowed:
            raise Refused(_no_proof(claim, known))
        _in_vain[key] = allowed
        _settled[key] = _found(claim, known, allowed)
    return [_settled[key]]


def establish(claim: Comparison, given: Iterable[Condition]) -> list[Certificate]:
    """Certificates that the claim is defined and true wherever what is given holds."""
    known = tuple(given)
    return [*defined([claim.left, claim.right], known, {}), *settle(claim, known)]


def _found(claim: Comparison, known: list[Comparison], seconds: float) -> Certificate:
    tried = list(_on_boxes(claim, known))
    for smooth in dict.fromkeys(_without_corners(claim, inverses) for inverses in (False, True)):
        if claim.sign == "==" and _may_hold(smooth):
            near = [one for one in known if one.symbols() <= smooth.symbols() and len(one.symbols()) == 1]
            for given in (_needed(smooth, near), near):
                certificate = _searched(smooth, given, FIRST * seconds)
                if certificate is not None:
                    return certificate
    forms = len(tried)
    for share in (FIRST, 1.0) if forms > 1 else (1.0,):
        if share == 1.0 and forms > 1:
            tried = [form for form in tried if not _refuted(*form)]
        for one, given in tried:
            certificate = _searched(one, given, max(share * seconds / forms, LEAST))
            if certificate is not None:
                return certificate
    raise Refused(_no_proof(claim, known))


def _refuted(claim: Comparison, known: list[Comparison]) -> bool:
    """A counterexample is found at once, so that no proof is worth the search."""
    try:
        return refute(Claim(tuple(known), claim), QUICK) is not None
    except BROKEN:
        return False


def _needed(claim: Comparison, known: list[Comparison]) -> list[Comparison]:
    """The relations that decide where an equation is defined; an identity needs no others."""
    parts = [part for side in (claim.left, claim.right) for part, _ in conditions(side)]
    names = frozenset[str]().union(*(part.symbols() for part in parts))
    return [one for one in known if one.symbols() & names]


def _no_proof(claim: Comparison, known: list[Comparison]) -> str:
    where = f" given {', '.join(map(str, known))}" if known else ""
    return f"no proof of {claim}{where}."


def _searched(claim: Comparison, given: list[Comparison], seconds: float) -> Certificate | None:
    """A search of that many seconds of work; a claim that speaks of no point has no proof."""
    try:
        return find_proof(list(map(str, given)), str(claim), seconds)
    except Vacuous:
        return None


def _without_corners(claim: Comparison, inverses: bool) -> Comparison:
    """The relation with each abs, min and max, and inverse, as a variable; an identity may hold whatever they are."""
    names: dict[Expr, str] = {}

    def walk(expr: Expr) -> Expr:
        corner = isinstance(expr, Apply) and expr.function in ("abs", "min", "max")
        inverse = isinstance(expr, Power) and isinstance(expr.exponent, Rational) and expr.exponent.value < 0
        if corner or (inverse and inverses):
            return Symbol(names.setdefault(expr, f"part_{len(names) + 1}_within"))
        return expr.rebuild(tuple(map(walk, expr.parts()))) if expr.parts() else expr

    return Comparison(walk(claim.left), claim.sign, walk(claim.right))


def _may_hold(identity: Comparison) -> bool:
    """An identity is not seen to fail at one point, so that a proof is worth the search."""
    point = {name: Fraction(i + 7, i + 5) for i, name in enumerate(sorted(identity.symbols()))}
    gap = (identity.left - identity.right).ball(64, **point)
    return not (gap.certainly_positive() or gap.certainly_negative())


@cache
def _is_readable(one: Comparison) -> None:
    """The text that the checker reads says what the relation says."""
    (read,) = read_comparisons(str(one), KERNEL_FUNCTIONS)
    sides = [(_sorted(fold(text)), _sorted(expr)) for text, expr in ((read.left, one.left), (read.right, one.right))]
    if read.sign != one.sign or any(text != expr for text, expr in sides):
        raise Refused(f"the relation {one} does not survive being written down.")
    if any(name.endswith("_within") for name in one.symbols()):
        raise Refused("names that end in _within are kept for the kernel.")


def _sorted(expr: Expr) -> Expr:
    """The formula with terms and factors in a fixed order."""
    parts = tuple(map(_sorted, expr.parts()))
    if isinstance(expr, Sum | Product):
        return type(expr)(tuple(sorted(parts, key=repr)))
    if isinstance(expr, Power):
        return Power(*parts)
    return Apply(expr.function, parts) if isinstance(expr, Apply) else expr


def _connected(claim: Comparison, known: list[Comparison]) -> list[Comparison]:
    """The relations about the variables of the claim, and about those that these are related to."""
    names, reached = claim.symbols(), frozenset[str]()
    while names != reached:
        reached = names
        names = names.union(*(one.symbols() for one in known if one.symbols() & names))
    return [one for one in known if one.symbols() & names]


def _on_boxes(claim: Comparison, known: list[Comparison]) -> Iterator[tuple[Comparison, list[Comparison]]]:
    """The claim as it stands, then with variables that others bound replaced: x in [a, b] is a + (b - a) s."""
    for relations in dict.fromkeys((tuple(known), tuple(_chained(known)))):
        yield claim, [one for one in relations if one.symbols() <= claim.symbols()]
    moved = claim, known
    for name in sorted(claim.symbols()):
        moved = _on_interval(*moved, name)
    if moved[0] != claim:
        yield moved[0], [one for one in moved[1] if one.symbols() <= moved[0].symbols()]


def _chained(known: list[Comparison]) -> list[Comparison]:
    """The relations, and bounds by numbers that follow through a variable in between: 0 < c and c <= x give 0 < x."""
    found = list(known)
    for one, two in product(known, known):
        if isinstance(one.right, Symbol) and one.right == two.left and "==" not in (one.sign, two.sign):
            sign = "<" if "<" in (one.sign, two.sign) else "<="
            if isinstance(one.left, Rational) != isinstance(two.right, Rational):
                found.append(Comparison(one.left, sign, two.right))
    return list(dict.fromkeys(found))


def _on_interval(claim: Comparison, known: list[Comparison], name: str) -> tuple[Comparison, list[Comparison]]:
    below_ = [(one.left, one) for one in known if one.right == Symbol(name)]
    above = [(one.right, one) for one in known if one.left == Symbol(name)]
    lower, upper = _bound(below_, name), _bound(above, name)
    if lower is None and upper is None:
        return claim, known
    lower, upper = lower or _constant(below_), upper or _constant(above)
    s = Symbol(f"{name}_within")
    zero, one = formula(0), formula(1)
    if lower is not None and upper is not None:
        value = lower[0] + (upper[0] - lower[0]) * s
        inside = [Comparison(zero, lower[1].sign, s), Comparison(s, upper[1].sign, one)]
    elif lower is not None:
        value, inside = lower[0] + s, [Comparison(zero, lower[1].sign, s)]
    else:
        value, inside = upper[0] - s, [Comparison(zero, upper[1].sign, s)]  # type: ignore[index]
    used = [bound[1] for bound in (lower, upper) if bound is not None]
    rest = [replace(other, {name: value}) for other in known if other not in used]
    return replace(claim, {name: value}), inside + rest


def _bound(found: list[tuple[Expr, Comparison]], name: str) -> tuple[Expr, Comparison] | None:
    """A bound that moves with other variables, and not with the variable itself; equations are no bounds."""
    for expr, one in found:
        if expr.symbols() and name not in expr.symbols() and one.sign != "==":
            return expr, one
    return None


def _constant(found: list[tuple[Expr, Comparison]]) -> tuple[Expr, Comparison] | None:
    """A bound by a number, for a variable that is bounded by other variables on the other side."""
    return next(((expr, one) for expr, one in found if not expr.symbols() and one.sign != "=="), None)


def _as_relations(one: Condition) -> list[Comparison]:
    if isinstance(one, On):
        return list(one.law.support)
    return [at_most(one.start, Symbol(one.name))] if isinstance(one, Whole) else [one]


def defined(exprs: Iterable[Expr], given: Iterable[Condition], names: dict[Expr, str]) -> list[Certificate]:
    """Certificates that these formulas are defined wherever what is given holds; their atoms are numbers."""
    wanted = dict.fromkeys(one for expr in exprs for one in conditions(abstract(expr, names)))
    known = tuple(given)
    return [found for part, sign in wanted for found in _sign(part, sign, known)]


def _sign(part: Expr, sign: str, given: tuple[Condition, ...]) -> list[Certificate]:
    above, below = Comparison(formula(0), "<", part), Comparison(part, "<", formula(0))
    if sign != "!=":
        return settle(above if sign == ">" else Comparison(formula(0), "<=", part), given)
    return one_of((above, below), given)


def one_of(claims: tuple[Comparison, ...], given: Iterable[Condition]) -> list[Certificate]:
    """Certificates of the first of some claims that is proved; each is first given a short time."""
    known = tuple(given)
    for seconds in (SECONDS / 20, SECONDS / 4, SECONDS):
        for one in claims:
            try:
                return settle(one, known, seconds)
            except Refused:
                continue
    raise Refused(f"no proof of {' or of '.join(map(str, claims))}.")


def is_pure(one: Comparison) -> bool:
    """The relation has no expectation and no named quantity."""
    return not _impure(one.left) and not _impure(one.right)


def _impure(expr: Expr) -> bool:
    return isinstance(expr, Expectation | Quantity) or any(map(_impure, expr.parts()))
