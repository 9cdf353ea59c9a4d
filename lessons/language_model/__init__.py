"""What the page “What is a language model?” shows and says."""
