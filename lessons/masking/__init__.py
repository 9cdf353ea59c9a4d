"""The figures, texts and state of the page “Masking”."""
