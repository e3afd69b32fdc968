"""Hadamard response (Acharya, Sun and Zhang): one output, which each value favors or not by a row
of a Hadamard matrix.
"""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.local.local_randomizer import LocalRandomizer
from rdpacct.mechanisms.sampling import bernoulli_exp
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.relation import RelationIn
from rdpacct.provenance import by


@dataclass(frozen=True)
class HadamardResponse(LocalRandomizer):
    """One of K outputs, for the least power of two K above ``answers``: e**epsilon times as likely
    if row value + 1 of the Hadamard matrix is 1 there than if it is -1.

    Each row but the first has as many 1 as -1, and any two of them agree on half of the outputs.
    """

    epsilon: Parameter = Parameter()
    answers: int = 2
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    @property
    def outputs(self) -> int:
        """How many outputs there are: a power of two above the number of values."""
        return 1 << self.answers.bit_length()

    def neutral(self) -> Expr:
        return agreement(self.outputs)

    def on_a_third_value(self) -> Expr:
        """Of the values 0, 1 and 2, whose rows have the product 1."""
        return third_row(self.epsilon)

    def favors(self, output: int, value: int) -> bool:
        return (output & (value + 1)).bit_count() % 2 == 0

    def sample(self, value: int, rng: Source = None) -> int:
        """One output for a value in range(answers), exactly distributed."""
        true = self.known_value(value)
        rate = rational_of(self.epsilon, "epsilon")
        source = randomness(rng)
        while True:
            proposal = source.randrange(self.outputs)
            if self.favors(proposal, true) or bernoulli_exp(rate, source):
                return proposal

    @classmethod
    def examples(cls) -> Iterable["HadamardResponse"]:
        return cls(1), cls("0.3", answers=3), cls(4, answers=11)


@by("local/hadamard-response")
def agreement(outputs: Real) -> Expr:
    """The probability of an output on which two rows agree: half of the outputs are such."""
    return formula(outputs) / 2 / outputs


@by("local/hadamard-response")
def third_row(epsilon: Real) -> Expr:
    """The probability that the first of two rows is 1 and the second is -1, on the value whose row
    is their product.
    """
    return 1 / (2 * (1 + exp(epsilon)))
