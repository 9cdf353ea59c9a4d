"""While a beat asks a question, the finding is hidden; see also `offers/test_offered.py`."""

from test_screen import fine, opened

from tests.pages.offers.answers import pictures


def test_a_beat_that_asks_hides_the_finding():
    (picture,) = pictures(fine(opened("masking", tour="1", beat="7")))
    assert set(picture["sentences"]) == {""}
    (picture,) = pictures(fine(opened("masking", tour="1", beat="8")))
    assert "" not in picture["sentences"]
