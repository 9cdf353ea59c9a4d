"""The page on encoder–decoder models and attention."""
