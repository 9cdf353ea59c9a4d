"""The figures, texts and state of the page “Generation strategies compared”."""
