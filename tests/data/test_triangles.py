"""The number of triangles: its smooth sensitivity against the definition, on all small graphs."""

import random
from itertools import combinations
from typing import Any

import pytest

from rdpacct import FiniteQuery, InputError, Relation, SmoothRelease, Triangles
from rdpacct.sensitivity.triangles import most_common


def all_graphs(vertices: int) -> tuple[FiniteQuery, list[frozenset[tuple[int, int]]]]:
    """The query on all graphs, neighbors of which differ in one edge."""
    pairs = list(combinations(range(vertices), 2))
    graphs = [
        frozenset(chosen)
        for size in range(len(pairs) + 1)
        for chosen in combinations(pairs, size)
    ]

    def near(graph: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        return [graph ^ {pair} for pair in pairs]

    return FiniteQuery.of(counted, graphs, near), graphs


def counted(graph: Any) -> int:
    """The triangles, one by one."""
    vertices = sorted({end for edge in graph for end in edge})
    return sum(
        {(a, b), (a, c), (b, c)} <= set(graph) for a, b, c in combinations(vertices, 3)
    )


@pytest.mark.parametrize("vertices", [3, 4, 5])
def test_it_equals_the_exhaustive_definition(vertices: int) -> None:
    slow, graphs = all_graphs(vertices)
    fast = Triangles(vertices)
    chosen = graphs if vertices < 5 else random.Random(1).sample(graphs, 12)
    for graph in chosen:
        assert fast.value(graph) == counted(graph)
        for distance in range(vertices * (vertices - 1) // 2 + 1):
            assert fast.local_within(graph, distance) == slow.local_within(
                graph, distance
            )
        found = fast.smooth(graph, "0.3").value.for_study()
        assert found.overlaps(slow.smooth(graph, "0.3").value.for_study())


def test_the_bound_without_half_joined_vertices_would_be_too_small() -> None:
    """Of a path of two edges the ends have one common neighbor; one more edge gives a second."""
    slow, _ = all_graphs(4)
    graph = frozenset({(0, 1), (1, 2), (0, 3)})
    assert slow.local_within(graph, 1) == Triangles(4).local_within(graph, 1) == 2
    assert int(most_common(1, 0, 1).bound().lower) == 1


def test_a_large_graph_is_quick_and_agrees_with_sets() -> None:
    rng = random.Random(5)
    pairs = list(combinations(range(300), 2))
    edges = set(rng.sample(pairs, 9_000))
    near: dict[int, set[int]] = {v: set() for v in range(300)}
    for one, two in edges:
        near[one].add(two)
        near[two].add(one)
    query = Triangles(300)
    common = {pair: len(near[pair[0]] & near[pair[1]]) for pair in pairs}
    assert query.value(edges) == sum(common[pair] for pair in edges) // 3
    assert query.local_within(edges, 0) == max(common.values())
    beside = {pair: len(near[pair[0]] ^ near[pair[1]]) for pair in common}
    for distance in (1, 4, 9):
        best = max(
            common[pair]
            + (distance + min(distance, beside[pair] - 2 * (pair in edges))) // 2
            for pair in common
        )
        assert query.local_within(edges, distance) == best


def test_neighbors_differ_in_one_edge() -> None:
    query = Triangles(20)
    assert query.relation is Relation.ADD_OR_REMOVE_ONE
    assert query.whole()
    release = SmoothRelease.calibrated(query, 1, "1e-6")
    assert release.mechanism.relation is Relation.ADD_OR_REMOVE_ONE


@pytest.mark.parametrize(
    ("edges", "why"),
    [
        ([(0, 0)], "two different vertices"),
        ([(0, 4)], "from 0 to 3"),
        ([(0, 1, 2)], "two different vertices"),
        ([7], "two different vertices"),
        ([(0, 0.5)], "two different vertices"),
    ],
)
def test_bad_edges_are_refused(edges: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Triangles(4).value(edges)


def test_a_graph_needs_two_vertices() -> None:
    with pytest.raises(InputError, match="number of vertices"):
        Triangles(1)
