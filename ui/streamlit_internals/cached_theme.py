"""What Streamlit works out again and again, and need not.

For every run it reads the theme out of some three hundred options, six times, though they do not
change while a server is up; and for every text field all entries of the session, though it asks for
one. Together they are a fifth of what a page of many fields costs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from streamlit.elements.widgets import text_widgets
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState, get_session_state

_read = app_session._populate_theme_msg


@lru_cache(maxsize=16)
def _theme(section: str) -> CustomThemeConfig:
    message = CustomThemeConfig()
    _read(message, section)
    return message


def fill_theme(msg: CustomThemeConfig, section: str = "theme") -> None:
    """Fill in what the configuration says of a section."""
    if (read := _theme(section)).ByteSize():  # an empty section stays absent
        msg.MergeFrom(read)


class SessionEntries:
    """A session's state for those who ask for an entry by its key."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    @property
    def filtered_state(self) -> SessionEntries:
        """Itself, where Streamlit makes a dictionary of all entries."""
        return self

    def __contains__(self, key: str) -> bool:
        """Whether there is such an entry."""
        return key in self._state

    def __getitem__(self, key: str) -> Any:
        """The entry of that key."""
        return self._state[key]


def entries() -> SessionEntries:
    """Those of this session."""
    return SessionEntries(get_session_state())


def install() -> None:
    """From now on the theme is read once, and a text field reads what it asks for."""
    app_session._populate_theme_msg = fill_theme
    setattr(text_widgets, "get_session_state", entries)  # noqa: B010  (not exported, says mypy)
