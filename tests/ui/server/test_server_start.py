"""What the server sets up before its first visitor, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ASK = """
import asyncio, gc, json, sys, threading
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
            "warmup" in [each.name for each in threading.enumerate()],
            *session_classes(),
        ]))
    print(json.dumps(READY.open))

asyncio.run(ask())
"""


@pytest.mark.parametrize(
    ("patches", "classes", "warm_up"),
    [
        (
            "script_scheduler,message_batching,reconnect",
            ["ScheduledScriptRunner", "ReconnectingSession"],
            "",
        ),
        pytest.param(
            *("none", ["ScriptRunner", "AppSession"], "false"),
            marks=pytest.mark.walk("faults", alone=True),
        ),
    ],
)
def test_all_is_set_before_it_is_ready_and_no_longer_ready_at_its_end(patches, classes, warm_up):
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=os.environ | {"LMCORE_STREAMLIT_INTERNALS": patches, "LMCORE_WARM_UP": warm_up},
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = map(json.loads, done.stdout.splitlines()[-2:])
    assert before == [True, True, True, True, warm_up != "false", *classes]
    assert after is False
