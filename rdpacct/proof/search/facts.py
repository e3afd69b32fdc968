"""Signs that a proof needs on the way: guessed from samples, then proved."""

from collections.abc import Callable

from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.pieces import Box
from rdpacct.proof.check.ring import Poly
from rdpacct.proof.check.signs import Signs
from rdpacct.proof.search.factors import ProofNode, Sampled

Prove = Callable[[Poly, bool], ProofNode | None]
"""A proof that a polynomial is positive, or with False that it is not negative."""


class Facts(Signs):
    """Signs that are searched for when they are asked for, and noted down as facts with their
    proofs.
    """

    def __init__(
        self, piece: Box, sampled: Sampled, prove: Prove, kinds: tuple[bool, ...]
    ) -> None:
        super().__init__()
        self.strict = piece.signs.strict
        self.weak = piece.signs.weak
        self.piece = piece
        self.sampled = sampled
        self.prove = prove
        self.kinds = kinds
        self.facts: list[ProofNode] = []

    def primitive_sign(self, rest: Poly, strict: bool = True) -> int:
        try:
            return super().primitive_sign(rest, strict)
        except Rejected:
            signs = self.sampled(rest)
            if len(signs) != 1:
                raise
        sign = signs.pop()
        for how in self.kinds:
            proof = None if strict and not how else self.prove(rest.scaled(sign), how)
            if proof is not None:
                self.facts.append(
                    {"of": rest.scaled(sign).text, "strict": how, "proof": proof}
                )
                self.piece.signs.learn(rest.scaled(sign), how)
                return sign
        raise Rejected("a sign was not found.")
