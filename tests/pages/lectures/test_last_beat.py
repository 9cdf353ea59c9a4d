"""The link after the last beat leads to the next page, and from the last page to Home."""

import pytest
from test_screen import BUILT, fine, opened

import ui
from ui import contents, guide

ARROW = ":material/arrow_forward:"


@pytest.mark.parametrize(
    ("slug", "how", "leads_to"),
    [
        ("neuron", "tour", "backprop"),  # the next of the path's seven pages
        ("neuron", "present", "networks"),  # the next page in reading order
        (BUILT[-1], "tour", ""),
        (BUILT[-1], "present", ""),
    ],
)
def test_the_last_beat_leads_on(slug, how, leads_to):
    app = opened(slug, **{how: "1", "beat": str(len(ui.lesson(slug).beats))})
    fine(app)
    assert "beat-next" not in {button.key for button in app.button}
    onward = [each.proto for each in app.get("page_link") if each.proto.icon == ARROW]
    assert [link.page for link in onward] == [leads_to]


def test_no_page_follows_the_end_of_the_path():
    path = sorted((page for page in contents.PAGES if page.star), key=lambda page: page.star)
    assert [guide.following(page.slug) for page in path] == [*path[1:], None]
