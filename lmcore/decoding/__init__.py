"""How a language model writes: one token after another, each chosen by a rule that can be seen."""
