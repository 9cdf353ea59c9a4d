"""The whole Transformer: its forward pass number by number, its sizes, its costs, its parts.

flow         the forward pass as named stages, from the ids of a text to probabilities
operands     one number of a stage, with everything it is computed from
parameters, weight_names, published    every tensor of a model, by all its names; known models
flops, measured_cost, path_length      operations and memory, predicted and measured; paths
gradient_norms                         the size of the gradient in each block
tiny         a GPT with 244 weights: its training with edits, everything at every step in one batch
"""
