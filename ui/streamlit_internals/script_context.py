"""Reads this thread's session, whether its script runs a fragment alone, and which press waits.

Changes nothing. Gains: runs belong to a session, log lines name it, "Try again" in a fragment
redraws the whole page, and a script that waits sees that its *Stop* was pressed, which Streamlit
keeps back until the script has ended. Unnecessary once Streamlit has a public name for these.
"""

from __future__ import annotations

from streamlit.runtime.scriptrunner import get_script_run_ctx


def session_id() -> str | None:
    """The session whose script runs in this thread; None outside of one."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


def runs_fragment_alone() -> bool:
    """Whether this thread runs a fragment without the rest of its page."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and bool(context.fragment_ids_this_run)


def was_pressed(key: str) -> bool:
    """Whether the button of that key, drawn by this thread's script, has been pressed since."""
    context = get_script_run_ctx(suppress_warning=True)
    waiting = getattr(getattr(context, "script_requests", None), "_rerun_data", None)
    states = getattr(waiting, "widget_states", None)
    return states is not None and any(
        state.trigger_value and state.id.endswith(f"-{key}") for state in states.widgets
    )
