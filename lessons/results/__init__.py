"""The page on results and costs."""
