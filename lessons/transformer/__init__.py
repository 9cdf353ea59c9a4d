"""The page on the Transformer block and the full model."""
