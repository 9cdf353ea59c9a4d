"""Text → pieces of words: how a vocabulary is learnt, how it is read with, and what BERT is given.

split.py     a text as words, each with its place
texts.py     texts to learn from
rules.py     how letters are marked, and which pair is merged
merges.py    learning: pair counts, the pair that is merged, the new piece, again
pieces.py    reading a word: merges in order, or greedy longest match, with every attempt
packing.py   a sentence or a pair as ids, segments, places; with `tokenizers` itself
library.py   the same training by `tokenizers`, to compare with
"""
