"""Command lines for the fuzz test: valid ones of every command, and mutations of them drawn with a
fixed seed.
"""

import random
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

NUMBERS = [
    *(
        "0",
        "1",
        "2",
        "3",
        "0.5",
        "0.1",
        "1.5",
        "4.75",
        "10",
        "20",
        "100",
        "1/3",
        "256/60000",
        "7",
        "1e-3",
        "1e-6",
    ),
    *(
        "1e-12",
        "1e-300",
        "1e-400",
        "1e-3999",
        "1e400",
        "1e3999",
        "1e4000",
        "1e4001",
        "1e18",
        "-1",
        "-0.5",
        "-1e-9",
    ),
    *(
        "0.9999999999999999999999",
        "1.0000000000000000000001",
        "nan",
        "inf",
        "-inf",
        "1/0",
        "0/0",
        "?",
        "?/60000",
    ),
    *(
        "sqrt(2)",
        "log(3)",
        "exp(1)",
        "pi",
        "2**-3",
        "2**1001",
        "exp(1e5)",
        "log(0)",
        "sqrt(-1)",
        "max(1, 2)",
        "min(1)",
    ),
    *(
        "1%",
        "10^-6",
        "0,001",
        "e",
        "ln(2)",
        "1e",
        "..5",
        "5.",
        "+3",
        "--2",
        "1 000",
        "1_000",
        "0x10",
        "true",
        "[1]",
    ),
]
MECHANISMS = [
    *(
        "Gaussian(sigma=2)",
        "Gaussian(sigma=1, sensitivity=1/2)",
        "Laplace(scale=2)",
        "Laplace(scale=1, sensitivity=2)",
    ),
    *(
        "DiscreteGaussian(sigma=2)",
        "DiscreteLaplace(scale=3)",
        "RandomizedResponse(epsilon=1)",
    ),
    *(
        "RandomizedResponse(epsilon=0.5, answers=4)",
        "Exponential(epsilon=1)",
        "Exponential(epsilon=1, monotone=True)",
    ),
    *(
        "MaximallyDivergent(epsilon=1, neutral=0.5)",
        "FiniteMechanism(rows=[[3/4, 1/4], [1/4, 3/4]])",
    ),
    *(
        "PoissonSampled(Gaussian(sigma=2), rate=0.1)",
        "PoissonSampled(Laplace(scale=2), rate=0.1)",
        "NonPrivate()",
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
        "SparseHistogram(n=100, k=5, alpha=1)",
        "SmoothLaplace(alpha=1, beta=0.1)",
        "TruncatedLaplace(scale=1, bound=10)",
        "Staircase(epsilon=1, gamma=1/3)",
        "PermuteAndFlip(epsilon=1)",
        "ReportNoisyMax(epsilon=1, monotone=True)",
        "SparseVector(threshold_scale=2, query_scale=8, most_above=2)",
        "GaussianSparseVector(threshold_sigma=2, query_sigma=3, most_queries=4)",
        "PartitionSelection(epsilon=1, delta=1e-3)",
        "RepeatAndSelect(epsilon=1, gamma=1/10, shape=0)",
        "BestOfRuns(run=2*Laplace(scale=4), mean=3)",
        "Thresholded(Laplace(scale=2), threshold=20)",
    ),
    *(
        "Promised(ApproxDP(epsilon=0.5, delta=1e-8))",
        "RandomDP(alpha=1, gamma=0.1)",
        "0*Laplace(scale=1)",
    ),
]
CLAIMS = [
    *(
        "PureDP(epsilon=1)",
        "ApproxDP(epsilon=1, delta=1e-5)",
        "ZCDP(rho=0.5)",
        "ZCDP(rho=1, xi=0.1)",
    ),
    *(
        "RenyiDP(alpha=2, epsilon=1)",
        "GaussianDP(mu=1)",
        "MeanCDP(mu=1, tau=1)",
        "RandomDP(alpha=1, gamma=0.05)",
    ),
    *(
        "ApproxZCDP(rho=0.5, delta=1e-6)",
        "ProfileDP(points=[[0, 0.5], [2, 1e-2]])",
        "(1, 1e-5)-DP",
        "RDP(alpha=2)",
    ),
]
PROVABLE = [
    "log(x) <= x - 1",
    "exp(x) >= 1 + x",
    "x**2 >= 0",
    "sqrt(x) <= x",
    "x + 1/x >= 2",
    "e**x >= 1 + x",
]
CHARACTERS = "()[]{}=,+-*/?.:;%^_ \"'\\\n\t\x00\u03c3\u221e\u2264\ud800eE19xé<>|&#~$@!"
WORDS = [
    "epsilon",
    "sigma",
    "scale",
    "rate",
    "delta",
    "rows",
    "and",
    "Gausian",
    "gaussian",
    "zCDP",
    "GDP",
    "relation",
]


RELEASE = """
def noisy(data, rng, size):
    return sum(data) + rng.laplace(size=size)


def quiet(data, rng, size):
    return sum(data) + rng.laplace(scale=0.2, size=size)


def vector(data, rng):
    return [each + rng.normal() for each in data[:2]]


def word(data, rng):
    return "yes" if rng.random() < 0.1 * len(data) else None


def raises(data, rng):
    raise ValueError("no\\nnoise \\x1b left" * 30)


def one(data):
    return 1
"""
"""A module of the user, for audits of running code."""
FUNCTIONS = ["noisy", "noisy", "quiet", "vector", "word", "raises", "one", "none"]
INPUTS = [
    'x = [1, 0, 1]\nx_neighbor = [1, 0, 1, 1]\nclaim = "PureDP(epsilon=1)"\n',
    'x = [1.5, 2]\nx_neighbor = [1.5, 3]\nrelation = "replace_one"\n',
    'claims = ["GaussianDP(mu=1)"]\n[[pairs]]\nname = "a"\nx = []\nx_neighbor = [2]\n',
    "x = []\n",
]
ONE_ENTRY = "cdp/kl-half"
"""The entry of which pages are written."""
WRITING = ("curve", "report", "dpsgd", "book", "audit-code", "audit-run", "spend")
"""The commands that write files or read others than plans."""
SCORES = [
    "score,included\n0.5,1\n-1.5,0\n2,1\n0.25,0\n",
    "score,included\n1e9,1\nnan,0\n",
    "included,score\n1,2\n",
    "",
]
OUTPUTS = ("-o", "--output", "--certificate", "--page", "--picture")


@dataclass
class Fuzzer:
    """Draws command lines; ``folder`` holds the files that they name."""

    seed: int
    folder: Path

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.files = 0
        (self.folder / "fuzzed_release.py").write_text(RELEASE)

    def command_line(self) -> list[str]:
        """One command line: valid, or with up to three mutations."""
        words = self._valid()
        for _ in range(self.draw.choice((0, 1, 1, 1, 2, 3))):
            words = self._mutated(words)
        if words[:1] == ["verify"] and "--owed" not in words:
            return [*words, "no/such-theorem"]  # so that no proof is run
        if words[:1] == ["book"] and words.count(ONE_ENTRY) != 1:
            return [*words, "no/such-theorem"]  # so that not all pages are written
        outputs = self._outputs(words)
        if words[:1] == ["spend"]:
            outputs += [word for word in words if not word.startswith(str(self.folder))]
        return [word.lstrip("/") if word in outputs else word for word in words]

    def _outputs(self, words: list[str]) -> list[str]:
        """The words that name files to write, which are to be in the folder."""
        named = [after for word, after in pairwise(words) if word in OUTPUTS]
        return [word for word in named if not word.startswith(str(self.folder))]

    def _valid(self) -> list[str]:
        draw = self.draw
        number = draw.choice(NUMBERS[:16])
        command = draw.choice(
            (
                *["plan"] * 16,
                "calibrate",
                "calibrate",
                "prove",
                "check",
                "show",
                "verify",
                "other",
                *WRITING,
                "audit-code",
            )
        )
        if command in WRITING:
            return self._written(command)
        if command == "calibrate":
            opened = self._opened(self._text())
            target = [
                "--epsilon",
                draw.choice(NUMBERS[:12]),
                "--delta",
                draw.choice(["1e-6", "1e-3", "0", "0.5"]),
            ]
            return self._with_options(["calibrate", self._source(opened), *target])
        if command == "prove":
            return [
                "prove",
                draw.choice(PROVABLE),
                "--given",
                draw.choice(["x > 0", "0 < x < 5"]),
                "--timeout",
                "0.2",
            ]
        if command == "check":
            return [
                "check",
                str(
                    self._file(
                        ".json",
                        draw.choice(['{"claim": "x"}', "[]", "{}", '{"steps": [1]}']),
                    )
                ),
            ]
        if command == "show":
            return [
                "show",
                draw.choice(
                    ["cdp/composition", "cdp", "gaussian/delta", "no/such", "../x"]
                ),
            ]
        if command == "verify":
            return [
                "verify",
                draw.choice(["no/such-theorem", "cdp", "--owed", "gaussian/zcdp/x"]),
            ]
        if command == "other":
            return [
                draw.choice(
                    [
                        "tail",
                        "help",
                        "frobnicate",
                        "Epsilon",
                        "renyy",
                        "--json",
                        "mean",
                        "",
                        *("list", "schema", "doctor", "completion", "check", "zcdp"),
                    ]
                )
            ]
        return self._with_options(self._question(self._source(self._text()), number))

    def _written(self, command: str) -> list[str]:
        """A command that writes files, or runs code."""
        draw = self.draw
        if command == "book":
            return ["book", draw.choice([ONE_ENTRY, "no/such", "cdp"]), "-o", "pages"]
        if command == "dpsgd":
            return self._training()
        if command == "audit-code":
            return self._audit_of_code()
        if command == "audit-run":
            return self._audit_of_run()
        if command == "spend":
            return self._spending()
        source = self._source(draw.choice(MECHANISMS[:8]))
        if command == "curve":
            kind = draw.choice(["epsilon-delta", "tradeoff"])
            words = ["curve", source, "--kind", kind, "--points", draw.choice("2359")]
            return [
                *words,
                *draw.choice([[], ["-o", "curve.csv"], ["-o", "curve.svg"]]),
            ]
        claim = draw.choice([[], ["--claim", draw.choice(CLAIMS)]])
        return ["report", source, "--delta", "1e-6", *claim, "-o", "report.html"]

    def _spending(self) -> list[str]:
        draw = self.draw
        held = draw.choice(
            ["ledger.json", "other.json", str(self._file(".json", "{}"))]
        )
        plan = draw.choice([[], [self._source(draw.choice(MECHANISMS[:8]))]])
        budget = draw.choice([[], ["--budget", draw.choice(CLAIMS)]])
        more = [[], [], ["--part", "north"], ["--delta", "1e-6"], ["--json"]]
        return ["spend", held, *plan, *budget, *draw.choice(more), *draw.choice(more)]

    def _training(self) -> list[str]:
        draw = self.draw
        noise = draw.choice(["--noise-multiplier", "--target-epsilon"])
        words = ["dpsgd", "--examples", draw.choice(["60000", "1000", "1e6"])]
        words += ["--batch", draw.choice(["256", "1", "1000"])]
        words += ["--epochs", draw.choice(["1", "60", "0.5"]), "--delta", "1e-5"]
        return [*words, noise, draw.choice(["1.1", "3", "0.5"])]

    def _audit_of_code(self) -> list[str]:
        draw = self.draw
        file = self._file(".toml", draw.choice(INPUTS))
        words = ["audit-code", f"fuzzed_release:{draw.choice(FUNCTIONS)}"]
        words += ["--inputs", str(file), "--workers", "0", "--trials", "300"]
        more = [
            *([], ["--claim", draw.choice(CLAIMS)], ["--json"], ["--seed", "7"]),
            *(["--method", "fixed"], ["--confidence", "0.9"]),
            *(
                ["--certificate", "c.json"],
                ["--page", "p.html"],
                ["--picture", "p.svg"],
            ),
        ]
        return [*words, *draw.choice(more), *draw.choice(more)]

    def _audit_of_run(self) -> list[str]:
        draw = self.draw
        claim = ["--claim", draw.choice(CLAIMS)]
        if draw.random() < 0.5:
            counts = draw.choice(["1000,500,350", "10,5,5", "100,100,50", "10,20,5"])
            return self._with_options(["audit-run", "--counts", counts, *claim])
        way = draw.choice(
            [["--guess", "1,1"], ["--threshold", "0.1"], ["--choose-on", "0.5"], []]
        )
        file = str(self._file(".csv", draw.choice(SCORES)))
        more = draw.choice([[], ["--certificate", "c.json"], ["--delta", "1e-5"]])
        return self._with_options(["audit-run", file, *claim, *way, *more])

    def _question(self, source: str, number: str) -> list[str]:
        """A question about a plan."""
        draw = self.draw
        small = draw.choice(["1e-6", "1e-3", "0.1", "0", "1", "1e-12", "1e-400"])
        return draw.choice(
            [
                *[["epsilon", source, "--delta", small]] * 3,
                *[["delta", source, "--epsilon", number]] * 3,
                *[["audit", source, "--claim", draw.choice(CLAIMS)]] * 3,
                ["explain", source, "--delta", small],
                ["tail", source, "--threshold", number],
                [
                    "tradeoff",
                    source,
                    "--false-positives",
                    draw.choice(["0.05", "0", "1", "1/3"]),
                ],
                [
                    "renyi",
                    source,
                    "--order",
                    draw.choice(["2", "1", "inf", "0.5", "1.5", "64"]),
                ],
                ["mean", source],
                ["zcdp", source, "--xi", draw.choice(["0", "0.1", "-0.1"])],
                ["gaussian-dp", source],
            ]
        )

    def _with_options(self, words: list[str]) -> list[str]:
        draw = self.draw
        if draw.random() < 0.2:
            words = [*words, "--json"]
        if draw.random() < 0.1:
            words = [
                *words,
                "--relation",
                draw.choice(
                    ["replace_one", "add_or_remove_one", "REPLACE-ONE", "sideways"]
                ),
            ]
        if draw.random() < 0.1:
            words = [
                *words,
                "--direction",
                draw.choice(["add", "remove", "ADD", "both"]),
            ]
        return words

    def _text(self) -> str:
        """A plan of one to three terms."""
        draw = self.draw
        terms = draw.choices(MECHANISMS, k=draw.choice((1, 1, 1, 2, 2, 3)))
        counts = [draw.choice(["", "", "", "2*", "3*", "10*", "1000*"]) for _ in terms]
        return " + ".join(
            count + term for count, term in zip(counts, terms, strict=True)
        )

    def _opened(self, text: str) -> str:
        """A plan with a question mark in the place of one of its numbers, or of a count."""
        starts = [
            place
            for place in range(len(text) - 1)
            if text[place] == "=" and text[place + 1].isdigit()
        ]
        if not starts or self.draw.random() < 0.2:
            return f"?*({text})"
        start = self.draw.choice(starts) + 1
        end = next(place for place in range(start, len(text)) if text[place] in ",)")
        return f"{text[:start]}?{text[end:]}"

    def _source(self, text: str) -> str:
        """A plan as text or as a file."""
        draw = self.draw
        if draw.random() > 0.06:
            return text
        relation = draw.choice(["replace_one", "add_or_remove_one", "sideways"])
        if draw.random() < 0.5:
            content = f'plan = "{text}"\n' + draw.choice(
                ["", f'relation = "{relation}"\n', "sigma = 3\n"]
            )
            return str(self._file(".toml", content))
        content = (
            f'{{"plan": "{text}"'
            + draw.choice(["", f', "relation": "{relation}"', ', "x": 1'])
            + "}"
        )
        return str(self._file(draw.choice([".json", ".json", ".yaml"]), content))

    def _file(self, ending: str, content: str) -> Path:
        self.files += 1
        path = self.folder / f"fuzzed{self.seed}_{self.files}{ending}"
        for _ in range(self.draw.choice((0, 0, 1))):
            content = self._changed(content)
        path.write_text(content, encoding="utf-8", errors="surrogatepass")
        return path

    def _mutated(self, words: list[str]) -> list[str]:
        """One mutation: of a word, or of which words there are."""
        draw = self.draw
        if not words:
            return words
        place = draw.randrange(len(words))
        kind = draw.random()
        if kind < 0.70:
            return [*words[:place], self._changed(words[place]), *words[place + 1 :]]
        if kind < 0.80:
            return [*words[:place], *words[place + 1 :]]
        if kind < 0.87:
            return [
                *words[:place],
                draw.choice(NUMBERS + CLAIMS + MECHANISMS),
                *words[place + 1 :],
            ]
        if kind < 0.94:
            return [
                *words,
                draw.choice(
                    [
                        "--json",
                        "--direction",
                        "--epsilon=1",
                        "--delta=0.1",
                        "extra",
                        "--x",
                        "-1",
                    ]
                ),
            ]
        return [*words[:place], words[draw.randrange(len(words))], *words[place:]]

    def _changed(self, text: str) -> str:
        """A text with one change."""
        draw = self.draw
        kind = draw.random()
        if kind < 0.45:
            return self._other_number(text)
        place = draw.randrange(len(text) + 1)
        if kind < 0.60:
            return text[:place] + draw.choice(CHARACTERS) + text[place:]
        if kind < 0.75:
            return text[:place] + text[place + draw.choice((1, 1, 2, 8)) :]
        if kind < 0.82:
            return text[:place] + draw.choice(WORDS) + text[place:]
        if kind < 0.86:
            return (
                text
                + draw.choice([" + ", " - ", "*", "/", " and ", ", "])
                + draw.choice(MECHANISMS)
            )
        if kind < 0.89:
            return (
                draw.choice(["(", "[", "-", "2*", "2.5*", "1e30*", "Gaussian(sigma="])
                * draw.choice((1, 1, 60))
                + text
            )
        if kind < 0.92:
            return text * draw.choice((2, 3, 40))
        if kind < 0.96:
            return text.swapcase()
        return text[::-1]

    def _other_number(self, text: str) -> str:
        """A text with one of its numbers exchanged."""
        starts = [
            at
            for at, mark in enumerate(text)
            if mark.isdigit() and (at == 0 or text[at - 1] in "=*[( /,-")
        ]
        if not starts:
            return text
        start = self.draw.choice(starts)
        end = start
        while end < len(text) and (text[end].isdigit() or text[end] in ".e-"):
            end += 1
        return text[:start] + self.draw.choice(NUMBERS) + text[end:]
