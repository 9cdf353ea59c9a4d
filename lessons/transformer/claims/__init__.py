"""The four claims about the Transformer: together as experiments, and three of them as pictures."""
