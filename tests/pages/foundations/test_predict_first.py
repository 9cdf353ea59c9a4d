"""While a question is open, nothing around the picture answers it."""

from contextlib import suppress

import pytest
from test_screen import fine, opened, put, unpacked

ASKED = [
    ("generation", {}, "best"),
    ("positions", {}, "plain"),
    ("lstm", {"see": "Vanishing gradients"}, "rnn"),
    ("contextual", {}, "static"),
    ("vectors", {}, "nearest"),
    ("descent", {}, "largest"),
]


def pictures(app):
    """What each main picture of the page is drawn from."""
    found = []
    for each in app.get("bidi_component"):
        with suppress(ValueError):  # not every component is sent what pack writes
            found.append(unpacked(each.proto.bytes))
    return [each for each in found if isinstance(each, dict) and "sentences" in each]


@pytest.mark.parametrize(("page", "address", "key"), ASKED)
def test_the_question_stands_in_place_of_the_finding_until_it_is_answered(page, address, key):
    app = fine(opened(page, **address))
    question = next(each for each in app.session_state["questions"] if each.key == key)
    before = pictures(app)
    asked = pictures(fine(put(app, {"ask": key})))
    assert asked and len(asked) == len(before)
    for now, was in zip(asked, before, strict=True):
        assert len(now["sentences"]) == len(was["sentences"])
        assert {each.replace("[term|", "").replace("]", "") for each in now["sentences"]} == {
            question.ask.replace("]", "")
        }
        assert now["moved"] == "" and now["alt"] == question.ask
        assert not any(question.is_told_by(part) for row in now["formula"] for part in row)


def test_a_beat_that_asks_hides_the_finding():
    (picture,) = pictures(fine(opened("masking", tour="1", beat="7")))
    assert set(picture["sentences"]) == {""}
    (picture,) = pictures(fine(opened("masking", tour="1", beat="8")))
    assert "" not in picture["sentences"]
