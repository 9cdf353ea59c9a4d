"""Contextual vectors: one word, another vector in every context.

bilm, pretrain      the two-layer bidirectional language model, R_k, and its training
layers              the vectors of a text's words in every layer, from any of our models
persons             the lecture's eight words in two texts
clouds              one word in many contexts: cosines, nearest centroid, a plane for each layer
tasks, probes       words with labels from the grammar; linear probes with control tasks
mixing, tagger      γ Σ s_j h_j learned for a task; a tagger with few labels
reach               which words the vector of a word depends on
record              the measurements that take minutes, made once and stored
"""
