"""Every lecture of this server: the decks that come with the app, and those of its folder."""

from __future__ import annotations

from collections.abc import Mapping

from lmcore.checks import check_one_of
from ui.lectures.decks import Lecture, decks
from ui.lectures.files import lectures_of_folder


def lectures() -> Mapping[str, Lecture]:
    """Every lecture by its name in an address."""
    return {**decks(), **lectures_of_folder().lectures}


def lecture(deck: str) -> Lecture:
    """The lecture of that name.

    Raises:
        ValueError: if there is none.
    """
    check_one_of("the deck", deck, lectures())
    return lectures()[deck]
