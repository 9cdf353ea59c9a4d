"""The script scheduler replaces the class that Streamlit's sessions run a page with."""

import inspect

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import ScriptRunner

from ui.streamlit_internals import script_scheduler
from ui.streamlit_internals.script_scheduler import ScheduledScriptRunner


def test_streamlit_still_runs_a_page_where_we_wait_for_a_turn(monkeypatch):
    """These names are private to Streamlit: another version may have them elsewhere."""
    assert inspect.isfunction(ScriptRunner._run_script)
    assert "self._run_script(" in inspect.getsource(ScriptRunner._run_script_thread)
    assert "ScriptRunner(" in inspect.getsource(app_session.AppSession)
    monkeypatch.setattr(app_session, "ScriptRunner", ScriptRunner)
    script_scheduler.install()
    assert app_session.ScriptRunner is ScheduledScriptRunner
