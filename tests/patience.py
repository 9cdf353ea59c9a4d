"""How long a test waits for what must come; the bound only keeps a broken test from hanging."""

PLENTY = 600.0
"""Seconds: beside busy processes, processes of low priority need minutes."""
