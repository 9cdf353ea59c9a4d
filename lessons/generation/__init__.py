"""What the page “Generation strategies compared” shows and says."""
