"""The texts that models read here, and what is exactly known about them.

grammar      weighted rewriting rules, read and checked
automaton    the grammar as a table of states: every next-word probability, exactly
limits       entropy, and the floor under every model that sees only k words
masked       the exact probability of a word that has been covered
microworld   the small English that this is done for; probes: what to ask a model of it
"""
