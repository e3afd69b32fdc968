"""The optimized unary encoding (Wang, Blocki, Li and Jha): a fair coin for the true value, and few
strays.
"""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from rdpacct.exact.formula import Expr
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.local.unary_encoding import UnaryEncoding, optimized_bits
from rdpacct.mechanisms.sampling import bernoulli_exp
from rdpacct.privacy.relation import RelationIn


@dataclass(frozen=True)
class OptimizedUnaryEncoding(UnaryEncoding):
    """A bit for each of ``answers`` values: a fair coin for the true one, 1 with probability 1/(1 +
    e**epsilon) for each other.
    """

    also_called: ClassVar[tuple[str, ...]] = ("OUE",)
    epsilon: Parameter = Parameter()
    answers: int = 2
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def bits(self) -> tuple[Expr, Expr]:
        return optimized_bits(self.epsilon)

    def draw_bit(self, true: bool, source: random.Random) -> int:
        rate = rational_of(self.epsilon, "epsilon")
        while True:
            proposal = source.randrange(2)
            if true or proposal == 0 or bernoulli_exp(rate, source):
                return proposal

    @classmethod
    def examples(cls) -> Iterable["OptimizedUnaryEncoding"]:
        return cls(1), cls("0.3", answers=4), cls(4, answers=7)
