"""Language models from one neuron to generation: torch in, traces out, no user interface in here.

One name per quantity, in code, on screen and in the notes (`notation.py` has the letters):

    inputs weights bias → terms → pre_activation → output, derivative        one unit
    value → local derivative, upstream → contribution → gradient             a computation graph

Axes are words, in this order: `batch input`, `slider position`, `row input`. Every computation
returns its trace: a frozen dataclass with its quantities in the order they are computed.
"""
