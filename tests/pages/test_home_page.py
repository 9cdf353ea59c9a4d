"""Home: the needle on its line, the lectures, the path, and a link to every page."""

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


@pytest.mark.parametrize("part", ["Goals", "Notation"])
def test_what_stands_behind_a_button_can_be_put_on_the_stage_by_the_address(part):
    shown, folded = said(fine(opened(see=part))), said(with_open(part))
    assert len(shown) > 2000 or shown == folded


def test_the_timeline_is_listed_behind_its_button():
    app = with_open("Timeline")
    assert all(f"{event.label}: {event.text}" in said(app) for event in contents.TIMELINE)


def rivers(**address):
    return drawn(fine(opened(see="Timeline", **address)), "rivers-rivers")


def test_the_rivers_hold_every_event_once_in_the_order_of_the_years():
    marks = rivers()["marks"]
    held = [(m["year"], label, m["kind"]) for m in marks for label in m["label"].split(", ")]
    assert sorted(held) == sorted((e.year, e.label, e.kind) for e in contents.TIMELINE)
    assert [m["year"] for m in marks] == sorted(m["year"] for m in marks)


def test_a_river_joins_the_mark_of_the_network_that_does_both():
    data = rivers()
    joins = {r["kind"]: r["joins"] for r in data["rivers"]}
    named = {kind: place and data["marks"][place]["label"] for kind, place in joins.items()}
    assert named == {
        "language models": "Bengio et al.",
        "vector semantics": "Bengio et al.",
        "both": None,
        "attention": "Transformer",
    }


@pytest.mark.parametrize(
    ("year", "says"),
    [
        ("1913", "**Markov** ==1913==: Markov counts"),
        ("2003", "from ==2003== **one network does both.**"),
        ("2012", "**Collobert and Weston** ==2008==: One network"),
        ("2017", "since 2014 a part of networks that translate, joins in ==2017==."),
    ],
)
def test_the_sentence_is_about_the_latest_event_of_the_year(year, says):
    data = rivers(year=year)
    now = dict(zip(data["names"], data["now"], strict=True))
    assert says in data["sentences"][int(now["@say"])]


def test_the_pages_of_the_chosen_year_are_linked():
    app = opened(see="Timeline", year="2019")
    labels = {link.proto.label for link in app.get("page_link")}
    assert {"Open BERT", "Open Masks"} <= labels


def test_a_year_without_history_is_refused_and_the_timeline_still_opens():
    app = opened(see="Timeline", year="1066")
    assert "year" in app.error[0].value
    assert drawn(app, "rivers-rivers")["marks"]


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
