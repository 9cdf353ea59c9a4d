"""Pages compute as on a server, on one thread each; no process is left when the tests are over."""

import pytest

from lmcore.device import share_cores
from ui import runs
from ui.compute import shared_results


@pytest.fixture(scope="session", autouse=True)
def as_on_a_server():
    share_cores()
    yield
    shared_results.close()
    runs.close()
