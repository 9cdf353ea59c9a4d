"""What the page “Sigmoid neuron calculator” shows and says."""
