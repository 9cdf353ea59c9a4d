"""Word embeddings: how they are used, and how they change in training.

pipeline     the feedforward model's five steps over a text, from E to the next word
drift        E at several steps of a run, projected onto a plane, with nearest neighbours
"""
