"""The timeline on Home."""
