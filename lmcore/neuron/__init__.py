"""One unit of a neural network, and its possible activation functions.

activations  six functions g(z), each with its derivative written by hand
neuron       inputs, weights, bias → weighted sum → output, for a whole sweep at once
"""
