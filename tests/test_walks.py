"""Which pages are walked: requested pages, pages whose turn it is, and changed pages."""

from collections import Counter

import pytest

from tests import walks

KNOWN = {"bert", "faults", "generation", "heads", "home", "lectures", "masking", "neuron"}


def test_every_page_has_its_turn_once():
    walked = Counter()
    for day in range(7, 7 + walks.TURNS):
        walked.update(walks.chosen_pages("turn", KNOWN, (day, [])))
    assert walked == dict.fromkeys(KNOWN, 1)


def test_what_was_changed_is_walked_besides():
    pages = walks.chosen_pages("turn", KNOWN, (0, ["pages/neuron.py"]))
    assert pages == [*sorted(KNOWN)[:: walks.TURNS], "neuron"]


@pytest.mark.parametrize(
    ("changed", "pages"),
    [
        ([], []),
        (["ui/desk.py", "README.md"], []),
        (
            ["lessons/bert/bert_text.py", "pages/heads.py", "lessons/heads/map.js"],
            ["heads"],
        ),
        (["lmcore/decoding/filters.py"], ["generation"]),
        (
            ["deploy/compose.yaml", "ui/server/guard.py", "assets/lectures/uw.toml"],
            ["faults"],
        ),
        ([f"lessons/{page}/a.js" for page in sorted(KNOWN)], ["bert"]),
    ],
)
def test_a_page_whose_own_files_or_mathematics_change_is_walked(changed, pages):
    assert walks.touched_pages(changed, KNOWN) == pages


def test_a_page_that_has_no_walk_is_named_with_those_that_have():
    with pytest.raises(pytest.UsageError, match=r"all, turn or bert, faults.*; got nowhere"):
        walks.chosen_pages("neuron,nowhere", KNOWN, (0, []))
