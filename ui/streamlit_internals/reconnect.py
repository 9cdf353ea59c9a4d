"""Lets a visitor whose server has died continue on another one, without a reload.

Changes: `WebsocketSessionManager` makes a `ReconnectingSession`. The visitor's page is still there,
as the first server drew it, but the browser requests a run after a reconnection only if one was
under way. The new session then has no fragment of the page, and Streamlit silently drops all moves
in a fragment that the session does not have. So every page asks its browser to request a run
whenever the connection is back, and moves that arrive before that run has ended wait for it.

Gains: nothing on a single server, so it is off by default; deploy/ switches it on for replicas
behind a proxy. There a visitor continues in about a second instead of losing every move until the
page is reloaded:
    python -m pytest tests/faults/test_replicas.py -k dies

Unnecessary once Streamlit's browser requests a run whenever it connects to a session that is new,
and a new session keeps moves of fragments that it does not have yet.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

FRAGMENT_NAME = "a part that runs by itself"
INTERVAL_DAYS = 10
"""Days until that fragment would first run; a browser cannot wait longer than 24 days."""
MAX_WAITING_MOVES = 20
"""The most waiting moves, the newest ones: more than a user makes until a page is drawn."""
RUN_ENDS = (
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS,
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_COMPILE_ERROR,
)


def rerun_request() -> ForwardMsg:
    """The message after which a browser requests a run when it has reconnected.

    A browser does so for a page with a fragment that runs at an interval. This fragment has a
    name and nothing else.
    """
    message = ForwardMsg()
    message.auto_rerun.fragment_id = FRAGMENT_NAME
    message.auto_rerun.interval = INTERVAL_DAYS * 24 * 3600
    return message


class ReconnectingSession(AppSession):
    """A session whose visitor may already have a page, which another server drew."""

    _run_requested = _page_drawn = False
    """Whether a run was requested, and whether a run of the whole page has ended."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting_moves: deque[ClientState] = deque(maxlen=MAX_WAITING_MOVES)

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Streamlit's, but a move in a fragment that is not drawn yet waits.

        So do the moves after it; the first one requests a run of the page.
        """
        if client_state and not self._page_drawn:
            waiting = self._waiting_moves
            if waiting and waiting[0].page_script_hash != client_state.page_script_hash:
                waiting.clear()  # those moves belong to a page that the visitor has left
            fragment = client_state.fragment_id
            if waiting or (fragment and not self.has_fragment(fragment)):
                waiting.append(client_state)
                if self._run_requested:
                    return
                client_state = ClientState()  # the address draws the page; the move follows it
                client_state.CopyFrom(waiting[-1])
                client_state.ClearField("fragment_id")
                client_state.ClearField("widget_states")
        self._run_requested = True
        super().request_rerun(client_state)

    def _on_scriptrunner_event(
        self,
        sender: ScriptRunner | None,
        event: ScriptRunnerEvent,
        *args: Any,
        fragment_ids_this_run: list[str] | None = None,
        **kwargs: Any,
    ) -> None:
        """Streamlit's; a run of the whole page sends `rerun_request` when it begins.

        When it has ended, the waiting moves are handled.
        """
        kwargs["fragment_ids_this_run"] = fragment_ids_this_run
        super()._on_scriptrunner_event(sender, event, *args, **kwargs)
        if event is ScriptRunnerEvent.SCRIPT_STARTED and not fragment_ids_this_run:
            self._call_soon_on_event_loop(lambda: self._enqueue_forward_msg(rerun_request()))
        elif event in RUN_ENDS:
            self._call_soon_on_event_loop(partial(self._take_waiting_moves, sender))

    def _take_waiting_moves(self, sender: ScriptRunner | None) -> None:
        if sender is self._scriptrunner:
            self._page_drawn = True
            while self._waiting_moves:
                self.request_rerun(self._waiting_moves.popleft())


def install() -> None:
    """Make all new sessions `ReconnectingSession`s."""
    websocket_session_manager.AppSession = ReconnectingSession  # type: ignore[attr-defined]
