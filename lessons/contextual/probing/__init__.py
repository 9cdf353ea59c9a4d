"""What probes found in the layers of models, as pictures."""
