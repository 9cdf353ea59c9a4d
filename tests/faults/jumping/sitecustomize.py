"""Python's wall clock, shifted by what a file says meanwhile; the monotonic one is left.

Python imports this at its start wherever the folder is on its path.
"""

import os
import time
from pathlib import Path

_real = time.time
_file = Path(os.environ["CLOCK_OFFSET"])


def _shifted() -> float:
    return _real() + float(_file.read_text() or 0)


time.time = _shifted
