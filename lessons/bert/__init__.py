"""What the page “Masked language models and BERT's pre-training” shows and says."""
