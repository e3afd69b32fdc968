"""The search for the worst pair of neighbors: drawn data sets, changed step by step, and made small
in the end.
"""

from rdpacct.auditing.neighbors.searched_noise import SearchedNoise, worst_noise
from rdpacct.auditing.neighbors.searched_query import LargestMove, largest_move
from rdpacct.auditing.neighbors.worst_neighbors import WorstNeighbors, worst_neighbors

__all__ = [
    "LargestMove",
    "SearchedNoise",
    "WorstNeighbors",
    "largest_move",
    "worst_neighbors",
    "worst_noise",
]
