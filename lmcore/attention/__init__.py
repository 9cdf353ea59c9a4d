"""Attention, number by number: what weights are made of, and what each head does.

step_table, step_sweep   softmax(QKᵀ/√d_k)V stage by stage, at every position of its sliders
matrices, dot_terms      typed matrices; a dot product multiplied out
heads, one_head          every head of a network over a text; one of them taken out
ablation                 heads muted, averaged or patched, and what is lost
similarity, saturation   four scores of a query and a key; why √d_k
permutation, learned_positions, slide_attention, weight_packing   word order, and the rest
"""
