"""Feedforward networks that are small enough to see whole: points in, class probabilities out.

network   layers, forward pass and gradients written out, for many sets of parameters at once
points    labelled points of the plane: logic gates, moons, circles, spirals, three classes
training  a whole training run in one call: the parameters after every step
seeds     which share of random starts solves a task, with its interval
lines     what one layer can do at best, and what layers without a nonlinearity amount to
elman     one recurrent unit, folded and unrolled
landscape the loss on a plane through a network’s parameters, to draw and to descend on
softmax   softmax of typed logits, stable and naive
"""
