from rdpacct import (
    book,
    functions,
    mechanisms,
    random_dp,
    releases,
    sensitivity,
    testing,
)
from rdpacct.auditing import NotShownToHold, Outcome, Verdict, audit, audit_samples
from rdpacct.auditing.neighbors import (
    LargestMove,
    SearchedNoise,
    WorstNeighbors,
    largest_move,
    worst_neighbors,
    worst_noise,
)
from rdpacct.auditing.one_run import (
    CanaryGuesses,
    CanaryScores,
    OneRunVerdict,
    audit_one_run,
)
from rdpacct.auditing.replay import (
    FindingKind,
    NoiseFinding,
    NoiseLog,
    NoiseVerdict,
    audit_noise,
    record_noise,
    replay_noise,
)
from rdpacct.auditing.running import CodeVerdict, ObservedEvent, audit_code
from rdpacct.auditing.sampled import SampledVerdict
from rdpacct.auditing.support import (
    GridVerdict,
    SumVerdict,
    SupportVerdict,
    UnreachableOutput,
    audit_grid,
    audit_sum,
    audit_support,
    check_unreachable,
)
from rdpacct.book.verify import verify
from rdpacct.budget import budget_certificate
from rdpacct.calibration import Calibration, calibrate
from rdpacct.curves import CertifiedCurve, epsilon_delta_curve, tradeoff_curve
from rdpacct.errors import InputError, NotInstalledError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.explanation import Explanation, ExplanationStep, explain
from rdpacct.filters.filter import Decision, Filter
from rdpacct.filters.gaussian_odometer import GaussianOdometer
from rdpacct.filters.kinds import (
    ApproxFilter,
    GaussianFilter,
    PureFilter,
    RenyiFilter,
    ZCDPFilter,
    filter_of,
)
from rdpacct.filters.ledger import Ledger
from rdpacct.filters.menu import MenuFilter
from rdpacct.filters.odometer import (
    Odometer,
    OdometerReading,
    PureOdometer,
    RenyiOdometer,
    ZCDPOdometer,
)
from rdpacct.filters.parts import PartOfData
from rdpacct.filters.renyi_curve import RenyiCurveFilter
from rdpacct.mechanisms.allocation.random_allocation import RandomAllocation
from rdpacct.mechanisms.correlated.matrix_mechanism import MatrixMechanism
from rdpacct.mechanisms.correlated.sampled_bands import SampledBands
from rdpacct.mechanisms.correlated.square_root_mechanism import SquareRootMechanism
from rdpacct.mechanisms.correlated.toeplitz_mechanism import ToeplitzMechanism
from rdpacct.mechanisms.correlated.tree_aggregation import TreeAggregation
from rdpacct.mechanisms.discrete.discrete_gaussian import DiscreteGaussian
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.mechanisms.exponential.exponential import Exponential
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import (
    SampledWithoutReplacement,
)
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.histogram.discrete_sparse_histogram import (
    DiscreteSparseHistogram,
)
from rdpacct.mechanisms.histogram.sparse_histogram import (
    HistogramRelease,
    SparseHistogram,
)
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.laplace.truncated_laplace import TruncatedLaplace
from rdpacct.mechanisms.local.hadamard_response import HadamardResponse
from rdpacct.mechanisms.local.optimized_unary_encoding import OptimizedUnaryEncoding
from rdpacct.mechanisms.local.subset_selection import SubsetSelection
from rdpacct.mechanisms.local.symmetric_unary_encoding import SymmetricUnaryEncoding
from rdpacct.mechanisms.maximally_divergent import (
    MaximallyDivergent,
    maximally_divergent_above,
)
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.mixtures.gaussian_mixture import GaussianMixture
from rdpacct.mechanisms.non_private import NonPrivate
from rdpacct.mechanisms.parallel import Parallel
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled
from rdpacct.mechanisms.poisson.truncated_poisson_sampled import TruncatedPoissonSampled
from rdpacct.mechanisms.promised.promised import Promised
from rdpacct.mechanisms.randomized_response.randomized_response import (
    RandomizedResponse,
)
from rdpacct.mechanisms.selection.best_of_runs import BestOfPoissonRuns, BestOfRuns
from rdpacct.mechanisms.selection.gaussian_sparse_vector import GaussianSparseVector
from rdpacct.mechanisms.selection.partition_selection import PartitionSelection
from rdpacct.mechanisms.selection.permute_and_flip import PermuteAndFlip
from rdpacct.mechanisms.selection.repeat_and_select import RepeatAndSelect
from rdpacct.mechanisms.selection.report_noisy_max import ReportNoisyMax
from rdpacct.mechanisms.selection.sparse_vector import SparseVector
from rdpacct.mechanisms.selection.thresholded import Thresholded
from rdpacct.mechanisms.shuffled.shuffled import Shuffled
from rdpacct.mechanisms.smooth.smooth_gaussian import SmoothGaussian
from rdpacct.mechanisms.smooth.smooth_laplace import SmoothLaplace
from rdpacct.mechanisms.smooth.smooth_laplace_log_normal import SmoothLaplaceLogNormal
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise
from rdpacct.mechanisms.smooth.smooth_power import SmoothPower
from rdpacct.mechanisms.smooth.smooth_student import SmoothStudent
from rdpacct.mechanisms.smooth.smooth_uniform_log_normal import SmoothUniformLogNormal
from rdpacct.mechanisms.staircase import Staircase
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.mechanisms.with_replacement.sampled_with_replacement import (
    SampledWithReplacement,
)
from rdpacct.plan import read_claim, read_plan
from rdpacct.plan.document import PlanDocument, read_document
from rdpacct.plan.events import plan_from_event
from rdpacct.privacy.guarantee import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Guarantee,
    MeanCDP,
    ProfileDP,
    PureDP,
    RandomDP,
    RenyiDP,
)
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Norm, Relation, Sensitivity
from rdpacct.privacy.symbolic import SymbolicLoss, symbolic
from rdpacct.proof.audit import CertifiedRefutation, check_refutation
from rdpacct.proof.budget import CertifiedBudget, check_budget
from rdpacct.proof.check import CertifiedClaim, Rejected, check
from rdpacct.proof.entries import theorem
from rdpacct.proof.prove import ProofResult, prove
from rdpacct.proof.theorem import Theorem
from rdpacct.questions import delta, epsilon, profile
from rdpacct.releases import (
    BoundedLocalRelease,
    DistanceTest,
    ProposeTestRelease,
    RandomSensitivityRelease,
    SmoothAnswer,
    SmoothRelease,
    StabilityRelease,
)
from rdpacct.report import PrivacyReport, privacy_report
from rdpacct.report.audit_page import audit_page
from rdpacct.sensitivity import (
    DistanceOracle,
    FiniteQuery,
    Median,
    OnGrid,
    OrderStatistic,
    Quantile,
    Triangles,
    TrimmedMean,
    Variance,
)
from rdpacct.training import TrainingStatement, dpsgd
from rdpacct.training.statement import BatchingStatement, LeftOut

__version__: str
MODULES: tuple[str, ...]
HOMES: dict[str, tuple[str, ...]]

__all__ = [
    "ZCDP",
    "ApproxDP",
    "ApproxFilter",
    "ApproxZCDP",
    "BatchingStatement",
    "BestOfPoissonRuns",
    "BestOfRuns",
    "Bound",
    "BoundedLocalRelease",
    "Calibration",
    "CanaryGuesses",
    "CanaryScores",
    "CertifiedBudget",
    "CertifiedClaim",
    "CertifiedCurve",
    "CertifiedRefutation",
    "CodeVerdict",
    "Decision",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "DiscreteSparseHistogram",
    "DistanceOracle",
    "DistanceTest",
    "Explanation",
    "ExplanationStep",
    "Exponential",
    "Filter",
    "FindingKind",
    "FiniteMechanism",
    "FiniteQuery",
    "Gaussian",
    "GaussianDP",
    "GaussianFilter",
    "GaussianMixture",
    "GaussianOdometer",
    "GaussianSparseVector",
    "GridVerdict",
    "Guarantee",
    "HadamardResponse",
    "HistogramRelease",
    "InputError",
    "Laplace",
    "LargestMove",
    "Ledger",
    "LeftOut",
    "MatrixMechanism",
    "MaximallyDivergent",
    "MeanCDP",
    "Mechanism",
    "Median",
    "MenuFilter",
    "NoiseFinding",
    "NoiseLog",
    "NoiseVerdict",
    "NonPrivate",
    "Norm",
    "NotInstalledError",
    "NotShownToHold",
    "ObservedEvent",
    "Odometer",
    "OdometerReading",
    "OnGrid",
    "OneRunVerdict",
    "OptimizedUnaryEncoding",
    "OrderStatistic",
    "Outcome",
    "Parallel",
    "PartOfData",
    "PartitionSelection",
    "PermuteAndFlip",
    "Plan",
    "PlanDocument",
    "PoissonSampled",
    "PrivacyLoss",
    "PrivacyReport",
    "Profile",
    "ProfileDP",
    "Promised",
    "ProofResult",
    "ProposeTestRelease",
    "PureDP",
    "PureFilter",
    "PureOdometer",
    "Quantile",
    "RandomAllocation",
    "RandomDP",
    "RandomSensitivityRelease",
    "RandomizedResponse",
    "Rejected",
    "Relation",
    "RenyiCurveFilter",
    "RenyiDP",
    "RenyiFilter",
    "RenyiOdometer",
    "RepeatAndSelect",
    "ReportNoisyMax",
    "SampledBands",
    "SampledVerdict",
    "SampledWithReplacement",
    "SampledWithoutReplacement",
    "SearchedNoise",
    "Sensitivity",
    "Shuffled",
    "SmoothAnswer",
    "SmoothGaussian",
    "SmoothLaplace",
    "SmoothLaplaceLogNormal",
    "SmoothNoise",
    "SmoothPower",
    "SmoothRelease",
    "SmoothStudent",
    "SmoothUniformLogNormal",
    "SparseHistogram",
    "SparseVector",
    "SquareRootMechanism",
    "StabilityRelease",
    "Staircase",
    "StudyOnlyWarning",
    "SubsetSelection",
    "SumVerdict",
    "SupportVerdict",
    "SymbolicLoss",
    "SymmetricUnaryEncoding",
    "Theorem",
    "Thresholded",
    "ToeplitzMechanism",
    "TrainingStatement",
    "TreeAggregation",
    "Triangles",
    "TrimmedMean",
    "TruncatedLaplace",
    "TruncatedPoissonSampled",
    "UndecidedError",
    "UnreachableOutput",
    "Variance",
    "Verdict",
    "WorstNeighbors",
    "ZCDPFilter",
    "ZCDPOdometer",
    "audit",
    "audit_code",
    "audit_grid",
    "audit_noise",
    "audit_one_run",
    "audit_page",
    "audit_samples",
    "audit_sum",
    "audit_support",
    "book",
    "budget_certificate",
    "calibrate",
    "check",
    "check_budget",
    "check_refutation",
    "check_unreachable",
    "delta",
    "dpsgd",
    "epsilon",
    "epsilon_delta_curve",
    "explain",
    "filter_of",
    "functions",
    "largest_move",
    "maximally_divergent_above",
    "mechanisms",
    "plan_from_event",
    "privacy_report",
    "profile",
    "prove",
    "random_dp",
    "read_claim",
    "read_document",
    "read_plan",
    "record_noise",
    "releases",
    "replay_noise",
    "sensitivity",
    "symbolic",
    "testing",
    "theorem",
    "tradeoff_curve",
    "verify",
    "worst_neighbors",
    "worst_noise",
]
