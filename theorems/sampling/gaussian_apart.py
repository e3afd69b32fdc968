"""A sampled Gaussian whose two laws are far apart: its loss is near that of the component that was
drawn.

Printed: not in the sources
Proved: Let A = 1 - q, D = q exp(mu x - mu**2/2) and R = A + D. Then R >= A and R >= D; if D <= d A,
    log R is at most log A + d, and if A <= d D, it is at most log D + d. D = d A at x = mu/2 +
    log(d A/q)/mu, and A = d D at x = mu - z with z = mu/2 - log(A/(d q))/mu, so that under N(0, 1)
    and N(mu, 1) each bound fails on a tail of the normal law only, which is at most exp(-z**2/2)/2
    at z >= 0. If losses L are at most K + d, but with the probabilities m, the profile of the sum
    of k of them at eps is at most that of the sum of the K at eps - k d, and the sum of the m. For
    a >= 1 the x near neither component have R**a <= 2**(a - 1) (A**a + D**a), which bounds their
    share of a moment and so, by Chernoff's bound, of the profile.
Idea: log(1 + d) <= d, and a hockey stick rises with the loss and lies between 0 and 1.
Source: elementary.
"""

from rdpacct.book.words import (
    ApartCurve, Attack, CLAIM, Comparison, E, Expr, Falsehood, Fraction, Iterator, LOGS, Law,
    MISSED, NEARBY_DRAWS, Refused, SHARE, SHARE_HYPOTHESES, SampledGaussianTransform, Statement,
    Status, Step, Symbol, Terms, Theorem, Whole, apart_curve, at_most, by_prover, chernoff, combine,
    dominated, equal, erfc, example, exp, expect, formula, formulas, gap, given_by, integrable,
    lemma, linear, log, missed_moment, moment_parts, nearby_S as S, nearby_T as T, nearby_e as e,
    nearby_profile as profile, partial, precision, random, rare_share_s as s, raw_real as ball,
    read, real, relations, sampled_events, shared, specialize, sqrt, stick, under,
)  # fmt: skip

a = Symbol("a")
u = Symbol("u")
A, D, d, q, mu, x, z = map(Symbol, ("A", "D", "d", "q", "mu", "x", "z"))
AD = ("A > 0", "D > 0")
RATE = ("0 < q", "q < 1", "mu > 0", "d > 0")
D_AT = q * exp(mu * x - mu**2 / 2)
CASES = Law("C", ("V", "G"), relations("0 <= V <= 1", "0 <= G <= 1"))
"""The profile V of a case, and whether it is left out, G."""
V, G = (CASES.symbol(name) for name in ("V", "G"))


CHERNOFF = read(chernoff(*formulas(LOGS, s, e)))
CHERNOFF_PEAK = read(chernoff(*formulas(0, s, 0)))
FIRST = mu / 2 + log(d * (1 - q) / q) / mu
SECOND = mu / 2 - log((1 - q) / (d * q)) / mu
"""How far the first edge is above 0, and the second below mu."""


def upper_tail(at: Expr) -> Expr:
    """The probability that a standard normal variable exceeds this."""
    return erfc(at / sqrt(2)) / 2


Tails = tuple[tuple[Expr, Expr], ...]
"""How far out normal tails begin, with their weights."""


def shipped() -> Iterator[tuple[str, Expr, Tails, tuple[Comparison, ...]]]:
    """What the shipped functions compute, where no tail begins below 0, and the tails."""
    sides = relations(at_most(0, FIRST), at_most(0, SECOND))
    point, rate, distance = formulas(mu, q, d, given=(*RATE, *map(str, sides)))
    added = gap(point, rate, distance, removing=False).missed
    yield "gap, added", read(added), ((FIRST, formula(1)),), sides[:1]
    removed = gap(point, rate, distance, removing=True).missed
    yield "gap, removed", read(removed), ((FIRST, 1 - q), (SECOND, q)), sides
    odds = log((1 - q) / q) / mu
    near_ = mu / 2 + odds + log(d) / mu
    far = a * mu - (mu / 2 + odds - log(d) / mu)
    sides = relations(at_most(0, near_), at_most(0, far))
    point, rate, distance, order = formulas(
        mu, q, d, a, given=(*RATE, *map(str, sides))
    )
    moment = missed_moment(point, rate, order, distance)
    bump = exp(a * log(q) + (a**2 - a) * mu**2 / 2)
    twice = exp((a - 1) * log(2))
    tails = (near_, twice * exp(a * log(1 - q))), (far, twice * bump)
    yield "missed_moment", read(moment), tails, sides


def beyond(part: Statement, tails: Tails) -> Iterator[Step]:
    """Each tail is at most what is shipped for it."""
    given = relations(*(one for one in part.given if isinstance(one, str | Comparison)))
    tail = lemma("sampling/gaussian-apart", "tail")
    yield tail, "a normal tail"
    known = under(tail, "z >= 0", *RATE)
    uses = ((specialize(known, z=at), weight) for at, weight in tails)
    yield under(combine(part.claim, *uses, given=RATE), *given), "each of them"


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


BETWEEN = Statement(
    "between",
    "near neither component, R**a is at most 2**(a - 1) (A**a + D**a), over"
    " A**a with exp(u) = D/A",
    at_most(exp(a * log(1 + exp(u))), exp((a - 1) * log(2)) * (1 + exp(a * u))),
    between,
    ("a >= 1",),
)


def left_out(part: Statement) -> Iterator[Step]:
    """A profile is at most 1."""
    line = real("V <= (1 - G)*V + G", "0 <= V", "V <= 1", "0 <= G", "G <= 1")
    yield line, "a profile is at most 1"
    kept = (1 - G) * V
    finite = {
        body: dominated(
            real(at_most(body, 1), *CASES.support),
            CASES,
            lower=real(at_most(0, body), *CASES.support),
        )
        for body in (V, G, kept)
    }
    total = linear(CASES, kept + G, {kept: 1, G: 1}, finite[kept], finite[G])
    over = expect(line, CASES, finite[V], integrable(total, E(CASES, kept + G)))
    yield combine(part.claim, over, total), "in the mean"


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
                "R is at least each of its terms, so that the loss is not below log D, nor"
                " log A, where the record is removed, and not above -log A where it is added",
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
                    f"what is shipped as {name}: at least the tails beyond these edges",
                    at_most(
                        sum((w * upper_tail(at) for at, w in tails), formula(0)), found
                    ),
                    partial(beyond, tails=tails),
                    (*RATE, *given),
                )
                for name, found, tails, given in shipped()
            ),
            Statement(
                "tail",
                "a normal tail is at most exp(-z**2/2)/2",
                at_most(upper_tail(z), exp(-(z**2) / 2) / 2),
                by_prover("both are 1/2 at 0, and the difference has one sign"),
                ("z >= 0",),
            ),
            BETWEEN,
            *moment_parts(BETWEEN),
            Statement(
                "draws",
                "losses L that are at most K + d, but where f = 1: the profile of their sum"
                " S after k draws is at most that of T, the sum of the K + d, and the"
                " probabilities of f = 1; so with L and K exchanged",
                CLAIM,
                profile,
                (Whole("k", 0),),
                {"missed": MISSED},
                example(
                    {"k": 1, "d": 0, "e": 0}, {"R": [((0, 0, 0), 1)]}, M=("n", "n")
                ),
            ),
            Statement(
                "share of a moment",
                "where the record is removed: given the past, E exp(s L) is at most exp of"
                " what G gains, and E[exp(s L) f] what H gains of that; then what the rare"
                " draws add is at most their share of the shipped Chernoff bound",
                at_most(
                    E(NEARBY_DRAWS, stick(S - e)),
                    E(NEARBY_DRAWS, stick(T - e)) + SHARE * CHERNOFF,
                ),
                partial(shared, peak=CHERNOFF_PEAK),
                ("s > 0", Whole("k", 0)),
                SHARE_HYPOTHESES,
                example(
                    {"k": 1, "s": 1, "d": 0, "e": 0},
                    {"R": [((0, 0, 0), 1)]},
                    G=("n", 0),
                    H=("n", 0),
                ),
            ),
            Statement(
                "moment",
                "R**a under N(0, 1), a = 1 + s, is exp(s L) under the mixture, whose density"
                " is R",
                equal((A + D) * exp(s * log(A + D)), exp((1 + s) * log(A + D))),
                by_prover("a product of powers"),
                AD,
            ),
            Statement(
                "left out",
                "cases that are left out add at most their probability",
                at_most(E(CASES, V), E(CASES, (1 - G) * V) + E(CASES, G)),
                left_out,
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
                "The sum of the K, each log A or log D as its component was drawn, is an"
                " offset and a Gaussian loss given how many were drawn of each kind, as"
                " log D is normal under N(mu, 1); these numbers are binomial."
            ),
        ),
    )
