"""The private names of Streamlit that tests of other folders use."""

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.logger import get_logger
from streamlit.material_icon_names import ALL_MATERIAL_ICONS
from streamlit.runtime import app_session, websocket_session_manager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

__all__ = ["ALL_MATERIAL_ICONS", "get_logger", "session_classes", "share_between_app_tests"]


def session_classes() -> list[str]:
    """The names of the classes that run a script and hold a session in this process."""
    return [app_session.ScriptRunner.__name__, websocket_session_manager.AppSession.__name__]


def share_between_app_tests() -> None:
    """Let all AppTests share one cache of scripts, as all sessions of a server do.

    The installed packages are looked through for components once, as by a server when it starts,
    and not at every run: that would be nine tenths of a test's time.
    """
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    compiled = ScriptCache()
    app_test.ScriptCache = local_script_runner.ScriptCache = lambda: compiled  # type: ignore[assignment]
