"""Two known output laws as a mechanism, so that every question and every audit can be asked of
them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeAlias

from rdpacct.exact.formula import ZERO, Expr, Rational, Real, add, formula
from rdpacct.exact.functions import log
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import RelationIn

OutputLaw: TypeAlias = Mapping[Any, Real]
"""The exact probability of each output."""


@dataclass(frozen=True)
class _PairLaw(Mechanism):
    """A release of which one pair of inputs is known, as the law of its privacy loss.

    It is oriented: in a plan, all releases see the same two inputs the same way round.
    """

    oriented: ClassVar[bool] = True
    known: PrivacyLoss
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        return self.known


def known_pair(loss: PrivacyLoss) -> Mechanism:
    """The mechanism that has this loss on two neighbors."""
    return _PairLaw(loss)


def pair_law(first: OutputLaw, second: OutputLaw) -> Mechanism:
    """The mechanism that has these exact probabilities of its outputs on two neighbors.

    An output without an entry has probability 0, and so has one whose entry is the rational 0; any
    other formula must be positive.
    """
    pairs = [
        (formula(first.get(output, 0)), formula(second.get(output, 0)))
        for output in {**first, **second}
    ]
    parts = tuple(_atom(p, q) for p, q in pairs if ZERO not in (p, q))
    at_infinity = add(ZERO, *(p for p, q in pairs if q == ZERO))
    unseen = add(ZERO, *(q for p, q in pairs if p == ZERO))
    return known_pair(PrivacyLoss(parts, at_infinity, unseen))


def on_pair(
    law: Callable[[Any], OutputLaw], x: Any, x_neighbor: Any
) -> Callable[[], Mechanism]:
    """The same for a function from data to the law of the outputs, worked out when it is called."""
    return partial(_worked_out, law, x, x_neighbor)


def _worked_out(law: Callable[[Any], OutputLaw], x: Any, x_neighbor: Any) -> Mechanism:
    return pair_law(law(x), law(x_neighbor))


def _atom(p: Expr, q: Expr) -> Atom:
    if isinstance(p, Rational) and isinstance(q, Rational):
        return Atom.of(p.value, q.value)
    return Atom(p, q, log(p / q))
