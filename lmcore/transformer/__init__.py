"""The whole Transformer: its forward pass number by number, its sizes, its costs, its parts.

flow         the forward pass as named stages, from the ids of a text to probabilities
operands     one number of a stage, with everything it is computed from
parameters   every tensor of a model, by the names in `weight_names`; `published` models
floors       an encoder's parameters by floors: embeddings, layers, pooler
flops        operations and memory, predicted; `measured_cost` measures them, beside an RNN
path_length  how far it is from one word to another, in matrix products
four_claims  an experiment for each reason to build a Transformer; `far_recall` has one of them
             at several distances, recorded
gradient_norms    the size of the gradient in each block
tiny         a GPT with 244 weights: its training with edits, everything at every step in one batch
"""
