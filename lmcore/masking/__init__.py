"""Attention masks: what each allows, what leaks through layers, what training without one does.

mask_choice              a mask by its kind and its number
under_mask, mask_pairs   a Transformer under one mask, and under two side by side
leakage, receptive_field what each output depends on, layer by layer
without_causal_mask, autoregressive_or_autoencoding   what training without the mask does
"""
