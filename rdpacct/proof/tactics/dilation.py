"""Noise that is dilated: how far the log density moves, and how often it moves farther."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import erf, exp, normal_density, sqrt
from rdpacct.proof.claim import Comparison
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Stretch,
    Whole,
    assume,
    at_most,
    cases,
    chain,
    combine,
    discharge,
    dominated,
    equal,
    expect,
    given_by,
    integrable,
    integrate,
    linear,
    real,
    relation,
    relations,
    specialize,
    tilted,
    under,
)
from rdpacct.proof.kernel.terms import replace
from rdpacct.proof.tactics.sequences import one_by_one, renewed
from rdpacct.proof.tactics.smooth import (
    A,
    N,
    T,
    always,
    but_for,
    chernoff,
    everywhere,
    far,
    known,
    near,
)
from rdpacct.proof.theorem import Statement, Step
from rdpacct.proof.witness import Witness

BETA, LAM, RHO, DIM, EPS, DELTA, X = map(
    Symbol, ("beta", "lam", "rho", "d", "eps", "delta", "x")
)
FACTOR = exp(BETA * RHO)
"""exp(eps/2), for eps = 2 rho beta."""


WHOLE = Whole("d", 0)
z = Symbol("z")
NORMAL = Density("Normal", ("z",), (), (Stretch(None, None, normal_density(z, 0, 1)),))
SIZES = Density(
    "Exp", ("z",), relations("0 <= z"), (Stretch(formula(0), None, exp(-z)),)
)
"""One coordinate of normal noise, and the size of one of Laplace noise."""


class Dilation:
    """Noise in d dimensions with a density that falls like exp(-N/power), when it is dilated: N is
    the sum of the sizes of Laplace noise (1), or of the squares of normal noise (2).

    Under dilation by exp(lam) the log density changes by (exp(power lam) - 1) N/power - d lam. The
    law has d coordinates; T is a set that the noise may lie in, or a test.
    """

    def __init__(self, power: int) -> None:
        self.power = power
        self.one = {1: SIZES, 2: NORMAL}[power]
        self.law = chain(
            "P",
            {"N": (0, N + z**power)},
            self.one,
            DIM,
            relations("0 <= N", "0 <= T", "T <= 1"),
            beside=("T",),
        )
        self.growth = f"(exp({power}*beta) - 1)*rho <= {power}*(rho + d)*beta"
        rise = (exp(power * LAM) - 1) / power
        fall = (1 - exp(-power * LAM)) / power
        self.rise = rise
        self.fall = fall
        self.shrunk = tilted("Shrunk", self.law, exp(DIM * LAM - rise * N))
        self.widened = tilted("Widened", self.law, exp(fall * N - DIM * LAM))
        self.tail = assume(at_most(E(far(self.law, RHO), A), DELTA / 2))

    def coordinates(self) -> tuple[Statement, ...]:
        """The means that the proofs rest on, in d dimensions: Chernoff's, and those of the density
        ratios.
        """
        moment = equal(
            E(self.law, exp(N / (2 * self.power))), formula(2) ** (DIM / self.power)
        )
        return (
            Statement(
                "moment",
                f"E exp(N/{2 * self.power}) in d dimensions",
                moment,
                self._moment,
                (WHOLE,),
            ),
            *(
                Statement(
                    f"{name} density",
                    f"the density ratio of the {name} noise has mean 1 in d dimensions",
                    equal(E(self.law, law.ratio), 1),
                    self._ratio,
                    (WHOLE,),
                )
                for name, law in (("shrunk", self.shrunk), ("widened", self.widened))
            ),
        )

    def _one(self, rate: Expr, value: Expr, scale: Expr) -> Fact:
        """E exp(rate z**power) == value in one coordinate, where exp(rate z**power) times the
        density is a density of scale ``scale``, times the value.
        """
        if self.power == 1:
            mass: Expr = -exp(-z)
            weighted_mass: Expr = -value * exp(-z / scale)
        else:
            mass = erf(z / sqrt(2)) / 2
            weighted_mass = value * erf(z / scale / sqrt(2)) / 2
        mean = integrate(self.one, exp(rate * z**self.power), (weighted_mass,), (mass,))
        return combine(equal(mean.relation.left, value), mean)

    def _all(self, rate: Expr, value: Expr, scale: Expr, whole: Expr) -> Fact:
        """E exp(rate N) == whole in d dimensions, from one coordinate."""
        each = renewed(self.law, self._one(rate, value, scale))
        claim = equal(E(self.law, exp(rate * N)), whole)
        factor = exp(rate * z**self.power)
        return list(one_by_one(claim, self.law, factor, each, name="d"))[-1][0]

    def _moment(self, part: Statement) -> Iterator[Step]:
        rate = formula(Fraction(1, 2 * self.power))
        value = formula(2) ** Fraction(1, self.power)
        yield (
            self._all(rate, value, value, part.claim.right),
            "one coordinate after the other",
        )

    def _ratio(self, part: Statement) -> Iterator[Step]:
        shrunk = part.name == "shrunk density"
        rate = -self.rise if shrunk else self.fall
        turn = -LAM if shrunk else LAM
        mean = self._all(rate, exp(turn), exp(turn), exp(DIM * turn))
        yield mean, "one coordinate after the other"
        body = exp(rate * N)
        ratio = (self.shrunk if shrunk else self.widened).ratio
        scaled = linear(
            self.law,
            ratio,
            {body: exp(-DIM * turn)},
            integrable(mean, E(self.law, body)),
        )
        yield combine(part.claim, scaled, (mean, exp(-DIM * turn))), "times exp(d lam)"

    def _mean(self, name: str) -> Fact:
        (part,) = (
            coordinate for coordinate in self.coordinates() if coordinate.name == name
        )
        return part.fact()

    def parts(self) -> tuple[Statement, Statement, Statement]:
        """Dilation by exp(lam) and by exp(-lam), 0 <= lam <= beta, with eps = 2 rho beta and P(N >
        rho) <= delta/2.
        """
        order = "0 <= lam", "lam <= beta"
        return (
            Statement(
                "shrunk",
                "dilation by exp(lam), 0 <= lam <= beta, eps = 2 rho beta: E[T] <="
                " exp(eps/2) E'[T] + delta/2",
                claim=at_most(E(self.law, T), FACTOR * E(self.shrunk, T) + DELTA / 2),
                given=(*order, "0 < beta", "0 < rho", self.growth, WHOLE),
                assuming={"tail": self.tail},
                proof=self._shrunk,
                witness=self._whole_tail({"beta": Fraction(1, 2)}),
            ),
            Statement(
                "widened",
                "dilation by exp(-lam), d <= rho: E[T] <= exp(eps/2) E'[T]",
                claim=at_most(E(self.law, T), FACTOR * E(self.widened, T)),
                given=(*order, "0 <= rho", "d <= rho", WHOLE),
                proof=self._widened,
            ),
            Statement(
                "small-quantile",
                "dilation by exp(-lam), rho <= d: E[T] <= exp(eps/2) E'[T] + delta/2",
                claim=at_most(E(self.law, T), FACTOR * E(self.widened, T) + DELTA / 2),
                given=(
                    *order,
                    "0 <= d",
                    "rho <= d",
                    "0 <= beta",
                    "beta*(d - rho) <= delta/2",
                    WHOLE,
                ),
                proof=self._small,
            ),
        )

    def _whole_tail(self, values: dict[str, Real]) -> Callable[[], Witness]:
        """An instance with delta = 2, where P(N > rho) <= delta/2 for every rho."""

        def found() -> Witness:
            split = far(self.law, RHO)
            most = cases(split, at_most(A, 1))
            flag = dominated(most, split, lower=cases(split, at_most(0, A)))
            numbers = {"d": 1, "rho": 1, "lam": 0, "delta": 2, **values}
            return Witness(example(numbers), (expect(most, split, flag),))

        return found

    def _shrunk(self, part: Statement) -> Iterator[Step]:
        chord = real(
            "exp(lam) - 1 <= lam/beta*(exp(beta) - 1)",
            "0 <= lam",
            "lam <= beta",
            "0 < beta",
        )
        chord = under(
            specialize(chord, lam=self.power * LAM, beta=self.power * BETA),
            *part.given[:3],
        )
        yield chord, "the chord of exp"
        room = at_most(0, BETA * RHO + DIM * LAM - self.rise * RHO)
        steps = (
            (chord, RHO / self.power),
            (
                known(self.growth, part),
                LAM / BETA / self.power,
            ),
        )
        space = combine(room, *steps, rest=RHO * (BETA - LAM), given=("0 < rho",))
        yield space, "the log ratio at N = rho is at most rho beta"
        point = near(self.law, real(at_most(0, self.rise), "0 <= lam"), space, RHO)
        yield point, "and so it is for smaller N"
        mass = self._mean("shrunk density")
        yield mass, "the density ratio has mean 1"
        tail = part.assuming["tail"]
        yield (
            but_for(part.claim, self.shrunk, FACTOR, point, mass, tail),
            "larger N are rare",
        )

    def _widened(self, part: Statement) -> Iterator[Step]:
        uses = (
            (real("0 <= beta - lam", "lam <= beta"), RHO),
            (
                real("0 <= rho - d", "d <= rho"),
                LAM,
            ),
        )
        space = combine(
            at_most(0, BETA * RHO - DIM * LAM), *uses, given=("0 <= rho", "0 <= lam")
        )
        yield space, "the log ratio is largest at N = 0"
        point = everywhere(
            real(at_most(0, self.fall), "0 <= lam"), space, real("0 <= 0")
        )
        yield point, "so it is at most rho beta everywhere"
        yield (
            always(
                part.claim,
                self.widened,
                FACTOR,
                point,
                0,
                self._mean("widened density"),
            ),
            "for every set",
        )

    def _small(self, part: Statement) -> Iterator[Step]:
        space = real("0 <= d*(beta - lam)", "0 <= d", "lam <= beta")
        extra = real("0 <= beta*(d - rho)", "rho <= d", "0 <= beta")
        point = everywhere(real(at_most(0, self.fall), "0 <= lam"), space, extra)
        yield (
            point,
            (
                "1 - exp(-g) <= g, where the log ratio exceeds rho beta by at most g ="
                " beta (d - rho)"
            ),
        )
        mass = self._mean("widened density")
        limit = known("beta*(d - rho) <= delta/2", part)
        yield (
            always(
                part.claim,
                self.widened,
                FACTOR,
                point,
                extra.relation.right,
                mass,
                limit,
            ),
            "for every set",
        )

    def rules(self) -> tuple[Statement, Statement]:
        """The two rules for beta: from a quantile rho >= d of N, and from rho = 2 (d + power x), x
        = ln(2/delta).
        """
        (shrunk, *_), p = self.parts(), self.power
        return (
            Statement(
                "quantile-rule",
                "beta = eps/(2 rho), rho >= d: dilation by exp(lam) if eps <= 2 b"
                f" d/{p} and exp(b) <= 1 + 2 b",
                claim=at_most(
                    E(self.law, T), exp(EPS / 2) * E(self.shrunk, T) + DELTA / 2
                ),
                given=self._conditions(1),
                assuming=shrunk.assuming,
                proof=self._by_quantile,
                witness=self._whole_tail({"eps": 1}),
            ),
            Statement(
                "explicit-rule",
                f"beta = eps/(4 (d + {p} x)), delta/2 = exp(-x): if eps <= 4 u d/{p}"
                " and exp(u) <= 1 + 3 u/2",
                claim=at_most(
                    E(self.law, T), exp(EPS / 2) * E(self.shrunk, T) + exp(-X)
                ),
                given=(
                    "0 <= lam",
                    f"lam <= eps/(4*(d + {p}*x))",
                    "0 < eps",
                    "0 < d",
                    "0 <= x",
                    self._root(2),
                    WHOLE,
                ),
                proof=self._explicitly,
                witness=example(
                    {"lam": 0, "d": 1, "x": 0, "eps": "1/2"},
                    {"P": [(("2*log(2)", 0), 1)]},
                ),
            ),
        )

    def _root(self, parts: int) -> Comparison:
        """exp(b) <= 1 + (1 + 1/parts) b at b = power eps/(2 d parts)."""
        b = self.power * EPS / (2 * DIM * parts)
        return at_most(exp(b), 1 + (1 + Fraction(1, parts)) * b)

    def _conditions(self, parts: int) -> tuple[str | Condition, ...]:
        return (
            "0 <= lam",
            "lam <= eps/(2*rho)",
            "0 < eps",
            "0 < d",
            f"{parts}*d <= rho",
            self._root(parts),
            WHOLE,
        )

    def _rule(self, parts: int) -> Fact:
        """The part shrunk at beta = eps/(2 rho), where rho >= d parts: (exp(x) - 1 - x)/x**2
        increases.
        """
        beta = EPS / (2 * RHO)
        share = DIM * parts / RHO
        given = self._conditions(parts)
        more = real(
            "exp(t*s) - 1 - t*s <= s**2*(exp(t) - 1 - t)", "0 <= s", "s <= 1", "0 <= t"
        )
        more = under(more, *more.domain, "0 < d", "0 < rho")
        more = under(
            specialize(more, t=self.power * EPS / (2 * DIM * parts), s=share), *given
        )
        root = real(self._root(parts), self._root(parts), "0 < d")
        grown = combine(
            replace(relation(self.growth), {"beta": beta}),
            (more, RHO),
            (root, share**2 * RHO),
        )
        fact = under(
            given_by(
                specialize(self.parts()[0].fact(), beta=beta), under(grown, *given)
            ),
            *given,
        )
        return combine(
            at_most(E(self.law, T), exp(EPS / 2) * E(self.shrunk, T) + DELTA / 2), fact
        )

    def _by_quantile(self, part: Statement) -> Iterator[Step]:  # noqa: ARG002
        yield (
            self._rule(1),
            "(exp(x) - 1 - x)/x**2 increases, so that the condition of shrunk holds",
        )

    def _explicitly(self, part: Statement) -> Iterator[Step]:
        p = self.power
        moment = self._mean("moment")
        yield moment, "the moment of the noise"
        rho = 2 * (DIM + self.power * X)
        bound = chernoff(self.law, rho, Fraction(1, 2 * p), moment)
        yield bound, f"Chernoff at 1/{2 * p}"
        small = under(
            specialize(real("2**d*exp(-d) <= 1", "0 <= d"), d=DIM / p), "0 < d"
        )
        scale = exp(-(DIM / p + X))
        rare = combine(
            at_most(E(far(self.law, rho), A), exp(-X)),
            bound,
            (moment, scale),
            (small, exp(-X)),
        )
        yield rare, "(2/e)**(d/power) <= 1"
        rule = self._rule(2)
        rule = specialize(
            under(rule, *rule.domain, "0 < d", "0 <= x", "0 < rho"),
            rho=rho,
            delta=2 * exp(-X),
        )
        yield (
            rule,
            "(exp(x) - 1 - x)/x**2 increases, so that the condition of shrunk holds",
        )
        yield discharge(under(rule, *part.given), rare), "this is a quantile"
