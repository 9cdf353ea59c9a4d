"""The figures, texts and state of the page “Multi-head attention”."""
