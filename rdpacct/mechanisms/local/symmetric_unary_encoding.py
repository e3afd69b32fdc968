"""The symmetric unary encoding, which is basic RAPPOR: every bit is flipped as often as any
other.
"""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from rdpacct.exact.formula import Expr
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.local.unary_encoding import UnaryEncoding, symmetric_bits
from rdpacct.mechanisms.sampling import bernoulli_exp
from rdpacct.privacy.relation import RelationIn


@dataclass(frozen=True)
class SymmetricUnaryEncoding(UnaryEncoding):
    """A bit for each of ``answers`` values, 1 for the true one, and each flipped with probability
    1/(1 + e**(epsilon/2)).
    """

    also_called: ClassVar[tuple[str, ...]] = ("RAPPOR", "BasicRAPPOR", "SUE")
    epsilon: Parameter = Parameter()
    answers: int = 2
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def bits(self) -> tuple[Expr, Expr]:
        return symmetric_bits(self.epsilon)

    def draw_bit(self, true: bool, source: random.Random) -> int:
        half = rational_of(self.epsilon, "epsilon") / 2
        while True:
            proposal = source.randrange(2)
            if proposal == true or bernoulli_exp(half, source):
                return proposal

    @classmethod
    def examples(cls) -> Iterable["SymmetricUnaryEncoding"]:
        return cls(1), cls("0.3", answers=4), cls(4, answers=7)
