"""What the page “Tokenization and input representation” shows and says."""
