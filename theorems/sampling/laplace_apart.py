"""A sampled Laplace release whose two laws are far apart: its loss is near that of the component
that was drawn.

Printed: not in the sources
Proved: Let A = 1 - q, D = q exp(l) and R = A + D, with the loss l = |v| - |v - mu| of an output v.
    D = d A at l = log(d A/q), and A = d D at l = log(A/(d q)); the output with the loss l between
    -mu and mu is (l + mu)/2, beyond which there is the mass exp(-(l + mu)/2)/2 without the record,
    and below which there is exp((l - mu)/2)/2 with it. So the loss is within d of that of the
    component that was drawn, but for these tails (sampling/gaussian-apart). With the record, l is
    mu + 2 min(0, o) for an output o = v - mu of the noise, but where l = -mu. One such draw before
    a profile max(0, 1 - exp(-b y)), with 2 y the distance of the largest loss from epsilon, makes
    of it 1 - exp(-y) (exp(a y) + 1 + (exp(a y) - 1)/a)/2, a = 1 - b; so 1 - exp(-y) p(y) becomes
    1 - exp(-y) (p(y) + 1 + the integral of p up to y)/2, and of no loss, b = 2, 1 - exp(-y). With p
    the sum of b_m y**m/m!, b_m is next (b_m + b_(m - 1))/2: the tails of fair coins.
Idea: Far from the other law a Laplace loss is its maximum less a mixture of 0 and an exponential
    variable, and such sums have Poisson probabilities.
Source: ours.
"""

from rdpacct.book.words import (
    Attack, Comparison, Condition, Density, E, Event, Expr, Fact, Falsehood, Fraction, Iterator,
    Real, Refused, SampledLaplaceTransform, Statement, Status, Step, Stretch, Symbol, Terms,
    Theorem, Whole, absolute, apart_curve, at_most, below, by_prover, carried, chain, coin_tails,
    combine, either, equal, event, exp, falling_profile, formula, formulas, given_by, integrate,
    log, math, maximum, minimum, missed, most_above, partial, precision, random, raw_real as ball,
    read, real, relations, specialize, under,
)  # fmt: skip

b, c, d, l_, mu, o, q, s, v, y = map(
    Symbol, ("b", "c", "d", "l", "mu", "o", "q", "s", "v", "y")
)
C, F, S, T, k = map(Symbol, ("C", "F", "S", "T", "k"))
DRAWS = chain(
    "R",
    {
        "S": (0, S + c + 2 * minimum(0, o)),
        "C": (0, C + c),
        "T": (0, T + minimum(0, o)),
    },
    ("c", "o"),
    k,
)
"""Losses c + 2 min(0, o) of draws, with their largest values c and their noise o."""
RATE = ("0 < q", "q < 1", "d > 0")
LEFT, RIGHT = exp(o) / 2, exp(-o) / 2
NOISE = Density(
    "P",
    ("o",),
    (),
    (
        Stretch(None, -y, LEFT),
        Stretch(-y, formula(0), LEFT),
        Stretch(formula(0), None, RIGHT),
    ),
)
"""Laplace noise, cut where the loss has fallen to epsilon."""


TAILED = Density(
    "V",
    ("v",),
    (),
    (
        Stretch(None, -s, exp(v) / 2),
        Stretch(-s, formula(0), exp(v) / 2),
        Stretch(formula(0), s, exp(-v) / 2),
        Stretch(s, None, exp(-v) / 2),
    ),
)
"""Laplace noise, cut at s on both sides."""
ABOVE = event(TAILED, "F", at_most(s, v))
BENEATH = event(TAILED, "F", at_most(v, -s))
LOSS = absolute(v) - absolute(v - mu)


def tail(part: Statement, law: Event, growth: tuple[Real, ...]) -> Iterator[Step]:
    """The antiderivative of the density."""
    rise, fall = exp(v) / 2, -exp(-v) / 2
    found = integrate(law, F, growth, (rise, rise, fall, fall), "s >= 0")
    yield found, "the antiderivatives on the pieces"
    yield combine(part.claim, found), "beyond s"


def below_level(part: Statement) -> Iterator[Step]:
    """It is -mu up to 0, and at most 2 v - mu from there on."""
    known = ("mu > 0", "v <= (l + mu)/2", "-mu <= l")
    low = combine(
        part.claim,
        real(equal(LOSS, -mu), "v <= 0", "mu > 0"),
        real("-mu <= l", *known),
    )
    yield low, "up to 0"
    rise = real(equal(LOSS, mu + 2 * minimum(0, v - mu)), "v >= 0", "mu > 0")
    least = specialize(real("min(0, w) <= w"), w=v - mu)
    high = combine(part.claim, rise, (least, 2), (real("v <= (l + mu)/2", *known), 2))
    yield high, "from 0 on"
    yield (
        either(under(low, *known, "v <= 0"), under(high, *known, "0 <= v")),
        "on either side",
    )


def summed(part: Statement) -> Iterator[Step]:
    """One draw adds the same to both."""
    gap = S - (C + 2 * T)
    after = S + c + 2 * minimum(0, o) - (C + c + 2 * (T + minimum(0, o)))
    rule = real("abs(u) <= abs(v)", "u == v")
    line = given_by(specialize(rule, u=after, v=gap), real(equal(after, gap)))
    positive = specialize(real("0 <= abs(u)"), u=after)
    yield from carried(part.claim, DRAWS, line, positive)


def shipped() -> Iterator[tuple[str, Expr, Expr, tuple[Comparison, ...]]]:
    """What the shipped functions compute for levels between -mu and mu, and what it is."""
    first = log(d * (1 - q) / q)
    second = -log((1 - q) / (d * q))
    tails = [exp(-(level + mu) / 2) / 2 for level in (first, second)]
    sides = relations(
        *(
            one
            for level in (first, second)
            for one in (at_most(-mu, level), below(level, mu))
        )
    )
    given = (*RATE, "mu > 0", *map(str, sides))
    point, rate, distance = formulas(mu, q, d, given=given)
    yield (
        "missed, added",
        read(missed(point, rate, distance, removing=False)),
        tails[0],
        sides,
    )
    both = (1 - q) * tails[0] + q * tails[1]
    yield (
        "missed, removed",
        read(missed(point, rate, distance, removing=True)),
        both,
        sides,
    )


def stick(rate: Expr) -> Expr:
    """The profile before the draw, at the distance that is left after it."""
    return maximum(0, 1 - exp(-rate * (y + minimum(0, o))))


def on_the_pieces(rate: Expr, *given: str) -> tuple[tuple[Fact, ...], ...]:
    """What the stick is below -y, between -y and 0, and above 0."""
    kept = [
        real(text, "u <= 0")
        for text in ("max(0, 1 - exp(u)) == 1 - exp(u)", "0 <= 1 - exp(u)")
    ]
    lost = [real("max(0, 1 - exp(u)) == 0", "u >= 0")]
    falls = real("min(0, o) == o", "o <= 0")
    stays = real("min(0, o) == 0", "o >= 0")
    found = []
    for piece, base, value, facts in zip(
        NOISE.pieces,
        (falls, falls, stays),
        (o, o, formula(0)),
        (lost, kept, kept),
        strict=True,
    ):
        here: tuple[str | Condition, ...] = (*piece.where("o"), *given)
        signs = [specialize(fact, u=-rate * (y + value)) for fact in facts]
        found.append(tuple(under(fact, *here) for fact in (base, *signs)))
    return tuple(found)


def one_draw(rate: Expr, *given: str) -> Fact:
    """The mean of the stick over the noise."""
    start = exp(-rate * y)
    between = exp(o) / 2 - start * exp((1 - rate) * o) / (2 * (1 - rate))
    parts = (formula(0), between, -(1 - start) * RIGHT)
    return integrate(
        NOISE,
        stick(rate),
        parts,
        (LEFT, LEFT, -RIGHT),
        *given,
        on=on_the_pieces(rate, *given),
    )


def next_draw(part: Statement) -> Iterator[Step]:
    """Antiderivatives on the three pieces."""
    total = one_draw(b, *map(str, part.given))
    yield total, "the antiderivatives on the three pieces"
    yield combine(part.claim, total), "added up"


def first_draw(part: Statement) -> Iterator[Step]:
    """The same for b = 2."""
    total = one_draw(formula(2), *map(str, part.given))
    yield total, "the antiderivatives on the three pieces"
    yield combine(part.claim, total), "added up"


def coins(seed: int) -> int:
    """The shipped numbers are tails of fair coins, and follow Pascal's rule."""
    rng = random.Random(seed)
    for _ in range(20):
        count = rng.randint(1, 60)
        before, after = coin_tails(count - 1), coin_tails(count)
        for m in range(count + 1):
            direct = sum(math.comb(count, k) for k in range(m, count + 1))
            above = before[m] if m < count else 0
            if after[m] != direct or (m and after[m] != above + before[m - 1]):
                raise Refused(
                    f"{count} coins do not show {m} heads in {after[m]} ways."
                )
    return 20


def curves(seed: int) -> int:
    """The shipped curve of one release against its closed form, in balls."""
    rng = random.Random(seed)
    for _ in range(12):
        shift = Fraction(rng.randint(200, 2000))
        rate = Fraction(rng.randint(1, 60), 100)
        removing = rng.random() < 0.7
        level = rate * Fraction(rng.randint(1, 9), 10)
        if removing:
            level = Fraction(rng.randint(1, int(shift) - 10))
        transform = SampledLaplaceTransform(formula(shift), formula(rate), removing)
        curve = apart_curve(Terms(((transform, 1),)), float(level), -10.0)
        if curve is None:
            raise Refused(f"a shift by {shift} at the rate {rate} is not taken apart.")
        with precision(192):
            exact = transform.profile(ball(level))
            if not curve.enclosure(ball(level)).overlaps(exact):
                raise Refused(
                    f"the curve for a shift by {shift} at the rate {rate} misses delta"
                    f" at {level}."
                )
    return 12


NEXT = 1 - exp(-y) * (exp((1 - b) * y) + 1 + (exp((1 - b) * y) - 1) / (1 - b)) / 2


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            Statement(
                "first edge",
                "D = d A at the loss that the package ships",
                equal(q * exp(log(d * (1 - q) / q)), d * (1 - q)),
                by_prover("exp undoes log"),
                RATE,
            ),
            Statement(
                "second edge",
                "A = d D at the loss that the package ships",
                equal(d * (q * exp(log((1 - q) / (d * q)))), 1 - q),
                by_prover("the same"),
                RATE,
            ),
            *(
                Statement(
                    name,
                    f"what is shipped as {name}: the tails beyond these losses",
                    equal(found, form),
                    by_prover("the same formula"),
                    (*RATE, "mu > 0", *given),
                )
                for name, found, form, given in shipped()
            ),
            Statement(
                "beyond",
                "the noise V is beyond s >= 0 with this probability",
                equal(E(ABOVE, F), exp(-s) / 2),
                partial(tail, law=ABOVE, growth=(0, 0, 0, -exp(-v) / 2)),
                ("s >= 0",),
            ),
            Statement(
                "beneath",
                "and below -s",
                equal(E(BENEATH, F), exp(-s) / 2),
                partial(tail, law=BENEATH, growth=(exp(v) / 2, 0, 0, 0)),
                ("s >= 0",),
            ),
            Statement(
                "level",
                "without the record the output v exceeds (l + mu)/2 where the loss exceeds l",
                at_most(LOSS, l_),
                below_level,
                ("mu > 0", "v <= (l + mu)/2", "-mu <= l"),
            ),
            Statement(
                "mirror",
                "the output mu - v, with the record that of the noise -v, has the loss of v"
                " with the other sign: it is below -l for noise below -(l + mu)/2 only",
                equal(LOSS.at(v=mu - v), -LOSS),
                by_prover("absolute values"),
            ),
            Statement(
                "output",
                "the output (l + mu)/2 has the loss l",
                equal(LOSS, 2 * v - mu),
                by_prover("between 0 and mu"),
                ("0 <= v", "v <= mu"),
            ),
            Statement(
                "fall",
                "with the record the loss is mu + 2 min(0, v - mu) for outputs from 0 on",
                equal(LOSS, mu + 2 * minimum(0, v - mu)),
                by_prover("on each side of mu"),
                ("0 <= v",),
            ),
            Statement(
                "none",
                "and -mu for others, which no level from -mu on leaves near D",
                equal(LOSS, -mu),
                by_prover("below 0"),
                ("mu > 0", "v <= 0"),
            ),
            Statement(
                "sum",
                "the sum S of losses c + 2 min(0, o) is that of their largest values and of"
                " twice their falls, whatever they are: c is log q + mu with the record, and"
                " log A, with o = 0, without it",
                at_most(E(DRAWS, absolute(S - (C + 2 * T))), 0),
                summed,
                (Whole("k", 0),),
            ),
            Statement(
                "one more",
                "one more draw before a profile max(0, 1 - exp(-b y))",
                equal(E(NOISE, stick(b)), NEXT),
                next_draw,
                ("0 < b", "b < 1", "y >= 0"),
            ),
            Statement(
                "first",
                "one draw before no loss",
                equal(E(NOISE, stick(formula(2))), 1 - exp(-y)),
                first_draw,
                ("y >= 0",),
            ),
        ),
        falsehoods=(
            Falsehood(
                "one more draw, whose loss falls short of its largest, costs nothing",
                at_most(1 - exp(-y / 2), NEXT.at(b=formula(Fraction(1, 2)))),
                ("y >= 0",),
            ),
            Falsehood(
                "the loss is never above mu + 2 min(0, v - mu)",
                at_most(absolute(v) - absolute(v - mu), mu + 2 * minimum(0, v - mu)),
                ("mu > 0",),
            ),
        ),
        attacks=(
            Attack("the numbers b_m against Pascal's rule", coins),
            Attack(
                "the shipped curve of one release against its closed form, in balls",
                curves,
            ),
        ),
        rules=(missed, most_above, falling_profile),
        in_words=(
            (
                "For every b between 0 and 1 the parts of the profile are those of the powers"
                " of a = 1 - b: exp(-y) exp(a y) is the sum of a**m exp(-y) y**m/m!, and"
                " (exp(a y) - 1)/a that of a**m y**(m + 1)/(m + 1)!. The 1 is that of m ="
                " 0 alone, which b_0 = 1 counts once."
            ),
        ),
    )
