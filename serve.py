"""The server: Home and its pages, with the heavy imports done before the first visitor comes.

    uvicorn serve:app --port 8501 --ws websockets-sansio        (what `make run` does)

`streamlit run app.py` serves the same pages, a little slower: its first visitor waits for PyTorch,
and it leaves Nagle's algorithm on, which holds small websocket messages back for up to 40 ms.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from ui import runs


def warm() -> None:
    """Import what every page needs, and let sessions share the cores."""
    from lmcore.device import share_cores

    share_cores()
    import ui  # noqa: F401


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Listen only when warm: the first visitor is served like every other. End the workers last."""
    warm()
    yield
    runs.close()


app = st.App("app.py", lifespan=lifespan, routes=runs.ROUTES)
