"""The figures, texts and state of the page “RNN language model, step by step”."""
