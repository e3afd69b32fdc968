"""Tampering with certificates: mutations inside the nodes of every rule that the checker knows.

A certificate that is accepted must certify its own claim, and that claim must not be a false one.
"""

import copy
import random
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rdpacct.proof.check as checker
from rdpacct import InputError
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.boxes import REDUCTIONS
from rdpacct.proof.check.rules import RULES
from rdpacct.proof.language import KERNEL_FUNCTIONS, read_comparisons
from rdpacct.proof.prove import prove, read_inequality
from rdpacct.proof.refute import refute
from tests.proof.test_prover_search import TARGETS, proof_of

MUTATIONS = 80
"""For each rule; a third keep the true claim, a third put a false one in its place, a third mutate
its text.
"""

# (true claim, given, false claim, given of the false claim)
CLAIMS = [
    ("2 < exp(1)", [], "2.71828182845905 < exp(1)", []),
    ("exp(x)+x**2 >= x+0.999", ["0<=x<=1"], "exp(x)+x**2 >= x+1.001", ["0<=x<=1"]),
    ("log(1+x) <= x", ["x>=0"], "log(1+x) < x", ["x>=0"]),
    ("log(x) <= x-1", [], "log(x) < x-1", []),
    ("sqrt(1+x) <= 1+x/2", ["x>=-1"], "sqrt(1+x) <= 1+x/2.001", ["x>=-1"]),
    (
        "x*tanh(x/2) <= x*(exp(x)-1)/2",
        ["x>0"],
        "x*tanh(x/2) <= 0.999*x*(exp(x)-1)/2",
        ["x>0"],
    ),
    ("x**(1/x) <= exp(1/exp(1))", ["x>0"], "x**(1/x) < exp(1/exp(1))", ["x>0"]),
    ("x**2 != -1", [], "x**2 != 1", []),
    ("x*(1-x) <= 1/4", [], "x*(1-x) < 1/4", []),
    ("erfc(x) <= exp(-x**2)", ["x>=0"], "erfc(x) <= exp(-x**2)", ["x>=-0.01"]),
    ("abs(x*y) <= (x**2+y**2)/2", [], "abs(x*y) < (x**2+y**2)/2", []),
    ("min(x, y) <= sqrt(x*y)", ["x>0", "y>0"], "min(x, y) < sqrt(x*y)", ["x>0", "y>0"]),
    (
        "exp(x)-exp(y) >= x-y",
        ["x>y", "y>0"],
        "exp(x)-exp(y) >= 1.01*(x-y)",
        ["x>y", "y>0"],
    ),
    ("exp(x+y) >= 1+x+y", ["x>0", "y>0"], "exp(x+y) >= 1+x+y", ["x>0", "y>-2"]),
    ("x*y <= x*log(x)+exp(y-1)", ["x>0"], "x*y < x*log(x)+exp(y-1)", ["x>0"]),
    ("x**2+y**2 >= 2*x*y", ["x>=y"], "x**2+y**2 > 2*x*y", ["x>=y"]),
    (
        "p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= 2*(p-q)**2",
        ["0<p<1", "0<q<1"],
        "p*log(p/q)+(1-p)*log((1-p)/(1-q)) > 2*(p-q)**2",
        ["0<p<1", "0<q<1"],
    ),
    (
        "y >= 1+x+x**2/2",
        ["y == exp(x)", "x>=0"],
        "y >= 1+x+0.51*x**2",
        ["y == exp(x)", "x>=0"],
    ),
    ("(x+y)**2 >= 4*x*y", ["x>0", "y>0"], "(x+y)**2 > 4*x*y", ["x>0", "y>0"]),
    (
        "0 <= (r-exp(-e))/(exp(e)-exp(-e))",
        ["e>0", "exp(-e)<=r"],
        "0 <= (r-exp(-e))/(exp(e)-exp(-e))",
        ["exp(-e)<=r"],
    ),
    ("x+y <= 2", ["x<=1", "y<=2-x"], "x+y < 2", ["x<=1", "y<=2-x"]),
    (
        "x*y <= 1/4",
        ["2*x+2*y<=2", "x>=0", "y>=0"],
        "x*y < 1/4",
        ["2*x+2*y<=2", "x>=0", "y>=0"],
    ),
    ("x*y <= 1/4", ["x+y==1"], "x*y < 1/4", ["x+y==1"]),
    ("l**2 <= e**2", ["-e<=l", "l<=e"], "l**2 < e**2", ["-e<=l", "l<=e"]),
    ("e > 0", ["-e<=l", "l<e"], "e > 0", ["-e<=l", "l<=e"]),
    ("log(1+exp(x)) >= max(x, 0)", [], "log(1+exp(x)) >= max(x, 0)+1e-6", []),
    ("log(exp(x)+exp(y)) > x", [], "log(exp(x)+exp(y)) > x+1e-6", []),
    ("log((exp(x)-1)/x) >= x/2", ["x>0"], "log((exp(x)-1)/x) >= x/1.999", ["x>0"]),
    (
        "log(2)/(1+2*x) <= log(1+1/(1+x))",
        ["x>=0"],
        "log(2)/(1+0.69*x) <= log(1+1/(1+x))",
        ["x>=0"],
    ),
    ("cos(x) >= 1-x**2/2", [], "cos(x) > 1-x**2/2", []),
    ("x*sin(x)+2*cos(x) <= 2", ["0<=x<=pi"], "x*sin(x)+2*cos(x) < 2", ["0<=x<=pi"]),
    ("y*cos(x*y) <= y", ["y>=0"], "y*cos(x*y) <= y", ["y>=-1"]),
    ("x**2+cos(x) > 2*x-1", ["x>=2"], "x**2+cos(x) > 2*x", ["x>=1"]),
]

# (false claim, given, a true claim that no point refutes)
REFUTED = [
    ("log(x) < x/2.72", ["x>0"], "log(x) <= x/exp(1)"),
    ("x*y > 0", ["x>y"], "(x*y)**2 >= 0"),
    ("exp(x) > 1+x", [], "exp(x) >= 1+x"),
    ("x**y >= 1", ["x>0"], "x**y > 0"),
]


def certificate(claim: Any, given: Any) -> Any:
    found = proof_of(claim, given)
    assert found is not None, claim
    return found


@pytest.fixture(scope="module")
def originals() -> Any:
    """(certificate, false claim, given of the false claim) for each row, proofs first and then
    refutations.
    """
    proofs = [
        (certificate(claim, given), false, wrong)
        for claim, given, false, wrong in CLAIMS
    ]
    return proofs + [
        (prove(claim, given).certificate, true, given) for claim, given, true in REFUTED
    ]


def known_rules() -> Any:
    """All names of rules: those in the two tables, and those that the checker compares with by
    name.
    """
    named = set()
    for path in Path(checker.__file__).parent.glob("*.py"):
        named |= set(re.findall(r'rule"?\)? [!=]= "(\w+)"', path.read_text()))
    return named | set(RULES) | set(REDUCTIONS)


def nodes(tree: Any, path: Any = ()) -> Iterator[Any]:
    """All (rule, path) of nodes in a proof."""
    if isinstance(tree, dict) and "rule" in tree:
        yield tree["rule"], path
    for key, value in (
        tree.items()
        if isinstance(tree, dict)
        else enumerate(tree)
        if isinstance(tree, list)
        else ()
    ):
        yield from nodes(value, (*path, key))


def own_places(tree: Any, path: Any = ()) -> Iterator[Any]:
    """The paths to the entries of a node, its lists and tables included, but not those of its
    children.
    """
    for key, value in (
        tree.items()
        if isinstance(tree, dict)
        else enumerate(tree)
        if isinstance(tree, list)
        else ()
    ):
        yield (*path, key)
        if not (isinstance(value, dict) and "rule" in value):
            yield from own_places(value, (*path, key))


def at(tree: Any, path: Any) -> Any:
    for key in path:
        tree = tree[key]
    return tree


TEXTS = [
    "0",
    "1",
    "-1",
    "2",
    "1/2",
    "x",
    "y",
    "-x",
    "x-1",
    "x**2",
    "1/x",
    "exp(x)",
    "exp(1)",
    "log(x)",
    "x-y",
    "p",
]
TEXTS += ["cos(x)", "sin(x)", "x*cos(x)", "1-cos(x)"]


def mutated(proof: Any, path: Any, rng: random.Random, rules: Any) -> Any:
    """The proof with one own entry of the node at the path changed, dropped, doubled or
    exchanged.
    """
    proof = copy.deepcopy(proof)
    node = at(proof, path)
    *above, key = rng.choice(list(own_places(node)))
    parent = at(node, above)
    value = parent[key]
    if key == "rule":
        parent[key] = rng.choice([rule for rule in rules if rule != value])
    elif isinstance(value, bool):
        parent[key] = not value
    elif isinstance(value, int):
        parent[key] = rng.choice([-value, 0, 1, -1, 2, value + 1])
    elif isinstance(value, str):
        parent[key] = rng.choice(
            [
                *TEXTS,
                f"-({value})",
                f"({value})*1.0001",
                f"({value})+1e-9",
                f"({value})-1e-9",
            ]
        )
    elif rng.random() < 0.3:
        del parent[key]
    elif isinstance(value, list) and value and rng.random() < 0.7:
        index = rng.randrange(len(value))
        value[index : index + 1] = rng.choice(
            [[], [value[index]] * 2, [value[-1]], [value[0]]]
        )
    else:
        others = [other for _, other in nodes(proof)]
        parent[key] = copy.deepcopy(at(proof, rng.choice(others)))
    return proof


def again(proof: Any, rng: random.Random, rules: Any) -> Any:
    """A second mutation, in any node."""
    return mutated(
        proof, rng.choice([path for _, path in nodes(proof)] or [()]), rng, rules
    )


def other_text(text: Any, rng: random.Random) -> Any:
    """A claim or an assumption with a constant nudged, its strictness changed, its sides swapped or
    a sign turned.
    """
    kind = rng.randrange(4)
    if kind == 0:
        return re.sub(
            r"<=|>=|<|>",
            lambda m: {"<=": "<", ">=": ">", "<": "<=", ">": ">="}[m[0]],
            text,
            count=1,
        )
    if kind == 1:
        return re.sub(
            r"(.*?)(<=|>=|<|>)(.*)", lambda m: m[3] + m[2] + m[1], text, count=1
        )
    if kind == 2:
        spots = [m.start() for m in re.finditer(r"(?<=[\w)])[-+](?=[\w(])", text)] or [
            0
        ]
        spot = rng.choice(spots)
        return (
            text[:spot]
            + {"+": "-", "-": "+"}.get(text[spot], "-" + text[spot])
            + text[spot + 1 :]
        )
    numbers = list(re.finditer(r"(?<![\w.])\d+(?:\.\d+)?", text))
    if not numbers:
        return "1e-9+" + text
    found = rng.choice(numbers)
    nudge = rng.choice(
        ["+1", "-1", "+0.01", "-0.01", "+1e-9", "-1e-9", "+1e-15", "-1e-15"]
    )
    return f"{text[: found.start()]}({found[0]}{nudge}){text[found.end() :]}"


def other_claim(claim: Any, rng: random.Random) -> Any:
    """The claim with its conclusion or an assumption changed, or an assumption dropped."""
    given = list(claim["given"])
    conclusion = claim["conclusion"]
    choice = rng.random()
    if given and choice < 0.2:
        del given[rng.randrange(len(given))]
    elif given and choice < 0.4:
        index = rng.randrange(len(given))
        given[index] = other_text(given[index], rng)
    else:
        conclusion = other_text(conclusion, rng)
    return {"given": given, "conclusion": conclusion}


@cache
def counterexample(conclusion: Any, given: Any) -> Any:
    """A point that breaks the claim, found soon; vacuous claims have none."""
    if any((conclusion, list(given)) == row[:2] for row in CLAIMS):
        return None
    try:
        claim = read_inequality(conclusion, given, KERNEL_FUNCTIONS)
    except InputError:
        return None
    return refute(claim, 0.3)


def breaks(claim: Any, point: Any) -> Any:
    """The point, in the formula's own balls, satisfies the assumptions and breaks the
    conclusion.
    """
    values = {
        name: Fraction(read_comparisons(f"{text} > 0")[0].left.bound().lower)
        for name, text in point.items()
    }
    return read_inequality(
        claim["conclusion"], claim["given"], KERNEL_FUNCTIONS
    ).fails_at(values)


def judge(forged: Any) -> bool:
    """Whether a forged certificate is accepted; if so, its verdict must be right for its own
    claim.
    """
    try:
        verdict = check(forged)
    except Rejected:
        return False
    claim = forged["claim"]
    shown = [" ".join(text.split()) for text in (claim["conclusion"], *claim["given"])]
    assert [verdict.conclusion, *verdict.given] == shown
    assert verdict.verdict == forged["verdict"]
    if verdict.verdict == "refuted":
        assert breaks(claim, forged["proof"]["point"])
    else:
        assert counterexample(claim["conclusion"], tuple(claim["given"])) is None, (
            f"a false claim is proved: {forged}"
        )
    return True


def test_every_rule_is_covered(originals: Any) -> None:
    """Each rule that the checker knows occurs in a certificate here, so that a new one must be
    added to this test.
    """
    found = {
        rule for original, _, _ in originals for rule, _ in nodes(original["proof"])
    }
    assert found == known_rules()


def test_mutations_in_every_rule(originals: Any) -> None:
    """No mutation, in any node, of the proof, the claim or both, certifies a false claim."""
    rules = sorted(known_rules())
    rng = random.Random(7)
    tried = Counter[str]()
    accepted = Counter[str]()
    for rule in rules:
        spots = [
            (row, path)
            for row in originals
            for kind, path in nodes(row[0]["proof"])
            if kind == rule
        ]
        while tried[rule] < MUTATIONS:
            (original, false, wrong), path = rng.choice(spots)
            forged = {**original, "proof": mutated(original["proof"], path, rng, rules)}
            if rng.random() < 0.3:
                forged["proof"] = again(forged["proof"], rng, rules)
            if forged == original:
                continue
            kind = tried[rule] % 3
            if kind == 1:
                forged["claim"] = {"given": wrong, "conclusion": false}
            elif kind == 2:
                forged["claim"] = other_claim(original["claim"], rng)
            tried[rule] += 1
            right = judge(forged)
            accepted[rule] += right
            assert not (right and kind == 1), (
                f"accepted for a claim with the opposite verdict: {forged}"
            )
    print(
        *(f"{rule}: {tried[rule]} tried, {accepted[rule]} accepted" for rule in rules),
        sep="\n",
    )
    assert min(tried.values()) >= 50
    assert tried.total() >= 1500


def test_mutations_of_the_targets() -> None:
    """Proofs of harder claims, mutated one to three times, under the false version of the claim."""
    rules = sorted(known_rules())
    rng = random.Random(20)
    for claim, given, false, wrong in TARGETS:
        original = certificate(claim, given)
        for _ in range(30):
            proof = original["proof"]
            for _ in range(rng.choice([1, 1, 2, 3])):
                proof = again(proof, rng, rules)
            assert not judge(
                {
                    **original,
                    "claim": {"given": wrong, "conclusion": false},
                    "proof": proof,
                }
            )


@pytest.mark.parametrize("changes", [4, pytest.param(12, marks=pytest.mark.slow)])
def test_claims_changed_under_their_proofs(originals: Any, changes: int) -> None:
    """A proof that is untouched, under another claim: what is accepted is no false claim."""
    rng = random.Random(8)
    accepted = 0
    for original, false, wrong in originals:
        assert not judge({**original, "claim": {"given": wrong, "conclusion": false}})
        for _ in range(changes):
            accepted += judge(
                {**original, "claim": other_claim(original["claim"], rng)}
            )
    assert accepted
