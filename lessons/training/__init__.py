"""What the page “Live training of a small RNN or LSTM” shows and says."""
