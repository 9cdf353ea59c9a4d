"""Attention, number by number: how weights are computed, and what each head attends to.

step_table, step_sweep   softmax(QKᵀ/√d_k)V stage by stage, at every position of its sliders
row_sweep                the same as whole matrices, with one number of X moved
matrices, dot_terms      typed matrices; a dot product multiplied out
heads, one_head          every head of a network over a text; one head's own matrices
joined_heads             what each head adds to the output of its block
ablation                 heads muted, averaged or patched, and the effect on predictions
similarity, four_scores   four scores of a query and a key, and the softmax of each
saturation               why √d_k
translation_steps, cross_steps   where each step of a translation looks
permutation, two_orders, learned_positions   word order, and the vectors that restore it
slide_attention, weight_packing   a slide's code, corrected; attention weights as bytes
"""
