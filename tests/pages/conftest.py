"""Pages compute as on a server, on one thread each; no process is left when the tests are over."""

import pytest

from lmcore.device import share_cores
from ui import compute, runs


@pytest.fixture(scope="session", autouse=True)
def as_on_a_server():
    share_cores()
    yield
    compute.close()
    runs.close()
