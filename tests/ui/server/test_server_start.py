"""What the server sets up before its first visitor, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ASK = """
import asyncio, gc, json, sys
import serve
from streamlit.elements.widgets import text_widgets
from streamlit.runtime import app_session
from ui.server.health import READY

async def ask():
    async with serve.lifespan(serve.app):
        print(json.dumps([
            READY.open,
            gc.get_threshold() == serve.COLLECT,
            gc.get_freeze_count() > 100_000,
            abs(sys.getswitchinterval() - serve.HAND_OVER) < 1e-9,
            app_session.ScriptRunner.__name__,
            app_session._populate_theme_msg.__module__,
            text_widgets.get_session_state.__module__,
        ]))
    print(json.dumps(READY.open))

asyncio.run(ask())
"""


def test_all_is_set_before_it_is_ready_and_no_longer_ready_at_its_end():
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, capture_output=True, text=True, check=True
    )
    before, after = map(json.loads, done.stdout.splitlines()[-2:])
    assert before == [
        True,
        True,
        True,
        True,
        "InTurn",
        "ui.streamlit_internals.cached_theme",
        "ui.streamlit_internals.cached_theme",
    ]
    assert after is False
