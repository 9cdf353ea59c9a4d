"""Reads which session runs this thread's script, and whether it runs a fragment alone.

Changes nothing. Gains: runs belong to a session, log lines name it, and "Try again" in a fragment
redraws the whole page. Unnecessary once Streamlit has a public name for both.
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
