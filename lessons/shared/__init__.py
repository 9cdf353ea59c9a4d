"""Shared by several pages: theme, step rows, pictures and sentences."""
