"""The kernel: facts about expectations, probabilities and divergences, made by a small number of
    checked rules.

A fact says that a relation holds for all parameters in a domain, under named hypotheses and axioms.
Side conditions are real claims, proved by the prover and kept as certificates. Reading this
package, besides the checker of certificates, is reading all that has to be believed of a theorem.
"""

from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.arithmetic import both, closed, combine, vanishing
from rdpacct.proof.kernel.building import (
    chain,
    draw,
    event,
    independent_of,
    ranked,
    tilted,
)
from rdpacct.proof.kernel.chains import at_start, one_more
from rdpacct.proof.kernel.disintegration import disintegrate
from rdpacct.proof.kernel.existence import exists, exists_by
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.finite import cases, drawn, table
from rdpacct.proof.kernel.folding import folded
from rdpacct.proof.kernel.induction import induct
from rdpacct.proof.kernel.instances import instance
from rdpacct.proof.kernel.integrals import integrate
from rdpacct.proof.kernel.lattice import apart, reindex, summable
from rdpacct.proof.kernel.laws import (
    Density,
    Lattice,
    Law,
    Table,
)
from rdpacct.proof.kernel.logic import (
    assume,
    axiom,
    discharge,
    either,
    given_by,
    integrable,
    real,
    relations_of,
    specialize,
    under,
)
from rdpacct.proof.kernel.means import (
    conditional,
    dominated,
    exchange,
    expect,
    independent,
    linear,
    marginal,
    tilt,
    tower,
)
from rdpacct.proof.kernel.statements import (
    Believed,
    Condition,
    Exists,
    Integrable,
    On,
    Whole,
)
from rdpacct.proof.kernel.stretch import Stretch
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
    "Believed",
    "Comparison",
    "Condition",
    "Density",
    "E",
    "Exists",
    "Fact",
    "Integrable",
    "Lattice",
    "Law",
    "On",
    "Quantity",
    "Refused",
    "Stretch",
    "Table",
    "Whole",
    "apart",
    "assume",
    "at_most",
    "at_start",
    "axiom",
    "below",
    "both",
    "cases",
    "chain",
    "closed",
    "combine",
    "conditional",
    "discharge",
    "disintegrate",
    "dominated",
    "draw",
    "drawn",
    "either",
    "equal",
    "event",
    "exchange",
    "exists",
    "exists_by",
    "expect",
    "folded",
    "given_by",
    "independent",
    "independent_of",
    "induct",
    "instance",
    "integrable",
    "integrate",
    "linear",
    "marginal",
    "one_more",
    "ranked",
    "real",
    "reindex",
    "relation",
    "relations",
    "relations_of",
    "specialize",
    "summable",
    "table",
    "tilt",
    "tilted",
    "tower",
    "under",
    "vanishing",
]
