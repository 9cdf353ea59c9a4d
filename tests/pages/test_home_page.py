"""Home: the timeline, the objectives, and a way to every page."""

import json
import re

from test_screen import BUILT, fine, opened, said

from ui import contents


def linked(app):
    return {re.sub(r"\?.*", "", link.proto.page) for link in app.get("page_link")}


def test_home_links_to_every_built_page():
    assert set(BUILT) <= linked(fine(opened()))


def test_home_names_every_page_every_objective_and_every_event():
    app = opened()
    shown = said(app) + "".join(link.proto.label for link in app.get("page_link"))
    for page in contents.PAGES:
        assert page.title in shown and page.promise in shown
    for objective in contents.OBJECTIVES.values():
        assert objective.text in shown
    for event in contents.TIMELINE:
        assert f"{event.label}: {event.text}" in shown


def test_the_timeline_holds_every_event_once():
    (chart,) = opened().get("plotly_chart")
    marks = [text for trace in json.loads(chart.proto.spec)["data"] for text in trace["text"]]
    assert sorted(marks) == sorted(f"{e.label} {e.year}" for e in contents.TIMELINE)


def test_the_sidebar_or_the_menu_leads_to_the_same_pages_everywhere():
    homes = {link.proto.page for link in opened().sidebar.get("page_link")}
    for slug in BUILT:
        app = opened(slug)
        found = app.sidebar.get("page_link") or app.get("page_link")
        assert {link.proto.page for link in found} == homes


def test_a_device_that_is_not_there_is_said_and_home_still_opens(monkeypatch):
    monkeypatch.setenv("LMCORE_DEVICE", "abacus")
    app = fine(opened())
    assert "abacus" in app.error[0].value
