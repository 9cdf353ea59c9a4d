"""The corpora that models are trained on, and the exact facts about them.

grammar       probabilistic context-free rules, parsed and checked
automaton     the grammar as a table of states: every next-word probability, exactly
entropy       entropy, and the lowest loss of a model with k words of context
masked_words  the exact probability of a masked word
translation   sources with their exact targets: translation_words, translation_grammar make them
wordnet, webster   two dictionaries of English, read from files that are not in this repository
microworld    the small English built from these; quoted_text, prose: the character corpora
"""
