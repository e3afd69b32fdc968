"""Tables of values for the statements that the project is about, computed from the definitions by
mpmath alone.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from rdpacct.book.numeric.values import load

TableRows = list[tuple[str, ...]]


def table_of(name: str) -> TableRows:
    """The table of an entry, its head first; empty if it has none."""
    make = TABLES.get(name)
    return [] if make is None else make(load())


def _digits(mp: Any, *values: Any) -> tuple[str, ...]:
    return tuple(mp.nstr(mp.mpf(value), 12) for value in values)


def gaussian(mp: Any) -> TableRows:
    """The mean and a moment of the loss of two normal laws, by quadrature of their densities."""
    rows: TableRows = [
        (
            "Delta",
            "sigma",
            "mean by quadrature",
            "tau**2/2",
            "E exp(L - mean)",
            "exp(tau**2/2)",
        )
    ]
    for shift, sigma in ((1, 1), (1, 2), (2, 1), (mp.mpf("0.5"), 3)):
        tau = mp.mpf(shift) / sigma
        mean, moment = _normal_loss(mp, mp.mpf(shift), mp.mpf(sigma))
        rows.append(
            _digits(mp, shift, sigma, mean, tau**2 / 2, moment, mp.exp(tau**2 / 2))
        )
    return rows


def _normal_loss(mp: Any, shift: Any, sigma: Any) -> tuple[Any, Any]:
    """The mean of the loss, and its exponential moment about the mean."""

    def loss(z: Any) -> Any:
        return mp.log(mp.npdf(z, shift, sigma) / mp.npdf(z, 0, sigma))

    line = [shift - 40 * sigma, 0, shift, shift + 40 * sigma]
    mean = mp.quad(lambda z: mp.npdf(z, shift, sigma) * loss(z), line)
    moment = mp.quad(lambda z: mp.npdf(z, shift, sigma) * mp.exp(loss(z) - mean), line)
    return mean, moment


def maximally_divergent(mp: Any) -> TableRows:
    """The divergence of the maximally divergent pair, from its two probabilities."""
    rows: TableRows = [
        ("eps", "KL of the pair", "eps*tanh(eps/2)", "eps*(exp(eps) - 1)/2 (printed)")
    ]
    for eps in map(mp.mpf, ("0.1", "0.5", "1", "2", "5", "10")):
        high = mp.exp(eps) / (1 + mp.exp(eps))
        low = 1 - high
        divergence = high * mp.log(high / low) + low * mp.log(low / high)
        sharp = eps * mp.tanh(eps / 2)
        rows.append(_digits(mp, eps, divergence, sharp, eps * mp.expm1(eps) / 2))
    return rows


def smooth_laplace(mp: Any) -> TableRows:
    """The hockey stick at 2 alpha of the pair with the largest shift and ratio of scales, by
    quadrature.
    """
    rows: TableRows = [
        ("alpha", "beta", "broader first", "narrower first", "exact eta", "printed eta")
    ]
    pairs = (
        ("1", "0.1"),
        ("1", "0.5"),
        ("1", "1.25"),
        ("1", "4.2"),
        ("5", "2.8"),
        ("20", "1.8"),
    )
    for alpha, beta in (tuple(map(mp.mpf, pair)) for pair in pairs):
        spread = mp.expm1(beta)
        exact = -mp.expm1(-beta) * mp.exp(-(2 * alpha + beta) / spread)
        exact *= mp.cosh(alpha / spread)
        printed = mp.exp(-alpha / (2 * beta))
        rows.append(_digits(mp, alpha, beta, *_sticks(mp, alpha, beta), exact, printed))
    return rows


def _sticks(mp: Any, alpha: Any, beta: Any) -> tuple[Any, Any]:
    """Both hockey sticks of Laplace laws of scales exp(beta) and 1, alpha apart."""
    scale = mp.exp(beta)

    def log_broad(z: Any) -> Any:
        return -abs(z - alpha) / scale - beta

    def log_narrow(z: Any) -> Any:
        return -abs(z)

    def stick(first: Any, second: Any) -> Any:
        def excess(z: Any) -> Any:
            gap = mp.exp(first(z)) - mp.exp(2 * alpha + second(z))
            return max(gap, 0) / 2

        def turn(z: Any) -> Any:
            return first(z) - second(z) - 2 * alpha

        nodes = [-mp.inf, *_crossings(mp, turn, alpha, scale), mp.inf]
        return mp.quad(excess, nodes)

    return stick(log_broad, log_narrow), stick(log_narrow, log_broad)


def _crossings(mp: Any, turn: Any, alpha: Any, scale: Any) -> list[Any]:
    """The kinks of the densities, and where the loss, which is linear between them, is 0."""
    far = 100 * (1 + alpha) * scale
    nodes = [-far, mp.mpf(0), alpha, far]
    crossings = [mp.mpf(0), alpha]
    for left, right in pairwise(nodes):
        at_left, at_right = turn(left), turn(right)
        if at_left * at_right < 0:
            crossings.append(left - at_left * (right - left) / (at_right - at_left))
    return sorted(set(crossings))


def random_composition(mp: Any) -> TableRows:
    """Two releases that tell whether some record is a given symbol, on uniform data: gamma by
    enumeration.
    """
    rows: TableRows = [
        ("symbols", "records", "gamma of each", "gamma of both", "sum of the gammas")
    ]
    for symbols, records in ((3, 1), (3, 2), (4, 2), (5, 3)):
        both = each = Fraction(0)
        chance = Fraction(1, symbols ** (records + 1))
        for draws in product(range(symbols), repeat=records + 1):
            data, neighbor = draws[:-1], (*draws[:-2], draws[-1])
            first, second = ((s in data) != (s in neighbor) for s in (0, 1))
            each += chance * first
            both += chance * (first or second)
        rows.append(
            _digits(
                mp,
                symbols,
                records,
                *(mp.mpf(v.numerator) / v.denominator for v in (each, both, 2 * each)),
            )
        )
    return rows


def concentrated_composition(mp: Any) -> TableRows:
    """A Gaussian loss, then a second one unless the first is 1 or more below its mean: the variance
    of the sum by quadrature, against tau1**2 + tau2**2; and the one-sided moment at t = 1.
    """
    rows: TableRows = [
        (
            "tau1",
            "tau2",
            "variance",
            "tau1**2 + tau2**2",
            "E exp(L - mu)",
            "allowed one-sided",
        )
    ]
    for tau1, tau2 in ((1, 1), (2, 2), (3, 3), (3, 1)):
        mu1, mu2 = mp.mpf(tau1) ** 2 / 2, mp.mpf(tau2) ** 2 / 2
        cut = -1 / mp.mpf(tau1)
        asked = 1 - mp.ncdf(cut)
        mean = mu1 + mu2 * asked
        above = mp.quad(lambda x, t=tau1: x * t * mp.npdf(x), [cut, 0, mp.inf])
        second = tau1**2 + 2 * above * mu2 + asked * (tau2**2 + mu2**2)
        variance = second - (mean - mu1) ** 2
        grown = mp.quad(lambda x, t=tau1: mp.exp(t * x) * mp.npdf(x), [cut, 0, mp.inf])
        rest = mp.quad(lambda x, t=tau1: mp.exp(t * x) * mp.npdf(x), [-mp.inf, cut])
        moment = grown * mp.exp(mp.mpf(tau2) ** 2 / 2) + rest * mp.exp(-mu2)
        allowed = mp.exp((mp.mpf(tau1) ** 2 + mp.mpf(tau2) ** 2) / 2)
        rows.append(
            _digits(mp, tau1, tau2, variance, tau1**2 + tau2**2, moment, allowed)
        )
    return rows


TABLES: dict[str, Callable[[Any], TableRows]] = {
    "cdp/gaussian": gaussian,
    "cdp/kl-half": maximally_divergent,
    "sensitivity/smooth-laplace": smooth_laplace,
    "random-dp/composition": random_composition,
    "cdp/composition": concentrated_composition,
}
"""The entries that have a table of values."""
