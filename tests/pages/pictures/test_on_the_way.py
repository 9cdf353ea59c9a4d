"""Between two states of a picture its marks move smoothly, but its texts change at once.

A number halfway between two states is true of neither. Each page's main picture is drawn in
Chromium, from the data that the page sends, in two states of its sliders, and read halfway.
"""

from pathlib import Path

import numpy as np
import pytest
from sending import sent, text
from test_screen import BUILT, opened, unpacked

from drawing.live import pack
from ui.components import script_library

HALFWAY = (Path(__file__).parent / "on_the_way.js").read_text("utf-8")
VIEWS = [
    # The RNN's chain scrolls past other columns, which show the numbers of their own words.
    *((slug, {}) for slug in BUILT if slug != "rnn"),
    ("transformer", {"see": "One screen"}),
]


@pytest.fixture(scope="module")
def page(browser):
    """An empty page without the application, into which the scripts are loaded."""
    here = browser.new_page(viewport={"width": 1280, "height": 720})
    here.set_content("<!doctype html><body></body>")
    yield here
    here.close()


def elsewhere(app, data):
    """The numbers with the page's first slider moved; without a slider, all numbers smaller."""
    now = np.array(data["now"])
    for each in app.get("bidi_component"):
        other = unpacked(each.proto.bytes) if each.proto.id.endswith("-sliders") else {}
        for slider in other.get("sliders", ()) if other.get("names") == data["names"] else ():
            table = slider["table"].reshape(len(slider["positions"]), -1)
            if table.shape[1]:
                moved = now.copy()
                moved[slider["columns"]] = table[len(table) // 5]
                return moved
    chooses = [name.startswith("@") for name in data["names"]]
    return np.where(chooses, now, 0.87 * now)


@pytest.mark.parametrize(("slug", "address"), VIEWS, ids=str)
def test_no_number_on_its_way_is_written(page, slug, address):
    app = opened(slug, **address)
    picture = sent(app)[0]
    data = picture.numbers
    states = {"from": text(pack(data | {"now": elsewhere(app, data)})), "to": text(pack(data))}
    given = {
        "library": script_library(),
        "name": picture.name,
        "kept": [[keeper, text(each)] for keeper, each in picture.kept],
    }
    found = page.evaluate(HALFWAY, given | states)
    assert found["strange"] == []
    if slug in ("neuron", "networks", "descent", "generation"):  # their marks move smoothly
        assert found["running"] and found["moved"]
