"""The figures, texts and state of the page “Masked language models and BERT's pre-training”."""
