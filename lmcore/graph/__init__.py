"""Computation graphs: a small program read into nodes, run forward, differentiated backward.

    graph = read("a = 3; b = 1; c = -2; d = 2*b; e = a + d; L = c*e")
    trace = run(graph)
    trace.gradients[graph.index("b")]        ∂L/∂b = −4

Everything is float64. Nothing a program says is ever executed as Python.
"""

from lmcore.graph.descent import Descent, descend, step
from lmcore.graph.differentiate import GraphTrace, backpropagate, run, sweep
from lmcore.graph.gradient_check import Comparison, autograd, compare, finite_differences
from lmcore.graph.leaves import Entry, entries, with_values
from lmcore.graph.operations import OPERATIONS, Derivative, Operation
from lmcore.graph.program import FUNCTIONS, read
from lmcore.graph.shapes import in_words
from lmcore.graph.structure import Edge, Graph, Node
from lmcore.graph.traversal import Step, Term, local_formula, walk

__all__ = [
    "FUNCTIONS",
    "OPERATIONS",
    "Comparison",
    "Derivative",
    "Descent",
    "Edge",
    "Entry",
    "Graph",
    "GraphTrace",
    "Node",
    "Operation",
    "Step",
    "Term",
    "autograd",
    "backpropagate",
    "compare",
    "descend",
    "entries",
    "finite_differences",
    "in_words",
    "local_formula",
    "read",
    "run",
    "step",
    "sweep",
    "walk",
    "with_values",
]
