import cmath as cmath
import math as math
import random as random
from collections.abc import Callable as Callable
from collections.abc import Iterator as Iterator
from collections.abc import Mapping as Mapping
from collections.abc import Sequence as Sequence
from dataclasses import dataclass as dataclass
from dataclasses import replace as _dataclasses_replace
from fractions import Fraction as Fraction
from functools import cache as cache
from functools import partial as partial
from functools import reduce as reduce
from itertools import combinations as combinations
from itertools import pairwise as pairwise
from itertools import permutations as permutations
from itertools import product as product
from math import ceil as ceil
from math import comb as comb
from math import factorial as factorial
from math import prod as prod
from operator import itemgetter as itemgetter
from operator import mul as mul
from random import Random as Random
from types import SimpleNamespace as SimpleNamespace
from typing import Any as Any
from typing import TypeVar as TypeVar
from typing import cast as cast
from rdpacct.arrays import load as load
from rdpacct.auditing.one_run.tail import accuracy as accuracy
from rdpacct.auditing.one_run.tail import ladder_limit as ladder_limit
from rdpacct.auditing.one_run.tail import tail_limit as tail_limit
from rdpacct.auditing.running.bets import grown as grown
from rdpacct.auditing.running.power import on_step as on_step
from rdpacct.auditing.running.shares import contradicted as contradicted
from rdpacct.auditing.running.shares import equal_share as equal_share
from rdpacct.auditing.running.shares import share_at_look as share_at_look
from rdpacct.auditing.running.wager import Wager as Wager
from rdpacct.auditing.running.wager import fair as fair
from rdpacct.auditing.running.wager import highest_mean as highest_mean
from rdpacct.auditing.running.wager import largest_mean as largest_mean
from rdpacct.auditing.running.wager import mean_factor as mean_factor
from rdpacct.auditing.sampled import audit_samples as audit_samples
from rdpacct.composition.added_loss import RATES as RATES
from rdpacct.composition.added_loss import AddedLoss as AddedLoss
from rdpacct.composition.alternatives import AmongPlans as AmongPlans
from rdpacct.composition.alternatives import worst_part as worst_part
from rdpacct.composition.choices.choice_lattice import ChoiceLattice as ChoiceLattice
from rdpacct.composition.choices.choice_points import Points as Points
from rdpacct.composition.choices.choices import Choices as Choices
from rdpacct.composition.choices.exact_tables import game_pair as game_pair
from rdpacct.composition.choices.fitted_game import FittedGame as FittedGame
from rdpacct.composition.choices.game import Game as Game
from rdpacct.composition.choices.game import best_next as best_next
from rdpacct.composition.choices.last_choice import run_last as run_last
from rdpacct.composition.choices.ratio_search import broad_within as broad_within
from rdpacct.composition.choices.ratio_search import narrow_within as narrow_within
from rdpacct.composition.choices.ratio_search import stretched as stretched
from rdpacct.composition.composed_loss import ComposedLoss as ComposedLoss
from rdpacct.composition.draws import dominating_sum as dominating_sum
from rdpacct.composition.ends.beside_ramp import without_ramp as without_ramp
from rdpacct.composition.ends.beside_ramp import without_ramp_level as without_ramp_level
from rdpacct.composition.ends.known_ends import basic_composition as basic_composition
from rdpacct.composition.ends.known_ends import worst_block as worst_block
from rdpacct.composition.ends.moments import chernoff_epsilon as chernoff_epsilon
from rdpacct.composition.ends.moments import least_delta as least_delta
from rdpacct.composition.ends.moments import least_epsilon as least_epsilon
from rdpacct.composition.ends.ramp import ramp_decay as ramp_decay
from rdpacct.composition.ends.ramp import ramp_event as ramp_event
from rdpacct.composition.ends.ramp import ramp_moment as ramp_moment
from rdpacct.composition.exact_sums.atoms import AtomSums as AtomSums
from rdpacct.composition.exact_sums.atoms import share_left_out as share_left_out
from rdpacct.composition.exact_sums.falling_profile import coin_tails as coin_tails
from rdpacct.composition.exact_sums.falling_profile import falling_profile as falling_profile
from rdpacct.composition.exact_sums.far_apart import ApartCurve as ApartCurve
from rdpacct.composition.exact_sums.far_apart import apart_curve as apart_curve
from rdpacct.composition.exact_sums.mixture import AtomMixture as AtomMixture
from rdpacct.composition.exact_sums.patterns import Series as Series
from rdpacct.composition.exact_sums.patterns import patterns_of as patterns_of
from rdpacct.composition.gaussian_sum import dominating_mu as dominating_mu
from rdpacct.composition.gaussian_sum import mu_of_squares as mu_of_squares
from rdpacct.composition.grids.cells import CellSums as CellSums
from rdpacct.composition.grids.cells import two_sums as two_sums
from rdpacct.composition.grids.knots import Knots as Knots
from rdpacct.composition.grids.knots import interpolated as interpolated
from rdpacct.composition.grids.knots import lower_dots as lower_dots
from rdpacct.composition.grids.knots import lower_hull as lower_hull
from rdpacct.composition.grids.knots import meeting as meeting
from rdpacct.composition.grids.laws_below import LawBelow as LawBelow
from rdpacct.composition.grids.laws_below import dot_below as dot_below
from rdpacct.composition.grids.laws_below import event_line as event_line
from rdpacct.composition.grids.laws_below import pooled_cell as pooled_cell
from rdpacct.composition.plans import composed_losses as composed_losses
from rdpacct.composition.quadrature.lattice import LatticeLine as LatticeLine
from rdpacct.composition.quadrature.lattice import lattice_nodes as lattice_nodes
from rdpacct.composition.quadrature.smoothed import SmoothLine as SmoothLine
from rdpacct.composition.quadrature.smoothed import kernels as kernels
from rdpacct.composition.quadrature.smoothed import smooth_truncation as smooth_truncation
from rdpacct.composition.quadrature.smoothed import smoothed as smoothed
from rdpacct.composition.quadrature.tilt import Place as Place
from rdpacct.composition.quadrature.tilt import Tilt as Tilt
from rdpacct.composition.quadrature.vertical_line import Line as Line
from rdpacct.composition.quadrature.vertical_line import aliases_above as aliases_above
from rdpacct.composition.quadrature.vertical_line import aliases_below as aliases_below
from rdpacct.composition.quadrature.vertical_line import chernoff as chernoff
from rdpacct.composition.quadrature.vertical_line import enclosure as enclosure
from rdpacct.composition.quadrature.vertical_line import line_of as line_of
from rdpacct.composition.quadrature.vertical_line import log_chernoff as log_chernoff
from rdpacct.composition.quadrature.vertical_line import sum_at_least as sum_at_least
from rdpacct.composition.quadrature.vertical_line import truncation as truncation
from rdpacct.composition.slopes import chord as chord
from rdpacct.composition.slopes import under_p as under_p
from rdpacct.composition.terms import Terms as Terms
from rdpacct.errors import InputError as InputError
from rdpacct.exact.ball import Ball as Ball
from rdpacct.exact.ball import RealBall as RealBall
from rdpacct.exact.ball import precision as precision
from rdpacct.exact.binomial import lower_limit as lower_limit
from rdpacct.exact.binomial import upper_limit as upper_limit
from rdpacct.exact.bound import Bound as Bound
from rdpacct.exact.bound import worst as worst
from rdpacct.exact.formula import ONE as ONE
from rdpacct.exact.formula import ZERO as ZERO
from rdpacct.exact.formula import Expr as Expr
from rdpacct.exact.formula import Real as Real
from rdpacct.exact.formula import Symbol as Symbol
from rdpacct.exact.formula import add as add
from rdpacct.exact.formula import formula as formula
from rdpacct.exact.functions import PI as PI
from rdpacct.exact.functions import absolute as absolute
from rdpacct.exact.functions import cos as cos
from rdpacct.exact.functions import cosh as cosh
from rdpacct.exact.functions import erf as erf
from rdpacct.exact.functions import erfc as erfc
from rdpacct.exact.functions import exp as exp
from rdpacct.exact.functions import log as log
from rdpacct.exact.functions import maximum as maximum
from rdpacct.exact.functions import minimum as minimum
from rdpacct.exact.functions import normal_cdf as normal_cdf
from rdpacct.exact.functions import normal_density as normal_density
from rdpacct.exact.functions import sin as sin
from rdpacct.exact.functions import sinh as sinh
from rdpacct.exact.functions import sqrt as sqrt
from rdpacct.exact.functions import tanh as tanh
from rdpacct.exact.integral import integrate as _integral_integrate
from rdpacct.exact.raw import complex_of as complex_of
from rdpacct.exact.raw import error as error
from rdpacct.exact.raw import legendre as legendre
from rdpacct.exact.raw import pi as _raw_pi
from rdpacct.exact.raw import real as _raw_real
from rdpacct.filters.filtered import approx_behind_filter as approx_behind_filter
from rdpacct.filters.filtered import approx_behind_menu as approx_behind_menu
from rdpacct.filters.filtered import gaussian_behind_filter as gaussian_behind_filter
from rdpacct.filters.filtered import pure_behind_filter as pure_behind_filter
from rdpacct.filters.filtered import renyi_behind_filter as renyi_behind_filter
from rdpacct.filters.filtered import spent_after as spent_after
from rdpacct.filters.filtered import spent_for_record as spent_for_record
from rdpacct.filters.filtered import zcdp_behind_filter as zcdp_behind_filter
from rdpacct.filters.menu_table import Moves as Moves
from rdpacct.filters.menu_table import gain_at as gain_at
from rdpacct.filters.menu_table import without_ends as without_ends
from rdpacct.filters.odometer import RenyiOdometer as RenyiOdometer
from rdpacct.filters.running import approx_behind_orders as approx_behind_orders
from rdpacct.filters.running import approx_below_bound as approx_below_bound
from rdpacct.filters.running import cap_of_an_order as cap_of_an_order
from rdpacct.filters.running import loss_stays_below as loss_stays_below
from rdpacct.filters.running import mixed_growth as mixed_growth
from rdpacct.filters.running import share_of_an_order as share_of_an_order
from rdpacct.mechanisms.allocation.allocation_laws import weight_of_each as weight_of_each
from rdpacct.mechanisms.allocation.random_allocation import RandomAllocation as RandomAllocation
from rdpacct.mechanisms.allocation.random_allocation import added_shift as added_shift
from rdpacct.mechanisms.allocation.ratio_sums import output_with_ratio as output_with_ratio
from rdpacct.mechanisms.allocation.ratio_sums import upper_share as upper_share
from rdpacct.mechanisms.correlated.correlated_noise import total_move as total_move
from rdpacct.mechanisms.correlated.falling_columns import next_coefficient as next_coefficient
from rdpacct.mechanisms.correlated.falling_columns import next_sum as next_sum
from rdpacct.mechanisms.correlated.falling_columns import square_root_coefficients as square_root_coefficients
from rdpacct.mechanisms.correlated.falling_columns import toeplitz_square as toeplitz_square
from rdpacct.mechanisms.correlated.gram import square_at_most as square_at_most
from rdpacct.mechanisms.correlated.gram import square_of_moves as square_of_moves
from rdpacct.mechanisms.correlated.matrix_mechanism import MatrixMechanism as MatrixMechanism
from rdpacct.mechanisms.correlated.participation import Participation as Participation
from rdpacct.mechanisms.correlated.participation import earliest as earliest
from rdpacct.mechanisms.correlated.participation import participations_within as participations_within
from rdpacct.mechanisms.correlated.sampled_bands import step_of_group as step_of_group
from rdpacct.mechanisms.correlated.tree_levels import fullest_blocks as fullest_blocks
from rdpacct.mechanisms.correlated.tree_levels import tree_square as tree_square
from rdpacct.mechanisms.discrete.discrete_gaussian import GaussianLattice as GaussianLattice
from rdpacct.mechanisms.discrete.discrete_gaussian import log_moment as _discrete_gaussian_log_moment
from rdpacct.mechanisms.discrete.discrete_gaussian import mean as _discrete_gaussian_mean
from rdpacct.mechanisms.discrete.discrete_gaussian import rho as _discrete_gaussian_rho
from rdpacct.mechanisms.discrete.discrete_gaussian import shifted_moment as shifted_moment
from rdpacct.mechanisms.discrete.discrete_gaussian import tau_squared as _discrete_gaussian_tau_squared
from rdpacct.mechanisms.discrete.discrete_gaussian import worst_pair as _discrete_gaussian_worst_pair
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace as DiscreteLaplace
from rdpacct.mechanisms.discrete.discrete_laplace import discrete_laplace_tail as discrete_laplace_tail
from rdpacct.mechanisms.discrete.discrete_laplace import worst_pair as _discrete_laplace_worst_pair
from rdpacct.mechanisms.discrete.discrete_transforms import DiscreteGaussianTransform as DiscreteGaussianTransform
from rdpacct.mechanisms.discrete.discrete_transforms import DiscreteLaplaceTransform as DiscreteLaplaceTransform
from rdpacct.mechanisms.discrete.discrete_transforms import bump as bump
from rdpacct.mechanisms.discrete.discrete_transforms import bump_rest as bump_rest
from rdpacct.mechanisms.discrete.discrete_transforms import completed_square as completed_square
from rdpacct.mechanisms.discrete.discrete_transforms import theta_direct as theta_direct
from rdpacct.mechanisms.discrete.discrete_transforms import theta_fourier as theta_fourier
from rdpacct.mechanisms.discrete.discrete_transforms import wave as wave
from rdpacct.mechanisms.discrete.discrete_transforms import wave_rest as wave_rest
from rdpacct.mechanisms.discrete.discrete_transforms import wave_sizes as wave_sizes
from rdpacct.mechanisms.discrete.discrete_transforms import wrapped_normal as wrapped_normal
from rdpacct.mechanisms.exponential.exponential import Exponential as Exponential
from rdpacct.mechanisms.exponential.exponential import delta as _exponential_delta
from rdpacct.mechanisms.exponential.exponential import log_moment as _exponential_log_moment
from rdpacct.mechanisms.exponential.exponential import mean as _exponential_mean
from rdpacct.mechanisms.exponential.exponential import other_ratio as other_ratio
from rdpacct.mechanisms.exponential.exponential import rare_large_loss as rare_large_loss
from rdpacct.mechanisms.exponential.exponential import rare_mass as rare_mass
from rdpacct.mechanisms.exponential.exponential import renyi as renyi
from rdpacct.mechanisms.exponential.exponential import rho as _exponential_rho
from rdpacct.mechanisms.exponential.exponential import spread as _exponential_spread
from rdpacct.mechanisms.exponential.exponential import tau as _exponential_tau
from rdpacct.mechanisms.exponential.exponential import two_point as two_point
from rdpacct.mechanisms.exponential.exponential import worst_law as worst_law
from rdpacct.mechanisms.exponential.exponential_transform import ExponentialTransform as ExponentialTransform
from rdpacct.mechanisms.exponential.exponential_transform import exponential_far as exponential_far
from rdpacct.mechanisms.exponential.exponential_transform import exponential_variance as exponential_variance
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism as FiniteMechanism
from rdpacct.mechanisms.fixed_size.flattened import above_square as above_square
from rdpacct.mechanisms.fixed_size.flattened import drop as drop
from rdpacct.mechanisms.fixed_size.flattened import dropped_mass as dropped_mass
from rdpacct.mechanisms.fixed_size.flattened import replaced_variance as replaced_variance
from rdpacct.mechanisms.fixed_size.folded import folded as _folded_folded
from rdpacct.mechanisms.fixed_size.folded import mass_at_zero as mass_at_zero
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import both_directions as both_directions
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import drawn_share as drawn_share
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import either_way as either_way
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import folded_direction as folded_direction
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import one_way as one_way
from rdpacct.mechanisms.gaussian.gaussian import Gaussian as Gaussian
from rdpacct.mechanisms.gaussian.gaussian import log_moment as _gaussian_log_moment
from rdpacct.mechanisms.gaussian.gaussian import mean as _gaussian_mean
from rdpacct.mechanisms.gaussian.gaussian import rho as _gaussian_rho
from rdpacct.mechanisms.gaussian.gaussian import tau as tau
from rdpacct.mechanisms.gaussian.gaussian import worst_pair as _gaussian_worst_pair
from rdpacct.mechanisms.gaussian.gaussian_curve import GaussianCurve as GaussianCurve
from rdpacct.mechanisms.gaussian.gaussian_transform import GaussianTransform as GaussianTransform
from rdpacct.mechanisms.grouped import for_group as for_group
from rdpacct.mechanisms.histogram.discrete_sparse_histogram import minus_one as minus_one
from rdpacct.mechanisms.histogram.discrete_sparse_histogram import more_for_integers as more_for_integers
from rdpacct.mechanisms.histogram.discrete_sparse_histogram import two_counts as two_counts
from rdpacct.mechanisms.histogram.lone_draws import bad_probability as bad_probability
from rdpacct.mechanisms.histogram.lone_draws import cell_height as cell_height
from rdpacct.mechanisms.histogram.lone_draws import printed_gamma as printed_gamma
from rdpacct.mechanisms.histogram.lone_draws import separable_bound as separable_bound
from rdpacct.mechanisms.histogram.lone_draws import sharper_gamma as sharper_gamma
from rdpacct.mechanisms.histogram.lone_draws import spread_bound as spread_bound
from rdpacct.mechanisms.histogram.lone_draws import worst_gamma as worst_gamma
from rdpacct.mechanisms.histogram.sparse_histogram import lone_records as lone_records
from rdpacct.mechanisms.histogram.sparse_histogram import nearest_histogram as nearest_histogram
from rdpacct.mechanisms.histogram.sparse_histogram import noise_scale as noise_scale
from rdpacct.mechanisms.histogram.sparse_histogram import tail_level as tail_level
from rdpacct.mechanisms.histogram.sparse_histogram import two_cells as two_cells
from rdpacct.mechanisms.histogram.sparse_histogram import two_cells_delta as two_cells_delta
from rdpacct.mechanisms.laplace.laplace import Laplace as Laplace
from rdpacct.mechanisms.laplace.laplace import delta as _laplace_delta
from rdpacct.mechanisms.laplace.laplace import laplace_tail as laplace_tail
from rdpacct.mechanisms.laplace.laplace import log_moment as _laplace_log_moment
from rdpacct.mechanisms.laplace.laplace import mean as _laplace_mean
from rdpacct.mechanisms.laplace.laplace import rho as _laplace_rho
from rdpacct.mechanisms.laplace.laplace import worst_pair as _laplace_worst_pair
from rdpacct.mechanisms.laplace.laplace_transform import LaplaceTransform as LaplaceTransform
from rdpacct.mechanisms.laplace.laplace_transform import laplace_tangent as laplace_tangent
from rdpacct.mechanisms.laplace.laplace_transform import laplace_variance as laplace_variance
from rdpacct.mechanisms.laplace.truncated_laplace import TruncatedLaplace as TruncatedLaplace
from rdpacct.mechanisms.laplace.truncated_laplace import far_pair as far_pair
from rdpacct.mechanisms.laplace.truncated_laplace import near_pair as near_pair
from rdpacct.mechanisms.laplace.truncated_laplace import only_one_gives as only_one_gives
from rdpacct.mechanisms.laplace.truncated_transform import stretch_excess as stretch_excess
from rdpacct.mechanisms.local.hadamard_response import agreement as agreement
from rdpacct.mechanisms.local.hadamard_response import third_row as third_row
from rdpacct.mechanisms.local.subset_selection import both_or_none as both_or_none
from rdpacct.mechanisms.local.subset_selection import kept as kept
from rdpacct.mechanisms.local.subset_selection import one_of_two_others as one_of_two_others
from rdpacct.mechanisms.local.unary_encoding import equal_bits as equal_bits
from rdpacct.mechanisms.local.unary_encoding import one_stray as one_stray
from rdpacct.mechanisms.local.unary_encoding import optimized_bits as optimized_bits
from rdpacct.mechanisms.local.unary_encoding import symmetric_bits as symmetric_bits
from rdpacct.mechanisms.maximally_divergent import masses as _maximally_divergent_masses
from rdpacct.mechanisms.maximally_divergent import maximally_divergent_above as maximally_divergent_above
from rdpacct.mechanisms.mechanism import Plan as Plan
from rdpacct.mechanisms.mixtures.blocks import lost_in_blocks as lost_in_blocks
from rdpacct.mechanisms.mixtures.blocks import turned_share as turned_share
from rdpacct.mechanisms.mixtures.exponential_sum import one_term as one_term
from rdpacct.mechanisms.mixtures.exponential_sum import two_terms as two_terms
from rdpacct.mechanisms.mixtures.gaussian_mixture import GaussianMixture as GaussianMixture
from rdpacct.mechanisms.mixtures.gaussian_mixture import mixture_loss as mixture_loss
from rdpacct.mechanisms.mixtures.gaussian_mixture import mixture_pair as mixture_pair
from rdpacct.mechanisms.mixtures.integrand import density_most as density_most
from rdpacct.mechanisms.mixtures.integrand import falling_tail as falling_tail
from rdpacct.mechanisms.mixtures.integrand import steepest as steepest
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair as MixturePair
from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss as MixtureLoss
from rdpacct.mechanisms.mixtures.mixture_transform import MixtureTransform as MixtureTransform
from rdpacct.mechanisms.mixtures.moves import both_moves as both_moves
from rdpacct.mechanisms.mixtures.panels import kept_by_angle as kept_by_angle
from rdpacct.mechanisms.mixtures.panels import kept_by_spread as kept_by_spread
from rdpacct.mechanisms.mixtures.panels import off_axis as off_axis
from rdpacct.mechanisms.mixtures.panels import panel_error as panel_error
from rdpacct.mechanisms.noisy import worst_move as worst_move
from rdpacct.mechanisms.parallel import Parallel as Parallel
from rdpacct.mechanisms.parallel import bad_choice as bad_choice
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled as PoissonSampled
from rdpacct.mechanisms.poisson.poisson_sampled import sampled as sampled
from rdpacct.mechanisms.poisson.poisson_sampled import sampled_directions as sampled_directions
from rdpacct.mechanisms.poisson.poisson_sampled import sampled_part as sampled_part
from rdpacct.mechanisms.poisson.poisson_sampled import several_loss as several_loss
from rdpacct.mechanisms.poisson.sampled_gaussian import SampledGaussianTransform as SampledGaussianTransform
from rdpacct.mechanisms.poisson.sampled_gaussian import edge_size as edge_size
from rdpacct.mechanisms.poisson.sampled_gaussian import level_point as level_point
from rdpacct.mechanisms.poisson.sampled_gaussian import raised_point as raised_point
from rdpacct.mechanisms.poisson.sampled_gaussian import sampled_events as sampled_events
from rdpacct.mechanisms.poisson.sampled_gaussian import sampled_tail as sampled_tail
from rdpacct.mechanisms.poisson.sampled_gaussian import strip_error as strip_error
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import gap as gap
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import least_moment as least_moment
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import least_negative_moment as least_negative_moment
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import least_root_moment as least_root_moment
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import missed_moment as missed_moment
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import most_moment as most_moment
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import most_small_moment as most_small_moment
from rdpacct.mechanisms.poisson.sampled_gaussian_part import SampledGaussian as SampledGaussian
from rdpacct.mechanisms.poisson.sampled_gaussian_part import left_out as _sampled_gaussian_part_left_out
from rdpacct.mechanisms.poisson.sampled_gaussian_part import weighted_loss as weighted_loss
from rdpacct.mechanisms.poisson.sampled_gaussian_plan import Grid as Grid
from rdpacct.mechanisms.poisson.sampled_laplace import SampledLaplaceTransform as SampledLaplaceTransform
from rdpacct.mechanisms.poisson.sampled_laplace import ellipse_error as ellipse_error
from rdpacct.mechanisms.poisson.sampled_laplace import tilted_density as tilted_density
from rdpacct.mechanisms.poisson.sampled_laplace_apart import missed as missed
from rdpacct.mechanisms.poisson.sampled_laplace_apart import most_above as most_above
from rdpacct.mechanisms.poisson.several_records import sampled_numbers as sampled_numbers
from rdpacct.mechanisms.poisson.several_records import several_pair as several_pair
from rdpacct.mechanisms.poisson.truncated_poisson_sampled import cut_directions as cut_directions
from rdpacct.mechanisms.poisson.truncated_poisson_sampled import cut_loss as cut_loss
from rdpacct.mechanisms.poisson.truncated_poisson_sampled import kept_rate as kept_rate
from rdpacct.mechanisms.promised.moment_promise import log_moment_bound as log_moment_bound
from rdpacct.mechanisms.promised.profile_points import least_law as least_law
from rdpacct.mechanisms.promised.promised import Promised as Promised
from rdpacct.mechanisms.promised.promised import worst_pair as _promised_worst_pair
from rdpacct.mechanisms.randomized_response.randomized_response import RandomizedResponse as RandomizedResponse
from rdpacct.mechanisms.randomized_response.randomized_response import delta as _randomized_response_delta
from rdpacct.mechanisms.randomized_response.randomized_response import log_moment as _randomized_response_log_moment
from rdpacct.mechanisms.randomized_response.randomized_response import mean as _randomized_response_mean
from rdpacct.mechanisms.randomized_response.randomized_response import rho as _randomized_response_rho
from rdpacct.mechanisms.randomized_response.randomized_response import tau_squared as _randomized_response_tau_squared
from rdpacct.mechanisms.selection.atom_hull import law_through as law_through
from rdpacct.mechanisms.selection.atom_hull import least_of_atoms as least_of_atoms
from rdpacct.mechanisms.selection.best_run_rules import best_run_delta as best_run_delta
from rdpacct.mechanisms.selection.best_run_rules import best_run_shift as best_run_shift
from rdpacct.mechanisms.selection.best_run_rules import log_best_moment as log_best_moment
from rdpacct.mechanisms.selection.best_run_rules import log_growth_by_moment as log_growth_by_moment
from rdpacct.mechanisms.selection.best_run_rules import log_poisson_moment as log_poisson_moment
from rdpacct.mechanisms.selection.best_run_rules import poisson_shift as poisson_shift
from rdpacct.mechanisms.selection.best_run_rules import spare_growth as spare_growth
from rdpacct.mechanisms.selection.best_run_rules import stick_between as stick_between
from rdpacct.mechanisms.selection.first_above import first_above_delta as first_above_delta
from rdpacct.mechanisms.selection.first_above_rules import all_queries_square as all_queries_square
from rdpacct.mechanisms.selection.first_above_rules import first_above_log_moment as first_above_log_moment
from rdpacct.mechanisms.selection.first_above_rules import level_after as level_after
from rdpacct.mechanisms.selection.first_above_rules import log_safe_after as log_safe_after
from rdpacct.mechanisms.selection.first_above_rules import run_chance as run_chance
from rdpacct.mechanisms.selection.first_above_rules import shared_part as shared_part
from rdpacct.mechanisms.selection.halfway import halfway_law as halfway_law
from rdpacct.mechanisms.selection.number_of_runs import mean_runs as mean_runs
from rdpacct.mechanisms.selection.number_of_runs import poisson_generating as poisson_generating
from rdpacct.mechanisms.selection.number_of_runs import runs_generating as runs_generating
from rdpacct.mechanisms.selection.partition_selection import law_at_corners as law_at_corners
from rdpacct.mechanisms.selection.partition_selection import next_chance as next_chance
from rdpacct.mechanisms.selection.partition_selection import removed_user as removed_user
from rdpacct.mechanisms.selection.partition_selection import rising_chance as rising_chance
from rdpacct.mechanisms.selection.partition_selection import settling_chance as settling_chance
from rdpacct.mechanisms.selection.permute_and_flip import two_candidates as two_candidates
from rdpacct.mechanisms.selection.repeat_and_select import repeated_epsilon as repeated_epsilon
from rdpacct.mechanisms.selection.report_noisy_max import four_noisy_scores as four_noisy_scores
from rdpacct.mechanisms.selection.report_noisy_max import noisy_range as noisy_range
from rdpacct.mechanisms.selection.report_noisy_max import sum_above as sum_above
from rdpacct.mechanisms.selection.report_noisy_max import two_behind_win as two_behind_win
from rdpacct.mechanisms.selection.report_noisy_max import two_low_scores as two_low_scores
from rdpacct.mechanisms.selection.report_noisy_max import two_noisy_scores as two_noisy_scores
from rdpacct.mechanisms.selection.sparse_vector import sparse_vector_epsilon as sparse_vector_epsilon
from rdpacct.mechanisms.selection.sparse_vector import unequal_above as unequal_above
from rdpacct.mechanisms.selection.thresholded import new_category as new_category
from rdpacct.mechanisms.selection.thresholded import noise_or_new as noise_or_new
from rdpacct.mechanisms.selection.thresholded import with_new_categories as with_new_categories
from rdpacct.mechanisms.shuffled.clones import Clones as Clones
from rdpacct.mechanisms.shuffled.clones import of_any_randomizer as of_any_randomizer
from rdpacct.mechanisms.shuffled.clones import of_responses as of_responses
from rdpacct.mechanisms.shuffled.clones import of_three_losses as of_three_losses
from rdpacct.mechanisms.shuffled.clones import pooled as pooled
from rdpacct.mechanisms.shuffled.clones import untold as untold
from rdpacct.mechanisms.shuffled.clones import with_a_third_value as with_a_third_value
from rdpacct.mechanisms.shuffled.sign_sums import falling_ratio as falling_ratio
from rdpacct.mechanisms.shuffled.sign_sums import geometric_tail as geometric_tail
from rdpacct.mechanisms.shuffled.sign_sums import weighted_tail as weighted_tail
from rdpacct.mechanisms.shuffled.tilts import larger_share as larger_share
from rdpacct.mechanisms.shuffled.tilts import mean_tilt as mean_tilt
from rdpacct.mechanisms.shuffled.tilts import mean_weight as mean_weight
from rdpacct.mechanisms.shuffled.tilts import tilt as _tilts_tilt
from rdpacct.mechanisms.smooth.bends import GAUSSIAN_BEND as GAUSSIAN_BEND
from rdpacct.mechanisms.smooth.bends import LAPLACE_BEND as LAPLACE_BEND
from rdpacct.mechanisms.smooth.bends import gaussian_turn as gaussian_turn
from rdpacct.mechanisms.smooth.bends import laplace_turn as laplace_turn
from rdpacct.mechanisms.smooth.bends import student_bend as student_bend
from rdpacct.mechanisms.smooth.bends import student_turn as student_turn
from rdpacct.mechanisms.smooth.circle_transform import CircleTransform as CircleTransform
from rdpacct.mechanisms.smooth.circle_transform import circle_error as circle_error
from rdpacct.mechanisms.smooth.log_normal_law import LogNormalLaw as LogNormalLaw
from rdpacct.mechanisms.smooth.log_normal_law import falling_rate as falling_rate
from rdpacct.mechanisms.smooth.log_normal_law import node_error as node_error
from rdpacct.mechanisms.smooth.log_normal_noise import before_slide as before_slide
from rdpacct.mechanisms.smooth.log_normal_noise import laplace_slope as laplace_slope
from rdpacct.mechanisms.smooth.log_normal_noise import log_normal_rho as log_normal_rho
from rdpacct.mechanisms.smooth.log_normal_noise import uniform_slope as uniform_slope
from rdpacct.mechanisms.smooth.log_normal_pair import LogNormalHalves as LogNormalHalves
from rdpacct.mechanisms.smooth.log_normal_profile import log_normal_pairs as log_normal_pairs
from rdpacct.mechanisms.smooth.log_normal_shape import BeyondBoth as BeyondBoth
from rdpacct.mechanisms.smooth.shift_and_scale import Noise as Noise
from rdpacct.mechanisms.smooth.shift_and_scale import ShiftAndScale as ShiftAndScale
from rdpacct.mechanisms.smooth.smooth_gaussian import GaussianNoise as GaussianNoise
from rdpacct.mechanisms.smooth.smooth_laplace import LaplaceNoise as LaplaceNoise
from rdpacct.mechanisms.smooth.smooth_noise import corners as corners
from rdpacct.mechanisms.smooth.smooth_power import SmoothPower as SmoothPower
from rdpacct.mechanisms.smooth.smooth_power import cauchy_epsilon as cauchy_epsilon
from rdpacct.mechanisms.smooth.smooth_power import largest_log_ratio as largest_log_ratio
from rdpacct.mechanisms.smooth.smooth_power import pure_epsilon as pure_epsilon
from rdpacct.mechanisms.smooth.smooth_student import largest_loss as largest_loss
from rdpacct.mechanisms.smooth.smooth_student import student_corners as student_corners
from rdpacct.mechanisms.smooth.smooth_student import student_epsilon as student_epsilon
from rdpacct.mechanisms.smooth.smooth_student import sufficient_student_epsilon as sufficient_student_epsilon
from rdpacct.mechanisms.smooth.smooth_uniform_log_normal import size_below as size_below
from rdpacct.mechanisms.smooth.student_law import half_beta as half_beta
from rdpacct.mechanisms.smooth.student_pair import StudentPair as StudentPair
from rdpacct.mechanisms.smooth.student_pair import cauchy_turn as cauchy_turn
from rdpacct.mechanisms.smooth.student_pair import narrow_range as narrow_range
from rdpacct.mechanisms.smooth.student_pair import quadratic as quadratic
from rdpacct.mechanisms.smooth.whole_degrees import two_more as two_more
from rdpacct.mechanisms.smooth.whole_degrees import whole_tail as whole_tail
from rdpacct.mechanisms.staircase import first_height as first_height
from rdpacct.mechanisms.staircase import staircase_pair as staircase_pair
from rdpacct.mechanisms.with_replacement.copies import Copies as _copies_Copies
from rdpacct.mechanisms.with_replacement.copies import any_copy as any_copy
from rdpacct.mechanisms.with_replacement.copies import at_least_copies as at_least_copies
from rdpacct.mechanisms.with_replacement.copies import copies_pair as copies_pair
from rdpacct.mechanisms.with_replacement.copies import exactly_copies as exactly_copies
from rdpacct.mechanisms.with_replacement.copies import one_copy as one_copy
from rdpacct.mechanisms.with_replacement.copies_apart import one_copy_case as one_copy_case
from rdpacct.mechanisms.with_replacement.copies_apart import several_case as several_case
from rdpacct.mechanisms.with_replacement.sampled_with_replacement import SampledWithReplacement as SampledWithReplacement
from rdpacct.mechanisms.with_replacement.sampled_with_replacement import fewer_copies as fewer_copies
from rdpacct.mechanisms.with_replacement.sampled_with_replacement import folded_copies as folded_copies
from rdpacct.mechanisms.with_replacement.sampled_with_replacement import with_copies as with_copies
from rdpacct.privacy.any_loss import Loss as Loss
from rdpacct.privacy.atoms_transform import AtomsTransform as AtomsTransform
from rdpacct.privacy.binomial_curve import BinomialCurve as BinomialCurve
from rdpacct.privacy.bounded_range import BoundedRangePairs as BoundedRangePairs
from rdpacct.privacy.bounded_range import bulge as bulge
from rdpacct.privacy.bounded_range import masses as _bounded_range_masses
from rdpacct.privacy.bounded_range import one_release as one_release
from rdpacct.privacy.compose import compose_approx as compose_approx
from rdpacct.privacy.compose import compose_gaussian_dp as compose_gaussian_dp
from rdpacct.privacy.compose import compose_gaussian_shifts as compose_gaussian_shifts
from rdpacct.privacy.compose import compose_mean_cdp as compose_mean_cdp
from rdpacct.privacy.compose import compose_pure as compose_pure
from rdpacct.privacy.compose import compose_renyi as compose_renyi
from rdpacct.privacy.compose import compose_zcdp as compose_zcdp
from rdpacct.privacy.concave import below_chords as below_chords
from rdpacct.privacy.constants import value as value
from rdpacct.privacy.convert import approx_to_random as approx_to_random
from rdpacct.privacy.convert import gaussian_dp_to_approx as gaussian_dp_to_approx
from rdpacct.privacy.convert import gaussian_dp_to_zcdp as gaussian_dp_to_zcdp
from rdpacct.privacy.convert import mean_cdp_to_approx as mean_cdp_to_approx
from rdpacct.privacy.convert import mean_cdp_to_zcdp as mean_cdp_to_zcdp
from rdpacct.privacy.convert import pure_to_approx as pure_to_approx
from rdpacct.privacy.convert import pure_to_mean_cdp as pure_to_mean_cdp
from rdpacct.privacy.convert import pure_to_mean_cdp_printed as pure_to_mean_cdp_printed
from rdpacct.privacy.convert import pure_to_renyi as pure_to_renyi
from rdpacct.privacy.convert import pure_to_zcdp as pure_to_zcdp
from rdpacct.privacy.convert import pure_to_zcdp_classical as pure_to_zcdp_classical
from rdpacct.privacy.convert import random_to_approx as random_to_approx
from rdpacct.privacy.convert import renyi_at_smaller_order as renyi_at_smaller_order
from rdpacct.privacy.convert import renyi_to_approx as renyi_to_approx
from rdpacct.privacy.convert import renyi_to_approx_classical as renyi_to_approx_classical
from rdpacct.privacy.convert import zcdp_to_approx as zcdp_to_approx
from rdpacct.privacy.convert import zcdp_to_approx_classical as zcdp_to_approx_classical
from rdpacct.privacy.convert import zcdp_to_renyi as zcdp_to_renyi
from rdpacct.privacy.dominating import connect_the_dots as connect_the_dots
from rdpacct.privacy.dominating import dominating_table as dominating_table
from rdpacct.privacy.event_bounds import event_growth as event_growth
from rdpacct.privacy.event_bounds import event_slack as event_slack
from rdpacct.privacy.family import BITS as BITS
from rdpacct.privacy.family import FinitePairs as FinitePairs
from rdpacct.privacy.family import exchanged as exchanged
from rdpacct.privacy.gaussian_mu import gaussian_mu_between as gaussian_mu_between
from rdpacct.privacy.gaussian_mu import gaussian_mu_of_profile as gaussian_mu_of_profile
from rdpacct.privacy.gaussian_mu import smallest_gaussian_mu as smallest_gaussian_mu
from rdpacct.privacy.gaussian_profile import gaussian_delta as gaussian_delta
from rdpacct.privacy.gaussian_profile import gaussian_misses as gaussian_misses
from rdpacct.privacy.gaussian_profile import gaussian_profile as gaussian_profile
from rdpacct.privacy.gaussian_profile import gaussian_tradeoff as gaussian_tradeoff
from rdpacct.privacy.grid import Cells as Cells
from rdpacct.privacy.grid_transform import split_atom as split_atom
from rdpacct.privacy.group import chained as chained
from rdpacct.privacy.group import group_approx as group_approx
from rdpacct.privacy.group import group_gaussian as group_gaussian
from rdpacct.privacy.group import group_pure as group_pure
from rdpacct.privacy.group import group_sensitivity as group_sensitivity
from rdpacct.privacy.group import group_zcdp as group_zcdp
from rdpacct.privacy.guarantee import ZCDP as ZCDP
from rdpacct.privacy.guarantee import ApproxDP as ApproxDP
from rdpacct.privacy.guarantee import ApproxZCDP as ApproxZCDP
from rdpacct.privacy.guarantee import GaussianDP as GaussianDP
from rdpacct.privacy.guarantee import MeanCDP as MeanCDP
from rdpacct.privacy.guarantee import PureDP as PureDP
from rdpacct.privacy.guarantee import RandomDP as RandomDP
from rdpacct.privacy.guarantee import RenyiDP as RenyiDP
from rdpacct.privacy.infinite_mass import finite_share as finite_share
from rdpacct.privacy.least_law import least_law as _least_law_least_law
from rdpacct.privacy.least_law import most_together as most_together
from rdpacct.privacy.loss import PrivacyLoss as PrivacyLoss
from rdpacct.privacy.moment_chords import at_crest as at_crest
from rdpacct.privacy.moment_chords import chord as _moment_chords_chord
from rdpacct.privacy.moment_chords import crest as crest
from rdpacct.privacy.moment_chords import from_slope as from_slope
from rdpacct.privacy.moment_chords import quotient_at as quotient_at
from rdpacct.privacy.moment_series import SHORT_ORDER as SHORT_ORDER
from rdpacct.privacy.moment_series import TAYLOR_ORDER as TAYLOR_ORDER
from rdpacct.privacy.moment_series import log_series as log_series
from rdpacct.privacy.moment_series import moved_by as moved_by
from rdpacct.privacy.moment_series import next_coefficient as _moment_series_next_coefficient
from rdpacct.privacy.moment_series import polynomial as polynomial
from rdpacct.privacy.moment_series import quotient_near_zero as quotient_near_zero
from rdpacct.privacy.moment_series import slope_near_zero as slope_near_zero
from rdpacct.privacy.moment_series import slope_series as slope_series
from rdpacct.privacy.nodes import Nodes as Nodes
from rdpacct.privacy.on_average import bad_share as bad_share
from rdpacct.privacy.on_average import on_average_kl as on_average_kl
from rdpacct.privacy.parts import LOSS as _parts_LOSS
from rdpacct.privacy.parts import Atom as Atom
from rdpacct.privacy.parts import Piece as Piece
from rdpacct.privacy.post_processing import post_process_approx_zcdp as post_process_approx_zcdp
from rdpacct.privacy.post_processing import post_process_divergence as post_process_divergence
from rdpacct.privacy.post_processing import post_process_mean_cdp as post_process_mean_cdp
from rdpacct.privacy.post_processing import post_process_profile as post_process_profile
from rdpacct.privacy.post_processing import post_process_random as post_process_random
from rdpacct.privacy.random_dp import Data as Data
from rdpacct.privacy.random_dp import Masses as _random_dp_Masses
from rdpacct.privacy.random_dp import Release as Release
from rdpacct.privacy.random_dp import compose_random as compose_random
from rdpacct.privacy.random_dp import compose_random_adaptively as compose_random_adaptively
from rdpacct.privacy.random_dp import hockey_stick as hockey_stick
from rdpacct.privacy.random_dp import in_turn as in_turn
from rdpacct.privacy.random_dp import processed as _random_dp_processed
from rdpacct.privacy.random_dp import repeat_random as repeat_random
from rdpacct.privacy.random_dp import smallest_gamma as smallest_gamma
from rdpacct.privacy.random_dp import together as together
from rdpacct.privacy.random_dp import worst_gamma_of as worst_gamma_of
from rdpacct.privacy.relation import Relation as Relation
from rdpacct.privacy.relatives import along_chain as along_chain
from rdpacct.privacy.relatives import share_of_tails as share_of_tails
from rdpacct.privacy.relatives import smallest_beta as smallest_beta
from rdpacct.privacy.relatives import tail_on_average as tail_on_average
from rdpacct.privacy.subgaussian import hoeffding as hoeffding
from rdpacct.privacy.tradeoff import line_height as line_height
from rdpacct.privacy.tradeoff import searched_tradeoff as searched_tradeoff
from rdpacct.privacy.tradeoff import tradeoff_of_atoms as tradeoff_of_atoms
from rdpacct.privacy.tradeoff_points import Merged as Merged
from rdpacct.privacy.tradeoff_points import concave_hull as concave_hull
from rdpacct.privacy.tradeoff_points import merged as merged
from rdpacct.privacy.transform import Direction as Direction
from rdpacct.privacy.transform import Transform as Transform
from rdpacct.privacy.transform import on_either_side as on_either_side
from rdpacct.privacy.transform import variance_decay as variance_decay
from rdpacct.proof.audit.half_plane import HalfPlane as HalfPlane
from rdpacct.proof.axioms import Axiom as Axiom
from rdpacct.proof.claim import Comparison as Comparison
from rdpacct.proof.entries import lemma as lemma
from rdpacct.proof.entries import module as module
from rdpacct.proof.entries import statement as statement
from rdpacct.proof.entries import theorem as theorem
from rdpacct.proof.instance import Instance as Instance
from rdpacct.proof.instance import Unknown as Unknown
from rdpacct.proof.instance import example as example
from rdpacct.proof.instance import image as image
from rdpacct.proof.instance import points as _instance_points
from rdpacct.proof.instance import recursive as recursive
from rdpacct.proof.instance import steps as steps
from rdpacct.proof.kernel import Condition as Condition
from rdpacct.proof.kernel import Density as Density
from rdpacct.proof.kernel import E as E
from rdpacct.proof.kernel import Fact as Fact
from rdpacct.proof.kernel import Lattice as Lattice
from rdpacct.proof.kernel import Law as Law
from rdpacct.proof.kernel import On as On
from rdpacct.proof.kernel import Quantity as Quantity
from rdpacct.proof.kernel import Refused as Refused
from rdpacct.proof.kernel import Stretch as Stretch
from rdpacct.proof.kernel import Table as Table
from rdpacct.proof.kernel import Whole as Whole
from rdpacct.proof.kernel import apart as apart
from rdpacct.proof.kernel import assume as assume
from rdpacct.proof.kernel import at_most as at_most
from rdpacct.proof.kernel import at_start as at_start
from rdpacct.proof.kernel import axiom as axiom
from rdpacct.proof.kernel import below as below
from rdpacct.proof.kernel import both as both
from rdpacct.proof.kernel import cases as cases
from rdpacct.proof.kernel import chain as chain
from rdpacct.proof.kernel import closed as closed
from rdpacct.proof.kernel import combine as combine
from rdpacct.proof.kernel import conditional as conditional
from rdpacct.proof.kernel import discharge as discharge
from rdpacct.proof.kernel import disintegrate as disintegrate
from rdpacct.proof.kernel import dominated as dominated
from rdpacct.proof.kernel import draw as draw
from rdpacct.proof.kernel import drawn as drawn
from rdpacct.proof.kernel import either as either
from rdpacct.proof.kernel import equal as equal
from rdpacct.proof.kernel import event as event
from rdpacct.proof.kernel import exchange as exchange
from rdpacct.proof.kernel import exists as exists
from rdpacct.proof.kernel import exists_by as exists_by
from rdpacct.proof.kernel import expect as expect
from rdpacct.proof.kernel import folded as folded
from rdpacct.proof.kernel import given_by as given_by
from rdpacct.proof.kernel import independent as independent
from rdpacct.proof.kernel import independent_of as independent_of
from rdpacct.proof.kernel import induct as induct
from rdpacct.proof.kernel import instance as instance
from rdpacct.proof.kernel import integrable as integrable
from rdpacct.proof.kernel import integrate as integrate
from rdpacct.proof.kernel import linear as linear
from rdpacct.proof.kernel import marginal as marginal
from rdpacct.proof.kernel import one_more as one_more
from rdpacct.proof.kernel import ranked as ranked
from rdpacct.proof.kernel import real as real
from rdpacct.proof.kernel import reindex as reindex
from rdpacct.proof.kernel import relation as relation
from rdpacct.proof.kernel import relations as relations
from rdpacct.proof.kernel import relations_of as relations_of
from rdpacct.proof.kernel import specialize as specialize
from rdpacct.proof.kernel import summable as summable
from rdpacct.proof.kernel import table as table
from rdpacct.proof.kernel import tilt as tilt
from rdpacct.proof.kernel import tilted as tilted
from rdpacct.proof.kernel import tower as tower
from rdpacct.proof.kernel import under as under
from rdpacct.proof.kernel import vanishing as vanishing
from rdpacct.proof.kernel.laws import Chain as Chain
from rdpacct.proof.kernel.laws import Event as Event
from rdpacct.proof.kernel.laws import Exchangeable as Exchangeable
from rdpacct.proof.kernel.logic import conditions_of as conditions_of
from rdpacct.proof.kernel.terms import Expectation as Expectation
from rdpacct.proof.kernel.terms import atoms_of as atoms_of
from rdpacct.proof.kernel.terms import derivative as derivative
from rdpacct.proof.kernel.terms import replace as _terms_replace
from rdpacct.proof.tactics import exact_quantile as exact_quantile
from rdpacct.proof.tactics import fubini as fubini
from rdpacct.proof.tactics import laplace_series as laplace_series
from rdpacct.proof.tactics import normal as normal
from rdpacct.proof.tactics import normal_sum as normal_sum
from rdpacct.proof.tactics import subgaussian as subgaussian
from rdpacct.proof.tactics.all_pairs import FAR as FAR
from rdpacct.proof.tactics.all_pairs import LARGE as LARGE
from rdpacct.proof.tactics.all_pairs import ORDERS as ORDERS
from rdpacct.proof.tactics.all_pairs import analog as analog
from rdpacct.proof.tactics.all_pairs import deviation as deviation
from rdpacct.proof.tactics.averages import on_average as on_average
from rdpacct.proof.tactics.bounded_moments import near_zero as near_zero
from rdpacct.proof.tactics.bounded_range import DOWN as _bounded_range_DOWN
from rdpacct.proof.tactics.bounded_range import HIGH as HIGH
from rdpacct.proof.tactics.bounded_range import LOW as LOW
from rdpacct.proof.tactics.bounded_range import MASS as _bounded_range_MASS
from rdpacct.proof.tactics.bounded_range import UP as _bounded_range_UP
from rdpacct.proof.tactics.bounded_range import L as _bounded_range_L
from rdpacct.proof.tactics.bounded_range import P as _bounded_range_P
from rdpacct.proof.tactics.bounded_range import eps as _bounded_range_eps
from rdpacct.proof.tactics.bounded_range import eta as eta
from rdpacct.proof.tactics.bounded_range import on_the_chord as on_the_chord
from rdpacct.proof.tactics.cells import CELLS as CELLS
from rdpacct.proof.tactics.cells import INSIDE as INSIDE
from rdpacct.proof.tactics.cells import POOL as POOL
from rdpacct.proof.tactics.cells import K as _cells_K
from rdpacct.proof.tactics.cells import T as _cells_T
from rdpacct.proof.tactics.cells import U as _cells_U
from rdpacct.proof.tactics.cells import a as _cells_a
from rdpacct.proof.tactics.cells import b as _cells_b
from rdpacct.proof.tactics.cells import hit as hit
from rdpacct.proof.tactics.cells import stick as _cells_stick
from rdpacct.proof.tactics.cells import w as _cells_w
from rdpacct.proof.tactics.characteristic import normal_characteristic as normal_characteristic
from rdpacct.proof.tactics.characteristic import normal_characteristic_sine as normal_characteristic_sine
from rdpacct.proof.tactics.clipped_values import clipped as clipped
from rdpacct.proof.tactics.clipped_values import monotone as monotone
from rdpacct.proof.tactics.clipping import clip as clip
from rdpacct.proof.tactics.counting import HALF as _counting_HALF
from rdpacct.proof.tactics.counting import at_most_one as _counting_at_most_one
from rdpacct.proof.tactics.counting import counted_at as counted_at
from rdpacct.proof.tactics.counting import counts as counts
from rdpacct.proof.tactics.counting import left_out as _counting_left_out
from rdpacct.proof.tactics.counting import not_negative as not_negative
from rdpacct.proof.tactics.counting import whole_cases as whole_cases
from rdpacct.proof.tactics.decay import Weighted as Weighted
from rdpacct.proof.tactics.decay import at_spread as at_spread
from rdpacct.proof.tactics.decay import cut_at_zero as cut_at_zero
from rdpacct.proof.tactics.decay import m as _decay_m
from rdpacct.proof.tactics.decay import near_or_far as near_or_far
from rdpacct.proof.tactics.decay import relations_among as relations_among
from rdpacct.proof.tactics.decay import smaller as smaller
from rdpacct.proof.tactics.dilation import Dilation as Dilation
from rdpacct.proof.tactics.divergences import averaged as averaged
from rdpacct.proof.tactics.divergences import below_excess as below_excess
from rdpacct.proof.tactics.divergences import excess as excess
from rdpacct.proof.tactics.divergences import excess_below as excess_below
from rdpacct.proof.tactics.divergences import excess_is_positive as excess_is_positive
from rdpacct.proof.tactics.divergences import finite_excess as finite_excess
from rdpacct.proof.tactics.divergences import kept_excess as kept_excess
from rdpacct.proof.tactics.divergences import positive_part as positive_part
from rdpacct.proof.tactics.divergences import positive_times as positive_times
from rdpacct.proof.tactics.divergences import processed as _divergences_processed
from rdpacct.proof.tactics.divergences import scaled as scaled
from rdpacct.proof.tactics.ellipse import TALL as TALL
from rdpacct.proof.tactics.ellipse import on_ellipse as on_ellipse
from rdpacct.proof.tactics.equal_records import all_zero as all_zero
from rdpacct.proof.tactics.eta_frontier import X as _eta_frontier_X
from rdpacct.proof.tactics.eta_frontier import excess_of_log as excess_of_log
from rdpacct.proof.tactics.eta_frontier import fails as fails
from rdpacct.proof.tactics.eta_frontier import frontier as frontier
from rdpacct.proof.tactics.eta_frontier import logarithm as logarithm
from rdpacct.proof.tactics.eta_frontier import positive_rate as positive_rate
from rdpacct.proof.tactics.eta_frontier import printed as printed
from rdpacct.proof.tactics.eta_frontier import region as region
from rdpacct.proof.tactics.eta_frontier import sufficient as sufficient
from rdpacct.proof.tactics.falling import Terms as _falling_Terms
from rdpacct.proof.tactics.falling import defined_sums as defined_sums
from rdpacct.proof.tactics.falling import geometric as _falling_geometric
from rdpacct.proof.tactics.falling import total as _falling_total
from rdpacct.proof.tactics.fourier import whole_turns as whole_turns
from rdpacct.proof.tactics.fubini import one_by_one as _fubini_one_by_one
from rdpacct.proof.tactics.geometric import RATIO as _geometric_RATIO
from rdpacct.proof.tactics.geometric import closed_forms as closed_forms
from rdpacct.proof.tactics.geometric import definitions as definitions
from rdpacct.proof.tactics.geometric import g as _geometric_g
from rdpacct.proof.tactics.geometric import n as _geometric_n
from rdpacct.proof.tactics.geometric import phi as phi
from rdpacct.proof.tactics.geometric import sums as _geometric_sums
from rdpacct.proof.tactics.gradients import MINIMIZERS as MINIMIZERS
from rdpacct.proof.tactics.gradients import new as new
from rdpacct.proof.tactics.gradients import old as old
from rdpacct.proof.tactics.grid_points import points as _grid_points_points
from rdpacct.proof.tactics.laplace import BROAD as BROAD
from rdpacct.proof.tactics.laplace import BROAD_EXCESS as BROAD_EXCESS
from rdpacct.proof.tactics.laplace import BROAD_LOSS as BROAD_LOSS
from rdpacct.proof.tactics.laplace import NARROW as NARROW
from rdpacct.proof.tactics.laplace import NARROW_EXCESS as NARROW_EXCESS
from rdpacct.proof.tactics.laplace import NARROW_LOSS as NARROW_LOSS
from rdpacct.proof.tactics.laplace import Z as _laplace_Z
from rdpacct.proof.tactics.laplace import are_laws as are_laws
from rdpacct.proof.tactics.laplace import broad_excess as broad_excess
from rdpacct.proof.tactics.laplace import c as _laplace_c
from rdpacct.proof.tactics.laplace import form as form
from rdpacct.proof.tactics.laplace import narrow_excess_beyond as narrow_excess_beyond
from rdpacct.proof.tactics.laplace_comparison import NARROW_MEAN as NARROW_MEAN
from rdpacct.proof.tactics.laplace_comparison import POINT as POINT
from rdpacct.proof.tactics.laplace_comparison import SPREAD as SPREAD
from rdpacct.proof.tactics.laplace_comparison import R as _laplace_comparison_R
from rdpacct.proof.tactics.laplace_comparison import alpha as _laplace_comparison_alpha
from rdpacct.proof.tactics.laplace_comparison import beta as _laplace_comparison_beta
from rdpacct.proof.tactics.laplace_comparison import eta_grows as eta_grows
from rdpacct.proof.tactics.laplace_comparison import excess_grows as excess_grows
from rdpacct.proof.tactics.laplace_comparison import lam as _laplace_comparison_lam
from rdpacct.proof.tactics.laplace_comparison import narrow_excess as narrow_excess
from rdpacct.proof.tactics.laplace_comparison import placed as _laplace_comparison_placed
from rdpacct.proof.tactics.laplace_modulus import SLOPE as SLOPE
from rdpacct.proof.tactics.laplace_modulus import parts as parts
from rdpacct.proof.tactics.laplace_modulus import square as square
from rdpacct.proof.tactics.laplace_modulus import tangent as tangent
from rdpacct.proof.tactics.laplace_pair import LEFT as LEFT
from rdpacct.proof.tactics.laplace_pair import LOSS as _laplace_pair_LOSS
from rdpacct.proof.tactics.laplace_pair import RIGHT as RIGHT
from rdpacct.proof.tactics.laplace_pair import around as around
from rdpacct.proof.tactics.laplace_pair import average as average
from rdpacct.proof.tactics.laplace_pair import excess_is_finite as excess_is_finite
from rdpacct.proof.tactics.laplace_pair import farther as farther
from rdpacct.proof.tactics.laplace_pair import on_pieces as on_pieces
from rdpacct.proof.tactics.laplace_pair import s as _laplace_pair_s
from rdpacct.proof.tactics.laplace_pair import x as _laplace_pair_x
from rdpacct.proof.tactics.laplace_point import BELOW as BELOW
from rdpacct.proof.tactics.laplace_point import LAPLACE as LAPLACE
from rdpacct.proof.tactics.laplace_point import NEAR as NEAR
from rdpacct.proof.tactics.laplace_point import ZERO as _laplace_point_ZERO
from rdpacct.proof.tactics.laplace_point import lowest as lowest
from rdpacct.proof.tactics.laplace_point import never_zero as never_zero
from rdpacct.proof.tactics.laplace_point import no_zero as no_zero
from rdpacct.proof.tactics.laplace_series import BODY as BODY
from rdpacct.proof.tactics.laplace_series import BODY_OF_LOSS as BODY_OF_LOSS
from rdpacct.proof.tactics.laplace_series import HALF as _laplace_series_HALF
from rdpacct.proof.tactics.laplace_series import gain as gain
from rdpacct.proof.tactics.laplace_series import loss as loss
from rdpacct.proof.tactics.laplace_series import once as once
from rdpacct.proof.tactics.laplace_series import z as _laplace_series_z
from rdpacct.proof.tactics.left_out import NEXT as NEXT
from rdpacct.proof.tactics.left_out import NONE as NONE
from rdpacct.proof.tactics.left_out import POINT as _left_out_POINT
from rdpacct.proof.tactics.left_out import POWER as POWER
from rdpacct.proof.tactics.left_out import POWER_AT as POWER_AT
from rdpacct.proof.tactics.left_out import SUM as SUM
from rdpacct.proof.tactics.left_out import SUMMED as SUMMED
from rdpacct.proof.tactics.left_out import terms_part as terms_part
from rdpacct.proof.tactics.log_coefficients import BOUNDED as BOUNDED
from rdpacct.proof.tactics.log_coefficients import coefficient as _log_coefficients_coefficient
from rdpacct.proof.tactics.log_coefficients import moment as _log_coefficients_moment
from rdpacct.proof.tactics.logistic import logistic as logistic
from rdpacct.proof.tactics.logistic import logistic_rises as logistic_rises
from rdpacct.proof.tactics.logistic import logistic_slope as logistic_slope
from rdpacct.proof.tactics.lone_draws import CELLS as _lone_draws_CELLS
from rdpacct.proof.tactics.lone_draws import DRAWN as DRAWN
from rdpacct.proof.tactics.lone_draws import DRAWS as DRAWS
from rdpacct.proof.tactics.lone_draws import OTHER as _lone_draws_OTHER
from rdpacct.proof.tactics.lone_draws import PEAK as PEAK
from rdpacct.proof.tactics.lone_draws import cell as cell
from rdpacct.proof.tactics.lone_draws import misses as misses
from rdpacct.proof.tactics.lone_draws import reciprocal as reciprocal
from rdpacct.proof.tactics.minimizers import minimizers as minimizers
from rdpacct.proof.tactics.mirrored import on_both_sides as on_both_sides
from rdpacct.proof.tactics.mirrored import size_of_argument as size_of_argument
from rdpacct.proof.tactics.mirrored_noise import at_negative as at_negative
from rdpacct.proof.tactics.mirrored_noise import mirrored as mirrored
from rdpacct.proof.tactics.mirrored_noise import smaller as _mirrored_noise_smaller
from rdpacct.proof.tactics.mixtures import RATE as _mixtures_RATE
from rdpacct.proof.tactics.mixtures import above as above
from rdpacct.proof.tactics.mixtures import beyond as beyond
from rdpacct.proof.tactics.mixtures import g as _mixtures_g
from rdpacct.proof.tactics.mixtures import k as _mixtures_k
from rdpacct.proof.tactics.mixtures import level as level
from rdpacct.proof.tactics.mixtures import mixed as mixed
from rdpacct.proof.tactics.mixtures import pair as pair
from rdpacct.proof.tactics.mixtures import r as _mixtures_r
from rdpacct.proof.tactics.moved_moments import CENTERED as CENTERED
from rdpacct.proof.tactics.moved_moments import VARIANCE as VARIANCE
from rdpacct.proof.tactics.moved_moments import moved as moved
from rdpacct.proof.tactics.moved_record import V as _moved_record_V
from rdpacct.proof.tactics.moved_record import W as _moved_record_W
from rdpacct.proof.tactics.moved_record import interlaced as interlaced
from rdpacct.proof.tactics.moved_record import lowered as lowered
from rdpacct.proof.tactics.moved_record import middle as middle
from rdpacct.proof.tactics.moved_record import one_of_two as one_of_two
from rdpacct.proof.tactics.moved_record import raised as _moved_record_raised
from rdpacct.proof.tactics.naming import named as _naming_named
from rdpacct.proof.tactics.naming import positive_cosine as positive_cosine
from rdpacct.proof.tactics.naming import symbols as symbols
from rdpacct.proof.tactics.near_neither import moment_parts as moment_parts
from rdpacct.proof.tactics.nearby import CLAIM as CLAIM
from rdpacct.proof.tactics.nearby import MISSED as MISSED
from rdpacct.proof.tactics.nearby import NEARBY_DRAWS as NEARBY_DRAWS
from rdpacct.proof.tactics.nearby import S as _nearby_S
from rdpacct.proof.tactics.nearby import T as _nearby_T
from rdpacct.proof.tactics.nearby import e as _nearby_e
from rdpacct.proof.tactics.nearby import profile as _nearby_profile
from rdpacct.proof.tactics.nearby import stick as stick
from rdpacct.proof.tactics.neighbors import DATA as _neighbors_DATA
from rdpacct.proof.tactics.neighbors import FALLING as FALLING
from rdpacct.proof.tactics.neighbors import OTHER as OTHER
from rdpacct.proof.tactics.neighbors import RANKS as RANKS
from rdpacct.proof.tactics.neighbors import RISING as RISING
from rdpacct.proof.tactics.neighbors import next_above as next_above
from rdpacct.proof.tactics.neighbors import previous_below as previous_below
from rdpacct.proof.tactics.normal import exponential_moment as exponential_moment
from rdpacct.proof.tactics.normal import is_law as is_law
from rdpacct.proof.tactics.normal import lies_above as lies_above
from rdpacct.proof.tactics.normal import mean_of as mean_of
from rdpacct.proof.tactics.normal import probability as probability
from rdpacct.proof.tactics.normal import product_mean as product_mean
from rdpacct.proof.tactics.normal import standard_normal as standard_normal
from rdpacct.proof.tactics.order_statistics import Nested as Nested
from rdpacct.proof.tactics.order_statistics import beyond_rank as beyond_rank
from rdpacct.proof.tactics.order_statistics import k as _order_statistics_k
from rdpacct.proof.tactics.orders import mean_below_moment as mean_below_moment
from rdpacct.proof.tactics.orders import mean_below_zcdp as mean_below_zcdp
from rdpacct.proof.tactics.outputs import OUTPUTS as OUTPUTS
from rdpacct.proof.tactics.outputs import Levels as Levels
from rdpacct.proof.tactics.outputs import all_densities as all_densities
from rdpacct.proof.tactics.outputs import good_outputs as good_outputs
from rdpacct.proof.tactics.outputs import outputs_add_up as outputs_add_up
from rdpacct.proof.tactics.polygon import telescoped as telescoped
from rdpacct.proof.tactics.potential import never_rises as never_rises
from rdpacct.proof.tactics.powers import base_in as base_in
from rdpacct.proof.tactics.powers import coefficient as coefficient
from rdpacct.proof.tactics.powers import de_moivre as de_moivre
from rdpacct.proof.tactics.powers import power_definitions as power_definitions
from rdpacct.proof.tactics.products import DOMINATED as _products_DOMINATED
from rdpacct.proof.tactics.products import HYPOTHESES as HYPOTHESES
from rdpacct.proof.tactics.products import WEIGHTS as WEIGHTS
from rdpacct.proof.tactics.products import A as _products_A
from rdpacct.proof.tactics.products import B as _products_B
from rdpacct.proof.tactics.products import products as _products_products
from rdpacct.proof.tactics.profile_sides import DOMINATED as DOMINATED
from rdpacct.proof.tactics.profile_sides import STICK as STICK
from rdpacct.proof.tactics.profile_sides import P as _profile_sides_P
from rdpacct.proof.tactics.profile_sides import Q as _profile_sides_Q
from rdpacct.proof.tactics.profile_sides import Sides as Sides
from rdpacct.proof.tactics.profile_sides import infinite_share as infinite_share
from rdpacct.proof.tactics.profile_sides import share_at_most_one as share_at_most_one
from rdpacct.proof.tactics.profile_sides import share_is_finite as share_is_finite
from rdpacct.proof.tactics.profile_sides import share_stick as share_stick
from rdpacct.proof.tactics.profiles import EVEN as EVEN
from rdpacct.proof.tactics.profiles import LEVEL as LEVEL
from rdpacct.proof.tactics.profiles import above_all as above_all
from rdpacct.proof.tactics.profiles import averaged as _profiles_averaged
from rdpacct.proof.tactics.profiles import named as _profiles_named
from rdpacct.proof.tactics.profiles import over_levels as over_levels
from rdpacct.proof.tactics.profiles import stick as _profiles_stick
from rdpacct.proof.tactics.profiles import stick_is_bounded as stick_is_bounded
from rdpacct.proof.tactics.random_dp import B1 as _random_dp_B1
from rdpacct.proof.tactics.random_dp import B2 as _random_dp_B2
from rdpacct.proof.tactics.random_dp import DATA as _random_dp_DATA
from rdpacct.proof.tactics.random_dp import M1 as _random_dp_M1
from rdpacct.proof.tactics.random_dp import M2 as _random_dp_M2
from rdpacct.proof.tactics.random_dp import MARKS as MARKS
from rdpacct.proof.tactics.random_dp import SEEN as SEEN
from rdpacct.proof.tactics.random_dp import SIGNS as SIGNS
from rdpacct.proof.tactics.random_dp import D as _random_dp_D
from rdpacct.proof.tactics.random_dp import M as _random_dp_M
from rdpacct.proof.tactics.random_dp import Releases as Releases
from rdpacct.proof.tactics.random_dp import at_most_one as _random_dp_at_most_one
from rdpacct.proof.tactics.random_dp import p1 as _random_dp_p1
from rdpacct.proof.tactics.random_dp import p2 as _random_dp_p2
from rdpacct.proof.tactics.random_dp import q1 as _random_dp_q1
from rdpacct.proof.tactics.random_dp import q2 as _random_dp_q2
from rdpacct.proof.tactics.random_dp import tabled as tabled
from rdpacct.proof.tactics.random_dp import union_bound as union_bound
from rdpacct.proof.tactics.ranks import Records as Records
from rdpacct.proof.tactics.ranks import Sample as Sample
from rdpacct.proof.tactics.ranks import at_rank as at_rank
from rdpacct.proof.tactics.ranks import not_before as not_before
from rdpacct.proof.tactics.rare_share import LOGS as LOGS
from rdpacct.proof.tactics.rare_share import SHARE as SHARE
from rdpacct.proof.tactics.rare_share import SHARE_HYPOTHESES as SHARE_HYPOTHESES
from rdpacct.proof.tactics.rare_share import s as _rare_share_s
from rdpacct.proof.tactics.rare_share import shared as shared
from rdpacct.proof.tactics.ratios import BETWEEN as BETWEEN
from rdpacct.proof.tactics.ratios import DOWN as _ratios_DOWN
from rdpacct.proof.tactics.ratios import MASS as _ratios_MASS
from rdpacct.proof.tactics.ratios import RESPONSE as RESPONSE
from rdpacct.proof.tactics.ratios import TEST as TEST
from rdpacct.proof.tactics.ratios import UP as _ratios_UP
from rdpacct.proof.tactics.ratios import B as _ratios_B
from rdpacct.proof.tactics.ratios import F as _ratios_F
from rdpacct.proof.tactics.ratios import L as _ratios_L
from rdpacct.proof.tactics.ratios import M as _ratios_M
from rdpacct.proof.tactics.ratios import P as _ratios_P
from rdpacct.proof.tactics.ratios import Q as _ratios_Q
from rdpacct.proof.tactics.ratios import alpha as _ratios_alpha
from rdpacct.proof.tactics.ratios import approx_from_moment as approx_from_moment
from rdpacct.proof.tactics.ratios import at_parts as at_parts
from rdpacct.proof.tactics.ratios import balanced as balanced
from rdpacct.proof.tactics.ratios import below_tangent as below_tangent
from rdpacct.proof.tactics.ratios import bounded as bounded
from rdpacct.proof.tactics.ratios import d as _ratios_d
from rdpacct.proof.tactics.ratios import delta_at as delta_at
from rdpacct.proof.tactics.ratios import e as _ratios_e
from rdpacct.proof.tactics.ratios import eps as _ratios_eps
from rdpacct.proof.tactics.ratios import mean_loss as mean_loss
from rdpacct.proof.tactics.ratios import moment as moment
from rdpacct.proof.tactics.ratios import on_the_line as on_the_line
from rdpacct.proof.tactics.ratios import tested as tested
from rdpacct.proof.tactics.ratios import w as _ratios_w
from rdpacct.proof.tactics.ratios import z as _ratios_z
from rdpacct.proof.tactics.ridge_slope import RECORDS as RECORDS
from rdpacct.proof.tactics.ridge_slope import gradients as gradients
from rdpacct.proof.tactics.ridge_slope import largest as largest
from rdpacct.proof.tactics.ridge_slope import mean_reach as mean_reach
from rdpacct.proof.tactics.ridge_slope import products as _ridge_slope_products
from rdpacct.proof.tactics.ridge_slope import short as short
from rdpacct.proof.tactics.ridge_slope import slope_reach as slope_reach
from rdpacct.proof.tactics.sampled_line import EXPONENT as EXPONENT
from rdpacct.proof.tactics.sampled_line import HALF as HALF
from rdpacct.proof.tactics.sampled_line import MOMENT as MOMENT
from rdpacct.proof.tactics.sampled_line import MOMENT_BELOW as MOMENT_BELOW
from rdpacct.proof.tactics.sampled_line import X as _sampled_line_X
from rdpacct.proof.tactics.sampled_line import line_part as line_part
from rdpacct.proof.tactics.sampled_line import lines as lines
from rdpacct.proof.tactics.sampled_line import on_line as on_line
from rdpacct.proof.tactics.sampled_line import point_part as point_part
from rdpacct.proof.tactics.sampled_line import share as share
from rdpacct.proof.tactics.sequences import at_first as at_first
from rdpacct.proof.tactics.sequences import averaged as _sequences_averaged
from rdpacct.proof.tactics.sequences import carried as carried
from rdpacct.proof.tactics.sequences import for_all as for_all
from rdpacct.proof.tactics.sequences import later as later
from rdpacct.proof.tactics.sequences import losses as losses
from rdpacct.proof.tactics.sequences import multiplied as multiplied
from rdpacct.proof.tactics.sequences import one_by_one as one_by_one
from rdpacct.proof.tactics.sequences import over_the_past as over_the_past
from rdpacct.proof.tactics.sequences import renewed as renewed
from rdpacct.proof.tactics.sequences import sum_by_sum as sum_by_sum
from rdpacct.proof.tactics.sequences import sums as _sequences_sums
from rdpacct.proof.tactics.sequences import taken_in as taken_in
from rdpacct.proof.tactics.series import by_steps as by_steps
from rdpacct.proof.tactics.series import exactly as exactly
from rdpacct.proof.tactics.series import geometric as _series_geometric
from rdpacct.proof.tactics.series import n as _series_n
from rdpacct.proof.tactics.series import sums as _series_sums
from rdpacct.proof.tactics.series import total as total
from rdpacct.proof.tactics.shipped import Formal as Formal
from rdpacct.proof.tactics.shipped import declared as declared
from rdpacct.proof.tactics.shipped import formulas as formulas
from rdpacct.proof.tactics.shipped import read as read
from rdpacct.proof.tactics.shipped_complex import Complex as Complex
from rdpacct.proof.tactics.shipped_complex import Polar as Polar
from rdpacct.proof.tactics.shipped_complex import at_one_node as at_one_node
from rdpacct.proof.tactics.shipped_complex import complex_formula as complex_formula
from rdpacct.proof.tactics.shipped_complex import whole as whole
from rdpacct.proof.tactics.smooth import NOISE as NOISE
from rdpacct.proof.tactics.smooth import A as _smooth_A
from rdpacct.proof.tactics.smooth import N as _smooth_N
from rdpacct.proof.tactics.smooth import T as _smooth_T
from rdpacct.proof.tactics.smooth import but_for as but_for
from rdpacct.proof.tactics.smooth import chernoff as _smooth_chernoff
from rdpacct.proof.tactics.smooth import coordinates as coordinates
from rdpacct.proof.tactics.smooth import far as far
from rdpacct.proof.tactics.smooth import known as known
from rdpacct.proof.tactics.smooth import near as near
from rdpacct.proof.tactics.step_density import ENOUGH as ENOUGH
from rdpacct.proof.tactics.step_density import HALF_DELTA as HALF_DELTA
from rdpacct.proof.tactics.step_density import MOVED as MOVED
from rdpacct.proof.tactics.step_density import N as _step_density_N
from rdpacct.proof.tactics.step_density import T as _step_density_T
from rdpacct.proof.tactics.step_density import admissible as admissible
from rdpacct.proof.tactics.step_density import k as _step_density_k
from rdpacct.proof.tactics.step_density import p as _step_density_p
from rdpacct.proof.tactics.step_density import q as _step_density_q
from rdpacct.proof.tactics.step_density import r as _step_density_r
from rdpacct.proof.tactics.stretches import interval as interval
from rdpacct.proof.tactics.subgaussian import finite as finite
from rdpacct.proof.tactics.subgaussian import placed as placed
from rdpacct.proof.tactics.turned import RATE as _turned_RATE
from rdpacct.proof.tactics.turned import RATIO as _turned_RATIO
from rdpacct.proof.tactics.turned import angle as angle
from rdpacct.proof.tactics.turned import argument_below as argument_below
from rdpacct.proof.tactics.turned import argument_positive as argument_positive
from rdpacct.proof.tactics.turned import argument_small as argument_small
from rdpacct.proof.tactics.turned import cosine_falls as _turned_cosine_falls
from rdpacct.proof.tactics.turned import modulus_above as modulus_above
from rdpacct.proof.tactics.turned import modulus_below as modulus_below
from rdpacct.proof.tactics.turned import polar as polar
from rdpacct.proof.tactics.turned import q as _turned_q
from rdpacct.proof.tactics.turned import sign_of_angle as sign_of_angle
from rdpacct.proof.tactics.turned import u as _turned_u
from rdpacct.proof.tactics.turning import ANGLE as ANGLE
from rdpacct.proof.tactics.turning import BOUND as BOUND
from rdpacct.proof.tactics.turning import TURNING as TURNING
from rdpacct.proof.tactics.turning import Decay as Decay
from rdpacct.proof.tactics.turning import positive_bound as positive_bound
from rdpacct.proof.tactics.turning import transform as transform
from rdpacct.proof.tactics.turns import cosine_chord as cosine_chord
from rdpacct.proof.tactics.turns import cosine_falls as _turns_cosine_falls
from rdpacct.proof.tactics.turns import two_turns as two_turns
from rdpacct.proof.tactics.unimodal import NOISES as NOISES
from rdpacct.proof.tactics.unimodal import around as _unimodal_around
from rdpacct.proof.tactics.unimodal import no_valley as no_valley
from rdpacct.proof.tactics.valley import DENSITY as DENSITY
from rdpacct.proof.tactics.valley import ENDS as ENDS
from rdpacct.proof.tactics.valley import LOSS as LOSS
from rdpacct.proof.tactics.valley import MASS as MASS
from rdpacct.proof.tactics.valley import RATE as RATE
from rdpacct.proof.tactics.valley import SAMPLED as SAMPLED
from rdpacct.proof.tactics.valley import SLOPE as _valley_SLOPE
from rdpacct.proof.tactics.valley import UNIFORM as UNIFORM
from rdpacct.proof.tactics.valley import WEIGHT as WEIGHT
from rdpacct.proof.tactics.valley import variation as variation
from rdpacct.proof.tactics.whole import next_whole as next_whole
from rdpacct.proof.tactics.whole import product as _whole_product
from rdpacct.proof.theorem import Attack as Attack
from rdpacct.proof.theorem import Falsehood as Falsehood
from rdpacct.proof.theorem import Refutation as Refutation
from rdpacct.proof.theorem import Statement as Statement
from rdpacct.proof.theorem import Status as Status
from rdpacct.proof.theorem import Step as Step
from rdpacct.proof.theorem import Theorem as Theorem
from rdpacct.proof.theorem import by_prover as by_prover
from rdpacct.proof.theorem import proves as proves
from rdpacct.proof.theorem import without as without
from rdpacct.proof.witness import Witness as Witness
from rdpacct.questions import delta as delta
from rdpacct.questions import exchanged as _questions_exchanged
from rdpacct.questions import profile as profile
from rdpacct.questions import without_alarms as without_alarms
from rdpacct.random_dp import largest_excess as largest_excess
from rdpacct.releases.bounded_local import BoundedLocalRelease as BoundedLocalRelease
from rdpacct.releases.bounded_local import bounded_local as bounded_local
from rdpacct.releases.distance_test import DistanceTest as DistanceTest
from rdpacct.releases.distance_test import least_threshold as least_threshold
from rdpacct.releases.distance_test import passing as passing
from rdpacct.releases.distance_test import tail as tail
from rdpacct.releases.distance_test import tail_from_below as tail_from_below
from rdpacct.releases.propose_test_release import ProposeTestRelease as ProposeTestRelease
from rdpacct.releases.propose_test_release import first_beyond as first_beyond
from rdpacct.releases.propose_test_release import propose_test_release as propose_test_release
from rdpacct.releases.random_sensitivity import global_sensitivity as global_sensitivity
from rdpacct.releases.random_sensitivity import random_sensitivity as random_sensitivity
from rdpacct.releases.stability import StabilityRelease as StabilityRelease
from rdpacct.releases.stability import stable as stable
from rdpacct.sensitivity import pair_quantile as pair_quantile
from rdpacct.sensitivity.admissible import admissible_delta as admissible_delta
from rdpacct.sensitivity.admissible import chi_tail as chi_tail
from rdpacct.sensitivity.admissible import explicit_gaussian_admissible as explicit_gaussian_admissible
from rdpacct.sensitivity.admissible import gamma_tail as gamma_tail
from rdpacct.sensitivity.admissible import gaussian_admissible as gaussian_admissible
from rdpacct.sensitivity.admissible import laplace_admissible as laplace_admissible
from rdpacct.sensitivity.admissible import power_admissible as power_admissible
from rdpacct.sensitivity.admissible import power_slope as power_slope
from rdpacct.sensitivity.admissible import printed_laplace_admissible as printed_laplace_admissible
from rdpacct.sensitivity.admissible import printed_power_admissible as printed_power_admissible
from rdpacct.sensitivity.admissible import quantile_beta as quantile_beta
from rdpacct.sensitivity.admissible import slide_alpha as slide_alpha
from rdpacct.sensitivity.estimators import Location as Location
from rdpacct.sensitivity.estimators import RidgeSlope as RidgeSlope
from rdpacct.sensitivity.estimators import ridge_most as ridge_most
from rdpacct.sensitivity.estimators import ridge_move as ridge_move
from rdpacct.sensitivity.estimators import ridge_reach as ridge_reach
from rdpacct.sensitivity.finite import FiniteQuery as FiniteQuery
from rdpacct.sensitivity.order_statistic import OrderStatistic as OrderStatistic
from rdpacct.sensitivity.order_statistic import RankedRecord as RankedRecord
from rdpacct.sensitivity.order_statistic import search_slack as search_slack
from rdpacct.sensitivity.pair_quantile import QuantileRule as QuantileRule
from rdpacct.sensitivity.pair_quantile import all_pairs_bad as all_pairs_bad
from rdpacct.sensitivity.pair_quantile import disjoint_bad as disjoint_bad
from rdpacct.sensitivity.pair_quantile import raised as raised
from rdpacct.sensitivity.query import OnGrid as OnGrid
from rdpacct.sensitivity.query import Query as Query
from rdpacct.sensitivity.smooth_eta import exact_eta as exact_eta
from rdpacct.sensitivity.smooth_eta import first_failing_alpha as first_failing_alpha
from rdpacct.sensitivity.smooth_eta import largest_beta as largest_beta
from rdpacct.sensitivity.smooth_eta import printed_eta as printed_eta
from rdpacct.sensitivity.smooth_eta import sufficient_eta as sufficient_eta
from rdpacct.sensitivity.triangles import Triangles as Triangles
from rdpacct.sensitivity.triangles import most_common as most_common
from rdpacct.sensitivity.trimmed_mean import TrimmedMean as TrimmedMean
from rdpacct.sensitivity.trimmed_mean import window as window
from rdpacct.sensitivity.variance import Variance as Variance
from rdpacct.sensitivity.variance import best_record as best_record
from rdpacct.sensitivity.variance import least_mean as least_mean
from rdpacct.sensitivity.variance import square_move as square_move
from rdpacct.testing.adaptive import coin_then_responses as coin_then_responses
from rdpacct.testing.adaptive import skipping_adversary as skipping_adversary
from rdpacct.testing.attacks import attack_from_pure as attack_from_pure
from rdpacct.testing.attacks import attack_from_renyi as attack_from_renyi
from rdpacct.testing.budgets import best_delta as best_delta
from rdpacct.testing.budgets import best_reach as best_reach
from rdpacct.testing.formal_nodes import one_node as one_node
from rdpacct.testing.instances import Masses as _instances_Masses
from rdpacct.testing.instances import Pair as Pair
from rdpacct.testing.instances import any_pair as any_pair
from rdpacct.testing.instances import bounded_pair as bounded_pair
from rdpacct.testing.instances import data_set as data_set
from rdpacct.testing.instances import masses as masses
from rdpacct.testing.instances import products as products
from rdpacct.testing.output_laws import at_least as at_least
from rdpacct.testing.output_laws import guarded as guarded
from rdpacct.testing.output_laws import spread as spread
from rdpacct.testing.passing import detected_excess as detected_excess
from rdpacct.testing.passing import deviation as _passing_deviation
from rdpacct.testing.passing import each_error as each_error
from rdpacct.testing.passing import earned_gamma as earned_gamma
from rdpacct.testing.transforms import accuracies as accuracies
from rdpacct.training.participation import training_with as training_with
from rdpacct.training.shuffled_epochs import raised as _shuffled_epochs_raised

bounded_range_DOWN = _bounded_range_DOWN
bounded_range_L = _bounded_range_L
bounded_range_MASS = _bounded_range_MASS
bounded_range_P = _bounded_range_P
bounded_range_UP = _bounded_range_UP
bounded_range_eps = _bounded_range_eps
bounded_range_masses = _bounded_range_masses
cells_K = _cells_K
cells_T = _cells_T
cells_U = _cells_U
cells_a = _cells_a
cells_b = _cells_b
cells_stick = _cells_stick
cells_w = _cells_w
copies_Copies = _copies_Copies
counting_HALF = _counting_HALF
counting_at_most_one = _counting_at_most_one
counting_left_out = _counting_left_out
dataclasses_replace = _dataclasses_replace
decay_m = _decay_m
discrete_gaussian_log_moment = _discrete_gaussian_log_moment
discrete_gaussian_mean = _discrete_gaussian_mean
discrete_gaussian_rho = _discrete_gaussian_rho
discrete_gaussian_tau_squared = _discrete_gaussian_tau_squared
discrete_gaussian_worst_pair = _discrete_gaussian_worst_pair
discrete_laplace_worst_pair = _discrete_laplace_worst_pair
divergences_processed = _divergences_processed
eta_frontier_X = _eta_frontier_X
exponential_delta = _exponential_delta
exponential_log_moment = _exponential_log_moment
exponential_mean = _exponential_mean
exponential_rho = _exponential_rho
exponential_spread = _exponential_spread
exponential_tau = _exponential_tau
falling_Terms = _falling_Terms
falling_geometric = _falling_geometric
falling_total = _falling_total
folded_folded = _folded_folded
fubini_one_by_one = _fubini_one_by_one
gaussian_log_moment = _gaussian_log_moment
gaussian_mean = _gaussian_mean
gaussian_rho = _gaussian_rho
gaussian_worst_pair = _gaussian_worst_pair
geometric_RATIO = _geometric_RATIO
geometric_g = _geometric_g
geometric_n = _geometric_n
geometric_sums = _geometric_sums
grid_points_points = _grid_points_points
instance_points = _instance_points
instances_Masses = _instances_Masses
integral_integrate = _integral_integrate
laplace_Z = _laplace_Z
laplace_c = _laplace_c
laplace_comparison_R = _laplace_comparison_R
laplace_comparison_alpha = _laplace_comparison_alpha
laplace_comparison_beta = _laplace_comparison_beta
laplace_comparison_lam = _laplace_comparison_lam
laplace_comparison_placed = _laplace_comparison_placed
laplace_delta = _laplace_delta
laplace_log_moment = _laplace_log_moment
laplace_mean = _laplace_mean
laplace_pair_LOSS = _laplace_pair_LOSS
laplace_pair_s = _laplace_pair_s
laplace_pair_x = _laplace_pair_x
laplace_point_ZERO = _laplace_point_ZERO
laplace_rho = _laplace_rho
laplace_series_HALF = _laplace_series_HALF
laplace_series_z = _laplace_series_z
laplace_worst_pair = _laplace_worst_pair
least_law_least_law = _least_law_least_law
left_out_POINT = _left_out_POINT
log_coefficients_coefficient = _log_coefficients_coefficient
log_coefficients_moment = _log_coefficients_moment
lone_draws_CELLS = _lone_draws_CELLS
lone_draws_OTHER = _lone_draws_OTHER
maximally_divergent_masses = _maximally_divergent_masses
mirrored_noise_smaller = _mirrored_noise_smaller
mixtures_RATE = _mixtures_RATE
mixtures_g = _mixtures_g
mixtures_k = _mixtures_k
mixtures_r = _mixtures_r
moment_chords_chord = _moment_chords_chord
moment_series_next_coefficient = _moment_series_next_coefficient
moved_record_V = _moved_record_V
moved_record_W = _moved_record_W
moved_record_raised = _moved_record_raised
naming_named = _naming_named
nearby_S = _nearby_S
nearby_T = _nearby_T
nearby_e = _nearby_e
nearby_profile = _nearby_profile
neighbors_DATA = _neighbors_DATA
order_statistics_k = _order_statistics_k
parts_LOSS = _parts_LOSS
passing_deviation = _passing_deviation
products_A = _products_A
products_B = _products_B
products_DOMINATED = _products_DOMINATED
products_products = _products_products
profile_sides_P = _profile_sides_P
profile_sides_Q = _profile_sides_Q
profiles_averaged = _profiles_averaged
profiles_named = _profiles_named
profiles_stick = _profiles_stick
promised_worst_pair = _promised_worst_pair
questions_exchanged = _questions_exchanged
random_dp_B1 = _random_dp_B1
random_dp_B2 = _random_dp_B2
random_dp_D = _random_dp_D
random_dp_DATA = _random_dp_DATA
random_dp_M = _random_dp_M
random_dp_M1 = _random_dp_M1
random_dp_M2 = _random_dp_M2
random_dp_Masses = _random_dp_Masses
random_dp_at_most_one = _random_dp_at_most_one
random_dp_p1 = _random_dp_p1
random_dp_p2 = _random_dp_p2
random_dp_processed = _random_dp_processed
random_dp_q1 = _random_dp_q1
random_dp_q2 = _random_dp_q2
randomized_response_delta = _randomized_response_delta
randomized_response_log_moment = _randomized_response_log_moment
randomized_response_mean = _randomized_response_mean
randomized_response_rho = _randomized_response_rho
randomized_response_tau_squared = _randomized_response_tau_squared
rare_share_s = _rare_share_s
ratios_B = _ratios_B
ratios_DOWN = _ratios_DOWN
ratios_F = _ratios_F
ratios_L = _ratios_L
ratios_M = _ratios_M
ratios_MASS = _ratios_MASS
ratios_P = _ratios_P
ratios_Q = _ratios_Q
ratios_UP = _ratios_UP
ratios_alpha = _ratios_alpha
ratios_d = _ratios_d
ratios_e = _ratios_e
ratios_eps = _ratios_eps
ratios_w = _ratios_w
ratios_z = _ratios_z
raw_pi = _raw_pi
raw_real = _raw_real
ridge_slope_products = _ridge_slope_products
sampled_gaussian_part_left_out = _sampled_gaussian_part_left_out
sampled_line_X = _sampled_line_X
sequences_averaged = _sequences_averaged
sequences_sums = _sequences_sums
series_geometric = _series_geometric
series_n = _series_n
series_sums = _series_sums
shuffled_epochs_raised = _shuffled_epochs_raised
smooth_A = _smooth_A
smooth_N = _smooth_N
smooth_T = _smooth_T
smooth_chernoff = _smooth_chernoff
step_density_N = _step_density_N
step_density_T = _step_density_T
step_density_k = _step_density_k
step_density_p = _step_density_p
step_density_q = _step_density_q
step_density_r = _step_density_r
terms_replace = _terms_replace
tilts_tilt = _tilts_tilt
turned_RATE = _turned_RATE
turned_RATIO = _turned_RATIO
turned_cosine_falls = _turned_cosine_falls
turned_q = _turned_q
turned_u = _turned_u
turns_cosine_falls = _turns_cosine_falls
unimodal_around = _unimodal_around
valley_SLOPE = _valley_SLOPE
whole_product = _whole_product
