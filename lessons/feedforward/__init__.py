"""The figures, texts and state of the page “Feedforward neural language model”."""
