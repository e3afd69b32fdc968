"""The nodes of a smoothed quadrature that are left out.

Printed: not in the sources
Proved: Let z = t + i theta at theta = (N + n) D, n = 0, 1, ..., the nodes beyond the last one, at
    (N - 1) D, and let X(n) + i Y(n) be the transform there, relative to M(t) and turned, of modulus
    at most B. For both kernels K that the shipped function computes, Re (X + i Y) K <= B exp(h**2
    ((t + 1)**2 - theta**2)/2) (h**2 + 1/theta**2), and the sum of the first n of (D/pi) Re (X + i
    Y) K is at most the shipped B exp(h**2 ((t + 1)**2 - last**2)/2)/(pi last), where last = (N - 1)
    D, for every n. Both functions are called with symbols.
Idea: E1/z - E2/(z + 1) = E1/(z (z + 1)) + (E1 - E2)/(z + 1), and |1 - exp(-w)| <= |w| for Re w >=
    0. The slope of exp(-h**2 x**2/2)/x is -exp(-h**2 x**2/2) (h**2 + 1/x**2), and the function is
    convex, so that the sum telescopes.
Source: This package.
"""

from rdpacct.book.words import (
    Attack, Comparison, Complex, Condition, Expr, Fact, Falsehood, Formal, Fraction, Iterator,
    Mapping, PI, Real, Refused, Statement, Status, Step, Symbol, Theorem, Whole, assume, at_most,
    by_steps, cache, combine, complex_formula, complex_of, discharge, equal, exp, formulas, kernels,
    module, placed, random, raw_pi as pi, raw_real as ball, read, real, series_n as n,
    series_sums as sums, smooth_truncation, total, under, whole,
)  # fmt: skip

TRUNCATION = module("engine/truncation")
t, theta, B, D, N, u, v = (
    getattr(TRUNCATION, name) for name in ("t", "theta", "B", "D", "N", "u", "v")
)
h, x, before, after, p1, p2, c1, s1, c2, s2 = (
    Symbol(name)
    for name in ("h", "x", "before", "after", "p1", "p2", "c1", "s1", "c2", "s2")
)
X = TRUNCATION.X
Y = TRUNCATION.Y
Z = Complex(t, theta)
WHERE = ("0 < t", "0 < theta", "0 < h", "0 < B")
SPREAD = (t + 1) ** 2 + theta**2
FIRST, SECOND = (((Formal(h) * h / 2) * z * z).exp() for z in (Z, Z + 1))
SIZES = {
    "p1": exp(h**2 * (t**2 - theta**2) / 2),
    "p2": exp(h**2 * ((t + 1) ** 2 - theta**2) / 2),
}
ALIKE = {"c1": FIRST.re, "s1": FIRST.im, "c2": SECOND.re, "s2": SECOND.im}
UPPER, LOWER = map(whole, kernels(complex_formula(Z), *formulas(h)))


def contribution(kernel: Complex) -> Expr:
    """The real part of (u + i v) times a kernel."""
    found: Expr = u * kernel.re - v * kernel.im
    return found


def limit_at(size: Expr) -> Expr:
    """What bounds the contribution of a node, of this size without the smoothing."""
    found: Expr = B * size * (h**2 + theta**-2)
    return found


def difference(part: Statement) -> Iterator[Step]:
    """|1 - exp(-w)| <= |w| for Re w >= 0, at w = h**2 (z + 1/2)."""
    square = real("(1 - exp(-a))**2 <= a**2", "0 <= a")
    wave = real("1 - b**2/2 <= cos(b)")
    claim = "1 - 2*exp(-a)*cos(b) + exp(-2*a) <= a**2 + b**2"
    turn = combine(
        claim, square, (wave, 2 * exp(-Symbol("a"))), rest="b**2*(1 - exp(-a))"
    )
    yield turn, "|1 - exp(-w)| <= |w|"
    half = Fraction(1, 2)
    there = placed(turn, *part.given, a=h**2 * (t + half), b=h**2 * theta)
    size = SIZES["p2"] ** 2
    yield (
        combine(part.claim, (there, size), rest=size * h**4 * (t + 3 * half**2)),
        "at w = h**2 (z + 1/2)",
    )


@cache
def lower_node() -> Fact:
    """Re (u + i v)(E1/z - E2/(z + 1)) <= B p2 (h**2 + 1/theta**2), for E1 and E2 by their parts."""
    modulus, first, gap, order = map(assume, (MODULUS, TURN, NEAR, at_most(p1, p2)))
    one = Complex(u, v) * Complex(c1, s1)
    two = Complex(u, v) * Complex(c1 - c2, s1 - s2)
    size = combine(
        at_most(one.re**2 + one.im**2, (B * p1) ** 2),
        (modulus, p1**2),
        (first, u**2 + v**2),
    )
    node = placed(
        TRUNCATION.one_node(1), *WHERE, "0 < p1", u=one.re, v=one.im, B=B * p1
    )
    left = discharge(node, size)
    change = (c1 - c2) ** 2 + (s1 - s2) ** 2
    far = B * p2 * h**2
    other = combine(
        at_most(two.re**2 + two.im**2, far**2 * SPREAD),
        (modulus, change),
        (gap, B**2),
        given=("0 < B",),
    )
    square = real("2*x*y <= k*x**2 + y**2/k", "0 < k")
    sides = ((two.re, t + 1), (two.im, theta))
    halves = [placed(square, *WHERE, "0 < p2", x=a, y=b, k=1 / far) for a, b in sides]
    half = Fraction(1, 2)
    sum_ = combine(
        at_most((t + 1) * two.re + theta * two.im, far * SPREAD),
        *((one_, half) for one_ in halves),
        (other, half / far),
    )
    right = combine(
        at_most(((t + 1) * two.re + theta * two.im) / SPREAD, far),
        (sum_, 1 / SPREAD),
    )
    plain = Complex(c1, s1) / Z - Complex(c2, s2) / (Z + 1)
    return combine(
        at_most(contribution(plain), B * p2 * (h**2 + theta**-2)),
        left,
        right,
        (order, B / theta**2),
    )


@cache
def upper_node() -> Fact:
    """Re (u + i v) E1/(z (z + 1)) <= B p2 (h**2 + 1/theta**2), for E1 by its parts."""
    modulus, first, order = map(assume, (MODULUS, TURN, at_most(p1, p2)))
    one = Complex(u, v) * Complex(c1, s1)
    size = combine(
        at_most(one.re**2 + one.im**2, (B * p1) ** 2),
        (modulus, p1**2),
        (first, u**2 + v**2),
    )
    node = discharge(
        placed(TRUNCATION.one_node(1), *WHERE, "0 < p1", u=one.re, v=one.im, B=B * p1),
        size,
    )
    plain = Complex(c1, s1) / (Z * (Z + 1))
    claim = at_most(contribution(plain), B * p2 * (h**2 + theta**-2))
    return combine(
        claim, node, (order, B / theta**2), rest=B * p2 * h**2, given=("0 < p2",)
    )


MODULUS = TRUNCATION.MODULUS
TURN = equal(c1**2 + s1**2, p1**2)
NEAR = at_most((c1 - c2) ** 2 + (s1 - s2) ** 2, p2**2 * h**4 * SPREAD)
GAP = Comparison(NEAR.left.at(**ALIKE), NEAR.sign, NEAR.right.at(**SIZES))
BOTH = (
    ((Formal(h) * h / 2) * Z * (Z + 1)).exp(),
    exp(h**2 * (t**2 + t - theta**2) / 2),
)
"""The exponential of the upper kernel, and its modulus."""


def one_node(part: Statement) -> Iterator[Step]:
    """The parts of the exponentials, put into the bound."""
    lower = part.name == "lower kernel"
    values = (
        {**ALIKE, **SIZES}
        if lower
        else {"c1": BOTH[0].re, "s1": BOTH[0].im, "p1": BOTH[1], "p2": SIZES["p2"]}
    )
    node = placed(lower_node() if lower else upper_node(), *part.given, **values)
    turn = real(replaced(TURN, values))
    order = real(replaced(at_most(p1, p2), values), "0 < t")
    yield turn, "the modulus of an exponential"
    known = [turn, order, *([proved(DIFFERENCE)] if lower else [])]
    found = under(discharge(node, *known, part.assuming["modulus"]), *part.given)
    yield combine(part.claim, found), "the kernel"


def proved(part: Statement) -> Fact:
    """What a part of this entry proves, once."""
    if part.name not in _proved:
        _proved[part.name] = part.fact()
    return _proved[part.name]


_proved: dict[str, Fact] = {}


def replaced(one: Comparison, values: Mapping[str, Expr]) -> Comparison:
    """The relation with symbols replaced."""
    return Comparison(one.left.at(**values), one.sign, one.right.at(**values))


def falling(height: Expr) -> Expr:
    """exp(-h**2 height**2/2)/height, whose slope is -exp(-h**2 height**2/2) (h**2 +
    1/height**2).
    """
    return exp(-(h**2) * height**2 / 2) / height


def convex(part: Statement) -> Iterator[Step]:
    """The function lies above its tangent at the right end."""
    end = exp(-(h**2) * (x + D) ** 2 / 2)
    tangent = placed(real("1 + v <= exp(v)"), *part.given, v=h**2 * D * (2 * x + D) / 2)
    yield tangent, "exp(v) >= 1 + v"
    rest = end * (D**2 / (x * (x + D) ** 2) + h**2 * D**2 / (2 * x))
    yield combine(part.claim, (tangent, end / x), rest=rest), "divided"


def left_out(
    kernel: str,
    sum_: Expr,
    start: Fact,
    one_more: Fact,
    modulus: Fact,
    *order: str | Condition,
    **values: Real,
) -> Iterator[Step]:
    """A sum that begins at 0 and grows by the nodes from N on, with one of the two kernels."""
    grown = assume(equal(after, before + D / PI * contribution(BY_NAME[kernel])))
    bound = combine(
        at_most(after, before + D / PI * limit_at(SIZES["p2"])),
        grown,
        (proved(KERNELS[kernel]), D / PI),
        given=("0 < D",),
    )
    further = sum_.at(n=n + 1)
    place = {"theta": (N + n) * D, "after": further, "before": sum_, **values}
    numbers = (*order, Whole("n", 0))
    moved = discharge(placed(bound, *numbers, **place), one_more, modulus)
    yield moved, "one more node"
    fixed = {key: value for key, value in values.items() if key in ("D", "N")}
    step_ = {key: value for key, value in fixed.items() if key == "D"}
    height = ((N + n - 1) * D).at(**fixed)
    fall = placed(proved(CONVEX), *numbers, x=height, **step_)
    yield fall, "a falling convex function"
    scale = B / PI * exp(h**2 * (t + 1) ** 2 / 2)
    limit = scale * (falling(height.at(n=0)) - falling(height))
    step = combine(
        at_most(further, sum_ + limit.at(n=n + 1) - limit), moved, (fall, scale)
    )
    yield step, "telescoping"
    summed = by_steps(start, step, sum_, limit, *order)
    yield summed, "by induction"
    yield (
        combine(at_most(sum_, LEFT.at(**fixed)), summed, rest=scale * falling(height)),
        "and what is left is positive",
    )


def beyond(part: Statement) -> Iterator[Step]:
    """Node by node, and by telescoping."""
    *order, _ = part.given
    yield from left_out(
        f"{part.name} kernel",
        total(part.name[0].upper()),
        part.assuming["nothing"],
        part.assuming["one more"],
        part.assuming["modulus"],
        *order,
        u=X,
        v=Y,
    )


BY_NAME = {"upper kernel": UPPER, "lower kernel": LOWER}
DIFFERENCE = Statement(
    "difference",
    "the two exponentials of the lower kernel differ by at most h**2 |z + 1| times the"
    " larger modulus",
    GAP,
    difference,
    ("0 < t",),
)
CONVEX = Statement(
    "convex",
    "a step of D times the slope of exp(-h**2 x**2/2)/x is at most what the function"
    " falls by",
    at_most(
        D * (h**2 + (x + D) ** -2) * exp(-(h**2) * (x + D) ** 2 / 2),
        falling(x) - falling(x + D),
    ),
    convex,
    ("0 < D", "0 < x"),
)
KERNELS = {
    name: Statement(
        name,
        "the real part of (u + i v) times the kernel, which the shipped function"
        " computes",
        at_most(contribution(kernel), limit_at(SIZES["p2"])),
        one_node,
        WHERE,
        {"modulus": assume(MODULUS)},
    )
    for name, kernel in BY_NAME.items()
}
LEFT = read(smooth_truncation(*formulas(B, h, t, D * (N - 1))))


def side(name: str, kernel: Complex) -> Statement:
    """The part for one of the two quadratures."""
    letter = name[0].upper()
    term = D / PI * contribution(kernel).at(theta=(N + n) * D, u=X, v=Y)
    modulus = assume(at_most(X**2 + Y**2, B**2), Whole("n", 0), every="n")
    return Statement(
        name,
        f"the nodes left out of the {name} quadrature, however many; with -X and -Y for"
        " X and Y, from below",
        at_most(total(letter), LEFT),
        beyond,
        ("0 < t", "0 < h", "0 < B", "0 < D", "1 < N", Whole("n", 0)),
        {**sums(letter, term), "modulus": modulus},
    )


def point_losses(seed: int) -> int:
    """A loss that is always the same: two hundred nodes of both kernels against the bound, in
    balls.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        tilt, step, shift, width = (
            ball(Fraction(rng.randint(1, 40), 10)) for _ in range(4)
        )
        first = rng.randint(2, 6)
        found = [ball(0), ball(0)]
        for number in range(first, first + 200):
            sine, cosine = (step * number * shift).sin_cos()
            both = kernels(complex_of(tilt, step * number), width / 8)
            found = [
                sum_ + (step / pi()) * (complex_of(cosine, sine) * k).real
                for sum_, k in zip(found, both, strict=True)
            ]
        bound = smooth_truncation(ball(1), width / 8, tilt, step * (first - 1))
        if any(abs(sum_) > bound for sum_ in found):
            raise Refused(
                f"the nodes from {first} on add up to {found} at the tilt {tilt}, more"
                f" than {bound}."
            )
        tried += 2
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        DIFFERENCE,
        CONVEX,
        *KERNELS.values(),
        side("upper", UPPER),
        side("lower", LOWER),
    ),
    falsehoods=(
        Falsehood(
            "the slope at the left end would do: a step of D times it is at most what"
            " the function falls by",
            at_most(
                D * (h**2 + x**-2) * exp(-(h**2) * x**2 / 2),
                falling(x) - falling(x + D),
            ),
            ("0 < D", "0 < x", "0 < h"),
        ),
    ),
    attacks=(
        Attack(
            "two hundred nodes of both kernels for losses that are always the same, in"
            " balls",
            point_losses,
        ),
    ),
    rules=(smooth_truncation,),
)
