"""The folder of Streamlit's scripts and styles, which it serves to every browser.

Changes nothing. Gains: `ui.server.files` sends them compressed, 0.7 MB instead of 2.3 MB for a
first page. Unnecessary once Streamlit compresses its own files.
"""

from __future__ import annotations

from pathlib import Path

import streamlit

STATIC_FOLDER = Path(streamlit.__file__).parent / "static"
