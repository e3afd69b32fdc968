"""Every question of the command line, of every mechanism and guarantee, in each direction and for
each relation.
"""

import json
import math
import random
from typing import Any

import mpmath
import pytest

from rdpacct import InputError, Relation, UndecidedError, profile, read_plan
from rdpacct.cli import main
from rdpacct.exact.bound import decimal_down, decimal_up
from rdpacct.mechanisms import ours
from rdpacct.privacy.guarantee import GUARANTEES

PLANS = [
    "Parallel(parts=[Gaussian(sigma=2), 2*Laplace(scale=3)])",
    *(
        "Gaussian(sigma=2)",
        "Laplace(scale=2)",
        "DiscreteGaussian(sigma=2)",
        "DiscreteLaplace(scale=3)",
    ),
    *(
        "RandomizedResponse(epsilon=1)",
        "Exponential(epsilon=1)",
        "MaximallyDivergent(epsilon=1, neutral=0.5)",
    ),
    *(
        "SymmetricUnaryEncoding(epsilon=1)",
        "OptimizedUnaryEncoding(epsilon=1, answers=9)",
        "HadamardResponse(epsilon=1, answers=9)",
        "SubsetSelection(epsilon=1, answers=9, size=2)",
        "Shuffled(RandomizedResponse(epsilon=1, answers=3), people=30)",
    ),
    *(
        "FiniteMechanism(rows=[[3/4, 1/4], [1/3, 2/3]])",
        "PoissonSampled(Gaussian(sigma=2), rate=0.1)",
        "SampledWithoutReplacement(Gaussian(sigma=2), batch=1, of=10)",
        "SampledWithReplacement(Gaussian(sigma=2), batch=2, of=20)",
        "TruncatedPoissonSampled(Gaussian(sigma=2), rate=0.1, of=50, cap=40)",
        "RandomAllocation(Gaussian(sigma=1), steps=4)",
        "TreeAggregation(sigma=4, steps=8, participations=2, separation=3)",
        "SquareRootMechanism(sigma=4, steps=8)",
        "SampledBands(sigma=4, steps=8, coefficients=[1, 1/2], rate=0.1)",
        "ToeplitzMechanism(sigma=4, steps=8, coefficients=[1, -1/2], participations=2)",
        "MatrixMechanism(sigma=4, strategy=[[1, 0], [1/2, 1]], participations=2)",
        "GaussianMixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.5, 0.3, 0.2])",
    ),
    *(
        "PoissonSampled(Laplace(scale=2), rate=0.1)",
        "SmoothLaplace(alpha=1, beta=0.1)",
        "NonPrivate()",
    ),
    *(
        "SmoothGaussian(alpha=1, beta=0.1)",
        "SmoothPower(alpha=1, beta=0.1)",
        "SmoothStudent(alpha=1, beta=0.1, degrees=3)",
        "SmoothUniformLogNormal(alpha=0.02, beta=0.1, sigma=1.5)",
        "SmoothLaplaceLogNormal(alpha=0.1, beta=0.02, sigma=0.2)",
        "Laplace(scale=0)",
    ),
    *(
        "TruncatedLaplace(scale=1, bound=10)",
        "Staircase(epsilon=1, gamma=1/3)",
        "PermuteAndFlip(epsilon=1)",
        "ReportNoisyMax(epsilon=1)",
    ),
    *(
        "SparseVector(threshold_scale=2, query_scale=8, most_above=2)",
        "GaussianSparseVector(threshold_sigma=2, query_sigma=3, most_queries=4)",
        "PartitionSelection(epsilon=1, delta=1e-3)",
        "RepeatAndSelect(epsilon=1, gamma=1/10)",
        "BestOfRuns(run=Laplace(scale=4), mean=3)",
        "BestOfPoissonRuns(run=Gaussian(sigma=4), mean=3)",
        "Thresholded(DiscreteLaplace(scale=2), threshold=20)",
    ),
    *(
        "SparseHistogram(n=100, k=5, alpha=1)",
        "DiscreteSparseHistogram(n=100, k=5, alpha=1)",
    ),
    *(
        "PureDP(epsilon=1)",
        "ApproxDP(epsilon=0.5, delta=1e-3)",
        "ZCDP(rho=0.1)",
        "RenyiDP(alpha=4, epsilon=0.5)",
    ),
    *(
        "GaussianDP(mu=0.5)",
        "ApproxZCDP(rho=0.1, delta=1e-4)",
        "ProfileDP(points=[[0, 0.2], [1, 1e-3]])",
    ),
    *(
        "MeanCDP(mu=0.1, tau=0.4)",
        "Promised(PureDP(epsilon=1))",
        "RandomDP(alpha=1, gamma=0.1)",
    ),
]
QUESTIONS: dict[str, tuple[list[str], Any]] = {
    "epsilon": (["--delta", "1e-3"], lambda known: known.epsilon("1e-3")),
    "delta": (["--epsilon", "0.5"], lambda known: known.delta("0.5")),
    "tail": (["--threshold", "0.3"], None),
    "tradeoff": (["--false-positives", "0.05"], lambda known: known.tradeoff("0.05")),
    "renyi": (["--order", "2"], lambda known: known.renyi(2)),
    "mean": ([], lambda known: known.mean()),
    "zcdp": ([], lambda known: known.zcdp_rho()),
    "gaussian-dp": ([], lambda known: known.gaussian_mu()),
}
"""The options of each command, and the same question in Python."""
FIELDS = {"tradeoff": "false_negatives", "zcdp": "rho", "gaussian-dp": "mu"}
CASES = [
    (plan, relation, direction, command)
    for plan in PLANS
    for relation in ("add_or_remove_one", "replace_one", "zero_out")
    for direction in (None, "add", "remove")
    for command in QUESTIONS
]


def asked(capsys: pytest.CaptureFixture[str], words: Any) -> Any:
    """The exit code and both outputs of a command line."""
    code = main(words)
    return code, *capsys.readouterr()


def check(
    capsys: pytest.CaptureFixture[str],
    plan: Any,
    relation: Any,
    direction: Any,
    command: Any,
) -> None:
    """Text, JSON and Python say the same."""
    options, ask = QUESTIONS[command]
    words = [
        command,
        plan,
        *options,
        "--relation",
        relation,
        *(["--direction", direction] if direction else []),
    ]
    code, out, err = asked(capsys, words)
    json_code, json_out, json_err = asked(capsys, [*words, "--json"])
    sentence = err.partition("\n")[0]
    assert (code, sentence) == (json_code, json_err.partition("\n")[0])
    told = json.loads(json_out)
    if code != 0:
        assert code in (2, 3)
        assert told == {"error": sentence.removeprefix("rdpacct: "), "exit": code}
        return
    field = FIELDS.get(command, command)
    assert told["relation"] == relation
    assert told.get("direction") == direction
    assert relation in out
    ends = told[field]
    if direction is None and ask is not None:
        bound = ask(profile(read_plan(plan, Relation.named(relation))))
        lines = bound.lines(field.replace("_", " "))
        assert out.split("\n")[: len(lines)] == lines
        low, high = (end if math.isfinite(end) else str(end) for end in bound.floats())
        assert (ends["lower"], ends["upper"]) == (low, high)
        if "lower_text" in ends:
            assert (ends["lower_text"], ends["upper_text"]) == (
                decimal_down(bound.lower),
                decimal_up(bound.upper),
            )


def test_every_mechanism_and_guarantee_is_asked() -> None:
    """None goes without these questions."""
    text = " ".join(PLANS)
    assert all(f"{name}(" in text for name in ours())
    assert all(f"{guarantee.__name__}(" in text for guarantee in GUARANTEES)


def test_an_eightieth_of_all_questions(capsys: pytest.CaptureFixture[str]) -> None:
    """A fixed sample of the matrix."""
    for case in random.Random(5).sample(CASES, len(CASES) // 80):
        check(capsys, *case)


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
def test_all_questions(capsys: pytest.CaptureFixture[str], plan: str) -> None:
    """The whole matrix."""
    for case in CASES:
        if case[0] == plan:
            check(capsys, *case)


def answered(capsys: pytest.CaptureFixture[str], field: Any, *words: Any) -> Any:
    """The exact ends of an answer in JSON."""
    code, out, _ = asked(capsys, [*words, "--json"])
    assert code == 0
    ends = json.loads(out)[field]
    names = ("lower_text", "upper_text") if "lower_text" in ends else ("lower", "upper")
    return [mpmath.mpf(ends[name]) for name in names]


def encloses(ends: Any, truth: Any, accuracy: float = 1e-9) -> None:
    """The truth is inside, and the ends are near to each other."""
    low, high = ends
    slack = abs(truth) * mpmath.mpf(10) ** -25
    assert low - slack <= truth <= high + slack
    assert high - low <= accuracy * abs(truth)


def phi(x: Any) -> Any:
    """The normal distribution function."""
    return mpmath.ncdf(x)


@pytest.mark.parametrize("epsilon", ["-2", "-0.5", "0.5", "3", "40"])
def test_delta_of_a_gaussian_at_any_epsilon(
    capsys: pytest.CaptureFixture[str], epsilon: str
) -> None:
    """The closed form of Balle and Wang, which holds for negative epsilons too; at 40 doubles
    underflow.
    """
    with mpmath.workdps(40):
        level = mpmath.mpf(epsilon)
        truth = phi(0.5 - level) - mpmath.exp(level) * phi(-mpmath.mpf(1) / 2 - level)
        encloses(
            answered(
                capsys, "delta", "delta", "Gaussian(sigma=1)", "--epsilon", epsilon
            ),
            truth,
        )


def sampled_delta(epsilon: Any, rate: Any, sigma: Any, removing: Any) -> Any:
    """The hockey stick of a sampled Gaussian by quadrature: its mixture against the noise, or the
    other way round.
    """

    def mixture(x: Any) -> Any:
        return (1 - rate) * mpmath.npdf(x, 0, sigma) + rate * mpmath.npdf(x, 1, sigma)

    def excess(x: Any) -> Any:
        pair = mixture(x), mpmath.npdf(x, 0, sigma)
        first, second = pair if removing else pair[::-1]
        return max(first - mpmath.exp(epsilon) * second, 0)

    ratio = (mpmath.exp(epsilon if removing else -epsilon) - 1 + rate) / rate
    kink = (
        sigma**2 * mpmath.log(ratio) + mpmath.mpf(1) / 2 if ratio > 0 else mpmath.mpf(0)
    )
    return mpmath.quad(
        excess, sorted([mpmath.mpf(-15), kink, kink + 1, mpmath.mpf(0), mpmath.mpf(16)])
    )


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("epsilon", ["0.05", "-0.2"])
def test_one_direction_of_a_sampled_gaussian(
    capsys: pytest.CaptureFixture[str], direction: str, epsilon: str
) -> None:
    """Removing is the mixture against the noise alone; adding is the other way round."""
    with mpmath.workdps(30):
        truth = sampled_delta(
            mpmath.mpf(epsilon),
            mpmath.mpf("0.1"),
            mpmath.mpf("1"),
            direction == "remove",
        )
    plan = "PoissonSampled(Gaussian(sigma=1), rate=0.1)"
    ends = answered(
        capsys, "delta", "delta", plan, "--epsilon", epsilon, "--direction", direction
    )
    assert ends[0] - 1e-12 <= truth <= ends[1] + 1e-12


def test_both_directions_are_the_worse_of_the_two(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without --direction the answer is the larger of both."""
    plan = "PoissonSampled(Gaussian(sigma=1), rate=0.1)"
    ways = [
        answered(
            capsys, "delta", "delta", plan, "--epsilon", "0.05", "--direction", way
        )
        for way in ("add", "remove")
    ]
    assert answered(capsys, "delta", "delta", plan, "--epsilon", "0.05") == max(ways)


def test_closed_forms_of_the_other_questions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Tail, trade-off, Renyi at orders 1, 2 and infinity, mean, rho and mu of a Gaussian and a
    Laplace release.
    """
    with mpmath.workdps(40):
        gaussian = "Gaussian(sigma=2)"
        laplace = "Laplace(scale=2)"
        half = mpmath.mpf(1) / 2
        encloses(
            answered(capsys, "tail", "tail", gaussian, "--threshold", "1"),
            1 - phi((1 - half**3) / half),
        )
        quantile = -mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf("0.05") - 1)
        rate = answered(
            capsys, "false_negatives", "tradeoff", gaussian, "--false-positives", "0.05"
        )
        encloses(rate, phi(quantile - half))
        encloses(
            answered(capsys, "renyi", "renyi", gaussian, "--order", "2"),
            mpmath.mpf(1) / 4,
        )
        encloses(
            answered(capsys, "renyi", "renyi", gaussian, "--order", "1"),
            mpmath.mpf(1) / 8,
        )
        encloses(
            answered(capsys, "mean", "mean", laplace), mpmath.exp(-half) - 1 + half
        )
        encloses(answered(capsys, "renyi", "renyi", laplace, "--order", "inf"), half)
        assert asked(capsys, ["renyi", gaussian, "--order", "inf"])[1].startswith(
            "renyi = inf\n"
        )
        encloses(answered(capsys, "rho", "zcdp", gaussian), mpmath.mpf(1) / 8)
        encloses(answered(capsys, "mu", "gaussian-dp", gaussian), half)
        tail = answered(capsys, "tail", "tail", laplace, "--threshold", "-0.5")
        encloses(tail, 1 - mpmath.exp(-half) / 2)


def test_the_ends_of_the_questions(capsys: pytest.CaptureFixture[str]) -> None:
    """Deltas and rates of 0 and 1, thresholds that no loss reaches, orders that do not exist."""
    assert asked(capsys, ["epsilon", "Gaussian(sigma=1)", "--delta", "1"])[
        1
    ].startswith("epsilon = 0\n")
    assert asked(capsys, ["tradeoff", "Gaussian(sigma=1)", "--false-positives", "0"])[
        1
    ].startswith("false negatives = 1\n")
    assert asked(
        capsys,
        ["tradeoff", "ApproxDP(epsilon=1, delta=0.25)", "--false-positives", "0"],
    )[1].startswith("false negatives = 0.75\n")
    assert asked(capsys, ["tradeoff", "Gaussian(sigma=1)", "--false-positives", "1"])[
        1
    ].startswith("false negatives = 0\n")
    assert asked(capsys, ["tail", "Laplace(scale=1)", "--threshold", "1"])[
        1
    ].startswith("tail = 0\n")
    assert asked(capsys, ["tail", "NonPrivate()", "--threshold", "100"])[1].startswith(
        "tail = 1\n"
    )
    assert asked(capsys, ["renyi", "Gaussian(sigma=1)", "--order", "0"])[0] == 2
    assert asked(capsys, ["renyi", "Gaussian(sigma=1)", "--order", "-1"])[0] == 2


@pytest.mark.parametrize(
    "plan", ["NonPrivate()", "Gaussian(sigma=0)", "Laplace(scale=1) + NonPrivate()"]
)
def test_no_privacy_is_an_answer(capsys: pytest.CaptureFixture[str], plan: str) -> None:
    """An infinite epsilon at every delta below 1, and a delta of 1."""
    assert asked(capsys, ["epsilon", plan, "--delta", "0.5"])[:2][1].startswith(
        "epsilon = inf\n"
    )
    assert asked(capsys, ["delta", plan, "--epsilon", "100"])[1].startswith(
        "delta = 1\n"
    )
    code, out, _ = asked(capsys, ["epsilon", plan, "--delta", "0.5", "--json"])
    assert (code, json.loads(out)["epsilon"]) == (0, {"lower": "inf", "upper": "inf"})


@pytest.mark.parametrize(
    "guarantee",
    ["ZCDP(rho=0.1)", "GaussianDP(mu=0.5)", "RenyiDP(alpha=4, epsilon=0.5)"],
)
def test_promises_compose_with_releases(guarantee: str) -> None:
    """A promise beside a release costs at least the release alone and at most the sum of both
    epsilons.
    """
    alone = profile("Laplace(scale=2)")
    promised = profile(guarantee)
    both = profile(f"Laplace(scale=2) + {guarantee}").epsilon("1e-3")
    assert both.upper >= alone.epsilon("1e-3").lower
    assert both.lower <= alone.epsilon(0).upper + promised.epsilon("1e-3").upper


def test_json_numbers_do_not_underflow(capsys: pytest.CaptureFixture[str]) -> None:
    """delta(60) of a Gaussian is near 1e-775: as doubles 0 and the least number, as texts all
    digits.
    """
    code, out, _ = asked(
        capsys, ["delta", "Gaussian(sigma=1)", "--epsilon", "60", "--json"]
    )
    ends = json.loads(out)["delta"]
    assert (code, ends["lower"], ends["upper"]) == (0, 0.0, 5e-324)
    with mpmath.workdps(40):
        truth = phi(mpmath.mpf(-119) / 2) - mpmath.exp(60) * phi(mpmath.mpf(-121) / 2)
        low, high = (mpmath.mpf(ends[name]) for name in ("lower_text", "upper_text"))
        assert low <= truth <= high
        assert high - low < truth * mpmath.mpf("1e-15")
    told = json.loads(
        asked(capsys, ["epsilon", "Gaussian(sigma=1)", "--delta", "1e-400", "--json"])[
            1
        ]
    )
    assert told["delta"] == "1e-400"


def test_directions_that_do_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """Replacing a record neither adds nor removes one, and the rows of a table do not say which has
    the record.
    """
    table = "FiniteMechanism(rows=[[3/4, 1/4], [1/3, 2/3]])"
    for words in (["Gaussian(sigma=1)", "--relation", "replace_one"], [table]):
        code, _, err = asked(
            capsys, ["delta", *words, "--epsilon", "1", "--direction", "add"]
        )
        assert code == 2
        assert "leave out --direction" in err


def test_refusals_are_those_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    """What the command refuses Python refuses with the same sentence."""
    for plan in (
        "RandomDP(alpha=1, gamma=0.1)",
        "PoissonSampled(Exponential(epsilon=1), rate=0.1)",
    ):
        code, _, err = asked(capsys, ["delta", plan, "--epsilon", "1"])
        with pytest.raises((InputError, UndecidedError)) as caught:
            profile(plan).delta(1)
        assert code == 2
        assert str(caught.value) in err
