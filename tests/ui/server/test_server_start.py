"""What the server sets up before its first visitor, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ASK = """
import asyncio, gc, json, sys
import serve
from tests.ui.streamlit_internals.names import session_classes
from ui.server.health import READY

async def ask():
    async with serve.lifespan(serve.app):
        print(json.dumps([
            READY.open,
            gc.get_threshold() == serve.COLLECT,
            gc.get_freeze_count() > 100_000,
            abs(sys.getswitchinterval() - serve.HAND_OVER) < 1e-9,
            *session_classes(),
        ]))
    print(json.dumps(READY.open))

asyncio.run(ask())
"""


@pytest.mark.parametrize(
    ("patches", "classes"),
    [
        (
            "script_scheduler,message_batching,reconnect",
            ["ScheduledScriptRunner", "ReconnectingSession"],
        ),
        ("none", ["ScriptRunner", "AppSession"]),
    ],
)
def test_all_is_set_before_it_is_ready_and_no_longer_ready_at_its_end(patches, classes):
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=os.environ | {"LMCORE_STREAMLIT_INTERNALS": patches},
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = map(json.loads, done.stdout.splitlines()[-2:])
    assert before == [True, True, True, True, *classes]
    assert after is False
