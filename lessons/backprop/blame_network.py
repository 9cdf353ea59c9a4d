"""A network with one hidden layer of ReLUs, found in a program by the operations of its nodes."""

from __future__ import annotations

from typing import NamedTuple

from lmcore.graph import Graph

MOST_INPUTS = 3
MOST_UNITS = 4


class Network(NamedTuple):
    """The nodes of a network: x, W1, b1 → z1 → a1 → W2, b2 → z2 → a, and its target y."""

    inputs: int
    weights: int
    biases: int
    sums: int
    hidden: int
    out_weights: int
    out_bias: int
    out_sum: int
    output: int
    target: int


def network_of(graph: Graph) -> Network | None:
    """The network that a program describes, if it is one that the picture can draw."""
    for output, node in enumerate(graph.nodes):
        if node.operation == "sigmoid" and output in graph.reaching:
            found = _behind(graph, output)
            if found and _is_small(graph, found):
                return found
    return None


def _behind(graph: Graph, output: int) -> Network | None:
    """The network whose answer is the node `output`."""
    out_sum = graph.nodes[output].operands[0]
    outer = _affine(graph, out_sum, "dot")
    if outer is None:
        return None
    out_weights, hidden, out_bias = outer
    if graph.nodes[hidden].operation != "relu":
        return None
    sums = graph.nodes[hidden].operands[0]
    inner = _affine(graph, sums, "matmul")
    target = _target(graph, output)
    if inner is None or target is None:
        return None
    weights, inputs, biases = inner
    nodes = (inputs, weights, biases, sums, hidden, out_weights, out_bias, out_sum, output, target)
    leaves = (inputs, weights, biases, out_weights, out_bias, target)
    known = all(graph.nodes[leaf].operation == "leaf" for leaf in leaves)
    return Network(*nodes) if known else None


def _affine(graph: Graph, node: int, product: str) -> tuple[int, int, int] | None:
    """The operands of weights @ vector + bias."""
    if graph.nodes[node].operation != "add":
        return None
    left, bias = graph.nodes[node].operands
    if graph.nodes[left].operation != product:
        return None
    weights, vector = graph.nodes[left].operands
    return weights, vector, bias


def _target(graph: Graph, output: int) -> int | None:
    """The number to which the loss compares the answer: the leaf that the answer does not use."""
    used = {output}
    for index in range(output, -1, -1):
        if index in used:
            used.update(graph.nodes[index].operands)
    leaves = [graph.index(name) for name in graph.leaves if not graph.shapes[graph.index(name)]]
    found = [leaf for leaf in leaves if leaf in graph.reaching and leaf not in used]
    return found[0] if len(found) == 1 else None


def _is_small(graph: Graph, network: Network) -> bool:
    units = graph.shapes[network.hidden]
    inputs = graph.shapes[network.inputs]
    return (
        len(units) == len(inputs) == 1
        and 1 <= units[0] <= MOST_UNITS
        and 1 <= inputs[0] <= MOST_INPUTS
        and graph.shapes[network.biases] == units
        and graph.shapes[network.out_bias] == ()
    )
