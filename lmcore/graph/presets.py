"""Programs to start from: the slides' own examples, and the cases where gradients surprise."""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    """A program, and the leaves that gradient descent moves."""

    label: str
    program: str
    names: tuple[str, ...]


_SLIDE = """\
a = 3
b = 1
c = -2
d = 2*b
e = a + d
L = c*e
"""

_NETWORK = """\
x = [2, 1]                                # two inputs
W1 = [[0.5, -1], [1, 1], [-1.5, 0.5]]     # three hidden units
b1 = [0.2, -0.5, 0.4]
z1 = W1 @ x + b1
a1 = relu(z1)                             # the third unit is inactive
W2 = [0.7, -0.4, 0.3]
b2 = 0.5
z2 = W2 @ a1 + b2
a = sigmoid(z2)                           # the network's answer
y = 1                                     # the right one
L = -(y*log(a) + (1-y)*log(1-a))          # binary cross-entropy
"""

_REGRESSION = """\
x = 2
y = 3
β = 0.5      # the slope to learn
L = (y - β*x)^2
"""

_TWICE = """\
a = 2
b = 3
p = a*b
q = a + b    # a and b are used again: two paths lead back to each
L = p*q
"""

_VANISHING = """\
x = 0        # where the first sigmoid is steepest: slope 1/4
h1 = sigmoid(x)
h2 = sigmoid(h1)
h3 = sigmoid(h2)
h4 = sigmoid(h3)
h5 = sigmoid(h4)
h6 = sigmoid(h5)
h7 = sigmoid(h6)
h8 = sigmoid(h7)
h9 = sigmoid(h8)
L = sigmoid(h9)
"""

_DEAD = """\
x = 2
w = -1.5
b = -0.5
z = w*x + b  # below 0
h = relu(z)  # so nothing goes through, either way
y = 1
L = (y - h)^2
"""

_KINK = """\
x = 2
w = 1
b = -2
z = w*x + b  # exactly 0
h = relu(z)  # no slope here: by convention 0
L = 3*h
"""

PRESETS: dict[str, Preset] = {
    "slide": Preset("CMU slide: L = c(a + 2b)", _SLIDE, ("a", "b", "c")),
    "network": Preset("CMU slide: a two-layer network", _NETWORK, ("W1", "b1", "W2", "b2")),
    "regression": Preset("Linear regression as a graph", _REGRESSION, ("β",)),
    "twice": Preset("A node used twice", _TWICE, ("a", "b")),
    "vanishing": Preset("Ten sigmoids: a vanishing gradient", _VANISHING, ("x",)),
    "dead": Preset("A dead ReLU", _DEAD, ("w", "b")),
    "kink": Preset("A ReLU at exactly 0", _KINK, ("w", "b")),
}
