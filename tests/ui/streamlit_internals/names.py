"""The private names of Streamlit that tests of other folders use."""

from streamlit.logger import get_logger
from streamlit.material_icon_names import ALL_MATERIAL_ICONS
from streamlit.runtime import app_session, websocket_session_manager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

__all__ = ["ALL_MATERIAL_ICONS", "get_logger", "session_classes", "share_compiled_pages"]


def session_classes() -> list[str]:
    """The names of the classes that run a script and hold a session in this process."""
    return [app_session.ScriptRunner.__name__, websocket_session_manager.AppSession.__name__]


def share_compiled_pages() -> None:
    """Let all AppTests share one cache of scripts, as all sessions of a server do."""
    compiled = ScriptCache()
    app_test.ScriptCache = local_script_runner.ScriptCache = lambda: compiled  # type: ignore[assignment]
