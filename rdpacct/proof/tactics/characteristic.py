"""The characteristic function of the normal law, tilted by exp(t x), from its differential
equation, without an axiom.

Write R = exp(t x - t**2/2), y = x - t, c(w) = E[R cos(w y + a)]. By parts E[R y sin(w y + a)] = w
c(w), so that c(w + h) is (1 - h w) c(w) up to h**2/2, and so is exp(-w**2/2) cos(a). The gap
between the two after n steps of h is at most n h**2 exp(n**2 h**2/2); with h = w/n it falls to 0.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import PI, absolute, cos, exp, sin
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Whole,
    assume,
    at_most,
    both,
    combine,
    dominated,
    either,
    equal,
    expect,
    given_by,
    induct,
    integrable,
    integrate,
    linear,
    real,
    specialize,
    under,
    vanishing,
)
from rdpacct.proof.tactics.normal import antiderivative, density, mean_of

T, W, H, N, A = (Symbol(name) for name in ("t", "w", "h", "n", "a"))
SIZE = ("abs(u) <= k", "u <= k", "-k <= u")
TAYLOR = {
    1: "cos(p + q) <= cos(p) - q*sin(p) + q**2/2",
    -1: "cos(p) - q*sin(p) - q**2/2 <= cos(p + q)",
}


def normal_characteristic(law: Density) -> Fact:
    """E[exp(t x) cos(w x + a)] = exp((t**2 - w**2)/2) cos(w t + a), for all real t, w, a."""
    tilted = _Tilted(law)
    positive = tilted.upward()
    turned = specialize(positive, w=-W, a=-A)
    same = tilted.same(-W, W, -A)
    value = equal(tilted.mean(W), exp(-(W**2) / 2) * cos(A))
    centered = either(
        combine(value, (positive, 1)),
        under(combine(value, (turned, 1), (same, -1)), "w <= 0"),
    )
    (x,) = map(Symbol, law.variables)
    body = exp(T * x) * cos(W * x + A)
    angle = W * (x - T) + (W * T + A)
    moved = specialize(centered, a=W * T + A)
    inner = tilted.weight * cos(angle)
    scaled = linear(law, body, {inner: exp(T**2 / 2)}, integrable(moved, E(law, inner)))
    return combine(
        equal(E(law, body), exp((T**2 - W**2) / 2) * cos(W * T + A)),
        (scaled, 1),
        (moved, exp(T**2 / 2)),
    )


def normal_characteristic_sine(law: Density, cosine: Fact) -> Fact:
    """E[exp(t x) sin(w x)] = exp((t**2 - w**2)/2) sin(w t), from the fact above."""
    (x,) = map(Symbol, law.variables)
    turned = specialize(cosine, a=-PI / 2)
    body = exp(T * x) * sin(W * x)
    same = expect(
        real(equal(body, exp(T * x) * cos(W * x - PI / 2))),
        law,
        integrable(turned, mean_of(turned)),
    )
    return combine(
        equal(E(law, body), exp((T**2 - W**2) / 2) * sin(W * T)), (same, 1), (turned, 1)
    )


class _Tilted:
    """The standard normal law with the weight R, under which y is standard normal."""

    def __init__(self, law: Density) -> None:
        self.law = law
        (x,) = map(Symbol, law.variables)
        self.x = x
        self.y = x - T
        self.exponent = T * x - T**2 / 2
        self.weight = exp(self.exponent)
        mass = (antiderivative(x),)
        y = self.y
        total = integrate(law, self.weight, (antiderivative(y),), mass)
        self.total = combine(equal(E(law, self.weight), 1), total)
        square = integrate(
            law, self.weight * y**2, (antiderivative(y) - y * density(y),), mass
        )
        self.square = combine(equal(E(law, self.weight * y**2), 1), square)

    def angle(self, frequency: Expr, phase: Expr = A) -> Expr:
        """The argument of the cosine."""
        return frequency * self.y + phase

    def mean(self, frequency: Expr, phase: Expr = A) -> Expr:
        """E[R cos(frequency y + phase)]."""
        return E(self.law, self.weight * cos(self.angle(frequency, phase)))

    def gap(self, frequency: Expr) -> Expr:
        """What the mean is too large."""
        return self.mean(frequency) - exp(-(frequency**2) / 2) * cos(A)

    def finite_cosine(self, angle: Expr, *given: str | Condition) -> Fact:
        """The mean is finite."""
        bound = specialize(
            real("abs(exp(q)*cos(p)) <= exp(q)", *given), q=self.exponent, p=angle
        )
        return dominated(
            bound, self.law, integrable(self.total, E(self.law, self.weight))
        )

    def finite_product(self, angle: Expr) -> Fact:
        """E[R y sin(angle)] is finite."""
        weight = self.weight
        y = self.y
        finite = [
            integrable(fact, E(self.law, b))
            for fact, b in ((self.square, weight * y**2), (self.total, weight))
        ]
        sum_ = linear(
            self.law, weight * (y**2 + 1), {weight * y**2: 1, weight: 1}, *finite
        )
        turn = specialize(
            real("abs(exp(q)*v*sin(p)) <= exp(q)*abs(v)"), q=self.exponent, v=y, p=angle
        )
        size = specialize(real("abs(v) <= v**2 + 1"), v=y)
        claim = at_most(absolute(weight * y * sin(angle)), weight * (y**2 + 1))
        return dominated(
            combine(claim, (turn, 1), (size, weight)),
            self.law,
            integrable(sum_, E(self.law, weight * (y**2 + 1))),
        )

    def same(
        self, frequency: Expr, other: Expr, phase: Expr = A, *given: str | Condition
    ) -> Fact:
        """Two means are of the same function."""
        angles = self.angle(frequency, phase), self.angle(other)
        pointwise = real(equal(*(self.weight * cos(angle) for angle in angles)), *given)
        return expect(
            pointwise,
            self.law,
            *(self.finite_cosine(angle, *given) for angle in angles),
        )

    def by_parts(self) -> Fact:
        """E[R y sin(w y + a)] = w E[R cos(w y + a)]."""
        angle = self.angle(W)
        weight = self.weight
        y = self.y
        body = weight * (y * sin(angle) - W * cos(angle))
        parts: dict[Expr, Real] = {weight * y * sin(angle): 1, weight * cos(angle): -W}
        split = linear(
            self.law, body, parts, self.finite_product(angle), self.finite_cosine(angle)
        )
        finite = integrable(split, E(self.law, body))
        integral = integrate(
            self.law,
            body,
            (-density(y) * sin(angle),),
            (antiderivative(self.x),),
            finite=finite,
        )
        return combine(
            equal(E(self.law, weight * y * sin(angle)), W * self.mean(W)),
            (split, -1),
            (integral, 1),
        )

    def one_step(self) -> list[Fact]:
        """The mean at (n + 1) h is 1 - n h**2 times that at n h, up to h**2/2, from above and from
        below.
        """
        law = self.law
        weight = self.weight
        y = self.y
        bounds = list[Fact]()
        angle = self.angle(N * H)
        after = self.angle((N + 1) * H)
        parts = specialize(self.by_parts(), w=N * H)
        square = integrable(self.square, E(law, weight * y**2))
        finite = [self.finite_product(angle), self.finite_cosine(angle), square]
        for sign, text in TAYLOR.items():
            terms = {cos(angle): formula(1), y * sin(angle): -H, y**2: sign * H**2 / 2}
            line = weight * sum(
                (factor * term for term, factor in terms.items()), formula(0)
            )
            mean = linear(
                law,
                line,
                {weight * term: factor for term, factor in terms.items()},
                *finite,
            )
            taylor = specialize(real(text), p=angle, q=H * y)
            pointwise = combine(
                at_most(*(weight * cos(after), line)[::sign]), (taylor, weight)
            )
            whole = expect(
                pointwise,
                law,
                self.finite_cosine(after),
                integrable(mean, E(law, line)),
            )
            value = (1 - N * H**2) * self.mean(N * H) + sign * H**2 / 2
            claim = at_most(*(self.mean((N + 1) * H), value)[::sign])
            bounds.append(
                combine(
                    claim,
                    (whole, 1),
                    (mean, sign),
                    (parts, -sign * H),
                    (self.square, H**2 / 2),
                )
            )
        return bounds

    def steps(self) -> Fact:
        """abs(gap) <= (1 + n h**2) abs(gap before) + h**2 after each step, for n, h >= 0."""
        domain = ("0 <= n", "0 <= h")
        before = self.gap(N * H)
        after = self.gap((N + 1) * H)
        held = (1 - N * H**2) * before
        bell = under(specialize(_bell(), w=N * H), *domain)
        change = bell.relation.left.parts()[0]
        sizes = [
            specialize(real(text), u=change, a=A)
            for text in ("-abs(u) <= u*cos(a)", "u*cos(a) <= abs(u)")
        ]
        claims = at_most(after - held, H**2), at_most(-(H**2), after - held)
        rows = zip(claims, self.one_step(), sizes, strict=True)
        ends = [
            combine(claim, (step, 1), (size, 1), (bell, 1))
            for claim, step, size in rows
        ]
        close = _near(after, held, H**2, ends)
        grown = specialize(
            real("abs((1 - n*h**2)*u) <= (1 + n*h**2)*abs(u)", *domain), u=before
        )
        return combine(
            at_most(absolute(after), (1 + N * H**2) * absolute(before) + H**2),
            (close, 1),
            (grown, 1),
        )

    def many_steps(self) -> Fact:
        """abs(gap) <= n h**2 exp(n**2 h**2/2) after n = 1, 2, ... steps of h >= 0."""
        recursion = self.steps()
        bound = at_most(absolute(self.gap(N * H)), H**2 * N * exp(N**2 * H**2 / 2))
        held = assume(bound, "0 <= h", Whole("n", 1))
        room = real(
            "(1 + n*h**2)*n*exp(n**2*h**2/2) + 1 <= (n + 1)*exp((n + 1)**2*h**2/2)",
            "0 <= h",
            "0 <= n",
        )
        first, after = (
            at_most(bound.left.at(n=n), bound.right.at(n=n)) for n in (1, N + 1)
        )
        step = combine(after, (recursion, 1), (held, 1 + N * H**2), (room, H**2))
        body = self.weight * cos(A)
        rest = E(self.law, self.weight * cos(A)) - cos(A)
        split = linear(
            self.law,
            body,
            {self.weight: cos(A)},
            integrable(self.total, E(self.law, self.weight)),
        )
        ends = [
            combine(claim, (split, sign), (self.total, sign * cos(A)))
            for claim, sign in ((at_most(rest, 0), 1), (at_most(0, rest), -1))
        ]
        none = given_by(specialize(real(*SIZE), u=rest, k=0), *ends)
        base = combine(
            first,
            (specialize(recursion, n=0), 1),
            (none, 1),
            rest=H**2 * (exp(H**2 / 2) - 1),
        )
        return induct(under(base, "0 <= h"), under(step, "0 <= h", Whole("n", 1)), "n")

    def upward(self) -> Fact:
        """E[R cos(w y + a)] = exp(-w**2/2) cos(a) for w >= 0."""
        domain = ("0 <= w", Whole("n", 1))
        there = N * (W / N)
        most = W**2 * exp(W**2 / 2)
        gap_bound = under(specialize(self.many_steps(), h=W / N), *domain)
        same = under(self.same(there, W, A, "1 <= n"), *domain)
        left = self.gap(W)
        right = self.gap(there)
        signs = (at_most(left - right, 0), -1), (at_most(0, left - right), 1)
        close = _near(
            left,
            right,
            formula(0),
            [combine(claim, (same, sign)) for claim, sign in signs],
            "1 <= n",
        )
        small = under(
            combine(at_most(absolute(left), 0 + most / N), (close, 1), (gap_bound, 1)),
            *domain,
        )
        none = vanishing(small, "n", 0, most)
        value = exp(-(W**2) / 2) * cos(A)
        sizes = [
            specialize(real(text), u=left) for text in ("u <= abs(u)", "-abs(u) <= u")
        ]
        claims = at_most(self.mean(W), value), at_most(value, self.mean(W))
        halves = [
            combine(claim, (size, 1), (none, 1))
            for claim, size in zip(claims, sizes, strict=True)
        ]
        return both(halves[0], halves[1])


def _near(
    left: Expr, right: Expr, most: Expr, ends: list[Fact], *given: str | Condition
) -> Fact:
    """abs(left) <= abs(right) + most, from left - right <= most and -most <= left - right."""
    sum_ = specialize(real("abs(u) <= abs(v) + abs(u - v)", *given), u=left, v=right)
    size = specialize(real(*SIZE, *given), u=left - right, k=most)
    return combine(
        at_most(absolute(left), absolute(right) + most),
        (sum_, 1),
        (given_by(size, *ends), 1),
    )


def _bell() -> Fact:
    """exp(-(w + h)**2/2) is (1 - h w) exp(-w**2/2) up to h**2/2, for w, h >= 0."""
    start = exp(-(W**2) / 2)
    domain = ("0 <= w", "0 <= h")
    change = exp(-((W + H) ** 2) / 2) - (1 - H * W) * start
    power = under(
        specialize(real("exp(-v) <= 1 - v + v**2/2", "0 <= v"), v=H * W), *domain
    )
    less = real("exp(-(w + h)**2/2) <= exp(-w**2/2)*exp(-h*w)")
    above = combine(
        at_most(change, H**2 / 2),
        (less, 1),
        (power, start),
        (real("w**2*exp(-w**2/2) <= 1"), H**2 / 2),
    )
    below = real(at_most(-(H**2 / 2), change), *domain)
    return given_by(specialize(real(*SIZE), u=change, k=H**2 / 2), above, below)
