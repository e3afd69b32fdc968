"""The kernel: facts about expectations, probabilities and divergences, made by a small number of
    checked rules.

A fact says that a relation holds for all parameters in a domain, under named hypotheses and axioms.
Side conditions are real claims, proved by the prover and kept as certificates. Reading this
package, besides the checker of certificates, is reading all that has to be believed of a theorem.
"""

from rdpacct.proof.kernel.fact import Fact, On, Whole
from rdpacct.proof.kernel.instances import instance
from rdpacct.proof.kernel.integrals import integrate
from rdpacct.proof.kernel.lattice import Lattice, apart, reindex, summable
from rdpacct.proof.kernel.laws import (
    Density,
    Law,
    Piece,
    Table,
    draw,
    event,
    independent_of,
    ranked,
    tilted,
)
from rdpacct.proof.kernel.logic import (
    assume,
    axiom,
    both,
    closed,
    combine,
    discharge,
    either,
    given_by,
    induct,
    integrable,
    real,
    specialize,
    under,
    vanishing,
)
from rdpacct.proof.kernel.means import (
    cases,
    conditional,
    dominated,
    drawn,
    exchange,
    expect,
    independent,
    linear,
    marginal,
    table,
    tilt,
    tower,
)
from rdpacct.proof.kernel.terms import (
    E,
    Quantity,
    Refused,
    at_most,
    below,
    equal,
    relation,
    relations,
)

__all__ = [
    "Density",
    "E",
    "Fact",
    "Lattice",
    "Law",
    "On",
    "Piece",
    "Quantity",
    "Refused",
    "Table",
    "Whole",
    "apart",
    "assume",
    "at_most",
    "axiom",
    "below",
    "both",
    "cases",
    "closed",
    "combine",
    "conditional",
    "discharge",
    "dominated",
    "draw",
    "drawn",
    "either",
    "equal",
    "event",
    "exchange",
    "expect",
    "given_by",
    "independent",
    "independent_of",
    "induct",
    "instance",
    "integrable",
    "integrate",
    "linear",
    "marginal",
    "ranked",
    "real",
    "reindex",
    "relation",
    "relations",
    "specialize",
    "summable",
    "table",
    "tilt",
    "tilted",
    "tower",
    "under",
    "vanishing",
]
