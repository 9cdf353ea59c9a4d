"""What the page “RNN language model, step by step” shows and says."""
