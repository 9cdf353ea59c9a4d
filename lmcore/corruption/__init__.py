"""Corrupting a text for denoising objectives: BERT's masking, spans, BART's noise.

corruption   BERT's 80/10/10 on token ids; text: a typed text to corrupt
draws        single tokens, whole_words or spans, at random or chosen by the user
rates        many draws: how often a position is chosen, masked, replaced, kept
story_words  ten thousand words, each by itself: how many are chosen, masked, replaced, kept
masked_loss  the loss over the chosen positions
bart_noise, full_sentences   BART's five corruptions; RoBERTa's packing
"""
