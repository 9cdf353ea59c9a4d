"""The figures, texts and state of the page “Scaled dot-product attention, step by step”."""
