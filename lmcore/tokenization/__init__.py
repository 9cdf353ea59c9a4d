"""Tokenization: learning a subword vocabulary, applying it, and packing BERT's inputs.

split.py     a text as words, each with its position
texts.py     texts to learn from
rules.py     how letters are marked, and which pair is merged
merges.py    learning: pair counts, the pair that is merged, the new piece, again
pieces.py    reading a word: merges in order, or greedy longest match, with every attempt
packing.py   a sentence or a pair as ids, segments and positions; with `tokenizers` itself
library.py   the same training by `tokenizers`, to compare with
"""
