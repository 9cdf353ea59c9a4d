"""What is recorded does not depend on how busy the machine is."""

import pytest

from lessons.generation import bench_view


@pytest.fixture(autouse=True)
def a_bench_measures_to_its_end(monkeypatch):
    """A page usually shows the progress of a bench that is not done after half a second."""
    monkeypatch.setattr(bench_view, "WAIT", 60)
