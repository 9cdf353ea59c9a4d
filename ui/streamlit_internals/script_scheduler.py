"""Runs the pages' scripts one at a time, first come, first served.

Changes: `AppSession` starts a `ScheduledScriptRunner`, which waits for its turn before it runs a
script. A script that only waits, for a computation or for a process, yields its turn meanwhile.

Gains: Python's threads share one lock, and every operation of PyTorch releases it and takes it
again, so ten scripts at once are each slower than ten in a row. With 100 students on 2 cores, the
median rerun took 28 to 32 ms with this patch and 39 to 47 ms without, the 95th percentile 186 to
288 ms with it and 308 to 487 ms without (three alternating runs):
    LMCORE_STREAMLIT_INTERNALS=script_scheduler python -m benchmarks.classroom --only day --quick
    LMCORE_STREAMLIT_INTERNALS=none python -m benchmarks.classroom --only day --quick

Unnecessary once Streamlit can limit how many scripts run at the same time.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import ScriptRunner

from ui.compute.script_turn import take_turn


class ScheduledScriptRunner(ScriptRunner):
    """Streamlit's script runner, which waits for its turn."""

    def _run_script(self, *args: Any, **kwargs: Any) -> None:
        with take_turn():
            super()._run_script(*args, **kwargs)


def install() -> None:
    """Make all page scripts run in turn."""
    app_session.ScriptRunner = ScheduledScriptRunner  # type: ignore[attr-defined]
