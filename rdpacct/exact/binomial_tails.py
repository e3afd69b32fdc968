"""Binomial probabilities from balls for the probability of a success and of a failure, at any
size.
"""

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.raw import real


def tails(successes: int, trials: int, p: Ball, q: Ball) -> tuple[Ball, Ball]:
    """The probabilities of at least this many successes and of fewer, where one trial succeeds with
    probability p and fails with q = 1 - p; the smaller one is known to about all bits.
    """
    bits = p.bits
    if successes <= 0:
        return Ball.of(1, bits), Ball.of(0, bits)
    if successes > trials:
        return Ball.of(0, bits), Ball.of(1, bits)
    failures = trials - successes
    with precision(bits):
        if failures == 0:
            logarithm = trials * (-q.raw).log1p()
            return Ball(logarithm.exp(), bits), Ball(-logarithm.expm1(), bits)
        if trials * float(q) > failures:
            most = Ball(p.raw.beta_lower(successes, failures + 1, True), bits)
            return most, 1 - most
        few = Ball(q.raw.beta_lower(failures + 1, successes, True), bits)
        return 1 - few, few


def exactly(successes: int, trials: int, p: Ball, q: Ball) -> Ball:
    """The probability of exactly this many successes, where one trial succeeds with probability p
    and fails with q = 1 - p, both between 0 and 1.
    """
    if not 0 <= successes <= trials:
        return Ball.of(0, p.bits)
    failures = trials - successes
    with precision(p.bits):
        ways = (
            real(trials + 1).lgamma()
            - real(successes + 1).lgamma()
            - real(failures + 1).lgamma()
        )
        share = successes * p.raw.log() + failures * q.raw.log()
        return Ball((ways + share).exp(), p.bits)
