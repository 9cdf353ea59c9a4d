"""The map in the bar: every box opens its page, and the page that is open is marked."""

import pytest
from test_screen import BUILT, fine, opened

from ui import contents
from ui.course_map import COLUMNS, has_map

BOXES = [box for column in COLUMNS for box in column.boxes]
MAPPED = [slug for slug in BUILT if has_map(contents.page(slug))]


def links(app):
    """Label → slug of the links in the map."""
    (bar,) = [each for each in app.get("popover") if each.proto.popover.label == "Map"]
    return {each.proto.label: each.proto.page for each in bar.get("page_link")}


@pytest.mark.parametrize("slug", MAPPED)
def test_every_box_links_to_its_page_and_the_open_page_is_marked_once(slug):
    app = fine(opened(slug))
    shown = {
        label.partition("**")[2].partition("**")[0] or label: page
        for label, page in links(app).items()
    }
    assert shown == {box.label: box.page for box in BOXES if contents.page(box.page).built}
    marked = [label for label in links(app) if "you are here" in label]
    (here,) = marked
    assert links(app)[here] == slug
    planned = [box.label for box in BOXES if not contents.page(box.page).built]
    said = [each.value for each in app.caption]
    assert all(f"{label} (planned)" in said for label in planned)


def test_a_page_of_the_foundations_has_no_map():
    app = fine(opened("neuron"))
    assert not [each for each in app.get("popover") if each.proto.popover.label == "Map"]
