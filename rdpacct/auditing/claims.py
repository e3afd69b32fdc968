"""Audits of plans, one function for each guarantee: the smallest parameters that hold are compared
with the claimed ones.
"""

from fractions import Fraction
from functools import singledispatch

from rdpacct.auditing.verdict import EventWitness, Outcome, Verdict, compare
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, plus
from rdpacct.exact.formula import Expr, Rational, formula
from rdpacct.exact.parameter import rational_of
from rdpacct.mechanisms import Mechanism, Plan
from rdpacct.mechanisms.promised.promised import Promised
from rdpacct.plan import read_claim
from rdpacct.privacy import guarantee as kinds
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.random_dp import compose_random, repeat_random, worst_gamma_of
from rdpacct.provenance import answered
from rdpacct.questions import FAR, FAR_FOR_SUMS, Questions, plan_of, profile

LEVELS = tuple(Fraction(k, 2) for k in (0, 1, 2, 4, 8, 16, 32, 64))
"""The epsilons at which a claim about moments may be refuted."""


@answered
def audit(
    plan: Plan | Mechanism | kinds.Guarantee | str, claim: kinds.Guarantee | str
) -> Verdict:
    """Whether a plan has the claimed guarantee, for every pair of neighbors."""
    guarantee = read_claim(claim) if isinstance(claim, str) else claim
    if not isinstance(guarantee, kinds.Guarantee):
        raise InputError(
            f"the claim is {guarantee!r}; give a guarantee or the text of one."
        )
    whole = _plan(plan)
    try:
        if isinstance(guarantee, kinds.RandomDP):
            return audit_random(guarantee, whole)
        if isinstance(guarantee, kinds.MeanCDP) and not _is_one_pair(whole):
            return _audit_mean_cdp_of_any(guarantee, profile(whole))
        return _audit(guarantee, Questions(whole))
    except UndecidedError as error:
        return Verdict(guarantee, Outcome.UNDECIDED, why=str(error))


def _plan(given: Plan | Mechanism | kinds.Guarantee | str) -> Plan:
    return plan_of(given)


@singledispatch
def _audit(claim: kinds.Guarantee, of: Questions) -> Verdict:  # noqa: ARG001
    raise InputError(
        f"{claim} cannot be audited; claim one of"
        f" {', '.join(cls.__name__ for cls in kinds.GUARANTEES)}."
    )


def audit_random(claim: kinds.RandomDP, of: Plan | Mechanism | str) -> Verdict:
    """Compare the smallest gamma that holds for all populations with the claimed one."""
    plan = _plan(of)
    if plan.has_random_guarantee and not plan.single:
        return _audit_random_plan(claim, plan)
    gamma = (
        plan.single.worst_gamma(claim)
        if plan.single
        else worst_gamma_of(profile(plan), plan.relation, claim)
    )
    return Verdict(
        claim, compare([(gamma, claim.gamma.bound())]), {"gamma": gamma}, why=gamma.how
    )


def _audit_random_plan(claim: kinds.RandomDP, plan: Plan) -> Verdict:
    """Compare the composed promise of several releases for drawn data with the claim; no release
    may depend on the output of another.
    """
    known = [
        (mechanism, mechanism.random_guarantee(), count)
        for mechanism, count in plan.terms
    ]
    other = next(
        (mechanism for mechanism, promise, _ in known if promise is None), None
    )
    if other is not None:
        raise InputError(
            f"the plan mixes {other}, which is private for all data, with releases that"
            " are RandomDP; state it as a promise such as RandomDP(alpha=1, gamma=0),"
            " or audit it apart."
        )
    total = compose_random(
        *(
            repeat_random(promise, count)
            for _, promise, count in known
            if promise is not None
        )
    )
    pairs = [
        (getattr(total, name).bound(), getattr(claim, name).bound())
        for name in ("alpha", "eta", "gamma")
    ]
    holds = compare(pairs) is Outcome.HOLDS
    enough = {
        f"{name} that suffices": bound
        for name, (bound, _) in zip(total.parameters(), pairs, strict=True)
    }
    why = (
        ""
        if holds
        else (
            "composition adds up the promises, which need not be tight"
            " (random-dp/composition)"
        )
    )
    return Verdict(
        claim, Outcome.HOLDS if holds else Outcome.UNDECIDED, enough, why=why
    )


@_audit.register
def audit_pure(claim: kinds.PureDP, of: Questions) -> Verdict:
    """Compare the largest loss with the claimed epsilon."""
    largest = of.profile.max_divergence()
    outcome = compare([(largest, claim.epsilon.bound())])
    return Verdict(
        claim, outcome, {"epsilon": largest}, _witness(of, claim.epsilon, outcome)
    )


@_audit.register
def audit_approx(claim: kinds.ApproxDP, of: Questions) -> Verdict:
    """Compare delta at the claimed epsilon with the claimed delta."""
    smallest = of.delta(rational_of(claim.epsilon, "epsilon", "an audit"))
    tight = {"delta": smallest}
    if isinstance(claim.delta, Rational) and claim.delta.value < 1:
        tight["epsilon"] = of.epsilon(claim.delta.value)
    outcome = compare([(smallest, claim.delta.bound())])
    if outcome is Outcome.UNDECIDED and "epsilon" in tight:
        outcome = compare([(tight["epsilon"], claim.epsilon.bound())])
    return Verdict(claim, outcome, tight, _witness(of, claim.epsilon, outcome))


@_audit.register
def audit_profile(claim: kinds.ProfileDP, of: Questions) -> Verdict:
    """Compare delta at each claimed epsilon with the claimed delta."""
    smallest = [(level, of.delta(level), mass) for level, mass in claim.points]
    outcome = compare([(bound, Bound.exactly(mass)) for _, bound, mass in smallest])
    tight = {
        f"delta at epsilon {formula(level)}": bound for level, bound, _ in smallest
    }
    broken = next(
        (level for level, bound, mass in smallest if bound.certainly_above(mass)), None
    )
    witness = None if broken is None else _witness(of, formula(broken), outcome)
    return Verdict(claim, outcome, tight, witness)


@_audit.register
def audit_approx_zcdp(claim: kinds.ApproxZCDP, of: Questions) -> Verdict:
    """The claim holds if the plan is ZCDP even without the delta, and fails if at some epsilon the
    plan has a larger delta than the claim allows.
    """
    rho = of.zcdp_rho(rational_of(claim.xi, "xi", "an audit"))
    if compare([(rho, claim.rho.bound())]) is Outcome.HOLDS:
        return Verdict(claim, Outcome.HOLDS, {"rho with delta 0": rho})
    allowed = profile(Promised(claim))
    for level in LEVELS:
        needed = of.delta(level)
        most = allowed.delta(level)
        if needed.certainly_above(most):
            tight = {
                f"delta at epsilon {level}": needed,
                f"delta allowed at epsilon {level}": most,
            }
            return Verdict(
                claim, Outcome.FAILS, tight, _witness(of, formula(level), Outcome.FAILS)
            )
    why = (
        "which outputs the delta should leave out is not known; claim ZCDP, ApproxDP or"
        " ProfileDP"
    )
    return Verdict(claim, Outcome.UNDECIDED, {"rho with delta 0": rho}, why=why)


@_audit.register
def audit_renyi(claim: kinds.RenyiDP, of: Questions) -> Verdict:
    """Compare the divergence at the claimed order with the claimed epsilon."""
    divergence = of.renyi(rational_of(claim.alpha, "alpha", "an audit"))
    return Verdict(
        claim, compare([(divergence, claim.epsilon.bound())]), {"epsilon": divergence}
    )


@_audit.register
def audit_zcdp(claim: kinds.ZCDP, of: Questions) -> Verdict:
    """Compare the smallest rho at the claimed xi with the claimed rho."""
    xi = rational_of(claim.xi, "xi", "an audit")
    try:
        smallest = of.zcdp_rho(xi)
    except UndecidedError as error:
        enough = _raised(of.zcdp_rho(0), max(Fraction(0), -xi))
        holds = compare([(enough, claim.rho.bound())]) is Outcome.HOLDS
        return Verdict(
            claim,
            Outcome.HOLDS if holds else Outcome.UNDECIDED,
            {"rho that suffices": enough},
            why=str(error),
        )
    return Verdict(claim, compare([(smallest, claim.rho.bound())]), {"rho": smallest})


@_audit.register
def audit_mean_cdp(claim: kinds.MeanCDP, of: Questions) -> Verdict:
    """Compare the mean loss with mu, and the subgaussian parameter about the mean with tau."""
    mu, tau = of.profile.centered_cdp()
    outcome = compare([(mu, claim.mu.bound()), (tau, claim.tau.bound())])
    return Verdict(claim, outcome, {"mu": mu, "tau": tau})


def _is_one_pair(plan: Plan) -> bool:
    """True if the losses of a plan are those of a pair of neighbors; false if they only dominate
    those of every pair.
    """
    return plan.single is not None and plan.single.stands_for is None


def _audit_mean_cdp_of_any(claim: kinds.MeanCDP, of: Profile) -> Verdict:
    """Promises and adaptive compositions: the claim is confirmed only if tau is at least the
    largest loss.

    Losses in [-eps, eps] have tau <= eps. Nothing smaller can be concluded from a dominating pair,
    since a dominated pair may have a larger tau about its own mean (composition/subgaussian).
    """
    (mu, tau), largest = of.centered_cdp(), of.max_divergence()
    tau = Bound(
        tau.lower, max(tau.lower, largest.upper), "the largest loss (cdp/from-dp)"
    )
    outcome = compare([(mu, claim.mu.bound()), (tau, claim.tau.bound())])
    why = (
        "about its mean a loss may spread more than that of the pair which dominates it"
    )
    return Verdict(
        claim,
        outcome,
        {"mu": mu, "tau": tau},
        why=why if outcome is Outcome.UNDECIDED else "",
    )


@_audit.register
def audit_gaussian(claim: kinds.GaussianDP, of: Questions) -> Verdict:
    """Compare the smallest mu with the claimed one; if it is not known, look for a single event
    that refutes the claim.
    """
    try:
        smallest = of.gaussian_mu()
    except UndecidedError as error:
        return _audit_gaussian_by_events(claim, of.profile, str(error))
    return Verdict(claim, compare([(smallest, claim.mu.bound())]), {"mu": smallest})


def _audit_gaussian_by_events(
    claim: kinds.GaussianDP, of: Profile, why: str
) -> Verdict:
    for loss in of.occurring():
        for threshold in (Fraction(0), *(Fraction(k) / 4 for k in range(-16, 17))):
            p, q = loss.event_probabilities(threshold)
            if p.lower <= 0 or q.upper >= 1:
                continue
            needed = (
                Ball.of(Fraction(p.lower), 128).normal_quantile()
                - Ball.of(Fraction(q.upper), 128).normal_quantile()
            )
            if needed.bound().certainly_above(claim.mu.bound()):
                event = (
                    loss.event(threshold)
                    if loss.event
                    else f"the privacy loss exceeds {threshold}"
                )
                return Verdict(
                    claim,
                    Outcome.FAILS,
                    {"mu at least": needed.bound("one event")},
                    EventWitness(event, p, q),
                )
    return Verdict(claim, Outcome.UNDECIDED, why=why)


def _raised(bound: Bound, by: Fraction) -> Bound:
    return Bound(plus(bound.lower, by), plus(bound.upper, by), bound.how)


def _witness(of: Questions, epsilon: Expr, outcome: Outcome) -> EventWitness | None:
    """The event on which P exceeds exp(epsilon) Q most; None unless the claim fails and the event
    certainly has positive probability.
    """
    threshold = Fraction(epsilon.bound().upper)
    if outcome is not Outcome.FAILS or threshold > FAR:
        return None
    if threshold > FAR_FOR_SUMS and of.is_tiny_beyond(threshold):
        return None
    try:
        loss = of.profile.worst_at(threshold)
        p, q = loss.event_probabilities(threshold)
    except UndecidedError:
        return None
    if p.lower <= 0:
        return None
    return EventWitness(
        loss.event(threshold) if loss.event else f"the privacy loss exceeds {epsilon}",
        p,
        q,
    )
