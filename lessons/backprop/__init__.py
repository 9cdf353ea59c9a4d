"""What the page “Computation graph and backpropagation” shows and says."""
