"""One thread for every test: only then is training reproducible bit for bit."""

import pytest
import torch
from cluster_at_hand import Head


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def head():
    """A Ray cluster on this machine, started for the first test that uses it."""
    cluster = Head()
    yield cluster
    cluster.close()
