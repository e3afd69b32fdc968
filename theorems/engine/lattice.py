"""On a lattice of losses, finitely many nodes give the whole sum of aliases.

Printed: not in the sources.
Proved: Let the losses be x + k d for whole k, x the first lattice point that is not below eps, W =
    N d, z_m = t + 2 pi i m/W and u = exp(-z_m d). (1) As u**N = exp(-t W), 1/(1 - u) is the sum of
    u**n over 0 <= n < N, over 1 - exp(-t W), for real and imaginary parts. (2) The sum over m < N
    of exp(i m a) is 0 if N a is a multiple of 2 pi and a is not. So the mean over the nodes of
    exp(z_m k d)/(1 - u) keeps of these n the one with k = n + l N only: it is exp(t l W)/(1 -
    exp(-t W)), the sum of exp(t j W) over j <= l, which are the aliases of eps that the loss
    exceeds; with t + 1 in the kernel the same, times exp(eps - x), the sum of exp(t j W) exp(eps +
    j W - L). (3) The excess (1 - exp(eps - L))_+ is 1 - exp(eps - x) exp(-k d) for k >= 0, and 0
    for k < 0. (4) |1/(1 - u)| <= 1/(1 - exp(-t d)), which bounds the nodes that are dropped.
Idea: A finite Fourier series of a sequence of period N.
Source: original to this package; Stein and Shakarchi, Fourier Analysis, chapter 7, for the finite
    Fourier series.
"""

from rdpacct.book.words import (
    AtomsTransform, Attack, Expr, Falsehood, Fraction, Iterator, LatticeLine, PI, Place, Refused,
    Statement, Status, Step, Symbol, Terms, Theorem, Whole, assume, at_most, by_prover,
    closed_forms, combine, cos, definitions, equal, exp, formula, geometric_RATIO as RATIO,
    geometric_g as g, geometric_n as n, geometric_sums as sums, given_by, induct, lattice_nodes,
    masses, maximum, partial, phi, precision, random, raw_real as number, real, relations_of, sin,
    specialize, terms_replace as replace, under,
)  # fmt: skip

t, d, k, l_, r, x, eps, m = (
    Symbol(name) for name in ("t", "d", "k", "l", "r", "x", "eps", "m")
)
FIRST = 1 - RATIO * cos(phi)
SECOND = RATIO * sin(phi)
SQUARE = FIRST**2 + SECOND**2
WHOLE = ("cos(n*phi) == 1", "sin(n*phi) == 0")
FLAT = {name: specialize(fact, g=0) for name, fact in definitions().items()}


def period(part: Statement, imaginary: bool) -> Iterator[Step]:
    """Two equations for the two sums, and a whole turn."""
    one, two = closed_forms(part.assuming)
    yield one, "the real part of (1 - u) times the sum"
    yield two, "the imaginary part"
    turn, none = (real(text, text) for text in WHOLE)
    first, second = (SECOND, -FIRST) if imaginary else (FIRST, SECOND)
    uses = (
        (one, first),
        (two, second),
        (turn, -first * exp(-g * n)),
        (none, second * exp(-g * n)),
    )
    yield combine(part.claim, *uses), "after a whole turn"


def whole_turn(part: Statement) -> Iterator[Step]:
    """One more turn changes nothing."""
    base = real(replace(part.claim, {"m": 0}))
    before = assume(part.claim, Whole("m", 0))
    step = combine(replace(part.claim, {"m": m + 1}), before)
    yield induct(base, step, "m"), "turn by turn"


def orthogonal(part: Statement, imaginary: bool) -> Iterator[Step]:
    """At g = 0 the two equations have the solution 0 only."""
    one, two = (specialize(fact, g=0) for fact in closed_forms(definitions()))
    yield one, "without the weights"
    turn, none = (real(text, text) for text in WHOLE)
    first, second = (
        (sin(phi), -(1 - cos(phi))) if imaginary else (1 - cos(phi), sin(phi))
    )
    uses = (one, first), (two, second), (turn, -first), (none, second)
    yield combine(part.claim, *uses), "after a whole turn"


def cell(part: Statement, name: str) -> Iterator[Step]:
    """The positive part on each side of eps."""
    gap = x + k * d - eps
    low, steps, spacing = (real(one, one) for one in relations_of(*part.given))
    if name == "above":
        sign = combine(at_most(0, gap), low, (steps, d), (spacing, 0))
        base = real("max(0, 1 - exp(-u)) == 1 - exp(-u)", "0 <= u")
    else:
        sign = combine(at_most(gap, 0), low, (steps, d), (spacing, 0))
        base = real("max(0, 1 - exp(-u)) == 0", "u <= 0")
    yield sign, "the side of eps"
    here = given_by(specialize(base, u=gap), sign)
    yield here, "there"
    yield combine(part.claim, here), "so"


def dropped(part: Statement) -> Iterator[Step]:
    """The largest value is on the real line."""
    turn = under(specialize(real("0 <= 1 - cos(w)"), w=phi), *part.given)
    yield combine(part.claim, (turn, 2 * RATIO)), "|1 - u| is least without a turn"


def exact(p: tuple[Fraction, ...], count: int, level: Fraction) -> Expr:
    """delta of the sum of so many losses with these chances of 0, 1, 2, ..."""
    law = [Fraction(1)]
    for _ in range(count):
        law = [
            sum(
                (law[i - j] * p[j] for j in range(len(p)) if 0 <= i - j < len(law)),
                Fraction(0),
            )
            for i in range(len(law) + len(p) - 1)
        ]
    excess = (
        one * (1 - exp(level - place)) for place, one in enumerate(law) if place > level
    )
    return sum(excess, formula(0))


def attack(seed: int) -> int:
    """The shipped nodes, all and only some of them, against finite sums."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(40):
            p = masses(rng, rng.randint(2, 4))
            count = rng.randint(2, 12)
            transform = AtomsTransform(
                tuple(map(formula, p)), tuple(map(formula, range(len(p))))
            )
            size = rng.randint(4, 60)
            place = Place(rng.randint(1, 40) / 20, 2.5, float(size), 0.0)
            line = lattice_nodes(
                Terms(((transform, count),)),
                place,
                formula(0),
                formula(1),
                size,
                rng.randint(2, size // 2 + 1),
            )
            level = Fraction(rng.randint(-8, 8 * count), 8)
            if not line.enclosure(number(level)).overlaps(
                exact(p, count, level).ball(128).raw
            ):
                raise Refused(f"{count} losses of {p} have another delta at {level}.")
    return 40


COSINES, SINES = sums(n)
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "M is the sum over the losses of p_k exp(z L), which converges absolutely"
            " on the line, so that the mean over the nodes is taken loss by loss"
        ),
        (
            "with n phi = 2 pi m, whole turns, (1) is 1/(1 - u) at the node m; put into"
            " the mean over m, (2) leaves the one n with n = k mod N, and the geometric"
            " series over j <= l gives the aliases"
        ),
        (
            "the nodes m and N - m have conjugate terms, because M(z) exp(-z x) has the"
            " period 2 pi/d on lattice points x; the dropped nodes are fewer than N,"
            " each of modulus at most B times (4) for t and, as eps <= x, for t + 1"
        ),
    ),
    parts=(
        *(
            Statement(
                f"period-{name}",
                f"the {name} part of 1/(1 - u) as a finite sum, u = exp(-g - i phi)"
                " after a whole turn in n steps",
                equal(total * SQUARE, (1 - exp(-g * n)) * part),
                partial(period, imaginary=name == "imaginary"),
                (Whole("n", 0), *WHOLE),
                definitions(),
            )
            for name, total, part in (
                ("real", COSINES, FIRST),
                ("imaginary", SINES, SECOND),
            )
        ),
        Statement(
            "turn-cosine",
            "the cosine of whole turns",
            equal(cos(2 * PI * m), 1),
            whole_turn,
            (Whole("m", 0),),
        ),
        Statement(
            "turn-sine",
            "the sine of whole turns",
            equal(sin(2 * PI * m), 0),
            whole_turn,
            (Whole("m", 0),),
        ),
        *(
            Statement(
                f"orthogonal-{name}",
                f"the sum of the {name} over the steps of a whole turn is 0, unless"
                " each step is a whole turn",
                equal(total * 2 * (1 - cos(phi)), 0),
                partial(orthogonal, imaginary=name == "sines"),
                (Whole("n", 0), *WHOLE),
                FLAT,
            )
            for name, total in (("cosines", COSINES), ("sines", SINES))
        ),
        Statement(
            "residue",
            "the mean of exp(z k d)/(1 - u) over the nodes, for k = r + l n, is a sum"
            " of aliases",
            equal(
                exp(t * (r + l_ * n) * d) * exp(-t * d * r) / (1 - exp(-t * d * n)),
                exp(t * l_ * n * d) / (1 - exp(-t * n * d)),
            ),
            by_prover("the exponents agree"),
            ("t > 0", "d > 0", "n > 0"),
        ),
        Statement(
            "second-residue",
            "with t + 1 in the kernel, it is the sum of aliases times exp(eps - L)",
            equal(
                exp(eps - x)
                * exp(t * (r + l_ * n) * d)
                * exp(-(t + 1) * d * r)
                / (1 - exp(-(t + 1) * d * n)),
                exp(eps - (x + (r + l_ * n) * d))
                * exp((t + 1) * l_ * n * d)
                / (1 - exp(-(t + 1) * n * d)),
            ),
            by_prover("the exponents agree"),
            ("t > 0", "d > 0", "n > 0"),
        ),
        Statement(
            "above",
            "the excess of a loss from x on",
            equal(
                maximum(0, 1 - exp(-(x + k * d - eps))), 1 - exp(eps - x) * exp(-k * d)
            ),
            partial(cell, name="above"),
            ("eps <= x", "0 <= k", "0 < d"),
        ),
        Statement(
            "below",
            "the excess of a loss below x",
            equal(maximum(0, 1 - exp(-(x + k * d - eps))), 0),
            partial(cell, name="below"),
            ("x - d <= eps", "k <= -1", "0 < d"),
        ),
        Statement(
            "dropped",
            "the kernel is largest without a turn",
            at_most((1 - RATIO) ** 2, SQUARE),
            dropped,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the kernel is at most 1/(1 + exp(-g)), here at g = 1",
            at_most((1 + RATIO.at(g=1)) ** 2, SQUARE.at(g=1)),
        ),
    ),
    attacks=(Attack("the shipped nodes against finite sums", attack),),
    rules=(LatticeLine._cell,),
)
