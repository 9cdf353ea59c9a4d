"""What Streamlit works out anew for every run and need not: the theme of the configuration.

It reads some three hundred options six times a run, a tenth of what a small page costs. They do not
change while a server is up.
"""

from __future__ import annotations

from functools import lru_cache

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

_read = app_session._populate_theme_msg


@lru_cache(maxsize=16)
def _theme(section: str) -> CustomThemeConfig:
    message = CustomThemeConfig()
    _read(message, section)
    return message


def theme(msg: CustomThemeConfig, section: str = "theme") -> None:
    """Fill in what the configuration says of a section."""
    if (read := _theme(section)).ByteSize():  # an empty section stays absent
        msg.MergeFrom(read)


def begin() -> None:
    """From now on the theme is read once."""
    app_session._populate_theme_msg = theme
