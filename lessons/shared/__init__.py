"""What several pages draw with: theme, step rows, pictures and sentences in common."""
