"""The figures, texts and state of the page “Computation graph and backpropagation”."""
