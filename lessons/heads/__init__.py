"""What the page “Multi-head attention” shows and says."""
