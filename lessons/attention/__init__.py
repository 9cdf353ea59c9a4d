"""What the page “Scaled dot-product attention, step by step” shows and says."""
