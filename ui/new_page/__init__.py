"""Writes a page that runs, to begin a new one from: `python -m ui.new_page temperature "Title"`.

The page has one slider and one bar. `template/` holds its files; `SLUG`, `SLUG_NAME` and `TITLE` in
them are replaced.
"""

from ui.new_page.writing import PageFiles, new_page

__all__ = ["PageFiles", "new_page"]
