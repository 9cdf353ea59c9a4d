"""Which pages are walked: those asked for, those whose turn it is, and those that were changed."""

from collections import Counter
from datetime import date

import pytest

from tests import walks

KNOWN = {"bert", "faults", "generation", "heads", "home", "lectures", "masking", "neuron"}


class Day(date):
    """A date whose today can be set."""

    said = date(2026, 1, 1)

    @classmethod
    def today(cls):
        return cls.said


def test_every_page_has_its_turn_once(monkeypatch):
    monkeypatch.setattr(walks, "date", Day)
    monkeypatch.setattr(walks, "changed_files", list)
    walked = Counter()
    for n in range(walks.TURNS):
        Day.said = date(2026, 1, 1 + n)
        walked.update(walks.chosen_pages("turn", KNOWN))
    assert walked == dict.fromkeys(KNOWN, 1)


@pytest.mark.parametrize(
    ("changed", "pages"),
    [
        ([], []),
        (["ui/desk.py", "README.md"], []),
        (
            ["lessons/bert/bert_text.py", "pages/heads.py", "lessons/heads/map.js"],
            ["heads", "bert"],
        ),
        (["lmcore/decoding/filters.py"], ["generation", "home"]),
        (
            ["deploy/compose.yaml", "ui/server/guard.py", "assets/lectures/uw.toml"],
            ["faults", "lectures"],
        ),
        ([f"lessons/{page}/a.js" for page in sorted(KNOWN)], ["bert", "generation", "heads"]),
    ],
)
def test_a_page_whose_own_files_or_mathematics_change_is_walked(changed, pages):
    assert walks.touched_pages(changed, KNOWN) == pages


def test_a_page_that_has_no_walk_is_named_with_those_that_have():
    with pytest.raises(pytest.UsageError, match=r"all, turn or bert, faults.*; got nowhere"):
        walks.chosen_pages("neuron,nowhere", KNOWN)
