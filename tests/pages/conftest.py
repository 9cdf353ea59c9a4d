"""Pages that train start a worker process; none is left when the tests are over."""

import pytest

from ui import runs


@pytest.fixture(scope="session", autouse=True)
def no_worker_is_left():
    yield
    runs.close()
