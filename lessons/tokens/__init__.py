"""The figures, texts and state of the page “Tokenization and input representation”."""
