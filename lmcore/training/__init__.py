"""Training a small model: a spec describes a run completely, and a loop yields its events.

spec, spec_limits, spec_diff   the description, its limits, how several differ
loss                           cross-entropy, of every language model
batches, loop, events          batches by step number; forward, backward, update; what is reported
masked_batches, translation_batches   those of an encoder, and of seq2seq
checkpoint, disk               a run in a file
cost_estimate, precheck, race  what a run will cost; several models on one text
pool/ replicas/ ray/           many runs in worker processes, on several replicas, in a cluster
"""
