"""Evidence for the statements of an entry: a witness of each part, and what refutes a falsehood.

It is given by the author, kept from before, or searched for. Nothing here is trusted: the statement
(``theorem.py``) accepts what is found or refuses it, and does so again whenever the book is
verified.
"""

from dataclasses import replace

from rdpacct.proof.evaluate import Known
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.terms import Refused
from rdpacct.proof.language import KERNEL_FUNCTIONS
from rdpacct.proof.prove import Settled, point_text, prove
from rdpacct.proof.search.witnesses import find_broken, find_witness, with_laws
from rdpacct.proof.theorem import Falsehood, Refutation, Statement
from rdpacct.proof.witness import Witness


def witness_of(part: Statement, proved: Fact, known: Witness | None = None) -> Witness:
    """The witness that the author gives, the one that is known, or one that a search finds."""
    if part.witness is not None:
        given = part.witness() if callable(part.witness) else Witness(part.witness)
        given = with_laws(part, given, proved)
        part.accept_witness(given, proved)
        return given
    if known is not None:
        try:
            part.accept_witness(known, proved)
        except Refused:
            pass
        else:
            return known
    return find_witness(part, Known(within=[proved]))


def refutation_of(falsehood: Falsehood, known: Witness | None = None) -> Refutation:
    """What refutes a falsehood, run and accepted; ``Refused`` if the statement stands."""
    if falsehood.refuted_at_a_point:
        return _point_of(falsehood)
    refutation = (
        Refutation() if falsehood.refutation is None else falsehood.refutation()
    )
    given = refutation.instance or falsehood.instance
    if given is None:
        return _broken(falsehood, refutation, known)
    refutation = replace(refutation, instance=given)
    falsehood.accept(refutation)
    return refutation


def _broken(
    falsehood: Falsehood, refutation: Refutation, known: Witness | None
) -> Refutation:
    """An instance of what is given and assumed, for facts that hold wherever that does."""
    if known is not None:
        tried = replace(refutation, instance=known.instance)
        try:
            falsehood.accept(tried)
        except Refused:
            pass
        else:
            return tried
    broken = find_broken(falsehood, refutation.facts)
    facts = tuple(dict.fromkeys((*refutation.facts, *broken.facts)))
    refutation = replace(refutation, instance=broken.instance, facts=facts)
    falsehood.accept(refutation)
    return refutation


def _point_of(falsehood: Falsehood) -> Refutation:
    """The point at which the prover refutes a real claim."""
    result = prove(
        str(falsehood.claim),
        falsehood.given_texts(),
        timeout=20.0,
        functions=KERNEL_FUNCTIONS,
    )
    if (
        result.settled is not Settled.REFUTED
        or result.counterexample is None
        or result.certificate is None
    ):
        raise Refused(f"the falsehood {falsehood.claim} is {result.settled.value}.")
    return Refutation(
        point_text(result.counterexample), certificates=(result.certificate,)
    )
