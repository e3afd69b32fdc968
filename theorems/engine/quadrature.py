"""The trapezoid rule on a vertical line: the profile of a sum of losses, and nothing but
nonnegative aliases.

Printed: not in the sources
Proved: Let g(eps) be the finite part of the profile, and D(N) the sum of the nodes as the shipped
    code adds them up (engine/averaged-nodes). If |M(z)| <= B M(t) at all nodes beyond N >= 1, then
    (1) g(eps) is at most D(N) and M(t) exp(-t eps) times the shipped truncation(B, 2 pi N/W), and
    (2) at least D(N) less this and less the shipped bounds on the aliases, by a second tilt s, or
    without those above where no loss exceeds eps + W: g(eps) lies between the sum less the bounds
    on the aliases and the sum, as the shipped enclosure says.
Idea: Poisson summation, done for each value of the loss. A bound on what further nodes add holds
    for any number of them (engine/truncation); with more and more of them what they leave out of
    each loss vanishes.
Source: Stein and Shakarchi (2003), Fourier Analysis, for the inversion; Abate and Whitt (1992) for
    the method.
"""

from rdpacct.book.words import (
    Attack, Fact, Falsehood, Fraction, GaussianCurve, GaussianTransform, Iterator, PI, Refused,
    Statement, Status, Step, Symbol, Terms, Theorem, Tilt, Whole, assume, at_most, combine,
    enclosure, equal, exp, formula, lemma, line_of, module, precision, random, raw_real as ball,
    real, series_n as n, specialize, sum_at_least, under, value, vanishing,
)  # fmt: skip

FIRST = module("engine/periodic-sum")
EACH = module("engine/every-loss")
ALL = module("engine/averaged-nodes")
TRUNCATION = module("engine/truncation")
t, W, N, u = FIRST.t, FIRST.W, FIRST.N, FIRST.u
B = Symbol("B")
m = ALL.m
ORDER, ALLOWED, FACTOR = ALL.ORDER, ALL.ALLOWED, ALL.FACTOR
MISSING = TRUNCATION.LEFT.at(D=2 * PI / W, N=N + 1)
"""The shipped truncation beyond the node N, relative to M(t) exp(-t eps)."""


def decay() -> Fact:
    """|M(z)| <= B M(t) at all nodes beyond N."""
    square = (ALL.REAL**2 + ALL.IMAGINARY**2).at(theta=FIRST.angle(N + n + 1))
    return assume(at_most(square, (B * exp(m)) ** 2), Whole("n", 0), every="n")


def further(sign: int) -> Fact:
    """D(N + n) - D(N), or its opposite, is at most M(t) exp(-t eps) times the truncation."""
    order = (*ORDER, "0 < B", "1 <= N", Whole("N", 0))
    height = FIRST.angle(N + n + 1)
    turned = [part.at(theta=height) * exp(-m) for part in (ALL.COSINE, ALL.SINE)]
    sum_ = sign * (ALL.total(N + n) - ALL.total(N)) / FACTOR
    more = ALL.sums()["one more"]
    start = combine(equal(sum_.at(n=0), 0), (more, 0), given=ORDER)
    term = (
        2
        * PI
        / W
        / PI
        * TRUNCATION.node(sign).at(theta=height, u=turned[0], v=turned[1])
    )
    grown = combine(
        equal(sum_.at(n=n + 1), sum_ + term),
        (specialize(more, N=N + n), sign / FACTOR),
        (more, 0),
        given=ORDER,
    )
    modulus = combine(
        at_most(turned[0] ** 2 + turned[1] ** 2, B**2),
        (decay(), exp(-2 * m)),
        given=("0 < B", *ORDER, "1 <= N"),
    )
    values = {
        "D": 2 * PI / W,
        "N": N + 1,
        "theta": height,
        "u": turned[0],
        "v": turned[1],
    }
    found: Fact
    *_, (found, _) = TRUNCATION.left_out(
        sign, sum_, start, grown, modulus, *order, **values
    )
    return found


def in_the_limit(part: Statement) -> Iterator[Step]:
    """More and more nodes: what they add is bounded, and what is left out of them vanishes."""
    name = SIDES[part.name]
    left = further(1 if name == "above" else -1)
    if name == "below, bounded":
        left = ALL.of_bounded(left)
    yield left, "the nodes that are left out"
    *given, _ = part.given
    numbers = (*given, Whole("N", 0), Whole("n", 1))
    all_ = under(specialize(lemma("engine/averaged-nodes", name), N=N + n), *numbers)
    yield all_, "with more nodes"
    rest = W * FACTOR / (2 * PI**2)
    small = real(at_most(EACH.T.at(N=N + n), W / (2 * PI**2) / n), *given, "1 <= n")
    near = combine(
        at_most(part.claim.left, part.claim.right + rest / n),
        all_,
        (under(left, *numbers), FACTOR),
        (under(small, *numbers), FACTOR),
    )
    yield near, "up to a part that falls with their number"
    yield vanishing(near, "n", part.claim.right, rest), "which vanishes"


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


SIDES = {"at most": "above", "at least": "below", "at least, bounded": "below, bounded"}
SAYS = {
    "at most": "the profile is at most the sum and the truncation",
    "at least": "and at least the sum less the truncation and the aliases",
    "at least, bounded": "without aliases above, where no loss exceeds eps + W",
}


def side(name: str) -> Statement:
    """The part for one side of the profile."""
    own = SIDES[name]
    beyond = ALL.assumed_of_bounded(decay()) if own == "below, bounded" else decay()
    return Statement(
        name,
        SAYS[name],
        ALL.claimed(own, MISSING),
        in_the_limit,
        (*ALL.WHERE[own], "0 < B", *ALLOWED),
        {**ALL.assumed(own), "decay": beyond},
        ALL.witness(own, B=1),
        (FIRST.POISSON,),
    )


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=tuple(map(side, SIDES)),
        falsehoods=(
            Falsehood(
                "the sum is at most the profile: for a loss that is always eps + u, at"
                " most 1 - exp(-u)",
                at_most(exp(t * u) * FIRST.PERIODIC, 1 - exp(-u)),
                (*ORDER, "0 <= u", "u <= W"),
            ),
        ),
        attacks=(
            Attack(
                "Gaussian losses with random lines, against the closed form, in balls",
                gaussians,
            ),
        ),
        rules=(enclosure, sum_at_least),
    )
