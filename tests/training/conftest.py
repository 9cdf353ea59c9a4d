"""Training is bit for bit the same only on one thread."""

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
    """A Ray cluster on this machine, begun by the first test that asks for it."""
    cluster = Head()
    yield cluster
    cluster.close()
