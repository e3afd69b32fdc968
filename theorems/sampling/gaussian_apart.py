"""A sampled Gaussian whose two laws are far apart: its loss is near that of the component that was
drawn.

Printed: not in the sources
Proved: Let A = 1 - q, D = q exp(mu x - mu**2/2) and R = A + D. Then R >= A and R >= D; if D <= d A,
    log R is at most log A + d, and if A <= d D, it is at most log D + d. D = d A at x = mu/2 +
    log(d A/q)/mu, and A = d D at x = mu - z with z = mu/2 - log(A/(d q))/mu, so that under N(0, 1)
    and N(mu, 1) each bound fails on a tail of the normal law only, which is at most exp(-z**2/2)/2
    at z >= 0. If a loss L is between K - g and K + h except where F = 1, with E F <= m, its profile
    at eps is at most that of K at eps - h, and m, and at least that of K at eps + g, less m. For a
    >= 1 the x near neither component have R**a <= 2**(a - 1) (A**a + D**a), which bounds their
    share of a moment and so, by Chernoff's bound, of the profile.
Idea: log(1 + d) <= d, and a hockey stick rises with the loss and lies between 0 and 1.
Source: elementary.
"""

from rdpacct.book.words import (
    ApartCurve, Attack, Comparison, E, Expr, Falsehood, Fraction, Iterator, Law, Refused,
    SampledGaussianTransform, Statement, Status, Step, Symbol, Terms, Theorem, apart_curve, assume,
    at_most, by_prover, combine, dominated, equal, erfc, exp, expect, formula, formulas, gap,
    given_by, integrable, lemma, linear, log, maximum, missed_moment, precision, random,
    raw_real as ball, read, real, relations, sampled_events, specialize, sqrt, under,
)  # fmt: skip

a = Symbol("a")
u = Symbol("u")
A, D, d, q, mu, m, v, w, x, z = map(
    Symbol, ("A", "D", "d", "q", "mu", "m", "v", "w", "x", "z")
)
AD = ("A > 0", "D > 0")
RATE = ("0 < q", "q < 1", "mu > 0", "d > 0")
D_AT = q * exp(mu * x - mu**2 / 2)
P = Law(
    "P",
    ("U", "V", "F"),
    relations("0 <= U <= 1", "0 <= V <= 1", "0 <= F <= 1", "U <= V + F"),
)
U, V, F = (P.symbol(name) for name in ("U", "V", "F"))


FIRST = mu / 2 + log(d * (1 - q) / q) / mu
SECOND = mu / 2 - log((1 - q) / (d * q)) / mu
"""How far the first edge is above 0, and the second below mu."""


def upper_tail(at: Expr) -> Expr:
    """The bound on a normal tail, by `tail`."""
    return exp(-(at**2) / 2) / 2


def shipped() -> Iterator[tuple[str, Expr, Expr, tuple[Comparison, ...]]]:
    """What the shipped functions compute, where the tails are not below 0, and what it is."""
    sides = relations(at_most(0, FIRST), at_most(0, SECOND))
    point, rate, distance = formulas(mu, q, d, given=(*RATE, *map(str, sides)))
    added = gap(point, rate, distance, removing=False).missed
    yield "gap, added", read(added), upper_tail(FIRST), sides
    removed = gap(point, rate, distance, removing=True).missed
    form = (1 - q) * upper_tail(FIRST) + q * upper_tail(SECOND)
    yield "gap, removed", read(removed), form, sides
    odds = log((1 - q) / q) / mu
    near_ = mu / 2 + odds + log(d) / mu
    far = a * mu - (mu / 2 + odds - log(d) / mu)
    sides = relations(at_most(0, near_), at_most(0, far))
    point, rate, distance, order = formulas(
        mu, q, d, a, given=(*RATE, *map(str, sides))
    )
    moment = missed_moment(point, rate, order, distance)
    bump = exp(a * log(q) + (a**2 - a) * mu**2 / 2)
    kept = exp(a * log(1 - q)) * upper_tail(near_) + bump * upper_tail(far)
    yield "missed_moment", read(moment), exp((a - 1) * log(2)) * kept, sides


def near(part: Statement) -> Iterator[Step]:
    """log(A + D) <= log(A (1 + d)) = log A + log(1 + d)."""
    rises = real("log(v) <= log(w)", "0 < v", "v <= w")
    yield rises, "log rises"
    given = relations(*(one for one in part.given if isinstance(one, str)))
    order = real("A + D <= A*(1 + d)", *given)
    moved = given_by(
        specialize(rises, v=A + D, w=A * (1 + d)), order, real("0 < A + D", *AD)
    )
    yield moved, "D is at most d A"
    split = real("log(A*(1 + d)) == log(A) + log(1 + d)", "A > 0", "d > 0")
    small = real("log(1 + d) <= d", "d > 0")
    yield (
        under(combine(part.claim, moved, split, small), *given),
        "and log(1 + d) is at most d",
    )


def between(part: Statement) -> Iterator[Step]:
    """The convex bound of sampling/gaussian-far-moment at the share 1/2."""
    half = specialize(
        lemma("sampling/gaussian-far-moment", "most"), s=formula(Fraction(1, 2))
    )
    half = given_by(half, real("0 < 1/2"), real("1/2 < 1"))
    yield half, "with equal shares"
    first = real("exp(-a*log(1/2))/2 == exp((a - 1)*log(2))", "a >= 1")
    second = real(
        "exp(a*(u - log(1 - 1/2)))/2 == exp((a - 1)*log(2))*exp(a*u)", "a >= 1"
    )
    yield (
        combine(part.claim, half, first, second, given=part.given),
        "each share is 2**(a - 1)",
    )


def stick(loss: Expr) -> Expr:
    """max(0, 1 - exp(-v)) of a loss that is v above a level."""
    return maximum(0, 1 - exp(-loss))


RISES = at_most(stick(v), stick(w))


def sandwich(part: Statement) -> Iterator[Step]:
    """The pointwise bound in the mean."""
    pointwise = real("U <= V + F", "U <= V + F")
    yield (
        pointwise,
        "where F = 0 the sticks are in order, and where F = 1 they differ by at most 1",
    )
    one = linear(P, 1, {}, constant=1)
    less, more, share = (
        dominated(
            real(f"{name} <= 1", f"{name} <= 1"),
            P,
            one,
            lower=real(f"0 <= {name}", f"{name} >= 0"),
        )
        for name in ("U", "V", "F")
    )
    total = linear(P, V + F, {V: 1, F: 1}, more, share)
    mean = expect(pointwise, P, less, integrable(total, E(P, V + F)))
    yield mean, "in the mean"
    yield (
        combine(part.claim, mean, total, part.assuming["missed"]),
        "F has at most this mean",
    )


def curves(seed: int) -> int:
    """The shipped curve of one release against its closed form, in balls."""
    rng = random.Random(seed)
    tried = 0
    while tried < 12:
        shift = Fraction(rng.randint(200, 900), 10)
        rate = Fraction(rng.randint(1, 60), 100)
        removing = rng.random() < 0.7
        size = float(shift) ** 2
        level = (
            Fraction(rng.randint(1, int(0.8 * size)))
            if removing
            else rate * Fraction(rng.randint(1, 9), 10)
        )
        terms = Terms(
            ((SampledGaussianTransform(formula(shift), formula(rate), removing), 1),)
        )
        tilt = float(level) / size if removing else 1.0
        curve = apart_curve(terms, float(level), -10.0, max(tilt, 0.01))
        if curve is None:
            raise Refused(f"a shift by {shift} at the rate {rate} is not taken apart.")
        with precision(192):
            p, q_ = sampled_events(ball(shift), ball(rate), ball(level), removing)
            exact = p - ball(level).exp() * q_
            if not curve.enclosure(ball(level)).overlaps(exact):
                raise Refused(
                    f"the curve for a shift by {shift} at the rate {rate} misses delta"
                    f" at {level}."
                )
        tried += 1
    return tried


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            Statement(
                "not below",
                "R is at least each of its terms",
                at_most(log(D), log(A + D)),
                by_prover("log rises"),
                AD,
            ),
            Statement(
                "near",
                "if D <= d A, log R is at most log A + d; the same with A and D exchanged",
                at_most(log(A + D), log(A) + d),
                near,
                (*AD, "d > 0", "D <= d*A"),
            ),
            Statement(
                "first edge",
                "D = d A at the edge that the package ships",
                equal(D_AT.at(x=mu / 2 + log(d * (1 - q) / q) / mu), d * (1 - q)),
                by_prover("the logarithm of D is linear in x"),
                RATE,
            ),
            Statement(
                "second edge",
                "A = d D at the edge below mu that the package ships",
                equal(
                    d * D_AT.at(x=mu - (mu / 2 - log((1 - q) / (d * q)) / mu)), 1 - q
                ),
                by_prover("the same"),
                RATE,
            ),
            *(
                Statement(
                    name,
                    f"what is shipped as {name}: the tails beyond these edges",
                    equal(found, form),
                    by_prover("the same formula"),
                    (*RATE, *given),
                )
                for name, found, form, given in shipped()
            ),
            Statement(
                "tail",
                "a normal tail is at most exp(-z**2/2)/2",
                at_most(erfc(z / sqrt(2)) / 2, exp(-(z**2) / 2) / 2),
                by_prover("both are 1/2 at 0, and the difference has one sign"),
                ("z >= 0",),
            ),
            Statement(
                "between",
                "near neither component, R**a is at most 2**(a - 1) (A**a + D**a), over"
                " A**a with exp(u) = D/A",
                at_most(
                    exp(a * log(1 + exp(u))), exp((a - 1) * log(2)) * (1 + exp(a * u))
                ),
                between,
                ("a >= 1",),
            ),
            Statement(
                "rises",
                "a hockey stick rises with the loss",
                RISES,
                by_prover("exp falls"),
                ("v <= w",),
            ),
            Statement(
                "profile",
                "a stick U that is at most another, V, except where F = 1, has at most its"
                " mean and m",
                at_most(E(P, U), E(P, V) + m),
                sandwich,
                (),
                {"missed": assume(at_most(E(P, F), m))},
            ),
        ),
        falsehoods=(
            Falsehood("log(1 + d) is at least d", at_most(d, log(1 + d)), ("d > 0",)),
            Falsehood(
                "nothing is missed: R is at most A (1 + d) everywhere",
                at_most(A + D, A * (1 + d)),
                (*AD, "d > 0"),
            ),
        ),
        attacks=(
            Attack(
                "the shipped curve of one release against its closed form, in balls",
                curves,
            ),
        ),
        rules=(gap, missed_moment, ApartCurve.enclosure),
        in_words=(
            (
                "U and V are the sticks of L - eps and of K + h - eps, or of K - g - eps"
                " and of L - eps: where F = 0 the loss is between K - g and K + h, and"
                " sticks rise with the loss; where F = 1, V + F is at least 1."
            ),
            (
                "K is the sum of the losses log A or log D of the components that were"
                " drawn, whose numbers are binomial; given these numbers it is an offset"
                " and a Gaussian loss, log D being normal under N(mu, 1). Removing a record"
                " has g = 0, as R is at least each term; adding it has h = 0, since -log R"
                " is at most -log A."
            ),
            (
                "Where the record is removed the draws for which a bound fails have at most"
                " the share of a Chernoff bound that they have of the moment, as in"
                " engine/atom-sums: E R**a over x between the two edges is at most that of"
                " 2**(a - 1) A**a above the first, and of 2**(a - 1) D**a below the second,"
                " a bump about a mu."
            ),
            (
                "The draws for which a bound fails are at most the sum of their"
                " probabilities, m; cases that are left out add at most their probability."
            ),
        ),
    )
