"""The figures, texts and state of the page “Word vectors and static embeddings”."""
