"""The sensitivity of a query for groups.

Printed: not in the sources.
Proved: Let d(k) be the distance, in any norm, between the values of a query on the first and on the
    k-th data set of a chain of neighbors, and e(k) that between the k-th and the next. If every
    e(k) is at most s, then d(k) <= k s for every k >= 1, as shipped: for such a group, noise that
    is calibrated to s has the loss that it has for a query of sensitivity k s.
Idea: The triangle inequality along the chain.
Source: Dwork and Roth (2014), The algorithmic foundations of differential privacy, Theorem 2.2, for
    the loss of groups.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Iterator, Laplace, Plan, Quantity, Random, Refused, Statement,
    Status, Step, Symbol, Theorem, Whole, assume, at_most, combine, for_group, formula,
    group_sensitivity, induct, specialize,
)  # fmt: skip

k, s, x, y = map(Symbol, ("k", "s", "x", "y"))
FAR = Quantity("d", (k,))
"""The distance from the first data set of a chain to the k-th."""
NEXT = Quantity("e", (k,))
"""That from the k-th to the next."""


def along(part: Statement) -> Iterator[Step]:
    """One neighbor more adds at most s."""
    triangle = part.assuming["triangle"]
    each = part.assuming["neighbors"]
    before = assume(part.claim, *part.given)
    claim = at_most(FAR.at(k=k + 1), group_sensitivity(s, k + 1))
    step = combine(claim, before, triangle, each)
    yield step, "one neighbor more"
    first = at_most(FAR.at(k=1), group_sensitivity(s, formula(1)))
    base = combine(
        first,
        specialize(triangle, k=0),
        specialize(each, k=0),
        part.assuming["start"],
    )
    yield base, "one neighbor"
    yield induct(base, step, "k"), "from one on"


def walks(seed: int) -> int:
    """Random walks in the plane with steps of L1 length at most 1, against the shipped plan."""
    rng = Random(seed)
    for _ in range(100):
        size = rng.randint(1, 6)
        place = [Fraction(0), Fraction(0)]
        for _ in range(size):
            share = Fraction(rng.randint(-10, 10), 10)
            rest = (1 - abs(share)) * rng.choice((-1, 1))
            place = [place[0] + share, place[1] + rest]
        far = sum(map(abs, place), Fraction(0))
        claimed = group_sensitivity(1, size)
        if claimed.bound().certainly_below(far):
            raise Refused(f"{size} steps go {far} far.")
        plan = for_group(Plan.of(Laplace(2)), size)
        if plan != Plan.of(Laplace(2, claimed)):
            raise Refused(f"{plan} is not the plan of {size} steps.")
    return 100


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "chain",
            "the distance along a chain is at most its length times the sensitivity",
            at_most(FAR, group_sensitivity(s, k)),
            along,
            (Whole("k", 1),),
            {
                "start": assume(at_most(FAR.at(k=0), 0)),
                "triangle": assume(at_most(FAR.at(k=k + 1), FAR + NEXT), every="k"),
                "neighbors": assume(at_most(NEXT, s), every="k"),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "two steps in the same direction go no further than the larger of them",
            at_most(x + y, s),
            ("x > 0", "y > 0", "x <= s", "y <= s"),
        ),
    ),
    attacks=(Attack("random walks against the shipped sensitivity", walks),),
    rules=(group_sensitivity,),
)
