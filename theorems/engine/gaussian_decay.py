"""The transform of the Gaussian loss along a vertical line, and its modulus.

Printed: not in the sources.
Proved: Let L = mu X + mu**2/2 be the loss of a shift by mu standard deviations, X standard normal. On the real line
    M(t) = E exp(t L) = exp(t (1 + t) mu**2/2). Tilting the density of X by exp(t L)/M(t) shifts it by t mu. The means
    of cos(w X) and of sin(w X) have the derivatives -E X sin(w X) = -w E cos(w X) and E X cos(w X) = -w E sin(w X). So
    they are exp(-w**2/2) and 0, and M(t + i y) has the real part exp(A) cos(B) and the imaginary part exp(A) sin(B),
    A + i B = z (1 + z) mu**2/2. The square of its modulus is, for y >= h >= 0, at most that of the shipped bound
    M(t) exp(-h**2 mu**2/2), which is attained at y = h.
Idea: Integration by parts; and the modulus of exp(A + i B) is exp(A).
Source: Feller, An Introduction to Probability Theory and Its Applications, volume 2, chapter 15, for the
    characteristic function of the normal law.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import absolute, cos, erfc, exp, normal_density, sin, sqrt
from rdpacct.exact.raw import real as number
from rdpacct.privacy.transform import GaussianTransform, Nodes
from rdpacct.proof.entries import lemma
from rdpacct.proof.kernel import (
    E,
    Refused,
    at_most,
    combine,
    dominated,
    equal,
    given_by,
    integrable,
    integrate,
    linear,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics import normal
from rdpacct.proof.tactics.formal import Formal
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict, by_prover

x, t, y, h, w, mu = (Symbol(name) for name in ("x", "t", "y", "h", "w", "mu"))
N = normal.standard_normal()
LOSS = normal.loss(mu, x)
HEIGHT = (t * (1 + t) - y**2) * mu**2 / 2
ANGLE = (1 + 2 * t) * y * mu**2 / 2
MODULUS = (exp(HEIGHT) * cos(ANGLE)) ** 2 + (exp(HEIGHT) * sin(ANGLE)) ** 2
START = exp(t * (1 + t) * mu**2 / 2)
SHIPPED = GaussianTransform(Formal(mu**2)).decay(Formal(t), Formal(h), Formal(START)).expr  # type: ignore[arg-type]


def by_parts(part: Part, name: str, other: str) -> Iterator[Step]:
    """The derivative of the density times a turn has the integral 0."""
    first, second = (f(w * x) for f in ((sin, cos) if name == "sin" else (cos, sin)))
    sign = 1 if name == "sin" else -1
    square = normal.second_moment(N)
    both = linear(N, 1 + x**2, {x**2: 1}, integrable(square, E(N, x**2)), constant=1)
    size = combine(
        at_most(absolute(x * first), 1 + x**2), real(f"abs(x*{name}(w*x)) <= abs(x)"), real("abs(x) <= 1 + x**2")
    )
    finite = dominated(size, N, integrable(both, E(N, 1 + x**2)))
    bounded = dominated(real(f"abs({other}(w*x)) <= 1"), N)
    body = x * first - sign * w * second
    split = linear(N, body, {x * first: 1, second: -sign * w}, finite, bounded)
    density, mass = normal_density(x, 0, 1), -erfc(x / sqrt(2)) / 2
    zero = integrate(N, body, (-density * first,), (mass,), finite=integrable(split, E(N, body)))
    yield zero, "integration by parts"
    yield combine(part.claim, zero, (split, -1)), "the two means"


def real_line(part: Part) -> Iterator[Step]:
    """The moments of the loss."""
    yield combine(part.claim, lemma("gaussian/renyi", "moment")), "as for the Renyi divergences"


def modulus(part: Part) -> Iterator[Step]:
    """The turn has the modulus 1."""
    lower = real("-y**2 <= -h**2", *part.given)
    rises = specialize(
        under(real("exp(a) <= exp(b)", "a <= b"), "a <= b", *part.given), a=-(y**2) * mu**2, b=-(h**2) * mu**2
    )
    falls = given_by(rises, combine(at_most(-(y**2) * mu**2, -(h**2) * mu**2), (lower, mu**2)))
    yield falls, "the bound falls"
    yield combine(part.claim, (falls, START**2)), "and the turn has the modulus 1"


def attack(seed: int) -> int:
    """The shipped transform against the shipped bound, at random places."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(200):
            transform = GaussianTransform(formula(Fraction(rng.randint(1, 60), 20)))
            tilt, low = number(Fraction(rng.randint(1, 80), 20)), Fraction(rng.randint(0, 60), 20)
            height = low + Fraction(rng.randint(1, 20), 20)
            first, second = transform.at(Nodes(tilt, number(height), 2))
            if abs(second) > transform.decay(tilt, number(low), first.real):
                raise Refused(f"{transform} breaks the bound at the height {height}.")
    return 200


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    in_words=(
        "the means of cos(w X) and sin(w X) are differentiated under the integral, and f' = -w f has one solution for"
        " each value at 0: exp(-w**2/2) for 1, and 0 for 0",
        "with the tilted density these are the real and imaginary parts of M(t + i y)/M(t), turned by the mean of the"
        " tilted loss",
    ),
    parts=(
        Part("real-line", "the transform on the real line", equal(E(N, exp(t * LOSS)), START), real_line),
        Part(
            "tilt",
            "the tilted density is a shifted one",
            equal(exp(t * LOSS) * normal_density(x, 0, 1), START * normal_density(x - t * mu, 0, 1)),
            by_prover("complete the square"),
        ),
        Part(
            "cosine",
            "the derivative of the mean of cos(w X)",
            equal(E(N, x * sin(w * x)), w * E(N, cos(w * x))),
            partial(by_parts, name="sin", other="cos"),
        ),
        Part(
            "sine",
            "the derivative of the mean of sin(w X)",
            equal(E(N, x * cos(w * x)), -w * E(N, sin(w * x))),
            partial(by_parts, name="cos", other="sin"),
        ),
        Part(
            "modulus",
            "the square of the modulus is at most that of the shipped bound",
            at_most(MODULUS, SHIPPED**2),
            modulus,
            ("0 <= h", "h <= y"),
        ),
    ),
    sharp=(Part("attained", "at the height itself", equal(MODULUS, SHIPPED.at(h=y) ** 2), by_prover("the same")),),
    falsehoods=(
        Falsehood(
            "twice the exponent, here at t = 1 and mu = 1",
            at_most(MODULUS.at(t=1, mu=1), exp(2 - 2 * y**2)),
            ("y > 0",),
        ),
    ),
    attacks=(Attack("the shipped transform at random places", attack),),
    rules=(GaussianTransform.at, GaussianTransform.decay),
)
