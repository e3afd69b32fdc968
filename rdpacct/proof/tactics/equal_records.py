"""The smallest witness of what is assumed of samples: all records are 0.

Then the count of the first j records is 0 below 0, and j from 0 on. Data with different records are
gone through in the tests.
"""

from collections.abc import Mapping
from typing import Any

from rdpacct.proof.instance import Instance, InstanceNumber, example, steps
from rdpacct.proof.tactics.ranks import Records


def all_zero(
    values: Mapping[str, InstanceNumber], *samples: Records, **unknown: Any
) -> Instance:
    """Samples of which all records are 0, with values of symbols and of other quantities."""
    known = dict[str, Any](I=steps(0, (0, 1)))
    for sample in samples:
        known[sample.values] = ("k", 0)
        known[sample.counter] = steps(0, (0, "j"), of=("j", "t"))
    return example(values, None, **known, **unknown)
