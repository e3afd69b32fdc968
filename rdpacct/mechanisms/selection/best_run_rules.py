"""What the best of a random number of runs costs, from what one run does: the rules.

One run has outputs with the probability U, on the first of two neighbors, of something better, and
T on the second. Both laws of the number of runs weigh an output by the slope of their generating
function, at 1 - U or at 1 - T.
"""

from rdpacct.exact.formula import Scalar
from rdpacct.provenance import by


@by("selection/best-run")
def spare_growth(gamma: Scalar, growth: Scalar, stick: Scalar) -> Scalar:
    """At least 0 if gamma + (1 - gamma) T is at most growth (gamma + (1 - gamma) U).

    ``stick`` is at least T - growth U, a delta of one run.
    """
    return gamma * (growth - 1) - (1 - gamma) * stick


@by("selection/best-run-renyi")
def log_growth_by_moment(log_moment: Scalar, log_gamma: Scalar, s: Scalar) -> Scalar:
    """The logarithm of a growth that is large enough, from log E exp(s L) of one run."""
    return (log_moment - log_gamma) / (1 + s)


@by("selection/best-run")
def best_run_shift(log_growth: Scalar, shape: Scalar) -> Scalar:
    """The most by which the loss of an output rises if it is the output of the best run, and not of
    a single run.
    """
    return (1 + shape) * log_growth


@by("selection/best-run")
def best_run_delta(mean: Scalar, delta: Scalar) -> Scalar:
    """The delta of the best run, from that of one at an epsilon that is smaller by the shift."""
    return mean * delta


@by("selection/best-run")
def log_best_moment(
    log_moment: Scalar, log_mean: Scalar, shift: Scalar, s: Scalar
) -> Scalar:
    """log E exp(s L) of the best run, from that of one."""
    return log_moment + log_mean + s * shift


@by("selection/poisson-runs")
def poisson_shift(mean: Scalar, distance: Scalar) -> Scalar:
    """The most by which the loss rises for a Poisson number of runs, where ``distance`` is at least
    T - U.
    """
    return mean * distance


@by("selection/poisson-runs")
def log_poisson_moment(
    log_moment: Scalar, log_mean: Scalar, mean: Scalar, stick: Scalar, s: Scalar
) -> Scalar:
    """log E exp(s L) where there is a run, if ``stick`` is at least T - (1 + 1/s) U."""
    return log_moment + log_mean + mean * s * stick


@by("selection/poisson-runs")
def stick_between(
    low: Scalar, at_low: Scalar, high: Scalar, at_high: Scalar, growth: Scalar
) -> Scalar:
    """A stick at a growth between two others, on the chord of theirs."""
    share = (high - growth) / (high - low)
    return share * at_low + (1 - share) * at_high
