"""Computation graphs: a small program read into nodes, run forward, differentiated backward.

    graph = parse_program("a = 3; b = 1; c = -2; d = 2*b; e = a + d; L = c*e")
    trace = trace_graph(graph)
    trace.gradients[graph.index("b")]        ∂L/∂b = −4

Everything is float64. Nothing a program says is ever executed as Python.
"""

from lmcore.graph.chains import moves_along, only_way, slopes_along
from lmcore.graph.descent import Descent, descend, gradient_step
from lmcore.graph.differentiate import GraphTrace, backpropagate, sweep, trace_graph
from lmcore.graph.gradient_check import (
    GradientComparison,
    autograd_gradients,
    compare_gradients,
    finite_differences,
)
from lmcore.graph.leaves import LeafEntry, leaf_entries, with_leaf_values
from lmcore.graph.operations import OPERATIONS, Derivative, Operation
from lmcore.graph.program import FUNCTIONS, parse_program
from lmcore.graph.shapes import describe_shape
from lmcore.graph.structure import Edge, Graph, Node
from lmcore.graph.traversal import Term, WalkStep, local_formula, walk

__all__ = [
    "FUNCTIONS",
    "OPERATIONS",
    "Derivative",
    "Descent",
    "Edge",
    "GradientComparison",
    "Graph",
    "GraphTrace",
    "LeafEntry",
    "Node",
    "Operation",
    "Term",
    "WalkStep",
    "autograd_gradients",
    "backpropagate",
    "compare_gradients",
    "descend",
    "describe_shape",
    "finite_differences",
    "gradient_step",
    "leaf_entries",
    "local_formula",
    "moves_along",
    "only_way",
    "parse_program",
    "slopes_along",
    "sweep",
    "trace_graph",
    "walk",
    "with_leaf_values",
]
