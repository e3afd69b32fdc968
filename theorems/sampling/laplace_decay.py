"""How the transform of a sampled Laplace loss falls along a line.

Printed: not in the sources
Proved: In the notation of sampling/laplace-transform let L = log R(l), 0 < q < 1, and g = exp((a +
    1) L - (l + mu)/2 - l)/(4 q), which is exp(a L) times the density of L under Q. The slope of g
    along l has the sign of (2 a - 1) q exp(l) - 3 (1 - q), which changes once at most, from below:
    g falls and then rises, and its variation is at most g(low) + g(high). By parts, the integral of
    g exp(i theta L) is at most (g(low) + g(high) + variation)/theta in modulus, theta > 0. So
    |M(a + i theta)| is at most the two atoms plus 2 (g(low) + g(high))/theta, which falls with
    theta; and at most M(a).
Idea: Integration by parts; the projection of a complex number on its own direction is its modulus.
Source: elementary.
"""

from rdpacct.book.words import (
    ANGLE, Atom, Attack, BOUND, DENSITY, Decay, E, ENDS, Expr, Falsehood, Formal, Fraction,
    Iterator, LOSS, MASS, Nodes, Piece, RATE, Refused, SAMPLED, SampledLaplaceTransform, Statement,
    Status, Step, Symbol, TURNING, Theorem, UNIFORM, WEIGHT, Witness, absolute, assume, at_most,
    by_prover, combine, cos, declared, derivative, equal, example, exp, formula, formulas, given_by,
    integrate, laplace_worst_pair as worst_pair, minimum, parts_LOSS as SHIPPED_LOSS,
    positive_bound, precision, random, raw_real as exactly, read, real, sin, smaller, specialize,
    transform, under, valley_SLOPE as SLOPE, variation,
)  # fmt: skip

q, a, mu, x, theta, v, t, m = map(Symbol, ("q", "a", "mu", "x", "theta", "v", "t", "m"))
first, last, more = map(Symbol, ("first", "last", "more"))
HIGH, LOW = (one for one in worst_pair(mu).parts if isinstance(one, Atom))
(STRETCH,) = (one for one in worst_pair(mu).parts if isinstance(one, Piece))
SQUARE = transform(cos(ANGLE)) ** 2 + transform(sin(ANGLE)) ** 2
"""Of the modulus of M(a + i theta)."""


def falls_and_rises(part: Statement) -> Iterator[Step]:
    """On the stretches on which the slope has one sign."""
    found = variation()
    yield found, "where the slope is of one sign the modulus has an antiderivative"
    yield combine(part.claim, (found, 2 * mu), given=SAMPLED), "over all losses"


def decays(part: Statement) -> Iterator[Step]:
    """By parts, in every direction; then in that of the transform itself."""
    decay = Decay(part.assuming["on the axis"])
    slope = variation()
    yield slope, "the variation of g"
    inside = decay.by_parts(slope)
    yield inside, "by parts, projected on a direction"
    far = decay.square(decay.direction(inside, BOUND), BOUND, positive_bound())
    yield far, "with the atoms, in the direction of the transform"
    near = decay.square(decay.direction(decay.on_the_axis(), m), m)
    yield near, "the modulus of a mean is at most the mean of the modulus"
    known = (*TURNING, "0 < m")
    yield smaller(under(far, *known), under(near, *known), BOUND, m), "the smaller"


def no_power() -> Witness:
    """a = 0, where the weight is the density."""
    place = {"a": formula(0), "mu": formula(1), "q": formula(Fraction(1, 2))}
    law = UNIFORM.at(**place)
    body = WEIGHT.at(**place)
    grown = -exp(-(x + 1) / 2) / 4
    found = integrate(law, body, (grown,), (MASS.at(**place),))
    value = transform(formula(1)).at(**place)
    fact = combine(equal(value, 1), (found, 2))
    return Witness(example({**place, "theta": 1, "m": 1}), (fact,))


def lines(seed: int) -> int:
    """The shipped bound against the shipped transform at random points of random lines, in
    balls.
    """
    rng = random.Random(seed)
    with precision(128):
        for _ in range(10):
            shift = formula(Fraction(rng.randint(2, 30), 10))
            rate = formula(Fraction(rng.randint(1, 19), 20))
            transform = SampledLaplaceTransform(shift, rate, rng.random() < 0.5)
            tilt = exactly(Fraction(rng.randint(1, 50), 10))
            step = exactly(Fraction(rng.randint(1, 90), 10))
            values = transform.at(Nodes(tilt, step, 6), 40.0)
            for start in range(1, 6):
                most = transform.decay(tilt, step * start, values[0].real)
                if any(abs(value) > most for value in values[start:]):
                    raise Refused(
                        f"the transform of {transform} exceeds its bound at {tilt} +"
                        f" {step * start} i."
                    )
    return 10


MOMENT = Symbol("moment")


def same_bound(part: Statement) -> Iterator[Step]:
    """The same formula, beside the moment."""
    found = part.claim.left.parts()[0]
    bound = part.claim.right.parts()[0]
    same = real(equal(found, bound), *part.given)
    yield same, "the same formula"
    rule = real("min(u, moment) == min(v, moment)", "u == v")
    here = specialize(under(rule, "u == v", *part.given), u=found, v=bound)
    yield given_by(here, same), "the smaller of it and the moment"


def shipped(removing: bool) -> Expr:
    """What is shipped, for the moment at the tilt."""
    pair = declared(Formal(mu)), declared(Formal(q))
    transform_ = SampledLaplaceTransform(*pair, removing)
    tilt, height, moment = formulas(t, theta, MOMENT)
    return read(transform_.decay(tilt, height, moment))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "law",
            "exp(a L) times the density of the shipped loss under Q",
            equal(
                exp(a * LOSS) * (STRETCH.density * exp(-SHIPPED_LOSS)).at(loss=x),
                WEIGHT,
            ),
            by_prover("as it stands"),
            RATE,
        ),
        *(
            Statement(
                name,
                f"and the mass of its atom at {end}",
                equal(atom.q, mass),
                by_prover("as it stands"),
            )
            for name, end, atom, mass in (
                ("atom", mu, HIGH, exp(-mu) / 2),
                ("other-atom", -mu, LOW, formula(Fraction(1, 2))),
            )
        ),
        Statement(
            "density",
            "g is exp(a L) times the density of L under Q",
            equal(DENSITY * derivative(LOSS, "x"), WEIGHT),
            by_prover("the substitution rule"),
            RATE,
        ),
        Statement(
            "slope",
            "the slope of g along l",
            equal(derivative(DENSITY, "x"), SLOPE),
            by_prover("as it stands"),
            RATE,
        ),
        Statement(
            "variation",
            "the variation of g between the atoms, U being uniform there",
            at_most(2 * mu * E(UNIFORM, absolute(SLOPE)), ENDS),
            falls_and_rises,
            SAMPLED,
        ),
        Statement(
            "decay",
            "the square of |M(a + i theta)|, of the atoms and the integral between them,"
            " for M(a) = m",
            at_most(SQUARE, minimum(BOUND, m) ** 2),
            decays,
            (*TURNING, "0 < m"),
            {"on the axis": assume(equal(transform(formula(1)), m))},
            no_power,
        ),
        *(
            Statement(
                name,
                f"the shipped bound where the record is {name}, a = {power}, is this"
                " one, or the moment itself if that is smaller",
                equal(shipped(name == "removed"), minimum(BOUND.at(a=power), MOMENT)),
                same_bound,
                (*RATE, "theta > 0"),
            )
            for name, power in (("removed", 1 + t), ("added", -t))
        ),
        Statement(
            "falls",
            "the bound falls with theta",
            at_most(first / more, first / theta),
            by_prover("as it stands"),
            ("theta > 0", "theta <= more", "first >= 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "g(low) + g(high) over theta suffices, here for the growth of a rising g",
            at_most(last * (sin(v) + 1), last),
            ("last >= 0", "0 <= v", "v <= 1"),
        ),
    ),
    attacks=(
        Attack("the shipped bound against the shipped transform, in balls", lines),
    ),
    rules=(SampledLaplaceTransform.decay,),
)
