"""Each objective has three questions; each opens on the page that shows its number."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from test_screen import drawn, fine, opened

import ui
from tests.pages.offers.answers import answers_to
from ui import contents, goals

EVERY = [check for found in goals.checks().values() for check in found]


def test_every_objective_has_three_questions_and_no_question_serves_two():
    assert {identity: len(found) for identity, found in goals.checks().items()} == dict.fromkeys(
        contents.OBJECTIVES, 3
    )
    assert len({(check.page, check.ask) for check in EVERY}) == len(EVERY) == 48


@pytest.mark.parametrize("check", EVERY, ids=lambda each: f"{each.objective} {each.ask}")
def test_a_question_of_an_objective_opens_on_its_example(check, monkeypatch):
    asked = []
    real = ui.predict_first
    monkeypatch.setattr(ui, "predict_first", lambda found: asked.append(found) or real(found))
    parts = urlsplit(check.path())
    app = fine(opened(parts.path.strip("/"), **dict(parse_qsl(parts.query))))
    assert not app.error
    (question,) = (each for each in asked[-1] if each.key == check.ask)
    assert f"**{question.ask}**" in [element.value for element in app.markdown]
    assert drawn(app, "keys")["asked"] == check.ask
    assert drawn(app, "keys")["verdict"] == ""
    assert list(answers_to(app, parts.path.strip("/"), question)) == []


def test_the_browser_is_told_what_was_answered():
    app = opened("neuron", ask="sum")
    app.number_input[0].set_value(5.0).run()
    assert drawn(app, "keys")["verdict"] == "wrong"
    app.number_input[0].set_value(0.69).run()
    assert drawn(fine(app), "keys")["verdict"] == "right"


def test_an_answer_that_is_revealed_is_not_right():
    app = opened("neuron", ask="sum")
    app.button(key="reveal-sum").click().run()
    assert drawn(fine(app), "keys")["verdict"] == "wrong"


def test_the_goals_name_every_objective_with_its_pages():
    app = opened(see="Goals")
    data = drawn(fine(app), "goals-list")
    assert [each["text"] for each in data["objectives"]] == [
        objective.text for objective in contents.OBJECTIVES.values()
    ]
    for each in data["objectives"]:
        pages = [page.short for page in contents.pages_serving(each["id"]) if page.built]
        assert [page["title"] for page in each["pages"]] == pages


def test_on_its_slide_every_goal_of_the_deck_has_the_picture_of_a_slide():
    app = opened(see="Goals", deck="cmu", slide="2", present="1")
    slides = drawn(fine(app), "goals-list")["slides"]
    of_deck = [each for each in contents.OBJECTIVES.values() if each.source == "deck"]
    assert [each["text"] for each in slides] == [each.text for each in of_deck]
    assert all(each["still"] and "deck=cmu" in each["path"] for each in slides)
    assert len({each["path"] for each in slides}) == len(slides) == 9
    assert drawn(fine(opened(see="Goals")), "goals-list")["slides"] == []
