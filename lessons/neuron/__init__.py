"""The figures, texts and state of the page “Sigmoid neuron calculator”."""
