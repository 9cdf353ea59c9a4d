"""What the page “Feedforward neural language model” shows and says."""
