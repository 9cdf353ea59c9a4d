"""Gradient descent and linear regression: points, the loss surface, and the runs on it."""
