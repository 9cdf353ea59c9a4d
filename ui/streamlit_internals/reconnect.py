"""Visitors whose server has died come back to one that does not know them, and go on there.

Their page is still there, as the other server drew it. But a browser whose line is back asks for no
run unless one was under way; the new session then knows no part of the page, and Streamlit drops
all moves of a part without a word. So here every page has its browser ask for a run whenever the
line is back, and moves that are faster than that run wait for its end.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

from ui.streamlit_internals.message_batching import BatchingSession

FRAGMENT_NAME = "a part that runs by itself"
DAYS = 10
"""Until that part would run for the first time; a browser cannot wait longer than 24 days."""
WAITING = 20
"""Moves that wait at most, the last ones: more than a hand makes until a page is drawn."""
ENDS = (
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS,
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_COMPILE_ERROR,
)


def rerun_request() -> ForwardMsg:
    """Has the browser ask for a run when its line is back: it does so for a page with a part that
    runs by itself now and then. Ours is there in name alone."""
    message = ForwardMsg()
    message.auto_rerun.fragment_id = FRAGMENT_NAME
    message.auto_rerun.interval = DAYS * 24 * 3600
    return message


class ReconnectingSession(BatchingSession):
    """A session whose visitor may have a page already, which another server drew."""

    _asked = _drawn = False
    """Whether a run was asked for, and whether one of the whole page has come to its end."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._early: deque[ClientState] = deque(maxlen=WAITING)

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Streamlit's; a move of a part that is yet to be drawn waits, and has the page drawn.
        What follows it waits behind it."""
        if client_state and not self._drawn:
            if self._early and self._early[0].page_script_hash != client_state.page_script_hash:
                self._early.clear()  # they were of the page that is left
            part = client_state.fragment_id
            if self._early or (part and not self.has_fragment(part)):
                self._early.append(client_state)
                if self._asked:
                    return
                client_state = ClientState()  # the address draws the page; then the move is one
                client_state.CopyFrom(self._early[-1])
                client_state.ClearField("fragment_id")
                client_state.ClearField("widget_states")
        self._asked = True
        super().request_rerun(client_state)

    def _on_scriptrunner_event(
        self,
        sender: ScriptRunner | None,
        event: ScriptRunnerEvent,
        *given: Any,
        fragment_ids_this_run: list[str] | None = None,
        **more: Any,
    ) -> None:
        """Streamlit's; a page that begins says what its browser is to ask for, and one that has
        come to its end takes the moves that wait for it."""
        more["fragment_ids_this_run"] = fragment_ids_this_run
        super()._on_scriptrunner_event(sender, event, *given, **more)
        if event is ScriptRunnerEvent.SCRIPT_STARTED and not fragment_ids_this_run:
            self._call_soon_on_event_loop(lambda: self._enqueue_forward_msg(rerun_request()))
        elif event in ENDS:
            self._call_soon_on_event_loop(partial(self._has_drawn, sender))

    def _has_drawn(self, sender: ScriptRunner | None) -> None:
        if sender is self._scriptrunner:
            self._drawn = True
            while self._early:
                self.request_rerun(self._early.popleft())
