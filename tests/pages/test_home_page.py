"""Home: the needle on its line, the lectures, the path, and a link to every page."""

import json
import re

import numpy as np
import pytest
from test_screen import BUILT, drawn, fine, opened, said

from lessons.home.home_state import PROMPT
from lmcore.corpora.automaton import DEAD_STATE
from lmcore.corpora.microworld import microworld
from lmcore.notation import NOTATION
from lmcore.shipped.models import load_shipped
from ui import contents


def linked(app):
    return {re.sub(r"\?.*", "", link.proto.page) for link in app.get("page_link")}


def with_open(label):
    """Home with the part open that the button of that label shows."""
    app = opened()
    app.session_state[f"folded-{label}"] = True
    return fine(app.run())


def test_home_links_to_every_built_page():
    assert set(BUILT) <= linked(fine(opened()))


def test_only_a_slide_is_presented_without_the_cards():
    slide = {"deck": "cmu", "slide": "2"}
    assert "Teach a lecture" in said(fine(opened(present="1")))
    assert "Teach a lecture" not in said(fine(opened(**slide, present="1")))


def test_home_names_every_page_and_says_what_it_is_for():
    app = opened()
    shown = said(app) + "".join(link.proto.label for link in app.get("page_link"))
    promises = {link.proto.help for link in app.get("page_link")}
    for page in contents.PAGES:
        assert page.short in shown
        assert not page.built or page.promise in promises


def test_every_objective_and_every_symbol_stands_behind_a_button():
    shown = said(with_open("Goals"))
    assert all(objective.text in shown for objective in contents.OBJECTIVES.values())
    symbols = said(with_open("Notation"))
    assert all(symbol.meaning in symbols for symbol in NOTATION)


def test_every_deck_is_a_way_to_the_index_of_its_slides():
    links = {link.proto.query_string for link in opened().get("page_link")}
    assert {f"deck={deck}" for deck in contents.DECKS} <= links


@pytest.mark.parametrize("part", ["Timeline", "Goals", "Notation"])
def test_what_stands_behind_a_button_can_be_put_on_the_stage_by_the_address(part):
    shown, folded = said(fine(opened(see=part))), said(with_open(part))
    assert len(shown) > 2000 or shown == folded


def test_the_timeline_holds_every_event_once_and_lists_it():
    app = with_open("Timeline")
    (chart,) = app.get("plotly_chart")
    marks = [text for trace in json.loads(chart.proto.spec)["data"] for text in trace["text"]]
    assert sorted(marks) == sorted(f"{e.label} {e.year}" for e in contents.TIMELINE)
    assert all(f"{event.label}: {event.text}" in said(app) for event in contents.TIMELINE)


def test_the_line_has_the_models_probabilities_and_the_grammar_knows_each_long_part():
    data = drawn(opened(), "home-home")
    model = load_shipped("gpt")[0]
    ids = model.vocabulary.read(PROMPT)
    scores = model.network([ids]).logits[0, -1].detach().double()
    p = scores.softmax(dim=-1).sort(descending=True)
    numbers = dict(zip(data["names"], data["now"], strict=True))
    for i in range(6):
        assert numbers[f"p{i}"] == pytest.approx(float(p.values[i]), abs=1e-6)
        assert data["words"][i] == model.vocabulary.tokens[int(p.indices[i])]
    world = microworld()
    for word in data["words"][:6]:
        text = np.array([*ids, world.vocabulary.ids[word]])
        assert world.states(text)[-1] != DEAD_STATE


def test_a_number_that_the_needle_cannot_have_is_refused_and_home_still_opens():
    app = opened(u="2", heat="-1")
    assert [re.sub(r" in the address.*", "", error.value) for error in app.error] == ["u", "heat"]


def test_the_menu_leads_to_the_same_pages_everywhere():
    for slug in BUILT:
        assert set(BUILT) <= linked(opened(slug))


def test_a_device_that_is_not_there_is_said_and_home_still_opens(monkeypatch):
    monkeypatch.setenv("LMCORE_DEVICE", "abacus")
    app = opened()
    assert any("abacus" in error.value for error in app.error)
