"""The paths of the app's static files: styles and the tab icon."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "assets"
ICON = str(FOLDER / "icon.png")
