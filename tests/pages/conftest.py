"""Pages compute on one thread each, as on a server; after the tests all processes are closed."""

import pytest

from lmcore.device import share_cores
from ui import compute, runs


@pytest.fixture(scope="session", autouse=True)
def as_on_a_server():
    share_cores()
    yield
    compute.close()
    runs.close()
