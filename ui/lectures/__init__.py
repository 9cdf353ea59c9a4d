"""Lectures: slides in their order, the live view of each, and the way from one to the next.

Read `decks` and `files` for the data, `place` for the place of a page in a lecture, `index` for the
page that lists all slides, `finding` for the search, and `routes` for what is served beside the
pages.
"""

from ui.lectures.catalogue import lecture, lectures
from ui.lectures.decks import HOME, Lecture, Slide, coverage, slides_of_page

__all__ = ["HOME", "Lecture", "Slide", "coverage", "lecture", "lectures", "slides_of_page"]
