"""Pre-trained models put to work: tasks, heads, fine-tuning against features and from scratch.

tasks        five small tasks over the microworld, each with its best possible score
inputs       the texts of a task as one sequence, as each model reads them
tuning       a head on a network: trained alone, with some blocks, with all, or from scratch
curves       accuracy against the number of labels, recorded over several seeds
"""
