"""Masked language models: filling in, next sentence prediction, and their training.

cloze        a text with masked words: what a model predicts, beside the exact answer
filling_in, next_sentence   a model measured against the exact answers
readers, contest, game      other architectures on the same gaps; the cloze game
pretraining                 a small BERT trained live
sentences, single_words     English text with masked words, and how well they are found
"""
