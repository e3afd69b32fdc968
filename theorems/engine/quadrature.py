"""The trapezoid rule on a vertical line: the profile of a sum of losses, and nothing but
nonnegative aliases.

Printed: not in the sources
Proved: Let z = t + i theta at the nodes theta = 2 pi m/W. For a loss L with L - eps = j W + x, 0 <=
    x <= W, the sum of exp(t j W) (1 - exp(eps + j W - L))_+ over all j is exp(t (L - eps)) f(x),
    with the f of engine/periodic-sum, and f(x) is within the shipped truncation(1, 2 pi N/W) of the
    nodes up to N. On the average over L, a node contributes Re M(z) exp(-z eps)/(z (z + 1)), with
    the real and imaginary parts that the shipped code has, and what is missing is at most M(t)
    exp(-t eps) times that distance. In the limit, (1/W) sum over m of M(z) exp(-z eps)/(z (z + 1))
    is the sum over j of exp(t j W) g(eps + j W), whose terms are not negative: g(eps) lies between
    the sum less the bounds on the aliases and the sum, as the shipped enclosure says.
Idea: Poisson summation, done for each value of the loss.
Source: Stein and Shakarchi (2003), Fourier Analysis, for the inversion; Abate and Whitt (1992) for
    the method.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from rdpacct.composition.quadrature import enclosure, line_of, sum_at_least
from rdpacct.composition.terms import Terms
from rdpacct.composition.tilt import Tilt
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import absolute, cos, exp, sin
from rdpacct.exact.raw import real as ball
from rdpacct.mechanisms.gaussian.gaussian_curve import GaussianCurve
from rdpacct.mechanisms.gaussian.gaussian_transform import GaussianTransform
from rdpacct.privacy.constants import value
from rdpacct.proof.entries import lemma, module
from rdpacct.proof.kernel import (
    E,
    Law,
    Refused,
    assume,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    integrable,
    linear,
    real,
)
from rdpacct.proof.kernel.terms import relations
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

FIRST = module("engine/periodic-sum")
t = FIRST.t
theta = FIRST.theta
u = FIRST.u
T = FIRST.T
SQUARE = FIRST.SQUARE
SLANT = FIRST.SLANT
WAVES = FIRST.WAVES


def quoted(name: str) -> Statement:
    """A part of engine/periodic-sum."""

    def proof(part: Statement) -> Iterator[Step]:
        yield lemma("engine/periodic-sum", part.name), "engine/periodic-sum"

    stated: Statement = FIRST.side(name)
    return replace(stated, proof=proof)


def one_node(part: Statement) -> Iterator[Step]:
    """The waves of L - eps in those of L and of eps."""
    size = integrable(part.assuming["moment"], E(P, F * exp(t * L)))
    bodies = [F * exp(t * L) * wave(theta * L) for wave in WAVES.values()]
    bounds = [
        real(at_most(absolute(body), F * exp(t * L)), "0 <= F") for body in bodies
    ]
    shrink = exp(-t * eps) / (SQUARE**2 + SLANT**2)
    first = shrink * (SQUARE * cos(theta * eps) - SLANT * sin(theta * eps))
    second = shrink * (SQUARE * sin(theta * eps) + SLANT * cos(theta * eps))
    finite = [dominated(bound, P, size) for bound in bounds]
    both = linear(
        P,
        TURNED,
        dict(zip(bodies, (first, second), strict=True)),
        *finite,
        where=part.given,
    )
    yield both, "the waves of a difference"
    yield combine(part.claim, both), "the real part of a product"


P = Law("P", ("L", "F"), relations("0 <= F <= 1"))
L, F, S, V, eps, m, s, a, b, delta, low, high = (
    Symbol(name)
    for name in ("L", "F", "S", "V", "eps", "m", "s", "a", "b", "delta", "low", "high")
)
TURNED = (
    F
    * exp(t * (L - eps))
    * (SQUARE * cos(theta * (L - eps)) + SLANT * sin(theta * (L - eps)))
)
TURNED = TURNED / (SQUARE**2 + SLANT**2)
REAL, IMAGINARY = (E(P, F * exp(t * L) * wave(theta * L)) for wave in WAVES.values())
COSINE = REAL * cos(theta * eps) + IMAGINARY * sin(theta * eps)
SINE = IMAGINARY * cos(theta * eps) - REAL * sin(theta * eps)
"""The real and the imaginary part of M(z) exp(-i theta eps)."""
NEAR = Law(
    "P",
    ("L", "F", "V", "S"),
    relations("0 <= F <= 1", "0 <= V", "V - S <= T", "S - V <= T"),
)
ALL = F * exp(t * (L - eps)) * V
NODES = F * exp(t * (L - eps)) * S


def on_average(part: Statement) -> Iterator[Step]:
    """A pointwise bound, times exp(t (L - eps)), on the average."""
    weight = F * exp(t * (L - eps))
    moment = part.assuming["moment"]
    scaled = linear(
        NEAR,
        weight,
        {F * exp(t * L): exp(-t * eps)},
        integrable(moment, E(NEAR, F * exp(t * L))),
    )
    pieces = (
        integrable(part.assuming["nodes"], E(NEAR, NODES)),
        integrable(scaled, E(NEAR, weight)),
    )
    room = {
        sign: linear(
            NEAR, NODES + sign * T * weight, {NODES: 1, weight: sign * T}, *pieces
        )
        for sign in (1, -1)
    }
    ends = {
        sign: integrable(found, E(NEAR, NODES + sign * T * weight))
        for sign, found in room.items()
    }
    upper = combine(
        at_most(ALL, NODES + T * weight),
        (real("V - S <= T", "V - S <= T"), weight),
        given=("0 <= F",),
    )
    lower = combine(
        at_most(NODES - T * weight, ALL),
        (real("S - V <= T", "S - V <= T"), weight),
        given=("0 <= F",),
    )
    finite = dominated(
        upper, NEAR, ends[1], lower=real(at_most(0, ALL), "0 <= F", "0 <= V")
    )
    above = part.name == "average above"
    mean = (
        expect(upper, NEAR, finite, ends[1])
        if above
        else expect(lower, NEAR, ends[-1], finite)
    )
    yield mean, "on the average"
    sign = 1 if above else -1
    uses = (
        (room[sign], sign),
        (scaled, T),
        (part.assuming["nodes"], sign),
        (moment, T * exp(-t * eps)),
    )
    yield combine(part.claim, mean, *uses), "M(t) is exp(m)"


AVERAGE = {
    "moment": assume(equal(E(NEAR, F * exp(t * L)), exp(m))),
    "nodes": assume(equal(E(NEAR, NODES), s)),
}


def aliases_only(part: Statement) -> Iterator[Step]:
    """The sum is the profile and its aliases."""
    whole = part.assuming["sum"]
    sides = [part.assuming[name] for name in ("below", "above")]
    yield (
        combine(part.claim, (whole, 1 if part.name == "at least" else -1), *sides),
        "the aliases on both sides",
    )


def gaussians(seed: int) -> int:
    """The enclosure of one Gaussian loss by random lines, against its closed form, in balls."""
    rng = random.Random(seed)
    tried = 0
    with precision(120):
        for _ in range(12):
            transform = GaussianTransform(formula(Fraction(rng.randint(2, 60), 10)))
            tilt = rng.uniform(0.2, 4)
            level = rng.uniform(-1, 6)
            second = tilt * rng.uniform(1.05, 3)
            plan = Tilt(
                tilt,
                second,
                rng.uniform(3, 30),
                rng.randint(3, 40),
                level,
                frozenset({0}),
                30.0,
            )
            found = line_of(Terms.of([(transform, 1)]), plan).enclosure(ball(level))
            exact = GaussianCurve(value(transform.square).sqrt()).enclosure(ball(level))
            if not found.overlaps(exact):
                raise Refused(f"{plan} encloses {exact} in {found}.")
            tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        *map(quoted, ("above", "below")),
        Statement(
            "node",
            "on the average over L a node contributes Re M(z) exp(-z eps)/(z (z + 1))",
            equal(
                E(P, TURNED),
                exp(-t * eps)
                * (SQUARE * COSINE + SLANT * SINE)
                / (SQUARE**2 + SLANT**2),
            ),
            one_node,
            ("0 < t",),
            {"moment": assume(equal(E(P, F * exp(t * L)), exp(m)))},
        ),
        Statement(
            "average above",
            "if f and the nodes are within T for every loss, then on the average within"
            " M(t) exp(-t eps) T",
            at_most(E(NEAR, ALL), s + T * exp(m - t * eps)),
            on_average,
            (),
            AVERAGE,
        ),
        Statement(
            "average below",
            "the same from below",
            at_most(s - T * exp(m - t * eps), E(NEAR, ALL)),
            on_average,
            (),
            AVERAGE,
        ),
        Statement(
            "at least",
            "the sum s less the bounds a and b on the aliases is at most delta",
            at_most(s - (a + b), delta),
            aliases_only,
            (),
            {
                "sum": assume(equal(s, delta + low + high)),
                "below": assume(at_most(low, a)),
                "above": assume(at_most(high, b)),
            },
        ),
        Statement(
            "at most",
            "delta is at most the sum, because no alias is negative",
            at_most(delta, s),
            aliases_only,
            (),
            {
                "sum": assume(equal(s, delta + low + high)),
                "below": assume(at_most(0, low)),
                "above": assume(at_most(0, high)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the sum is at most the profile: for a loss that is always eps + u, at most"
            " 1 - exp(-u)",
            at_most(exp(t * u) * FIRST.PERIODIC, 1 - exp(-u)),
            (*FIRST.ORDER, "0 <= u", "u <= W"),
        ),
    ),
    attacks=(
        Attack(
            "Gaussian losses with random lines, against the closed form, in balls",
            gaussians,
        ),
    ),
    in_words=(
        (
            "with L - eps = j W + x, the waves at x are those at L - eps, and exp(t j"
            " W) exp(t x) = exp(t (L - eps))"
        ),
        "the nodes up to N add up on the average, each as in `node`",
        (
            "sums of terms that are not negative may be exchanged with the mean over L,"
            " and N and n grow without bound"
        ),
    ),
    rules=(enclosure, sum_at_least),
)
