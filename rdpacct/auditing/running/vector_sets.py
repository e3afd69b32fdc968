"""Events of whole vectors that repeat, such as rows of bits: some vectors, or none of these."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.outputs import Outputs
from rdpacct.exact.number import shorten

SHOWN = 4
MOST_KINDS = 5000
"""More distinct vectors are taken for continuous ones."""
MULTIPLIERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


@dataclass(frozen=True)
class OneOfVectors:
    """The outputs that are one of some vectors, or none of them."""

    vectors: frozenset[tuple[float, ...]]
    there: bool = True

    def hits(self, outputs: Outputs) -> int:
        """How many outputs are in the event."""
        np = load()
        known = codes(np, np.array(sorted(self.vectors)))
        seen = int(np.count_nonzero(np.isin(codes(np, outputs.values), known)))
        return seen if self.there else len(outputs) - seen

    def __str__(self) -> str:
        names = [shorten(str(list(each))) for each in sorted(self.vectors)]
        more = f" and {len(names) - SHOWN} others" if len(names) > SHOWN else ""
        some = "one of " if len(names) > 1 else ""
        shown = ", ".join(names[:SHOWN])
        return f"an output is {'' if self.there else 'not '}{some}{shown}{more}"


def codes(np: Any, rows: Array) -> Array:
    """A whole number for each vector, the same for equal ones and hardly ever for others."""
    with np.errstate(over="ignore"):
        bits = np.ascontiguousarray(rows + 0.0).view(np.uint64).copy()
        code = np.zeros(len(rows), dtype=np.uint64)
        for column in range(bits.shape[1]):
            mixed = bits[:, column] ^ (bits[:, column] >> np.uint64(29))
            code = (code ^ mixed) * np.uint64(MULTIPLIERS[column % 3])
            code ^= code >> np.uint64(31)
    return code


def repeating(np: Any, pair: Iterable[Array]) -> bool:
    """Whether most vectors occur several times."""
    every = np.concatenate([codes(np, rows) for rows in pair])
    kinds = len(np.unique(every))
    return bool(kinds <= min(len(every) // 2, MOST_KINDS))
