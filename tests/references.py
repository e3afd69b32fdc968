"""Independent references for composed profiles, in mpmath: closed forms, exact sums and
one-dimensional integrals.

A composition is described by plain data: the mu of all Gaussian releases together, atoms as lists
of (mass, loss) with counts, the mass at infinity, and at most one continuous loss, given by its
integral against a function.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import mpmath as mp

Profile = Callable[[mp.mpf], mp.mpf]


def normal_tail(x: Any) -> Any:
    """The probability that a standard normal variable exceeds x."""
    return mp.erfc(x / mp.sqrt(2)) / 2


def gaussian_delta(mu: Any, epsilon: Any) -> Any:
    """delta(epsilon) of N(mu**2/2, mu**2); of no loss at all for mu = 0."""
    if mu == 0:
        return max(mp.mpf(0), 1 - mp.exp(epsilon))
    return normal_tail(epsilon / mu - mu / 2) - mp.exp(epsilon) * normal_tail(
        epsilon / mu + mu / 2
    )


def draws(atoms: Any, count: Any) -> Any:
    """The law of a sum of independent draws of atoms, by convolution of exact patterns."""
    found = []
    for pattern in patterns(len(atoms), count):
        weight = mp.factorial(count)
        loss = mp.mpf(0)
        for number, (mass, at) in zip(pattern, atoms, strict=True):
            weight = weight * mass**number / mp.factorial(number)
            loss += number * at
        found.append((weight, loss))
    return found


def patterns(size: Any, count: Any) -> Iterator[Any]:
    """The ways to write a count as an ordered sum of ``size`` numbers."""
    if size == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in patterns(size - 1, count - first):
            yield (first, *rest)


def response_atoms(epsilon: Any, answers: int = 2) -> Any:
    """The atoms of randomized response."""
    total = mp.exp(epsilon) + answers - 1
    found = [(mp.exp(epsilon) / total, epsilon), (1 / total, -epsilon)]
    if answers > 2:
        return [*found, ((answers - 2) / total, mp.mpf(0))]
    return found


def laplace_expectation(mu: Any, function: Any, kinks: Any = ()) -> Any:
    """E f(L) under P for the loss of a Laplace release."""
    inside = mp.quad(
        lambda x: mp.exp((x - mu) / 2) / 4 * function(x), _split(-mu, mu, kinks)
    )
    return function(mu) / 2 + mp.exp(-mu) / 2 * function(-mu) + inside


def exponential_expectation(epsilon: Any, function: Any, kinks: Any = ()) -> Any:
    """E f(L) under P for the law that dominates the exponential mechanism."""
    scale = 2 - 2 * mp.exp(-epsilon)
    return mp.quad(
        lambda x: mp.exp((x - epsilon) / 2) / scale * function(x),
        _split(-epsilon, epsilon, kinks),
    )


def sampled_gaussian_expectation(
    mu: Any, q: Any, removing: Any, function: Any, kinks: Any = ()
) -> Any:
    """E f(L) under P for a Gaussian release of a Poisson sample, in one direction; x is the
    released value.
    """

    def log_ratio(x: Any) -> Any:
        return mp.log(1 - q + q * mp.exp(mu * x - mu**2 / 2))

    def at(loss: Any) -> Any:
        level = (mp.exp(loss if removing else -loss) - 1 + q) / q
        if level > 0:
            return mp.log(level) / mu + mu / 2
        return None

    def inside(x: Any) -> Any:
        ratio = log_ratio(x)
        density = mp.npdf(x)
        if removing:
            return density * mp.exp(ratio) * function(ratio)
        return density * function(-ratio)

    edges = [x for x in (at(kink) for kink in kinks) if x is not None]
    return mp.quad(inside, _split(mp.mpf(-10), 4 * mu + 10, edges, extra=(-2, mu + 2)))


def sampled_laplace_expectation(
    mu: Any, q: Any, removing: Any, function: Any, kinks: Any = ()
) -> Any:
    """E f(L) under P for a Laplace release of a Poisson sample, in one direction."""

    def ratio(loss: Any) -> Any:
        return mp.log(1 - q + q * mp.exp(loss))

    def weigh(loss: Any, mass: Any) -> Any:
        at = ratio(loss)
        if removing:
            return mass * mp.exp(at) * function(at)
        return mass * function(-at)

    edges = []
    for kink in kinks:
        level = (mp.exp(kink if removing else -kink) - 1 + q) / q
        if level > 0:
            edges.append(mp.log(level))
    inside = mp.quad(
        lambda x: weigh(x, mp.exp(-(x + mu) / 2) / 4), _split(-mu, mu, edges)
    )
    return weigh(-mu, mp.mpf(1) / 2) + weigh(mu, mp.exp(-mu) / 2) + inside


def _split(low: Any, high: Any, kinks: Any, extra: Any = ()) -> Any:
    inner = sorted({x for x in (*kinks, *extra) if low < x < high})
    return [low, *inner, high]


def composed_delta(
    epsilon: Any, mu: Any, atoms: Any, infinite: Any, continuous: Any = None
) -> Any:
    """delta(epsilon) of Gaussians with this mu, atoms with counts, a mass at infinity, and one
    continuous loss.

    ``continuous`` takes a function and the points where it has kinks, and returns its expectation.
    """
    laws = [draws(rows, count) for rows, count in atoms]
    total = mp.mpf(0)
    for parts in product(*laws):
        weight = mp.fprod(p for p, _ in parts)
        shift = mp.fsum(x for _, x in parts)
        left = epsilon - shift
        if continuous is None:
            total += weight * gaussian_delta(mu, left)
        else:
            # a small mu makes the curve bend sharply about the level, where a quadrature needs
            # points of its own
            bends = [
                left + mu * k for k in ((0,) if mu == 0 else (-12, -6, -3, 0, 3, 6, 12))
            ]
            total += weight * continuous(
                lambda x, at=left: gaussian_delta(mu, at - x), bends
            )
    return total + infinite
