"""Audits of running code in tests: seeds that follow from a name, and reports of what was seen."""

from collections.abc import Callable
from typing import Any

from rdpacct.auditing.running.audit_code import CONFIDENCE, TRIALS, audit_code
from rdpacct.auditing.running.code_verdict import CodeVerdict
from rdpacct.exact.number import Number
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.testing.earned import EarnedStatement
from rdpacct.testing.private import assert_private
from rdpacct.testing.refuted import ClaimRefuted, evidence, seed_of

Report = Callable[[Callable[[], str]], object]
"""Takes what makes a text, which is only made if it is shown."""


class PrivacyAudit:
    """Audits with a seed for each, made from a name; a claim that is refuted raises."""

    def __init__(
        self, name: str, report: Report, earn: Callable[[str], object]
    ) -> None:
        self._name = name
        self._report = report
        self._earn = earn
        self._audits = 0

    def __repr__(self) -> str:
        return f"audits of {self._name}"

    def __call__(
        self,
        mechanism: Callable[..., Any],
        x: Any,
        x_neighbor: Any,
        claim: Guarantee | Plan | Mechanism | str,
        confidence: Number = CONFIDENCE,
        trials: int = TRIALS,
        **options: Any,
    ) -> CodeVerdict:
        """The verdict of ``audit_code`` if it does not refute the claim; else ``ClaimRefuted``.

        The options are those of ``audit_code``, but for the seed.
        """
        __tracebackhide__ = True
        seed = self._seed()
        verdict = audit_code(
            mechanism, x, x_neighbor, claim, confidence, trials, seed=seed, **options
        )
        self._report(lambda: "\n".join([*evidence(verdict), f"  seed: {seed}"]))
        if verdict.fails:
            raise ClaimRefuted(str(verdict), verdict, (x, x_neighbor))
        return verdict

    def assert_private(
        self,
        mechanism: Callable[..., Any],
        claim: Guarantee | Plan | Mechanism | str,
        pairs: Any,
        **options: Any,
    ) -> EarnedStatement:
        """What ``assert_private`` earns on drawn pairs, which the summary of the session shows;
        else ``ClaimRefuted``.

        The options are those of ``assert_private``, but for the seed.
        """
        __tracebackhide__ = True
        seed = self._seed()
        try:
            earned = assert_private(mechanism, claim, pairs, seed=seed, **options)
        except ClaimRefuted as refuted:
            text = str(refuted)
            self._report(lambda: text)
            raise
        self._earn(str(earned))
        return earned

    def _seed(self) -> int:
        self._audits += 1
        return seed_of(f"{self._name} {self._audits}")
