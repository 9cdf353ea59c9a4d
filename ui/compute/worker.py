"""The main function of a computing process, which `process_pool` starts and ends."""

from __future__ import annotations

import logging
import os
import signal
import sys
from multiprocessing.connection import Connection

import lmcore.training.loop  # noqa: F401  (what is heavy is imported before it is asked)
from lmcore.device import share_cores
from ui.compute import executor, process_pool

NICE = 5
"""The niceness of the process, so that the server has priority."""


def main(handle: int) -> None:
    """Serve the pipe of that number; Ctrl-C is handled by the server, which closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.WARNING)  # Streamlit warns that it is not in a server
    share_cores()
    os.nice(NICE)
    executor.mark_computation_thread()
    process_pool.serve(Connection(handle))


if __name__ == "__main__":
    main(int(sys.argv[1]))
