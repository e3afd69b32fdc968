"""What a run of passing pairs earns: a bound, with a confidence, on how often bad pairs are
drawn.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import exp
from rdpacct.exact.number import decimal_text, shorten
from rdpacct.privacy.guarantee import ApproxDP, PureDP, RandomDP

LONGEST_LIST = 200


@dataclass(frozen=True)
class EarnedEvents:
    """What is known of events that were fixed in advance: on a pair that is not bad, P(S) <=
    exp(epsilon) Q(S) + slack in both orders, for each of them.
    """

    epsilon: Expr
    slack: Bound
    names: tuple[str, ...]

    def __str__(self) -> str:
        listed = shorten(", ".join(self.names), LONGEST_LIST)
        growth = exp(self.epsilon).bound().short()
        return (
            f"so but for such pairs P(S) <= {growth} Q(S) + {self.slack.short()} in both"
            f" orders for the events that were given: {listed} (statistics/fixed-events)"
        )


@dataclass(frozen=True)
class EarnedStatement:
    """Bad pairs are drawn with probability at most ``gamma``, the law being that of the pairs that
    passed; this is wrong with probability at most 1 - ``confidence``.

    A pair is bad if it breaks the claim, where the laws of the outputs were compared exactly;
    otherwise if the audit refutes the claim on it with probability at least ``power``.
    """

    claim: Any
    pairs: int
    gamma: Bound
    confidence: Fraction
    power: Fraction | None
    """None if every pair that breaks the claim is refuted."""
    trials: int
    """The outputs on each data set of a pair, if real ones were audited."""
    events: EarnedEvents | None = None

    @property
    def random_dp(self) -> RandomDP | None:
        """The same as Random differential privacy, if the comparison was exact and the claim is
        about events; None for an audit, which may miss the event that tells.
        """
        if self.power is not None or not isinstance(self.claim, PureDP | ApproxDP):
            return None
        slack = self.claim.delta if isinstance(self.claim, ApproxDP) else 0
        return RandomDP(self.claim.epsilon, slack, gamma=self.quoted_gamma)

    @property
    def quoted_gamma(self) -> str:
        """The number to quote: a decimal, rounded up, and at most 1."""
        return "1" if self.gamma.upper >= 1 else self.gamma.short()

    def __str__(self) -> str:
        gamma = self.quoted_gamma
        sure = f"with confidence {decimal_text(self.confidence)}"
        if self.power is None:
            return "\n  ".join(
                [
                    f"passed: {self.claim} on each of {self.pairs} independent pairs",
                    f"{sure}, a pair that breaks it is drawn with probability at most"
                    f" {gamma} (statistics/passing-pairs)",
                    *self._as_random_dp(gamma),
                ]
            )
        power = decimal_text(self.power)
        return "\n  ".join(
            [
                f"passed: {self.claim} was refuted on none of {self.pairs} independent"
                f" pairs, by {self.trials} trials each",
                f"{sure}, a pair on which this audit refutes it with probability at least"
                f" {power} is drawn with probability at most {gamma}"
                " (statistics/passing-pairs)",
                *([str(self.events)] if self.events else []),
                "nothing is said of pairs that break it in events which the audit misses",
            ]
        )

    def _as_random_dp(self, gamma: str) -> list[str]:
        known = self.random_dp
        if known is None:
            return []
        return [
            f"that is ({known.alpha}, {known.eta}, {gamma})-Random differential privacy"
            " for pairs of this law"
        ]

    __repr__ = __str__
