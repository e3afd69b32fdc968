"""The sampled Gaussian in doubles: they steer its transform and its decay, and never enter an
answer.
"""

import math

SHIFTS = tuple(0.9 * 2.2**-k for k in range(16))
REACH = 8.0
"""How far from the middle the doubles of a plan go."""
FARTHEST = 2000.0
"""Beyond this the bump of the shifted law is all that counts."""
LEAST_MU = 1e-100
"""The least shift that is planned with; that of a huge noise would be 0 in doubles."""


class SampledGaussianPlan:
    """I and its decay in doubles, on points that are kept."""

    def __init__(self, mu: float, q: float, removing: bool) -> None:
        self.mu = mu
        self.q = q
        self.removing = removing
        strip = min(0.8 * math.pi / mu, 5.0)
        self.step = 2 * math.pi * strip / (29.0 + strip * strip / 2)
        self.rows: list[tuple[float, float]] = []
        self.high = -REACH
        self.extend(REACH)
        self.logs: dict[float, float] = {}
        self.slopes: dict[float, tuple[float, float, float]] = {}
        self.contours: dict[tuple[float, int], list[tuple[float, float]]] = {}

    def extend(self, high: float) -> None:
        """Add points with their log R and Gaussian exponent up to there."""
        mu = self.mu
        q = self.q
        x = self.high
        log_q = math.log(q)
        while x <= high:
            u = mu * x - mu * mu / 2
            self.rows.append(
                (math.log1p(q * math.expm1(u)) if u < 600 else u + log_q, -x * x / 2)
            )
            x += self.step
        self.high = x

    def log(self, a: float) -> float:
        """log I(a)."""
        if a * self.mu > FARTHEST:
            return a * math.log(self.q) + (a * a - a) * self.mu**2 / 2
        known = self.logs.get(a)
        if known is None:
            high = max(a * self.mu, 0.0) + REACH
            if high > self.high:
                self.extend(high)
            rows = self.rows[: int((high + REACH) / self.step) + 2]
            exponents = [a * log + gauss for log, gauss in rows]
            peak = max(exponents)
            exp = math.exp
            total = sum([exp(e - peak) for e in exponents])
            known = self.logs[a] = peak + math.log(
                total * self.step / math.sqrt(2 * math.pi)
            )
        return known

    def decay(self, a: float, height: float) -> tuple[float, float]:
        """A small log J/I over shifts of the contour, and the shift.

        To second order log J/I is a parabola in the shift, which is enough at small heights; else
        shifts are tried downhill from there.
        """
        most = min(0.55 * math.pi / self.mu, 6.0)
        first, second, spread = self._slopes(a)
        wide = height * height * spread
        best = min(height * first / (second + wide), SHIFTS[0] * most)
        if wide < second:
            return self._fallen(self._rows(a, best), height), best
        nearest = round(
            math.log(SHIFTS[0] * most / best) / math.log(SHIFTS[0] / SHIFTS[1])
        )
        index = min(max(nearest, 0), len(SHIFTS) - 1)
        found = self._contour(a, index, height)
        for step in (1, -1):
            moved = False
            while 0 <= index + step < len(SHIFTS):
                other = self._contour(a, index + step, height)
                if other >= found:
                    break
                index = index + step
                found = other
                moved = True
            if moved:
                break
        return found, SHIFTS[index] * most

    def _slopes(self, a: float) -> tuple[float, float, float]:
        """Under the law with the density phi R**a: the mean of l', that of 1 - a l'', and the
        variance of l'.

        Here l = log R, l' = mu (1 - (1 - q)/R) and l'' = l' (mu - l').
        """
        if a not in self.slopes:
            total = self.log(a)
            mu = self.mu
            rest = 1 - self.q
            exp = math.exp
            scale = math.log(self.step / math.sqrt(2 * math.pi)) - total
            exponents = ((a * log + gauss + scale, log) for log, gauss in self.rows)
            rows = [(exp(e), 1 - rest * exp(-log)) for e, log in exponents if e > -20]
            mean = mu * sum([p * d for p, d in rows])
            square = mu * mu * sum([p * d * d for p, d in rows])
            self.slopes[a] = (
                mean,
                max(1 - a * (mu * mean - square), 1e-3),
                max(square - mean * mean, 0.0),
            )
        return self.slopes[a]

    def _contour(self, a: float, index: int, height: float) -> float:
        """log J/I on one of the contours that are kept."""
        rows = self.contours.get((a, index))
        if rows is None:
            most = min(0.55 * math.pi / self.mu, 6.0)
            rows = self.contours[a, index] = self._rows(a, SHIFTS[index] * most)
        return self._fallen(rows, height)

    @staticmethod
    def _fallen(rows: list[tuple[float, float]], height: float) -> float:
        exp = math.exp
        total = sum([exp(base - height * angle) for base, angle in rows])
        return math.log(total) if total > 0 else -700.0

    def _rows(self, a: float, y: float) -> list[tuple[float, float]]:
        mu = self.mu
        q = self.q
        total = self.log(a)
        step = min(0.5, 0.8 / mu)
        low = min(-7.5, a * mu - 7.5 if a < 0 else 0.0)
        high = max(7.5, a * mu + 7.5)
        scale = math.log(step / math.sqrt(2 * math.pi)) - total + y * y / 2
        cosine = math.cos(mu * y)
        sine = math.sin(mu * y)
        rows = []
        log = math.log
        exp = math.exp
        rest = 1 - q
        half = a / 2
        shift = mu * mu / 2 - log(q)
        for k in range(int((high - low) / step) + 1):
            x = low + step * k
            e = exp(min(mu * x - shift, 600.0))
            re = rest + e * cosine
            im = e * sine
            base = half * log(re * re + im * im) - x * x / 2 + scale
            if base > -32:
                rows.append((base, math.atan2(im, re)))
        return rows
