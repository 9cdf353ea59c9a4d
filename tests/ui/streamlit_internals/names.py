"""The private names of Streamlit that tests of other folders use."""

import time
from collections.abc import Callable
from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.logger import get_logger
from streamlit.material_icon_names import ALL_MATERIAL_ICONS
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import app_session, websocket_session_manager
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState
from streamlit.testing.v1 import app_test, local_script_runner

__all__ = [
    "ALL_MATERIAL_ICONS",
    "get_logger",
    "presser",
    "session_classes",
    "share_between_app_tests",
]


def session_classes() -> list[str]:
    """The names of the classes that run a script and hold a session in this process."""
    return [app_session.ScriptRunner.__name__, websocket_session_manager.AppSession.__name__]


def share_between_app_tests() -> None:
    """Let all AppTests share one cache of scripts, as all sessions of a server do.

    The installed packages are searched for components once, as a server does when it starts. A
    search at every run would take nine tenths of a test's time.
    """
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    compiled = ScriptCache()
    app_test.ScriptCache = local_script_runner.ScriptCache = lambda: compiled  # type: ignore[assignment]


def presser(key: str) -> Callable[[], None]:
    """A function for another thread: it presses the drawn button whose key begins with `key`.

    Call `presser` in the fragment; the visitor's message arrives while the script still runs.
    """
    context = get_script_run_ctx()
    fragment = ThreadState.get().fragment_id
    assert context and context.script_requests and fragment
    requests, shown = context.script_requests, context.shared.widget_ids_this_run

    def press() -> None:
        while not (drawn := [one for one in shown.snapshot() if f"-{key}" in one]):
            time.sleep(0.01)
        states = WidgetStates(widgets=[WidgetState(id=drawn[0], trigger_value=True)])
        requests.request_rerun(RerunData(widget_states=states, fragment_id_queue=[fragment]))

    return press
