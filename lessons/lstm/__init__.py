"""The figures, texts and state of the page “LSTM gates and vanishing gradients”."""
