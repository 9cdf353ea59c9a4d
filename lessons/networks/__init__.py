"""The figures, texts and state of the page “Feedforward networks and classifiers”."""
