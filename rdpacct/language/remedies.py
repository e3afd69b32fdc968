"""Remedies for mistakes in plans and claims: what the writer most likely meant."""

import difflib
import unicodedata
from collections.abc import Iterable

MEANT = {
    "bernoulli": "RandomizedResponse",
    "cdp": "ZCDP or MeanCDP",
    "concentrateddp": "ZCDP or MeanCDP",
    "differentialprivacy": "PureDP or ApproxDP",
    "dp": "PureDP or ApproxDP",
    "edp": "PureDP",
    "epsilondelta": "ApproxDP",
    "epsilondeltadp": "ApproxDP",
    "fdp": "GaussianDP",
    "gaussianmechanism": "Gaussian",
    "gdp": "GaussianDP",
    "geometric": "DiscreteLaplace",
    "identity": "NonPrivate",
    "laplacemechanism": "Laplace",
    "mcdp": "MeanCDP",
    "noiseless": "NonPrivate",
    "normal": "Gaussian",
    "poisson": "PoissonSampled",
    "rappor": "RandomizedResponse",
    "rdp": "RenyiDP or RandomDP",
    "report": "Exponential",
    "rr": "RandomizedResponse",
    "sampled": "PoissonSampled",
    "sampledgaussian": "PoissonSampled",
    "subsampled": "PoissonSampled",
    "subsampledgaussian": "PoissonSampled",
    "table": "FiniteMechanism",
    "zerocdp": "ZCDP",
}
"""Other names of mechanisms and guarantees, in small letters without underscores."""

PARAMETERS = {
    ("Laplace", "epsilon"): "for an epsilon take scale = sensitivity/epsilon",
    ("DiscreteLaplace", "epsilon"): "for an epsilon take scale = sensitivity/epsilon",
    ("Laplace", "b"): "b is called scale",
    (
        "Laplace",
        "sigma",
    ): "Laplace noise of standard deviation sigma has scale = sigma/sqrt(2)",
    ("Gaussian", "scale"): "the standard deviation is called sigma",
    ("Gaussian", "std"): "the standard deviation is called sigma",
    (
        "Gaussian",
        "epsilon",
    ): "rdpacct calibrate finds the sigma for an epsilon and a delta",
    ("Gaussian", "noise_multiplier"): (
        "sigma is the noise multiplier times the sensitivity, which is the clipping"
        " norm"
    ),
    (
        "RandomizedResponse",
        "p",
    ): "for a true answer with probability p among two take epsilon=log(p/(1 - p))",
    ("PoissonSampled", "q"): "the probability of a record is called rate",
    ("PoissonSampled", "sampling_rate"): "the probability of a record is called rate",
    ("PoissonSampled", "sample_rate"): "the probability of a record is called rate",
    ("PoissonSampled", "probability"): "the probability of a record is called rate",
    (
        "PoissonSampled",
        "sampling_probability",
    ): "the probability of a record is called rate",
    ("RenyiDP", "order"): "the order is called alpha",
}
"""Parameters of other names, or other ways to give them."""

CHARACTERS = {
    "^": "write a power with **, as in 10**-6, or 1e-6",
    "%": "write a percentage as a fraction, as in 0.01 for 1 percent",
    ";": "join releases with +, and arguments with a comma",
    "&": "join releases with +",
    ":": "write a parameter as in sigma=1",
    "{": "write lists in [ ]",
    "}": "write lists in [ ]",
    '"': "write names and numbers without quotes",
    "'": "write names and numbers without quotes",
    "<": "write a parameter as in epsilon=1",
    ">": "write a parameter as in epsilon=1",
    "\u2264": "write a parameter as in epsilon=1",
    "\u00d7": "write a product with *",
    "\u00b7": "write a product with *",
    "\u22c5": "write a product with *",
    "\u2212": "write a minus sign as -",
    "\u2013": "write a minus sign as -",
    "\u221a": "write a root as sqrt(2)",
    "\u221e": "a number is finite",
}
"""What to write in place of a character."""

PLAIN = "use names, numbers and + - * / ** ( ) , = [ ] only"


def for_character(character: str) -> str:
    """What to write in place of a character that has no meaning."""
    if character in CHARACTERS:
        return CHARACTERS[character]
    name = unicodedata.name(character, "")
    if name.startswith("GREEK SMALL LETTER "):
        return f"spell Greek letters out, here {name.split()[3].lower()}"
    return PLAIN


def for_token(before_kind: str, before: str, kind: str, text: str, what: str) -> str:
    """What to write in place of a token that does not fit."""
    if what == "claim" and text in (",", "="):
        return (
            "write a guarantee with its parameters by name, as in ApproxDP(epsilon=1,"
            " delta=1e-5)"
        )
    if text.lower() in ("and", "plus", "then", "with"):
        return "join releases with +"
    if before_kind == "number" and kind == "name":
        return f"write a product with *, as in {before}*{text}"
    if text == "," and what == "plan":
        return "join releases with +"
    if text == "," and what not in ("plan", "claim"):
        return "write a decimal with a point, as in 0.001"
    if text == "=":
        return "write a parameter inside of a mechanism, as in Gaussian(sigma=1)"
    return "correct it"


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The known name that is nearest to an unknown one; None if none is near."""
    names = list(known)
    folded = name.replace("_", "").lower()
    if folded in MEANT:
        return MEANT[folded]
    by_folded = {other.lower(): other for other in names}
    near = difflib.get_close_matches(folded, by_folded, n=1, cutoff=0.65)
    return by_folded[near[0]] if near else None


def for_parameter(owner: str, name: str, known: Iterable[str]) -> str:
    """What to write in place of an unknown parameter, as the end of a sentence; empty if no remedy
    is known.
    """
    if (owner, name) in PARAMETERS:
        return f"; {PARAMETERS[owner, name]}."
    near = did_you_mean(name, known)
    return f"; did you mean {near}?" if near else ""
