"""The transform of the Laplace loss at complex rates.

Printed: not in the sources.
Proved: E exp(z L) = (exp(mu z) (1 + w) + exp(-mu (z + 1)) (1 - w))/2 with w = 1/(2 z + 1), for every real z > -1/2 by
    integration, and the shipped real and imaginary parts: with z = t + i y, w = p + i q and the cosine and sine c, d of
    y mu, they are those of the form above, as it is a sum of two turned numbers and w times their difference. Both
    sides are analytic for Re z > -1/2, so that they agree there.
Idea: The loss is -mu, mu and between them uniform under exp(-L/2); the form is that of laplace/renyi, sorted by w.
Source: Mironov (2017), Renyi differential privacy, Proposition 6, for real orders.
"""

import cmath
import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.raw import real as raw
from rdpacct.mechanisms.laplace import log_moment
from rdpacct.privacy.transform import LaplaceTransform, Nodes
from rdpacct.proof.entries import lemma
from rdpacct.proof.kernel import E, Refused, at_most, combine, equal
from rdpacct.proof.tactics.laplace_pair import LOSS, around, s
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict, by_prover

t, up, down, c, d, p, q = (Symbol(name) for name in ("rate", "up", "down", "c", "d", "p", "q"))


def form(z: Expr) -> Expr:
    """The transform at a real rate."""
    w = 1 / (2 * z + 1)
    return (exp(s * z) * (1 + w) + exp(-s * (z + 1)) * (1 - w)) / 2


def moments(part: Part) -> Iterator[Step]:
    """As in the entry on Renyi divergences."""
    found = lemma("laplace/renyi", "above")
    yield found, "by antiderivatives on the three pieces"
    yield combine(part.claim, found, given=part.given), "sorted by w"


FIRST, SECOND = (up * c, up * d), (down * c, -down * d)
"""exp(mu z)/2 and exp(-mu (z + 1))/2: real and imaginary parts."""
REAL = FIRST[0] * (1 + p) - FIRST[1] * q + SECOND[0] * (1 - p) + SECOND[1] * q
IMAGINARY = FIRST[0] * q + FIRST[1] * (1 + p) - SECOND[0] * q + SECOND[1] * (1 - p)
TOTAL, GAP = up + down, up - down


def attack(seed: int) -> int:
    """The shipped values at random nodes, against the form in double precision, and M at the first against the log."""
    rng = random.Random(seed)
    for _ in range(40):
        shift, tilt, step = (Fraction(rng.randint(1, 40), 10) for _ in range(3))
        with precision(96):
            found = LaplaceTransform(formula(shift)).at(Nodes(raw(tilt), raw(step), 4))
            first = Ball(found[0].real, 96)
        if not first.bound().overlaps(exp(log_moment(formula(shift), formula(tilt))).bound()):
            raise Refused(f"the transform of the shift {shift} at {tilt} is not its moment.")
        for number, value in enumerate(found):
            z = complex(float(tilt), number * float(step))
            w, mu = 1 / (2 * z + 1), float(shift)
            wanted = (cmath.exp(mu * z) * (1 + w) + cmath.exp(-mu * (z + 1)) * (1 - w)) / 2
            if abs(complex(value) - wanted) > 1e-9 * abs(cmath.exp(mu * z.real)):
                raise Refused(f"the transform of the shift {shift} at {z} is not {wanted}.")
    return 160


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    in_words=(
        "both sides are analytic in z for Re z > -1/2, since the loss is bounded, and agree on the real line: the "
        "identity theorem",
    ),
    parts=(
        Part(
            "real rates",
            "the moment at a real rate, in the form that is shipped",
            equal(E(around(), exp(t * LOSS)), form(t)),
            moments,
            ("s > 0", "rate > -1/2"),
        ),
        Part(
            "real part",
            "the shipped real part, from total c + gap c p - total d q",
            equal(TOTAL * c + (GAP * c * p - TOTAL * d * q), REAL),
            by_prover("complex products"),
        ),
        Part(
            "imaginary part",
            "the shipped imaginary part, from gap d + gap c q + total d p",
            equal(GAP * d + (GAP * c * q + TOTAL * d * p), IMAGINARY),
            by_prover("complex products"),
        ),
    ),
    sharp=(
        Part(
            "symmetric",
            "the transform does not change when z becomes -1 - z, as the pair is exchanged",
            equal(form(-1 - t), form(t)),
            by_prover("w changes its sign"),
            ("rate > -1/2",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the density between may be left out",
            at_most(form(t), (exp(s * t) + exp(-s * (t + 1))) / 2),
            ("s > 0", "rate > 0"),
        ),
    ),
    attacks=(Attack("shipped values at random nodes", attack),),
    rules=(LaplaceTransform.at,),
)
