"""The messages of Streamlit's websocket, for code that reads or writes them without a browser.

Changes nothing. Gains: the guard drops messages that no page needs, and measures how long a rerun
takes; benchmarks and tests speak to a server as a browser does. Unnecessary once Streamlit
documents its protocol, or lets a server refuse messages.
"""

from __future__ import annotations

import json

from google.protobuf.message import DecodeError
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

__all__ = [
    "Alert",
    "BackMsg",
    "ClientState",
    "Element",
    "ForwardMsg",
    "WidgetState",
    "component_event",
    "is_run_end",
    "message_kind",
]
RUN_END_STATUSES = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
)


def component_event(component: str, event: str, value: object) -> WidgetState:
    """What a browser sends when the component of that id reports an event."""
    events = [{"event": event, "value": value}]
    text = json.dumps(events, separators=(",", ":"), ensure_ascii=False)
    key = f"$$STREAMLIT_INTERNAL_KEY_{component}__events"
    return WidgetState(id=key, json_trigger_value=text)


def message_kind(data: bytes) -> str | None:
    """The kind of a visitor's message; None if it cannot be decoded."""
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    return message.WhichOneof("type") or ""


def is_run_end(data: bytes) -> bool:
    """Whether a message to a visitor reports that the page's script has ended."""
    message = ForwardMsg()
    message.ParseFromString(data)
    return (
        message.WhichOneof("type") == "script_finished"
        and message.script_finished in RUN_END_STATUSES
    )
