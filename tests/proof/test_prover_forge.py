"""Forged certificates: a search with a hole in it proves false claims, and the checker must reject
    every such proof.

Each hole leaves the rest of the search honest, so that a forgery is right in all steps but one
kind.
"""

from collections.abc import Callable
from typing import Any

import pytest

from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check import boxes as check_boxes
from rdpacct.proof.check.relations import Interval
from rdpacct.proof.check.ring import Poly
from rdpacct.proof.check.slots import TURNS
from rdpacct.proof.search import (
    boxes,
    claims,
    facts,
    find_proof,
    goals,
    pieces,
    samples,
)

SECONDS = 0.2

SIGNS = samples.signs_at
BOX_SIGNS = boxes.box_signs


def no_negative_samples(patch: Any) -> None:
    """Sample points that never show a negative value; alone this only makes the search more
    hopeful.
    """
    for module in (goals, pieces):
        patch.setattr(
            module,
            "signs_at",
            lambda *arguments: [abs(sign) for sign in SIGNS(*arguments)],
        )
    patch.setattr(
        boxes, "box_signs", lambda *arguments: BOX_SIGNS(*arguments) - {-1} or {1}
    )


def limits(patch: Any) -> None:
    patch.setattr(goals, "nonnegative_limit", lambda *_: True)


def balls(patch: Any) -> None:
    patch.setattr(goals, "positive_on", lambda *_: (True, 1))


def polynomials(patch: Any) -> None:
    patch.setattr(goals, "sturm", lambda *_: None)


def cuts(patch: Any) -> None:
    patch.setattr(goals, "substitute_sign", lambda *_: 1)


def points(patch: Any) -> None:
    patch.setattr(claims, "_ground", lambda _: {"rule": "ground"})


def ends(patch: Any) -> None:
    patch.setattr(Interval, "closed_ends", lambda _: [])


def open_ends(patch: Any) -> None:
    patch.setattr(Interval, "positive", lambda _: True)


def strictness(patch: Any) -> None:
    """Strict goals are treated as weak ones."""
    for search in (goals.Search, boxes.BoxSearch):
        honest = search.prove
        patch.setattr(
            search,
            "prove",
            lambda self, goal, piece, _, depth=0, honest=honest: honest(
                self, goal, piece, False, depth
            ),
        )


def signs_of_arguments(patch: Any) -> None:
    patch.setattr(facts.Facts, "primitive_sign", lambda *_: 1)


def terms(patch: Any) -> None:
    """Goals of at most two terms are taken for positive."""
    for module in (goals, boxes):
        honest = module.terms_suffice
        patch.setattr(
            module,
            "terms_suffice",
            lambda g, p, s, honest=honest: len(g.terms) <= 2 or honest(g, p, s),
        )


def turns(patch: Any) -> None:
    """Cosines and sines are left out, or count as bounded beside anything."""
    for module in (goals, boxes):
        patch.setattr(module, "least_turns", _without_turns)


def _without_turns(goal: Any, _: Any) -> Any:
    return Poly(
        {
            m: c
            for m, c in goal.terms.items()
            if not any(slot.kind in TURNS for slot, _ in m)
        }
    )


def orders(patch: Any) -> None:
    """Variables count as compared in whatever order helps."""
    for name in ("both_ways", "solved"):
        honest = getattr(claims, name)
        patch.setattr(
            claims,
            name,
            lambda given, honest=honest: [r._replace(sign=">") for r in honest(given)],
        )


def formula_bounds(patch: Any) -> None:
    """Bounds by formulas count as strict."""
    honest = check_boxes.between
    strict = {">=": ">", "<=": "<"}
    patch.setattr(
        claims,
        "between",
        lambda name, low, high, *rest: honest(
            name,
            *(
                row and row._replace(sign=strict.get(row.sign, row.sign))
                for row in (low, high)
            ),
            *rest,
        ),
    )


HOLES = [
    limits,
    balls,
    polynomials,
    cuts,
    points,
    ends,
    open_ends,
    strictness,
    signs_of_arguments,
    terms,
    turns,
    orders,
    formula_bounds,
]
WRONG = [
    ("2.71828182845905 < exp(1)", []),
    ("cos(x) <= 1/2", []),
    ("x**2 > cos(x)", []),
    ("x*cos(y) <= x", []),
    ("x*sin(x)+2*cos(x) < 2", ["0<=x<=pi"]),
    ("x**2 > 0", []),
    ("x**0.5 > 0", ["x>=0"]),
    ("(x-1)**2*exp(x) > 0", ["x>0"]),
    ("x*(1-x) < 1/4", []),
    ("1/(x-1)**2 > 1/2", ["0<x<2.5"]),
    ("exp(-1/x) >= x/4", ["0<x<4"]),
    ("log(x) <= x/2.7182819", ["x>0"]),
    ("log(x) < x/exp(1)", ["x>0"]),
    ("x**(1/30) >= log(x)", ["x>0"]),
    ("x*tanh(x/2) <= 0.999999*x*(exp(x)-1)/2", ["x>0"]),
    ("cosh(x) <= (sinh(x)/x)**2.99", ["x>0"]),
    ("x > y", ["x>=y"]),
    ("x/y >= 1", ["x>=y"]),
    ("x**2+y**2 > 0", []),
    ("x**2+y**2 > 2*x*y", ["x>=y"]),
    ("e > 0", ["-e<=l", "l<=e"]),
    ("x*y > 1", ["x>=1", "y>=1/x"]),
]


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.__name__)
def test_forgeries_are_rejected(hole: Callable[..., Any]) -> None:
    forged = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(claims, "check", lambda _: None)
        no_negative_samples(patch)
        hole(patch)
        for claim, given in WRONG:
            found = find_proof(list(given), claim, SECONDS)
            forged += [found] if found is not None else []
    print(f"{hole.__name__}: {len(forged)} forgeries of {len(WRONG)} claims")
    assert forged
    for certificate in forged:
        with pytest.raises(Rejected):
            check(certificate)
