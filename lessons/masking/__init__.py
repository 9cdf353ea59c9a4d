"""What the page “Masking” shows and says."""
