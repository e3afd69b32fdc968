"""The rule for two laws side by side, or for what is new in a sequence: given the one, the other is
as it was.
"""

from rdpacct.exact.formula import Real, formula
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.laws import Chain, Independent, Law
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import defined
from rdpacct.proof.kernel.statements import Integrable, On
from rdpacct.proof.kernel.terms import E, Refused, atoms, equal


@rule
def disintegrate(
    law: Independent | Chain, body: Real, given: tuple[str, ...] | str, finite: Fact
) -> Fact:
    """E[f(x, y) | x] is the mean of f(x, .) under the law of y, for almost all x.

    What is given are all variables of one of the two laws, or the past of a sequence. One of the
    two means is known to be finite, there or for almost all x; ``tower`` and this are Fubini's
    theorem.
    """
    names = (given,) if isinstance(given, str) else tuple(sorted(given))
    x = formula(body)
    other = _other(law, names)
    unknown = set(law.variables) - {*names, *other.variables}
    if list(atoms(x)) or x.symbols() & unknown:
        raise Refused(f"{x} is not a formula in the variables of {law.name}.")
    if finite.integrable not in (Integrable(law, x, names), Integrable(other, x)):
        raise Refused(
            f"it is not known that {E(law, x, names)} or {E(other, x)} is finite."
        )
    known = [
        condition
        for condition in finite.domain
        if not condition.symbols() & set(other.variables) or condition == On(law)
    ]
    certificates = defined([x], [*law.support, *known], {})
    inner = E(law, x, names)
    mean = E(other, x)
    return make(
        "disintegrate",
        equal(inner, mean),
        (finite,),
        certificates=certificates,
        finite=[inner, mean],
    )


def _other(law: Independent | Chain, names: tuple[str, ...]) -> Law:
    """The one of the two laws whose variables are not given."""
    if isinstance(law, Chain):
        if law.fresh is None:
            raise Refused(f"what is new in {law.name} may depend on the past.")
        if set(names) != set(law.past):
            raise Refused(f"what is given must be the past of {law.name}.")
        return law.fresh
    if not isinstance(law, Independent):
        raise Refused(f"{law.name} is not made of two laws side by side.")
    for given_law, other in ((law.first, law.second), (law.second, law.first)):
        if set(names) == set(given_law.variables):
            return other
    raise Refused(
        f"what is given must be all variables of {law.first.name} or of"
        f" {law.second.name}."
    )
