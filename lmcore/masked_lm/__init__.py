"""Masked language models: filling in, next sentence prediction, and their training.

cloze        a text with masked words: what a model predicts, beside the exact answer
filling_in, next_sentence   a model measured against the exact answers
readers, contest, game      other architectures on the same gaps; the cloze game
pretraining                 a small BERT trained live
both_sides                  a gap read with more and more of the words after it
masked_terms                which words go in, and what each chosen one costs
sentences, single_words     English text with masked words, and how well they are found
"""
