"""A draw that is alone in its cell: the others miss it, whatever its mass."""

from collections.abc import Iterator

from rdpacct.exact.formula import formula
from rdpacct.exact.functions import absolute, exp, log
from rdpacct.proof.kernel import (
    E,
    Law,
    Table,
    assume,
    at_most,
    at_start,
    chain,
    combine,
    dominated,
    equal,
    expect,
    given_by,
    real,
    relations,
    specialize,
    table,
    tilt,
    tilted,
    under,
)
from rdpacct.proof.tactics.naming import symbols
from rdpacct.proof.tactics.sequences import for_all, later, multiplied, renewed
from rdpacct.proof.theorem import Statement, Step

k, left_out, miss, n, p, w = symbols("k alone miss n p w")
PEAK = n**n / (n + 1) ** (n + 1)
CELLS = Law("C", ("w",), relations("0 < w < 1"))
"""The mass of one of the k cells, each of which is taken with probability 1/k."""
DRAWN = tilted("W", CELLS, k * w)
"""The mass of a cell that is drawn by these masses."""
OTHER = Table(
    "O",
    ("miss",),
    relations("0 <= miss <= 1"),
    (((formula(1),), 1 - w), ((formula(0),), w)),
)
"""Whether a draw misses a cell of mass w."""
DRAWS = chain("M", {"alone": (1, left_out * miss)}, OTHER, n)
"""Whether each of the first n other draws misses it, and the next one."""


def misses(part: Statement) -> Iterator[Step]:
    """Induction over the draws."""
    body = absolute(left_out)
    chance = table(OTHER, miss, "0 < w < 1")
    release = combine(equal(E(DRAWS, miss, ("alone",)), 1 - w), renewed(DRAWS, chance))
    yield release, "each draw misses the cell with probability 1 - w"
    before = assume(part.claim, "0 < w < 1")
    step = multiplied(DRAWS, body, miss, before, release, "0 < w < 1")
    step = combine(later(part.claim, "n"), step, given=("0 < w < 1",))
    yield step, "one draw more"
    start = at_start(DRAWS.sequence, body)
    base = combine(equal(start.relation.left, (1 - w) ** n.at(n=0)), start)
    yield for_all(base, step, "n", "0 < w < 1"), "from none on"


def reciprocal(part: Statement) -> Iterator[Step]:
    """The mass of the cell cancels."""
    mass = under(part.assuming["masses"], "k >= 1")
    line = real(equal(k * w * (1 / w), k), *CELLS.support)
    finite = dominated(
        real(at_most(absolute(k * w * (1 / w)), absolute(k)), *CELLS.support), CELLS
    )
    flat = expect(line, CELLS, finite)
    yield flat, "k w times 1/w is k"
    moved = tilt(DRAWN, 1 / w, mass, finite)
    yield combine(part.claim, moved, flat), "by the change of measure"


def cell(part: Statement) -> Iterator[Step]:
    """Two tangents of the logarithm, at 1/(n + 1) and n/(n + 1)."""
    given = tuple(condition for condition in part.given if isinstance(condition, str))
    tangent = real("log(x) <= log(y) + x/y - 1", "x > 0", "y > 0", "n >= 1")
    hit_tangent = under(specialize(specialize(tangent, y=1 / (n + 1)), x=p), *given)
    miss_tangent = under(
        specialize(specialize(tangent, y=n / (n + 1)), x=1 - p), *given
    )
    yield miss_tangent, "the logarithm lies below its tangents"
    top = log(1 / (n + 1)) + n * log(n / (n + 1))
    sum_ = combine(
        at_most(log(p) + n * log(1 - p), top),
        hit_tangent,
        (miss_tangent, n),
        given=given,
    )
    yield sum_, "the tangents cancel"
    grows = real("exp(x) <= exp(y)", "x <= y", *given)
    grows = given_by(specialize(specialize(grows, x=sum_.relation.left), y=top), sum_)
    ends = (
        real(equal(p * (1 - p) ** n, exp(sum_.relation.left)), *given),
        real(equal(exp(top), PEAK), *given),
    )
    yield combine(part.claim, grows, *ends), "exp grows"
