"""Settings for the whole suite: the same examples in every run, and no timing."""

from hypothesis import settings

settings.register_profile("same every time", deadline=None, derandomize=True)
settings.load_profile("same every time")
