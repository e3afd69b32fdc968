"""A shift of one coordinate by all of the sensitivity is worst for Laplace noise, in any dimension.

Printed: not in the sources.
Proved: delta(eps) means E max(0, 1 - exp(eps - L)). (1) Let x be the noise of a coordinate,
    whatever its law, and |x + b| - |x| the loss of a shift by b: for a smaller shift p b, 0 <= p <=
    1, delta(eps) is no larger, at all eps >= 0. (2) If, given the output of one coordinate that is
    shifted by s, the others have at most the delta of one shift by a, at eps less the loss of that
    output, then all of them have at most the delta(eps) of one shift by a + s, for every eps = a +
    2z - s. (3) The shipped law of the loss is that of |x| - |x - s| for outputs x of density
    exp(-|x - s|)/2. Add the coordinates in the order of falling shifts: then s <= a, and for eps >=
    0 what (2) assumes is needed at values from -a on only. There it is the statement before: at
    values y >= 0 as it stands, and at -a <= y < 0 for the exchanged pair, as delta(y) = 1 - exp(y)
    + exp(y) delta'(-y).
Idea: (1) The loss is convex in the shift and 0 without one, so that the loss of the smaller shift
    is at most p times that of the larger one. (2) Integrate the largest delta of the other
    coordinates over the output of the last one; beyond z the integrand is 1 - exp(z - x), and the
    result 1 - exp(z - s) (1 + (s - z)/2), or with s/2 if z < 0.
Source: Dwork, McSherry, Nissim and Smith, Calibrating noise to sensitivity, for the mechanism; the
    statement is ours.
"""

from rdpacct.book.words import (
    Attack, Condition, Density, E, Expr, Fact, Falsehood, Formal, Fraction, Iterator, LEFT, Laplace,
    Law, RIGHT, Real, Refused, SimpleNamespace, Statement, Status, Step, Symbol, Theorem, Transform,
    Witness, absolute, around, assume, at_most, at_one_node, atoms_of, by_prover, cast, combine,
    equal, example, excess_is_finite, exp, expect, farther, formula, given_by, independent_of,
    integrable, integrate, laplace_delta, laplace_log_moment as log_moment,
    laplace_pair_LOSS as LOSS, laplace_pair_s as s, laplace_pair_x as x_,
    laplace_worst_pair as worst_pair, marginal, masses, maximum, on_pieces, one_node, random, real,
    specialize, tower,
)  # fmt: skip

x, b, p, eps, loss, a, z = (
    Symbol(name) for name in ("x", "b", "p", "eps", "loss", "a", "z")
)
NOISE = Law("N", ("x",))
OTHERS = Law("R", ("L",))
FAR = absolute(x + b) - absolute(x)
NEAR = absolute(p * (x + b) + (1 - p) * x) - absolute(x)
"""The loss of a shift by p b: x + p b is a mix of x + b and x."""
TOP, MIDDLE, BOTTOM = worst_pair(s).parts


def delta(one: Expr) -> Expr:
    """The mean excess of a loss over eps."""
    return E(NOISE, maximum(0, 1 - exp(eps - one)))


def proof(part: Statement) -> Iterator[Step]:  # noqa: ARG001
    """Outcome by outcome."""
    mix = real("abs(p*y + (1 - p)*z) <= p*abs(y) + (1 - p)*abs(z)", "0 <= p", "p <= 1")
    star = combine(at_most(NEAR, p * FAR), specialize(mix, y=x + b, z=x))
    yield star, "the absolute value is convex"
    yield (
        farther(NEAR, FAR, star, NOISE),
        "so the excess over eps is larger, and its mean",
    )


EXPONENT = (2 * z - s - Symbol("l")) / 2
EXCESS = maximum(0, 1 - exp(EXPONENT)).at(l=LOSS)
BEYOND, WHOLE = around(z), around()
"""Laws of the last coordinate: an output around s."""
AT = a + 2 * z - s
"""epsilon, written so that the outputs that count lie beyond z."""


def last(law: Density, given: tuple[str | Condition, ...]) -> Fact:
    """E of the gain over the last coordinate is at most 1 - exp(z - s), or 0 if no output
    counts.
    """
    w = exp(z - s)
    zero = formula(0)
    middle = 2 * x_ - s
    if law == BEYOND:
        on = on_pieces(
            law, EXPONENT, (-s, middle, middle, s), (False, False, True, True), *given
        )
        found: tuple[Expr, ...] = (zero, zero, LEFT - x_ * w / 2, -(1 - w) * RIGHT)
        rest = (s - z) * w / 2
    elif "z <= 0" in given:
        on = on_pieces(law, EXPONENT, (-s, middle, s), (True, True, True), *given)
        found = ((1 - exp(z)) * LEFT, LEFT - x_ * w / 2, -(1 - w) * RIGHT)
        rest = s * w / 2
    else:
        on = on_pieces(law, EXPONENT, (-s, middle, s), (False, False, False), *given)
        total = integrate(
            law, EXCESS, (zero, zero, zero), (LEFT, LEFT, -RIGHT), *given, on=on
        )
        return combine(at_most(E(law, EXCESS), 0), total)
    mass = (*(LEFT for _ in found[1:]), -RIGHT)
    total = integrate(law, EXCESS, found, mass, *given, on=on)
    return combine(at_most(E(law, EXCESS), 1 - w), total, rest=rest)


def coordinates(part: Statement) -> Iterator[Step]:
    """The other coordinates first, given the output of the last one."""
    hypothesis = part.assuming["others"]
    given = tuple(map(str, part.given))
    (atom,) = atoms_of(part.claim)
    law, body = atom.law, atom.body  # type: ignore[attr-defined]
    whole = excess_is_finite(AT - Symbol("L") - LOSS, law)
    joined = tower(law, body, "output", whole)
    yield joined, "given the last output"
    gain = excess_is_finite((2 * z - s - LOSS) / 2, law)
    outer = integrable(joined, E(law, E(law, body, "output")))
    over = expect(hypothesis, law, outer, gain)
    yield over, "the other coordinates have at most the delta of a shift by a"
    alone = marginal(law, law.second, EXCESS, gain)
    bound = last(law.second, given)
    yield bound, "integrated over the last one"
    top = bound.relation.right
    stated = real(equal(part.claim.right, top), *given)
    yield (
        combine(part.claim, joined, over, alone, bound, stated),
        "which is delta of a shift by a + s",
    )


def case(name: str, law: Density, *given: str | Condition) -> Statement:
    """Two coordinates, for one range of epsilon."""
    joint = independent_of(OTHERS, law)
    body = maximum(0, 1 - exp(AT - Symbol("L") - LOSS))
    return Statement(
        name,
        f"shifts by a and s in two coordinates against a + s in one, {given[-1]}",
        at_most(E(joint, body), laplace_delta(a + s, AT)),
        coordinates,
        given,
        {
            "others": assume(
                at_most(E(joint, body, "output"), laplace_delta(a, AT - LOSS))
            )
        },
        lambda: without_loss(body, PLACES[name]),
    )


PLACES: dict[str, Real] = {"near": Fraction(1, 2), "nearer": 0, "far": 1}
"""A value of z for each range of epsilon."""


def without_loss(body: Expr, at: Real) -> Witness:
    """Other coordinates whose loss is -10, for s = 1 and a = 0: none is left of it."""
    values: dict[str, Real] = {"s": 1, "a": 0, "z": at}
    left = body.at(L=-10, **values)
    right = laplace_delta(a, AT - LOSS).at(**values)
    room = (AT + 10 - LOSS).at(**values)
    small = specialize(real("max(0, 1 - exp(u)) <= 0", "0 <= u"), u=room)
    nothing = given_by(
        small,
        combine(
            at_most(0, room),
            real(at_most(LOSS.at(s=1), 1)),
            rest=formula(9) + 2 * formula(at) - 1,
        ),
    )
    least = real("0 <= max(0, w)")
    (inside,) = (one for one in right.parts() if one != formula(0))
    both = combine(at_most(left, right), nothing, specialize(least, w=inside))
    return Witness(example(values, {"R": [(-10, 1)]}), (both,))


def attack(seed: int) -> int:
    """Random noise on finitely many points, and two shifts."""
    rng = random.Random(seed)
    for _ in range(100):
        law = masses(rng, rng.randint(1, 5))
        points = [Fraction(rng.randint(-12, 12), 3) for _ in law]
        far = Fraction(rng.randint(-9, 9), 2)
        share = Fraction(rng.randint(0, 8), 8)
        level = Fraction(rng.randint(0, 9), 4)
        means = []
        for shift in (share * far, far):
            losses = [abs(x + shift) - abs(x) for x in points]
            gains = [
                mass * maximum(0, 1 - exp(level - one))
                for mass, one in zip(law, losses, strict=True)
            ]
            means.append(sum(gains, formula(0)))
        if (means[0] - means[1]).ball(96).certainly_positive():
            raise Refused(
                f"a shift by {share * far} is worse than one by {far} at {level}."
            )
    return 100


t = Symbol("t")
(LARGEST,) = Laplace.directions(cast(Laplace, SimpleNamespace(shift=Formal(s))))
COMPOSED = at_one_node(cast(Transform, LARGEST.transform).at(one_node(t, 0)))
"""The transform that composition is given, on the real line."""
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "the induction over the coordinates, in the order of falling shifts, and"
            " negative epsilons by exchanging the pair"
        ),
    ),
    parts=(
        Statement(
            "farther",
            "a smaller shift has a smaller delta",
            at_most(delta(NEAR), delta(FAR)),
            proof,
            ("0 <= p", "p <= 1", "eps >= 0"),
        ),
        case("near", BEYOND, "s > 0", "0 <= z", "z <= s"),
        case("nearer", WHOLE, "s > 0", "z <= 0"),
        case("far", WHOLE, "s > 0", "z >= s"),
        Statement(
            "density",
            "the shipped density of losses between",
            equal(MIDDLE.density, LEFT.at(output=(loss + s) / 2) / 2),  # type: ignore[attr-defined]
            by_prover("the loss 2x - s moves twice as fast as x"),
            (),
        ),
        Statement(
            "upper",
            "the shipped mass of the largest loss",
            equal(TOP.p, RIGHT.at(output=s)),  # type: ignore[attr-defined]
            by_prover("the integral of the density from s on"),
        ),
        Statement(
            "lower",
            "the shipped mass of the smallest loss",
            equal(BOTTOM.p, LEFT.at(output=0)),  # type: ignore[attr-defined]
            by_prover("the integral of the density up to 0"),
        ),
    ),
    sharp=(
        Statement(
            "composed",
            "what composition is given of the largest shift has the moments of its loss",
            equal(COMPOSED.re, exp(log_moment(s, t))),
            by_prover("sorted by 1/(2 t + 1)"),
            ("s > 0", "t > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "each outcome has a larger loss under the larger shift",
            at_most(NEAR.at(p=Fraction(1, 2)), FAR),
            ("b > 0",),
        ),
    ),
    attacks=(Attack("random finite laws of the noise", attack),),
    rules=(worst_pair, Laplace.directions),
)
