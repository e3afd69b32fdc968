"""The loss of a Laplace release of a Poisson sample: two atoms, and an integral by Gauss-Legendre nodes.

Under Q the loss l of the Laplace release itself is -mu with mass 1/2, mu with mass exp(-mu)/2, and has the density
exp(-(l + mu)/2)/4 in between. With R(l) = 1 - q + q exp(l) and I(s) = E_Q R**s, removing the record has
M(z) = I(1 + z) and adding it M(z) = I(-z).
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rdpacct.by import by
from rdpacct.exact.ball import Raw
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import around, complex_of, legendre, pi, power_sums, real
from rdpacct.privacy.transform import NATS, Nodes, Transform, about, value

PLANNED_POINTS = 24


@dataclass(frozen=True)
class SampledLaplaceTransform(Transform):
    """M(z) of a shift by mu scales that is applied with probability ``rate``."""

    mu: Expr
    rate: Expr
    removing: bool

    @cached_property
    def _numbers(self) -> tuple[float, float]:
        return about(self.mu), about(self.rate)

    @cached_property
    def _planned(self) -> list[tuple[float, float]]:
        """Losses with their masses under Q, about."""
        mu, q = self._numbers
        found = [(-mu, 0.5), (mu, math.exp(-mu) / 2)]
        for x, w in planned_legendre(PLANNED_POINTS):
            found.append((x * mu, w * mu * math.exp(-(x + 1) * mu / 2) / 4))
        return [(math.log1p(q * math.expm1(x)), w) for x, w in found]

    def planned(self, tilt: float) -> float:
        a = 1 + tilt if self.removing else -tilt
        top = max(a * x for x, _ in self._planned)
        return top + math.log(sum(w * math.exp(a * x - top) for x, w in self._planned))

    def planned_decay(self, tilt: float, height: float) -> float:
        mu, q = self._numbers
        a = 1 + tilt if self.removing else -tilt
        low, high = (math.log1p(q * math.expm1(x)) for x in (-mu, mu))
        peak = self.planned(tilt)
        atoms = 0.5 * math.exp(a * low - peak) + 0.5 * math.exp(a * high - mu - peak)
        ends = (math.exp((a + 1) * r - (x + mu) / 2 - x - peak) / (4 * q) for x, r in ((-mu, low), (mu, high)))
        return min(0.0, math.log(atoms + 2 * sum(ends) / height))

    @by("sampling/laplace-transform")
    def at(self, nodes: Nodes, nats: float = NATS) -> list[Raw]:
        """Two atoms and a Gauss-Legendre sum, with its error on an ellipse on which R has no zero."""
        mu, q, a = value(self.mu), value(self.rate), 1 + nodes.tilt if self.removing else -nodes.tilt
        step, count = nodes.step, nodes.count
        height = step * (count - 1)
        number, growth = self._planned_nodes(float(a), float(height), nats)
        rest = 1 - q
        weights, logs = [], []
        for x, w in [(real(-1), None), (real(1), None), *legendre(number)]:
            loss = x * mu
            log = (rest + q * loss.exp()).log()
            mass = (w * mu / 4 if w is not None else real(1) / 2) * (-(loss + mu) / 2).exp()
            weights.append((a * log).exp() * mass)
            logs.append(log)
        ratios = []
        for log in logs:
            sine, cosine = (step * log).sin_cos()
            ratios.append(complex_of(cosine, sine))
        sums = power_sums(weights, ratios, count) if count > 1 else [complex_of(sum(weights[1:], start=weights[0]), real(0))]
        size = self._ellipse_error(mu, q, a, height, number, real(growth))
        found = [around(v, size) for v in sums]
        found[0] = complex_of(found[0].real, real(0))
        return found if self.removing else [v.conjugate() for v in found]

    def _planned_nodes(self, a: float, height: float, nats: float) -> tuple[int, float]:
        """The number of nodes, and the ellipse, that make the error small."""
        mu, q = self._numbers
        best: tuple[float, float] | None = None
        for share in (0.1, 0.2, 0.35, 0.5, 0.7, 0.9):
            lift = share * math.pi / mu
            rho = lift + math.sqrt(lift * lift + 1)
            if rho > 60:
                rho = 60.0
            size = self._planned_ellipse(a, height, rho)
            number = (nats + size + 3) / (2 * math.log(rho))
            if best is None or number < best[0]:
                best = (number, rho)
        assert best is not None
        return max(4, math.ceil(best[0])), best[1]

    def _planned_ellipse(self, a: float, height: float, rho: float) -> float:
        mu, q = self._numbers
        wide, tall = (rho + 1 / rho) / 2 * mu, (rho - 1 / rho) / 2 * mu
        high = max(a * math.log1p(q * math.expm1(x)) for x in (-wide, wide))
        bend = a * math.log(max(math.cos(tall / 2), 1e-300)) if a < 0 else 0.0
        return high + bend + height * min(tall, 3.2) * 1.0 + (wide - mu) / 2 - self.planned(a - 1 if self.removing else -a)

    def _ellipse_error(self, mu: Raw, q: Raw, a: Raw, height: Raw, number: int, rho: Raw) -> Raw:
        """(64/15) B rho**(-2n)/(1 - rho**-2), where B bounds the integrand on the ellipse of the sum rho of its axes."""
        wide, tall = (rho + 1 / rho) / 2 * mu, (rho - 1 / rho) / 2 * mu
        if not (tall < pi() and rho > 1):
            return real(math.inf)
        ends = [(a * (1 - q + q * x.exp()).log()).exp() for x in (-wide, wide)]
        size = ends[0].max(ends[1])
        if not a >= 0:
            size = size * (tall / 2).cos() ** a
        size = size * (height * tall).exp() * mu / 4 * ((wide - mu) / 2).exp()
        return size * 64 / 15 / (rho ** (2 * number) * (1 - 1 / (rho * rho)))

    @by("sampling/laplace-decay")
    def decay(self, tilt: Raw, height: Raw, value_at_tilt: Raw, nats: float = NATS) -> Raw:
        """The atoms stay; exp(a L) times the density g of L has no maximum inside, so that its ends bound the rest.

        An integral of g(L) exp(i y L) is at most (g(low) + g(high) + variation of g)/y <= 2 (g(low) + g(high))/y.
        """
        mu, q, a = value(self.mu), value(self.rate), 1 + tilt if self.removing else -tilt
        rest = 1 - q
        low, high = (rest + q * (-mu).exp()).log(), (rest + q * mu.exp()).log()
        atoms = ((a * low).exp() + (a * high - mu).exp()) / 2
        ends = [((a + 1) * log - (x + mu) / 2 - x).exp() / (4 * q) for x, log in ((-mu, low), (mu, high))]
        return (atoms + 2 * (ends[0] + ends[1]) / height).min(value_at_tilt)

    def top(self) -> Raw:
        mu, q = value(self.mu), value(self.rate)
        return (1 - q + q * mu.exp()).log() if self.removing else -(1 - q + q * (-mu).exp()).log()

    def planned_top(self) -> float:
        edge = max if self.removing else min
        return abs(edge(x for x, _ in self._planned))


@lru_cache(maxsize=8)
def planned_legendre(count: int) -> list[tuple[float, float]]:
    """Gauss-Legendre nodes and weights in doubles."""
    return [(float(x), float(w)) for x, w in legendre(count)]
