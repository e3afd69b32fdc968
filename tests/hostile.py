"""Certificates that are made to keep a checker busy, to fill its memory or to nest it too
deeply.
"""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

Certificate = dict[str, object]
LINE = {"rule": "piece", "facts": [], "proof": {"rule": "terms"}}


def certificate(
    conclusion: str, proof: object, given: tuple[str, ...] = ()
) -> Certificate:
    """A certificate that says that the claim is proved."""
    return {
        "format": "rdpacct-certificate",
        "version": 1,
        "claim": {"given": list(given), "conclusion": conclusion},
        "verdict": "proved",
        "proof": [proof],
    }


def on_line(
    proof: object,
    facts: Sequence[object] | None = None,
    name: str = "x",
    **entries: list[object],
) -> Any:
    """The node of a claim in one variable, whose interval is not cut and has no closed ends."""
    piece = {"rule": "piece", "facts": facts or [], "proof": proof}
    return {
        "rule": "cut",
        "variable": name,
        "cuts": [],
        "points": [],
        "parts": [piece],
    } | entries


def rising(weight: str, direction: int = 1) -> object:
    """The node that says that the goal over the weight is monotone from an end."""
    return {
        "rule": "chain",
        "weight": weight,
        "weight_proof": {"rule": "terms"},
        "segments": [{"direction": direction, "proof": {"rule": "terms"}}],
        "witness": "2",
    }


def many_boxes() -> Certificate:
    """Ten thousand boxes times a thousand terms."""
    terms = "+".join(f"exp({k}*x)*x**{j}" for k in range(1, 40) for j in range(10, 25))
    return certificate(
        f"{terms} > 1e-3*x**2 - x", on_line({"rule": "ball"}), ("0 < x < 1",)
    )


def long_chain_of_sturm() -> Certificate:
    """A polynomial of degree 60 with long coefficients, whose chain has much longer ones."""
    rng = random.Random(1)
    terms = "+".join(
        f"{rng.randrange(10**59, 10**60)}*({'-' if k % 2 else ''}x)**{k}"
        for k in range(61)
    )
    return certificate(
        f"{terms} > -(10**60)**20", on_line({"rule": "sturm"}), ("x > 0",)
    )


def many_chains_of_sturm() -> Certificate:
    """A product whose every factor is a chain of Sturm."""
    rng = random.Random(2)
    texts = [
        "+".join(f"{rng.randrange(1, 10**9)}*x**{k}" for k in range(0, 60, 2))
        for _ in range(60)
    ]
    facts = [{"of": text, "strict": True, "proof": {"rule": "sturm"}} for text in texts]
    return certificate("x**2 >= 0", on_line({"rule": "terms"}, facts))


def doubling_equations() -> Certificate:
    """Each variable is the square of the next, so that the trees double."""
    given = tuple(f"x{i} == x{i + 1}*x{i + 1}" for i in range(40))
    node: object = LINE
    for i in reversed(range(40)):
        node = {"rule": "equation", "variable": f"x{i}", "proof": node}
    return certificate("x0 >= 0", node, given)


def growing_ratios() -> Certificate:
    """Sixty changes of variables, each of which makes the trees longer, as Fibonacci numbers
    grow.
    """
    names = ["x", "y"]
    node: object = LINE
    for k in range(58):
        node = {
            "rule": "ratio",
            "variable": names[k % 2],
            "base": names[1 - k % 2],
            "proof": node,
        }
    return certificate("exp(x)*y + x*y > 0", node, ("x > 0", "y > 0"))


def long_fractions() -> Certificate:
    """Sums of fractions whose common denominators get longer and longer."""
    terms = "+".join(f"(1/{3 + 2 * k})**{900 - k}*x**{k % 7}" for k in range(200))
    return certificate(f"{terms} >= 0", on_line({"rule": "terms"}), ("x > 0",))


def long_products() -> Certificate:
    """A product of a hundred numbers of thirty thousand digits each."""
    return certificate(
        "*".join(["(7**900)**39/(5**900)**38"] * 100) + " > 0", {"rule": "ground"}
    )


def many_cuts() -> Certificate:
    """Half a million places at which a piece is split."""
    cuts = [f"{k}/500001" for k in range(150_000)]
    return certificate(
        "x**2 > -1", on_line({"rule": "split", "cuts": cuts, "parts": []})
    )


def many_irrational_cuts() -> Certificate:
    """Places that are hard to compare."""
    cuts = [f"sqrt({k}+sqrt(2))*exp(1/{k})" for k in range(2, 2900)]
    parts = [{"rule": "known"}] * (len(cuts) + 1)
    return certificate(
        "exp(x) + x > -1e9",
        on_line({"rule": "split", "cuts": cuts, "parts": parts}),
        ("x > 0",),
    )


def many_cuts_of_a_claim() -> Certificate:
    """The same in the claim itself."""
    cuts = [f"log({k}/7+pi)" for k in range(1, 100_000)]
    return certificate(
        "x**2 > -1",
        {"rule": "cut", "variable": "x", "cuts": cuts, "points": [], "parts": []},
    )


def many_factors() -> Certificate:
    """Factors with even powers need no proofs."""
    factors = [{"of": f"x+{k}", "power": 2} for k in range(100_000)]
    return certificate("x**2 >= 0", on_line({"rule": "product", "factors": factors}))


def many_facts() -> Certificate:
    """Facts about functions with long arguments."""
    texts = [
        "exp(" + "+".join(f"x**{j}*{k}" for j in range(1, 40)) + ")"
        for k in range(1, 2900)
    ]
    facts = [{"of": text, "strict": True, "proof": {"rule": "known"}} for text in texts]
    return certificate("x**2 >= 0", on_line({"rule": "terms"}, facts))


def repeated_long_functions() -> Certificate:
    """A function whose argument is long, in each term of a long sum: the text of the sum would take
    gigabytes.
    """
    inner = "exp((1+x+y+z)**18)"
    for _ in range(3):
        inner = f"exp(y*{inner}*(1+x)**20)"
    node: object = LINE
    for name in "zyx":
        node = {
            "rule": "cut",
            "variable": name,
            "cuts": [],
            "points": [],
            "parts": [node],
        }
    return certificate(f"{inner}*(1+x+y)**40 > -1", node, ("x > 0", "y > 0", "z > 0"))


def nested_functions() -> Certificate:
    """Functions of functions, each of which is needed twice."""
    text = "x"
    for _ in range(8):
        text = f"(exp({text})+erfc({text}))"
    return certificate(f"{text} > -1e9", on_line(rising("1")), ("x > 0",))


def towers() -> Certificate:
    """Limits of towers of exponentials, which are compared again and again."""
    tower = "x"
    for _ in range(25):
        tower = f"exp({tower})"
    return certificate(
        f"{tower} - exp(-{tower})*{tower} > 0", on_line(rising("1", -1)), ("x > 0",)
    )


def huge_exponents() -> Certificate:
    """A power of a power of a power, at an end and in derivatives."""
    text = "x"
    for _ in range(25):
        text = f"({text})**1000"
    return certificate(
        f"{text}*log(x) + exp({text}) > 0", on_line(rising("x**999")), ("x > 1",)
    )


def many_variables() -> Certificate:
    """Four hundred variables, one below the other."""
    names = [f"v{k}" for k in range(400)]
    given = tuple(f"{a} < {b}" for a, b in pairwise(names))
    node: object = LINE
    for name in reversed(names):
        node = {
            "rule": "cut",
            "variable": name,
            "cuts": [],
            "points": [],
            "parts": [node],
        }
    return certificate(f"{'+'.join(names)} > 0", node, (*given, "v0 > 0"))


def many_assumptions() -> Certificate:
    """Assumptions with hundreds of terms each, of which every pair is combined."""
    rng = random.Random(3)
    rows = [
        "+".join(f"{rng.randrange(-9, 10)}*x*y**{k}" for k in range(1, 60))
        for _ in range(60)
    ]
    return certificate(
        "x > 0", on_line({"rule": "terms"}), tuple(f"{row} > 0" for row in rows)
    )


def nested_differences() -> Certificate:
    """Each variable measured from the next ones, by formulas that grow."""
    given = tuple(
        f"x{i} >= x{i + 1}*x{i + 2}*x{i + 2} + x{i + 1}**2" for i in range(40)
    )
    node: object = LINE
    for i in reversed(range(40)):
        node = {"rule": "difference", "variable": f"x{i}", "low": i, "proof": node}
    return certificate("x0 >= 0", node, (*given, "x40 > 0", "x41 > 0"))


def hard_constants() -> Certificate:
    """Constants that no precision tells apart, with functions that are slow there."""
    terms = "+".join(f"erfc({40 + k}/(1+pi))*exp({k})" for k in range(100))
    return certificate(
        f"{terms} > {terms} + sqrt(2)*sqrt(3)-sqrt(6)", {"rule": "ground"}
    )


def long_series() -> Certificate:
    """A limit at which many leading terms cancel, with long constants."""
    text = "+".join(
        f"{k}*log(1+x*sqrt({k}+pi))*(1+x)**(1/{k + 1})" for k in range(1, 24)
    )
    return certificate(f"({text})*sqrt(x) >= 0", on_line(rising("x**5")), ("x > 0",))


def many_orders() -> Certificate:
    """Cases of cases of cases: a tree of which every branch is a level deep."""
    node: object = on_line(None, name="y", parts=[on_line({"rule": "terms"})])
    equal = on_line({"rule": "terms"}, name="y")
    for _ in range(11):
        node = {
            "rule": "order",
            "variable": "x",
            "base": "y",
            "above": node,
            "below": node,
            "equal": equal,
        }
    return certificate("x**2 + y**2 >= 0", node)


def deep_proof() -> Certificate:
    """Splits within splits."""
    node: object = {"rule": "terms"}
    for _ in range(400):
        node = {"rule": "split", "cuts": [], "parts": [node]}
    return certificate("x**2 >= 0", on_line(node))


def deep_proof_of_a_long_goal() -> Certificate:
    """As deep as is allowed, with a goal of many terms that have long coefficients."""
    node: object = {"rule": "terms"}
    for _ in range(55):
        node = {"rule": "split", "cuts": [], "parts": [node]}
    return certificate(
        "(x+1/3)**40*(7**900)**4 + (x+2)**30*exp(x)*(5**900)**5 > 0",
        on_line(node),
        ("x > 0",),
    )


def products_of_cosines() -> Certificate:
    """A product of cosines is a sum of twice as many."""
    text = "*".join(f"(2+cos(x*{k}))" for k in range(1, 40))
    return certificate(
        f"{text} > 0", on_line({"rule": "bounded", "proof": {"rule": "terms"}})
    )


def changes_of_coordinates() -> Certificate:
    """Every fact is moved with every change."""
    facts = [
        {"of": f"(x+{k})**30", "strict": True, "proof": {"rule": "terms"}}
        for k in range(1, 100)
    ]
    node: object = {"rule": "terms"}
    for _ in range(50):
        node = {
            "rule": "change",
            "form": "power",
            "degree": 12,
            "shift": "0",
            "proof": node,
        }
    return certificate("x**2 > 0", on_line(node, facts), ("x > 0",))


HOSTILE: list[Callable[[], Certificate]] = [
    value
    for value in list(globals().values())
    if callable(value)
    and getattr(value, "__module__", "") == __name__
    and value.__name__ not in ("certificate", "on_line", "rising")
]
