"""A larger move is worse, for every noise whose density falls with the distance from 0.

Printed: not in the sources.
Proved: Let the noise have density g(|x|), with g >= 0 that never rises. For moves 0 <= d <= b and
    every eps >= 0, the hockey stick of the noise against the noise moved by d is at most that of
    the noise against the noise moved by b. Densities are taken relative to any law, with a weight
    h. The density may have jumps, as on a staircase, and may be 0 from some distance on.
Idea: Where the noise is likelier than the moved one, x < d/2, and there a larger move is farther
    away.
Source: ours; for Laplace noise it is a part of laplace/worst-pair.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Quantity, Random, Refused, Statement,
    Status, Step, Symbol, Theorem, absolute, assume, at_most, combine, dominated, either, equal,
    example, exp, expect, given_by, integrable, maximum, pairwise, real, relations, specialize,
    under, worst_move,
)  # fmt: skip

x, y, z, h, d, b, eps = (Symbol(name) for name in ("x", "y", "z", "h", "d", "b", "eps"))
M = Law("M", ("x", "h"), relations("0 <= h"))
GIVEN = ("0 <= d", "d <= b", "eps >= 0")


def density(distance: Expr) -> Expr:
    """The density of the noise at a distance from its center."""
    return Quantity("g", (distance,))


def stick(move: Expr) -> Expr:
    """How much the noise exceeds exp(eps) times the moved one, at one place."""
    return maximum(0, density(absolute(x)) - exp(eps) * density(absolute(x - move)))


HYPOTHESES = {
    "falls": assume(
        at_most(density(z), density(y)), "0 <= y", "y <= z", every=("y", "z")
    ),
    "positive": assume(at_most(0, density(y)), "0 <= y", every="y"),
    "mass": assume(equal(E(M, h * density(absolute(x))), 1)),
}


def farther_away() -> Fact:
    """Before d/2 the larger move is the farther one."""
    on_one_side = specialize(
        real("abs(y) <= abs(z)", "z <= y", "y <= 0"), y=x - d, z=x - b
    )
    before = ("2*x <= d", "0 <= d", "d <= b")
    return given_by(
        on_one_side, real("x - b <= x - d", "d <= b"), real("x - d <= 0", *before)
    )


def pointwise(part: Statement) -> Fact:
    """At each place, the excess of the smaller move is at most that of the larger one."""
    falls = part.assuming["falls"]
    positive = part.assuming["positive"]
    here, near, far = (density(absolute(one)) for one in (x, x - d, x - b))
    left = under(
        given_by(
            specialize(falls, y=absolute(x - d), z=absolute(x - b)),
            real(at_most(0, absolute(x - d))),
            farther_away(),
        ),
        "2*x <= d",
        *GIVEN,
    )
    right = under(
        given_by(
            specialize(falls, y=absolute(x - d), z=absolute(x)),
            real(at_most(0, absolute(x - d))),
            real(at_most(absolute(x - d), absolute(x)), "d <= 2*x", "0 <= d"),
        ),
        "d <= 2*x",
        *GIVEN,
    )
    least = given_by(
        specialize(positive, y=absolute(x - d)), real(at_most(0, absolute(x - d)))
    )
    less, more = here - exp(eps) * near, here - exp(eps) * far
    grows = specialize(real("max(0, y) <= max(0, z)", "y <= z"), y=less, z=more)
    size = given_by(specialize(positive, y=absolute(x)), real(at_most(0, absolute(x))))
    first = given_by(grows, combine(at_most(less, more), (left, exp(eps)), (size, 0)))
    nothing = specialize(real("max(0, y) <= max(0, z)", "y <= 0"), y=less, z=more)
    second = given_by(
        nothing, combine(at_most(less, 0), (right, 1), (least, exp(eps) - 1))
    )
    return either(first, second)


def proof(part: Statement) -> Iterator[Step]:
    """Place by place."""
    line = pointwise(part)
    yield line, "a place with an excess is on the other side of d/2"
    weighted = combine(at_most(h * stick(d), h * stick(b)), (line, h), given=M.support)
    bounds = [finite(part, move) for move in (d, b)]
    yield expect(weighted, M, *bounds), "averaged"


def finite(part: Statement, move: Expr) -> Fact:
    """The mean excess is finite: it is at most the mass of the noise."""
    here = density(absolute(x))
    positive = part.assuming["positive"]
    there = density(absolute(x - move))
    zero, other = (
        given_by(specialize(positive, y=absolute(one)), real(at_most(0, absolute(one))))
        for one in (x, x - move)
    )
    most = specialize(
        real("max(0, y) <= z", "0 <= z", "y <= z"), y=here - exp(eps) * there, z=here
    )
    smaller = combine(
        at_most(here - exp(eps) * there, here), (other, exp(eps)), (zero, 0)
    )
    below_mass = given_by(most, zero, smaller)
    least = specialize(real("0 <= max(0, u)"), u=here - exp(eps) * there)
    upper = combine(
        at_most(h * stick(move), h * here), (below_mass, h), given=M.support
    )
    lower = combine(at_most(0, h * stick(move)), (least, h), given=M.support)
    known = integrable(part.assuming["mass"], E(M, h * here))
    return dominated(upper, M, known, lower=lower)


def attack(seed: int) -> int:
    """Random falling steps on the integers, and growing moves."""
    rng = Random(seed)
    for _ in range(60):
        heights = sorted((rng.randint(0, 9) for _ in range(6)), reverse=True)
        factor = 1 + Fraction(rng.randint(0, 20), 10)

        def at(place: int, heights: list[int] = heights) -> int:
            return heights[abs(place)] if abs(place) < 6 else 0

        sticks = [
            sum(max(at(n) - factor * at(n - move), Fraction(0)) for n in range(-20, 21))
            for move in range(8)
        ]
        if any(more < less for less, more in pairwise(sticks)):
            raise Refused(f"{heights} has {sticks} at the factor {factor}.")
    return 60


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "the pair in the other order, by reflecting the noise at d/2; negative epsilons"
        " by exchanging the pair (profile/exchange)",
    ),
    parts=(
        Statement(
            "farther",
            "a smaller move has a smaller delta",
            at_most(E(M, h * stick(d)), E(M, h * stick(worst_move(b)))),
            proof,
            GIVEN,
            HYPOTHESES,
            example(
                {"d": 1, "b": 2, "eps": 0},
                {"M": [((0, 1), 1)]},
                g=("y", "exp(-y)"),
            ),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the density need not fall",
            at_most(E(M, h * stick(d)), E(M, h * stick(b))),
            GIVEN,
            assuming={
                name: fact for name, fact in HYPOTHESES.items() if name != "falls"
            },
            instance=example(
                {"d": 1, "b": 2, "eps": 0},
                {"M": [((0, 1), 1)]},
                g=("y", "(y - 1)**2"),
            ),
        ),
        Falsehood(
            "negative epsilons have the same at each place",
            at_most(stick(d).at(eps=-1), stick(b).at(eps=-1)),
            GIVEN,
            assuming={name: HYPOTHESES[name] for name in ("falls", "positive")},
            instance=example({"d": 0, "b": 3, "eps": 0, "x": 3}, g=("y", "exp(-y)")),
        ),
    ),
    attacks=(Attack("falling steps on the integers", attack),),
    rules=(worst_move,),
)
