"""Opens a page in a session that no browser sees.

Changes nothing. Gains: what a slide computes is there for all visitors before the slide is shown.
Unnecessary once Streamlit can run a page without a browser in a running server.
"""

from __future__ import annotations

import asyncio

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import get_instance
from streamlit.runtime.session_manager import SessionClient

from ui.streamlit_internals.messages import RUN_END_STATUSES
from ui.streamlit_internals.script_context import session_id

RERUN_SECONDS = 0.25
"""A script that calls `st.rerun` begins again within this time."""


_unseen = set[str]()


def is_unseen() -> bool:
    """Whether the script in this thread runs for a session that no browser sees."""
    return session_id() in _unseen


class UnseenClient(SessionClient):
    """Reads nothing of a page but that its script has begun and ended."""

    def __init__(self) -> None:
        self._ended = asyncio.Event()

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Note the beginning and the end of a run."""
        kind = msg.WhichOneof("type")
        if kind == "new_session":
            self._ended.clear()
        if kind == "script_finished" and msg.script_finished in RUN_END_STATUSES:
            self._ended.set()

    async def rests(self) -> None:
        """Wait until the script has ended and does not begin again."""
        while True:
            await self._ended.wait()
            await asyncio.sleep(RERUN_SECONDS)
            if self._ended.is_set():
                return


async def open_unseen(page: str, query: str) -> None:
    """Open the page of that name with this query, on the server's event loop.

    Cancelled, or after the page's script has ended, the session is closed.
    """
    runtime, client = get_instance(), UnseenClient()
    session = runtime.connect_session(client, user_info={})
    _unseen.add(session)
    try:
        message = BackMsg()
        message.rerun_script.CopyFrom(ClientState(query_string=query, page_name=page))
        runtime.handle_backmsg(session, message)
        await client.rests()
    finally:
        runtime.close_session(session)
        _unseen.discard(session)
