"""The figures, texts and state of the page “Live training of a small RNN or LSTM”."""
