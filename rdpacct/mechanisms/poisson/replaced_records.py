"""A replaced record of a Poisson sample, for any mechanism: the folded pair of that for two
records.
"""

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.loss import PrivacyLoss


def replaced_loss(mechanism: Mechanism, rate: Expr) -> PrivacyLoss:
    """Samples with the record, with the other one, and with neither are two steps apart at most:
    one record is removed, and one is added.
    """
    from rdpacct.mechanisms.fixed_size.sampled_without_replacement import either_way

    two = mechanism.for_group(2)
    if two is None:
        raise InputError(
            f"no theorem of this package gives {shorten(str(mechanism), 80)} for two"
            " records; give a Gaussian or a Laplace mechanism."
        )
    return either_way(two, rate)
