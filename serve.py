"""The server of Home and all pages; heavy imports are done before the first visitor arrives.

    uvicorn serve:app --port 8501 --ws websockets-sansio        (what `make run` does)

`streamlit run serve.py` serves the same, a little slower: it leaves Nagle's algorithm on, which
holds small websocket messages back for up to 40 ms. With an invalid setting it does not start.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

# OpenMP counts its threads for each thread that calls it, and every session has a thread of its
# own: only the environment, read when PyTorch is imported, holds for all of them.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import streamlit as st

from lessons.contextual import contextual_state
from lessons.descent import descent_state
from lessons.generation import generation_state
from lessons.networks import networks_state
from lessons.seq2seq import seq2seq_state
from lessons.transfer import transfer_state
from lessons.transformer import transformer_state
from lessons.vectors import vectors_state
from lmcore.configuration import configuration
from lmcore.device import share_cores
from ui import compute, runs
from ui.lectures import routes
from ui.lectures.rehearsals import REHEARSALS
from ui.server import health, logs, middleware, replica_route, selfcheck, warmup
from ui.streamlit_internals.patches import install_patches

FIRST = (
    networks_state.first_run,
    descent_state.first_run,
    vectors_state.first_run,
    seq2seq_state.first_translations,
    transformer_state.first_flow,
    contextual_state.first_run,
    transfer_state.first_run,
)
"""What pages open on, computed before anybody asks."""

HAND_OVER = 0.0002
"""`sys.setswitchinterval`: seconds that a thread may hold the GIL while others wait. At the default
of 5 ms, a thread that released it for a PyTorch operation may wait that long to have it back."""

COLLECT = (20_000, 20, 10)
"""Objects made until the youngest garbage is looked for, and how often the older is: less often
than Python's own 700, 10 and 10, which would look forty times for what a page leaves behind."""


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Limit the cores per computation; at the end save the runs and end all processes."""
    logs.log_as_json()
    share_cores()
    sys.setswitchinterval(HAND_OVER)
    warmup.warm_up()
    install_patches()
    gc.freeze()  # models and modules stay: looking through them stops all pages for half a second
    gc.set_threshold(*COLLECT)
    health.READY.begin(missing)
    warming = None
    REHEARSALS.begin(asyncio.get_running_loop(), ahead=configuration().warm_up)
    if configuration().warm_up:
        warming = warmup.warm_up_in_background(
            generation_state.preload_writers, generation_state.TRIGRAM, FIRST
        )
    yield
    health.READY.end()
    compute.close()
    if warming:
        warming.join()
    runs.close()


try:
    missing = selfcheck.findings()
    runs.pool()  # a folder of runs that cannot be used is reported now
except ValueError as error:
    sys.exit(f"The server does not start:\n{error}")
app = st.App(
    "app.py",
    lifespan=lifespan,
    routes=(*runs.ROUTES, *routes.ROUTES, *health.ROUTES, *replica_route.ROUTES),
    middleware=middleware.middleware_stack(configuration()),
    on_script_error=middleware.record_fault,
)
