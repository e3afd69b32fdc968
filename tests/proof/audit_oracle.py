"""A second opinion on certificates of refutations, in doubles and on grids: whether the counts of
an accepted certificate really refute its claim.

It shares nothing with the checker: probabilities are sums of masses, Renyi divergences from their
definition, and fair bets from a grid of pairs of probabilities.
"""

import json
import math
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from rdpacct import delta

NEAR = 1e-9
NORMAL = NormalDist()
GRID = np.linspace(0, 1, 201)


def really_refutes(certificate: dict[str, Any]) -> bool:
    """Whether the evidence refutes the claim with the stated error, but for rounding."""
    error = float(1 - Fraction(certificate["confidence"]))
    method = certificate["method"]
    evidence = certificate["evidence"]
    parts = evidence if method == "sequential" else [evidence]
    claim = certificate["claim"]
    if not all(implied(claim, plane) for each in parts for plane in planes(each)):
        return False
    return bool(OPINIONS[method](evidence, error))


def planes(part: dict[str, Any]) -> list[dict[str, Any]]:
    """The half planes of a bet, of limits or of guesses."""
    if "steps" in part:
        return [step["half_plane"] for step in part["steps"]]
    return [part["half_plane"]]


def line(plane: dict[str, Any]) -> tuple[float, float]:
    """The growth and the slack of a half plane."""
    return number(plane["growth"]), number(plane["slack"])


def implied(claim: dict[str, Any], plane: dict[str, Any]) -> bool:
    """Whether no pair of probabilities that the claim allows is above the line."""
    order = 2.0 if plane["tangent"] is None else number(plane["tangent"]["order"])
    return _implied(json.dumps(claim), order, *line(plane))


@lru_cache(None)
def _implied(text: str, order: float, growth: float, slack: float) -> bool:
    claim = json.loads(text)
    if claim["kind"] == "CertifiedPlan":
        claim = by_the_engine(claim["parameters"]["budgets"])
    most = np.array([largest(claim, q, order) for q in GRID])
    return bool((np.minimum(most, 1) <= growth * GRID + slack + 1e-7).all())


def by_the_engine(budgets: list[dict[str, Any]]) -> dict[str, Any]:
    """The points of budgets, with the deltas that the plan has by the engine of the package."""
    points = []
    for budget in budgets:
        names = [
            f"{row['count']}*{row['mechanism']}"
            f"({', '.join(f'{name}={value}' for name, value in row['parameters'].items())})"
            for row in budget["releases"]
        ]
        level = Fraction(budget["epsilon"]["most"])
        exact = Fraction(delta(" + ".join(names), level).upper)
        points.append({"epsilon": str(level), "delta": str(exact)})
    return {"kind": "ProfileDP", "parameters": {"points": points}}


def largest(claim: dict[str, Any], q: float, order: float) -> float:
    """The largest P(S) that a claim allows where Q(S) = q, by divergences of one order."""
    kind = claim["kind"]
    values = claim["parameters"]
    if q == 0 and kind in ("PureDP", "GaussianDP"):
        return 0.0
    if "points" in values:
        return min(
            math.exp(min(number(point["epsilon"]), 700)) * q + number(point["delta"])
            for point in values["points"]
        )
    given = {name: number(value) for name, value in values.items()}
    if kind in ("PureDP", "ApproxDP"):
        return float(math.exp(min(given["epsilon"], 700)) * q + given.get("delta", 0.0))
    if kind == "GaussianDP":
        return NORMAL.cdf(NORMAL.inv_cdf(q) + given["mu"]) if q < 1 else 1.0
    leaked = given.get("delta", 0.0)
    inner = min(q / (1 - leaked), 1.0) if leaked < 1 else 1.0
    if 0 < inner < 1:
        order = min(order, given.get("alpha", order))
        inner = by_order(order, allowed(kind, given, order), inner)
    return leaked + (1 - leaked) * inner


def allowed(kind: str, given: dict[str, float], order: float) -> float:
    """The divergence of an order that a claim allows."""
    if kind == "RenyiDP":
        return given["epsilon"]
    if kind == "MeanCDP":
        return given["mu"] + given["tau"] ** 2 / 2 * (order - 1)
    return given["xi"] + given["rho"] * order


def by_order(order: float, most: float, q: float) -> float:
    """The largest p whose divergence from q is at most this, by bisection."""
    low = q
    high = 1 - 1e-15
    for _ in range(80):
        p = (low + high) / 2
        hit = order * np.log(p) + (1 - order) * np.log(q)
        missed = order * np.log1p(-p) + (1 - order) * np.log1p(-q)
        if np.logaddexp(hit, missed) <= (order - 1) * most:
            low = p
        else:
            high = p
    return float(low)


def number(text: str) -> float:
    """An exact number in doubles, or a very large one."""
    return float(min(Fraction(text), Fraction(10**12)))


def bets(evidence: list[dict[str, Any]], error: float) -> bool:
    """Whether bets that are fair on a grid turned 1 into 1/error."""
    if sum(Fraction(bet["weight"]) for bet in evidence) > 1:
        return False
    if not all(fair(bet) for bet in evidence):
        return False
    return sum(map(stake, evidence)) >= (1 - NEAR) / error


def fair(bet: dict[str, Any]) -> bool:
    """Whether the mean factor is at most 1 where the claim is true, on a grid."""
    growth, slack = line(bet["half_plane"])
    likely, rare = (list(map(number, bet[side])) for side in ("likely", "rare"))
    rare_mean = rare[0] + (rare[1] - rare[0]) * GRID
    for p in (0 * GRID, np.minimum(growth * GRID + slack, 1)):
        mean = (likely[0] + (likely[1] - likely[0]) * p) * rare_mean
        if (mean > 1 + 1e-9).any():
            return False
    return True


def stake(bet: dict[str, Any]) -> float:
    """What the share of a bet has become."""
    total = np.log(max(number(bet["weight"]), 1e-300))
    for side in ("likely", "rare"):
        missed, hit = map(number, bet[side])
        hits = bet[f"{side}_hits"]
        total += hits * np.log(hit) + (bet["trials"] - hits) * np.log(missed)
    return float(np.exp(min(total, 700)))


def masses(trials: int, chance: float) -> Any:
    """The binomial probabilities of all numbers of hits."""
    inside = min(max(chance, 1e-300), 1 - 1e-16)
    ways = [
        math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        for k in range(trials + 1)
    ]
    hits = np.arange(trials + 1)
    logs = hits * np.log(inside) + (trials - hits) * np.log1p(-inside)
    return np.exp(np.array(ways) + logs)


def limits(evidence: dict[str, Any], error: float) -> bool:
    """Whether two limits that each have their share of the error contradict the line."""
    share = error / evidence["sharing"] * (1 + 1e-6)
    trials = evidence["trials"]
    least = number(evidence["at_least"])
    most = number(evidence["at_most"])
    growth, slack = line(evidence["half_plane"])
    return bool(
        evidence["sharing"] >= 2
        and masses(trials, least)[evidence["likely_hits"] :].sum() <= share
        and masses(trials, most)[: evidence["rare_hits"] + 1].sum() <= share
        and least > growth * most + slack - NEAR
    )


def guesses(evidence: dict[str, Any], error: float) -> bool:
    """Whether so many right guesses are as unlikely as that."""
    growth, slack = line(evidence["half_plane"])
    law = masses(evidence["guesses"], growth / (1 + growth))
    right = evidence["correct"]
    tail = law[right:].sum()
    leaked = evidence["canaries"] * slack / (1 if evidence["sides"] == "both" else 2)
    chance = tail + leaked * tail * (1 - tail) / (right * law[right])
    return bool(chance <= error / evidence["sharing"] * (1 + 1e-6))


def ladder(evidence: dict[str, Any], error: float) -> bool:
    """Whether the weights solve the linear program, with the totals worked out in doubles."""
    steps = sorted(evidence["steps"], key=lambda step: line(step["half_plane"])[0])
    weights = np.array([number(step["weight"]) for step in steps])
    growths = np.array([line(step["half_plane"])[0] for step in steps])
    totals = np.concatenate([[0], np.cumsum(weights)])
    heights = np.concatenate([[0], np.cumsum(weights * growths)])
    count = evidence["guesses"]
    start = number(evidence["start"])
    most = 0.0
    for w in range(evidence["correct"]):
        room = (w * most + start) / (count - w)
        most = float(np.interp(room, heights, totals))
    need = 0.0
    for w in range(count, evidence["correct"] - 1, -1):
        if need > totals[-1] * (1 + NEAR):
            return False
        need = (1 - start + (count - w) * float(np.interp(need, totals, heights))) / w
    slacks = sum(
        number(step["weight"]) * line(step["half_plane"])[1]
        for step in evidence["steps"]
    )
    leaked = evidence["canaries"] * slacks / (1 if evidence["sides"] == "both" else 2)
    share = error / evidence["sharing"]
    return need <= most * (1 + 1e-6) and start + leaked <= share * (1 + 1e-6)


OPINIONS: dict[str, Any] = {
    "sequential": bets,
    "fixed": limits,
    "one_run": guesses,
    "one_run_levels": ladder,
}
