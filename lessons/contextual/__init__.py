"""The page on contextual vectors."""
