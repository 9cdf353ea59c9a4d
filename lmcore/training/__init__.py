"""Training a small model: a run is described whole, and a loop yields what happens.

spec, spec_limits, spec_diff   the description, its limits, what sets several apart
batches, loop, events          batches by step number; forward, backward, update; what is reported
checkpoint, disk               a run in a file
cost_estimate, precheck, race  what a run will take; several models on one text
pool/ ray/                     many runs in worker processes, or in a Ray cluster
"""
