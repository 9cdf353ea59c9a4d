"""What the page “Positional encoding” shows and says."""
