"""Steps that proofs about smooth sensitivity share: order statistics by counting, and noise beyond a quantile."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    below,
    cases,
    combine,
    discharge,
    dominated,
    equal,
    event,
    expect,
    given_by,
    induct,
    integrable,
    linear,
    marginal,
    real,
    relation,
    relations,
    specialize,
    tilt,
    tilted,
    under,
)
from rdpacct.proof.kernel.laws import Event, Tilted
from rdpacct.proof.kernel.terms import Expectation, atoms_of, replace
from rdpacct.proof.theorem import Part, Step

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Sample:
    """Finitely many numbers, named by their counting function and by their sorted values."""

    counter: str
    sorted: str

    def count(self, t: Real) -> Expr:
        """How many of the numbers are at most t."""
        return Quantity(self.counter, (formula(t),))

    def value(self, k: Real) -> Expr:
        """The k-th smallest of the numbers."""
        return Quantity(self.sorted, (formula(k),))

    def reached(self) -> Fact:
        """At least k numbers are at most the k-th smallest: half of ``value(k) <= t iff count(t) >= k``."""
        k = Symbol("k")
        return assume(at_most(k, self.count(self.value(k))), every="k")

    def least(self) -> Fact:
        """value(k) <= t if count(t) >= k, and value(k) >= t if not; a count is a whole number."""
        k, t = Symbol("k"), Symbol("t")
        return assume(at_most((self.value(k) - t) * (self.count(t) - k + HALF), 0), every=("k", "t"))

    def loses_one(self, other: "Sample") -> Fact:
        """The other sample has at most one number less below any point: it differs in one row."""
        t = Symbol("t")
        return assume(at_most(self.count(t), other.count(t) + 1), every="t")


def divided(claim: Comparison, product: Fact, positive: Fact) -> Fact:
    """From (left - right) y <= 0 and 0 < y: left <= right."""
    x, y = claim.left - claim.right, positive.relation.right
    found = specialize(real("x <= z/y", "x*y <= z", "0 < y"), x=x, y=y, z=0)
    return combine(claim, given_by(found, combine(at_most(x * y, 0), product), positive))


def other_factor(x: Expr, product: Fact, positive: Fact) -> Fact:
    """From 0 < x y and 0 < y: 0 < x."""
    y = positive.relation.right
    found = specialize(real("z/y < x", "z < x*y", "0 < y"), x=x, y=y, z=0)
    return given_by(found, combine(below(0, x * y), product), positive)


N, T, A = Symbol("N"), Symbol("T"), Symbol("A")
NOISE = Law("P", ("N", "T"), relations("0 <= T", "T <= 1"))
"""Noise: N is what its density ratio to the moved noise depends on, T is a set that it may lie in, or a test."""
NORM = Law("P", ("N", "T"), relations("0 <= N", "0 <= T", "T <= 1"))
"""The same where N is a norm."""


def far(law: Law, rho: Real) -> Event:
    """The noise with the indicator A of N > rho."""
    return event(law, "A", below(rho, N))


def _weighted(law: Tilted, mass: Fact) -> Fact:
    """The density ratio times the test has a finite mean."""
    positive = real(at_most(0, law.ratio))
    upper = given_by(specialize(real("g*T <= g", "0 <= g", "0 <= T", "T <= 1"), g=law.ratio), positive)
    lower = given_by(specialize(real("0 <= g*T", "0 <= g", "0 <= T"), g=law.ratio), positive)
    return dominated(upper, law.base, integrable(mass, E(law.base, law.ratio)), lower=lower)


def near(law: Law, slope: Fact, room: Fact, limit: Real) -> Fact:
    """T <= exp(q (rho - N) + h) T + A, where A is the event of N > rho, from 0 <= q and 0 <= h."""
    q, h, rho = Symbol("q"), Symbol("h"), Symbol("rho")
    split, y = far(law, rho), q * (rho - N) + h
    inside = cases(split, "0 <= (1 - A)*(rho - N)")
    low, high = cases(split, at_most(0, A)), cases(split, at_most(A, 1))
    tangent, positive = specialize(real("1 + y <= exp(y)"), y=y), specialize(real("0 <= exp(y)"), y=y)
    terms = (tangent, 1 - A), (inside, q), (real("0 <= h", "0 <= h"), 1 - A), (positive, A), (low, 0), (high, 0)
    close = combine(at_most(1 - A, exp(y)), *terms, given=("0 <= q",))
    found = combine(at_most(T, exp(y) * T + A), (close, T), cases(split, at_most(T, T * (1 - A) + A)))
    proved = [one for one in (slope, room) if one.relation not in one.domain]
    return given_by(specialize(found, q=slope.relation.right, h=room.relation.right, rho=limit), *proved)


def everywhere(slope: Fact, room: Fact, extra: Fact) -> Fact:
    """T <= exp(q N + h - g) T + g where N and T are not negative and T <= 1, from 0 <= q, 0 <= h and 0 <= g."""
    q, h, g = Symbol("q"), Symbol("h"), Symbol("g")
    y = q * N + h - g
    test, rest = real("0 <= T", "0 <= T"), real("0 <= 1 - T", "T <= 1")
    tangent, signs = specialize(real("1 + y <= exp(y)"), y=y), [real(f"0 <= {one}", f"0 <= {one}") for one in "qhg"]
    first: list[tuple[Fact, Real]] = [(tangent, T), (test, 0), (rest, 0)]
    terms = first + list(zip(signs, (T * N, T, 1 - T), strict=True))
    found = combine(at_most(T, exp(y) * T + g), *terms, given=("0 <= N",))
    facts = slope, room, extra
    return given_by(specialize(found, **dict(zip("qhg", (one.relation.right for one in facts), strict=True))), *facts)


def but_for(claim: Comparison, law: Tilted, factor: Expr, pointwise: Fact, mass: Fact, tail: Fact) -> Fact:
    """E[T] <= factor E'[T] + delta from T <= factor ratio T + A pointwise and E[A] <= delta."""
    base, body = law.base, law.ratio * T
    (split,) = [atom.law for atom in atoms_of(tail.relation) if isinstance(atom, Expectation)]
    point = combine(at_most(T, factor * body + A), pointwise)
    test, weighted = dominated(real("abs(T) <= 1", "0 <= T", "T <= 1"), split), _weighted(law, mass)
    over = marginal(split, base, body, weighted)
    finite = integrable(over, E(split, body)), integrable(tail, E(split, A))
    right = linear(split, factor * body + A, {body: factor, A: 1}, *finite)
    mean = expect(point, split, test, integrable(right, right.relation.left))
    same, change = marginal(split, base, T, test), tilt(law, T, mass, weighted)
    return combine(claim, (same, -1), (mean, 1), (right, 1), (over, factor), (change, -factor), (tail, 1))


def always(claim: Comparison, law: Tilted, factor: Expr, pointwise: Fact, extra: Real, mass: Fact, *uses: Fact) -> Fact:
    """The same from T <= exp(..) T + extra everywhere; what is used bounds the extra."""
    base, body = law.base, law.ratio * T
    point = combine(at_most(T, factor * body + extra), pointwise)
    test, weighted = dominated(real("abs(T) <= 1", "0 <= T", "T <= 1"), base), _weighted(law, mass)
    right = linear(base, factor * body + extra, {body: factor}, weighted, constant=extra)
    mean = expect(point, base, test, integrable(right, right.relation.left))
    change = tilt(law, T, mass, weighted)
    return combine(claim, (mean, 1), (right, 1), (change, -factor), *((fact, 1) for fact in uses))


def chernoff(law: Law, rho: Real, rate: Real, moment: Fact, *given: str) -> Fact:
    """P(N > rho) <= exp(-rate rho) E exp(rate N), for a rate that is not negative."""
    split, body, bound = far(law, rho), exp(formula(rate) * N), exp(-formula(rate) * rho)
    generic = cases(far(law, Symbol("rho")), at_most(A, exp(formula(rate) * (N - Symbol("rho")))), *given)
    point = combine(at_most(A, bound * body), specialize(generic, rho=rho))
    over = marginal(split, law, body, integrable(moment, E(law, body)))
    right = linear(split, bound * body, {body: bound}, integrable(over, E(split, body)))
    finite = dominated(point, split, integrable(right, right.relation.left), lower=cases(split, at_most(0, A)))
    mean = expect(point, split, finite, integrable(right, right.relation.left))
    return combine(at_most(E(split, A), bound * E(law, body)), (mean, 1), (right, 1), (over, bound))


BETA, LAM, RHO, DIM, EPS, DELTA, X = map(Symbol, ("beta", "lam", "rho", "d", "eps", "delta", "x"))
FACTOR = exp(BETA * RHO)
"""exp(eps/2), for eps = 2 rho beta."""


class Dilation:
    """Noise in d dimensions with a density that falls like exp(-N/power), N the power of a norm, when it is dilated.

    Under dilation by exp(lam) the log density changes by (exp(power lam) - 1) N/power - d lam.
    """

    def __init__(self, power: int) -> None:
        self.power = power
        self.growth = f"(exp({power}*beta) - 1)*rho <= {power}*(rho + d)*beta"
        rise, fall = (exp(power * LAM) - 1) / power, (1 - exp(-power * LAM)) / power
        self.rise, self.fall = rise, fall
        self.shrunk = tilted("Shrunk", NORM, exp(DIM * LAM - rise * N))
        self.widened = tilted("Widened", NORM, exp(fall * N - DIM * LAM))
        self.tail = assume(at_most(E(far(NORM, RHO), A), DELTA / 2))
        self.moment = assume(equal(E(NORM, exp(N / (2 * power))), formula(2) ** (DIM / power)))

    def parts(self) -> tuple[Part, Part, Part]:
        """Dilation by exp(lam) and by exp(-lam), 0 <= lam <= beta, with eps = 2 rho beta and P(N > rho) <= delta/2."""
        shrinks, widens = (assume(equal(E(NORM, law.ratio), 1)) for law in (self.shrunk, self.widened))
        order = "0 <= lam", "lam <= beta"
        return (
            Part(
                "shrunk",
                "dilation by exp(lam), 0 <= lam <= beta, eps = 2 rho beta: E[T] <= exp(eps/2) E'[T] + delta/2",
                claim=at_most(E(NORM, T), FACTOR * E(self.shrunk, T) + DELTA / 2),
                given=(*order, "0 < beta", "0 < rho", self.growth),
                assuming={"ratio": shrinks, "tail": self.tail},
                proof=self._shrunk,
            ),
            Part(
                "widened",
                "dilation by exp(-lam), d <= rho: E[T] <= exp(eps/2) E'[T]",
                claim=at_most(E(NORM, T), FACTOR * E(self.widened, T)),
                given=(*order, "0 <= rho", "d <= rho"),
                assuming={"ratio": widens},
                proof=self._widened,
            ),
            Part(
                "small-quantile",
                "dilation by exp(-lam), rho <= d: E[T] <= exp(eps/2) E'[T] + delta/2",
                claim=at_most(E(NORM, T), FACTOR * E(self.widened, T) + DELTA / 2),
                given=(*order, "0 <= d", "rho <= d", "0 <= beta", "beta*(d - rho) <= delta/2"),
                assuming={"ratio": widens},
                proof=self._small,
            ),
        )

    def _shrunk(self, part: Part) -> Iterator[Step]:
        chord = real("exp(lam) - 1 <= lam/beta*(exp(beta) - 1)", "0 <= lam", "lam <= beta", "0 < beta")
        chord = under(specialize(chord, lam=self.power * LAM, beta=self.power * BETA), *part.given[:3])
        yield chord, "the chord of exp"
        room = at_most(0, BETA * RHO + DIM * LAM - self.rise * RHO)
        steps = (chord, RHO / self.power), (known(self.growth, part), LAM / BETA / self.power)
        space = combine(room, *steps, rest=RHO * (BETA - LAM), given=("0 < rho",))
        yield space, "the log ratio at N = rho is at most rho beta"
        point = near(NORM, real(at_most(0, self.rise), "0 <= lam"), space, RHO)
        yield point, "and so it is for smaller N"
        mass, tail = part.assuming["ratio"], part.assuming["tail"]
        yield but_for(part.claim, self.shrunk, FACTOR, point, mass, tail), "larger N are rare"

    def _widened(self, part: Part) -> Iterator[Step]:
        uses = (real("0 <= beta - lam", "lam <= beta"), RHO), (real("0 <= rho - d", "d <= rho"), LAM)
        space = combine(at_most(0, BETA * RHO - DIM * LAM), *uses, given=("0 <= rho", "0 <= lam"))
        yield space, "the log ratio is largest at N = 0"
        point = everywhere(real(at_most(0, self.fall), "0 <= lam"), space, real("0 <= 0"))
        yield point, "so it is at most rho beta everywhere"
        yield always(part.claim, self.widened, FACTOR, point, 0, part.assuming["ratio"]), "for every set"

    def _small(self, part: Part) -> Iterator[Step]:
        space = real("0 <= d*(beta - lam)", "0 <= d", "lam <= beta")
        extra = real("0 <= beta*(d - rho)", "rho <= d", "0 <= beta")
        point = everywhere(real(at_most(0, self.fall), "0 <= lam"), space, extra)
        yield point, "1 - exp(-g) <= g, where the log ratio exceeds rho beta by at most g = beta (d - rho)"
        mass, limit = part.assuming["ratio"], known("beta*(d - rho) <= delta/2", part)
        yield always(part.claim, self.widened, FACTOR, point, extra.relation.right, mass, limit), "for every set"

    def rules(self) -> tuple[Part, Part]:
        """The two rules for beta: from a quantile rho >= d of N, and from rho = 2 (d + power x), x = ln(2/delta)."""
        (shrunk, *_), p = self.parts(), self.power
        return (
            Part(
                "quantile-rule",
                f"beta = eps/(2 rho), rho >= d: dilation by exp(lam) if eps <= 2 b d/{p} and exp(b) <= 1 + 2 b",
                claim=at_most(E(NORM, T), exp(EPS / 2) * E(self.shrunk, T) + DELTA / 2),
                given=self._conditions(1),
                assuming=shrunk.assuming,
                proof=self._by_quantile,
            ),
            Part(
                "explicit-rule",
                f"beta = eps/(4 (d + {p} x)), delta/2 = exp(-x): if eps <= 4 u d/{p} and exp(u) <= 1 + 3 u/2",
                claim=at_most(E(NORM, T), exp(EPS / 2) * E(self.shrunk, T) + exp(-X)),
                given=("0 <= lam", f"lam <= eps/(4*(d + {p}*x))", "0 < eps", "0 < d", "0 <= x", self._root(2)),
                assuming={"ratio": shrunk.assuming["ratio"], "moment": self.moment},
                proof=self._explicitly,
            ),
        )

    def _root(self, parts: int) -> Comparison:
        """exp(b) <= 1 + (1 + 1/parts) b at b = power eps/(2 d parts)."""
        b = self.power * EPS / (2 * DIM * parts)
        return at_most(exp(b), 1 + (1 + Fraction(1, parts)) * b)

    def _conditions(self, parts: int) -> tuple[str | Comparison, ...]:
        return "0 <= lam", "lam <= eps/(2*rho)", "0 < eps", "0 < d", f"{parts}*d <= rho", self._root(parts)

    def _rule(self, parts: int) -> Fact:
        """The part shrunk at beta = eps/(2 rho), where rho >= d parts: (exp(x) - 1 - x)/x**2 increases."""
        beta, share, given = EPS / (2 * RHO), DIM * parts / RHO, self._conditions(parts)
        more = real("exp(t*s) - 1 - t*s <= s**2*(exp(t) - 1 - t)", "0 <= s", "s <= 1", "0 <= t")
        more = under(more, *more.domain, "0 < d", "0 < rho")
        more = under(specialize(more, t=self.power * EPS / (2 * DIM * parts), s=share), *given)
        root = real(self._root(parts), self._root(parts), "0 < d")
        grown = combine(replace(relation(self.growth), {"beta": beta}), (more, RHO), (root, share**2 * RHO))
        fact = under(given_by(specialize(self.parts()[0].fact(), beta=beta), under(grown, *given)), *given)
        return combine(at_most(E(NORM, T), exp(EPS / 2) * E(self.shrunk, T) + DELTA / 2), fact)

    def _by_quantile(self, part: Part) -> Iterator[Step]:  # noqa: ARG002
        yield self._rule(1), "(exp(x) - 1 - x)/x**2 increases, so that the condition of shrunk holds"

    def _explicitly(self, part: Part) -> Iterator[Step]:
        p, moment, rho = self.power, part.assuming["moment"], 2 * (DIM + self.power * X)
        bound = chernoff(NORM, rho, Fraction(1, 2 * p), moment)
        yield bound, f"Chernoff at 1/{2 * p}"
        small = under(specialize(real("2**d*exp(-d) <= 1", "0 <= d"), d=DIM / p), "0 < d")
        scale = exp(-(DIM / p + X))
        rare = combine(at_most(E(far(NORM, rho), A), exp(-X)), bound, (moment, scale), (small, exp(-X)))
        yield rare, "(2/e)**(d/power) <= 1"
        rule = self._rule(2)
        rule = specialize(under(rule, *rule.domain, "0 < d", "0 <= x", "0 < rho"), rho=rho, delta=2 * exp(-X))
        yield rule, "(exp(x) - 1 - x)/x**2 increases, so that the condition of shrunk holds"
        yield discharge(under(rule, *part.given), rare), "this is a quantile"


def known(text: str | Comparison, part: Part, *where: str) -> Fact:
    """One of the relations that a part is given, defined where others hold."""
    if text not in part.given:
        raise Refused(f"the proof needs {text}, which is not given.")
    return real(text, text, *where)


def coordinates() -> Part:
    """Density ratios of independent coordinates multiply: R(k) that of the first k, C(k) a bound on its logarithm."""
    k = Symbol("k")

    def proof(part: Part) -> Iterator[Step]:
        so_far = assume(at_most(_first("R", k), exp(_first("C", k))))
        after = at_most(_first("R", k + 1), exp(_first("C", k + 1)))
        step = combine(after, part.assuming["next"], (so_far, exp(_first("C", k + 1) - _first("C", k))))
        yield induct(part.assuming["empty"], step, "k"), "one coordinate after the other"

    added = at_most(_first("R", k + 1), exp(_first("C", k + 1) - _first("C", k)) * _first("R", k))
    return Part(
        "product",
        "the ratio of the densities of k coordinates is at most exp(C(k)), where each adds to C",
        claim=at_most(_first("R", k), exp(_first("C", k))),
        given=(Whole("k", 0),),
        assuming={
            "empty": assume(at_most(_first("R", 0), exp(_first("C", 0)))),
            "next": assume(added, every="k"),
        },
        proof=proof,
    )


def _first(name: str, count: Real) -> Expr:
    return Quantity(name, (formula(count),))
