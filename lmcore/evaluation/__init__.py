"""Evaluation: how good a language model is, and what it costs.

perplexity   loss and perplexity as one number
sentence     a typed sentence under several models, word by word
against_grammar, probes   models of the microworld against the known probabilities
exact_match               translations: exact match by length, exposure bias, permuted attention
alignment                 translations: where the largest α of each word is
nats_per_byte             the loss of a subword model, comparable between vocabularies
contexts, costs           the best possible loss per context length; measured time and memory
"""
