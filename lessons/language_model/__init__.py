"""The figures, texts and state of the page “What is a language model?”."""
