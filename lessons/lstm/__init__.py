"""What the page “LSTM gates and vanishing gradients” shows and says."""
