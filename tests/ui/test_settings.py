"""One table holds each setting of a page: its allowed values, its widget, and its value."""

import pytest
from streamlit.testing.v1 import AppTest

from ui.lessons import Lesson
from ui.settings import SettingsTable, Switch

SCRIPT = """
import streamlit as st

from ui.lessons import Lesson
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text

MODELS = {"gpt": "Our GPT", "lstm": "An LSTM"}
lesson = Lesson(
    "a page",
    {"text": "the dog", "model": "gpt", "several": "gpt", "causal": "false", "free": "7"},
    {"share": "0.5", "place": "3", "see": "Code"},
    (),
    (),
)
table = SettingsTable(
    lesson,
    {
        "text": Text("Text", "Change a word", longest=10),
        "model": Choice(lambda: MODELS, "Model"),
        "several": Choice(MODELS, "Several", many=True),
        "causal": Switch("Causal"),
        "free": Choice(None, "Free", then=lambda: st.session_state.update(causal="true")),
        "share": Between(0, 1),
        "place": Between(0, 9, whole=True),
        "see": Bound(Choice(("Steps", "Code"))),
    },
)
table.restore()
table.draw("text", "model", "several", "causal")
table.draw("free", options=("7", "8"))
st.code(repr((table.text("text"), table.choice("model"), table.switch("causal"))))
"""


def opened(**address):
    app = AppTest.from_string(SCRIPT)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def test_settings_have_their_defaults_and_no_widget_for_what_the_picture_sets():
    app = opened()
    assert app.code[0].value == "('the dog', 'gpt', False)"
    assert [each.label for each in app.text_input] == ["Text"]
    assert [each.label for each in app.button_group] == ["Model", "Several", "Free"]
    assert [each.label for each in app.toggle] == ["Causal"]
    assert not app.error and not app.query_params


def test_the_address_sets_them():
    app = opened(text="a cat", model="lstm", causal="true")
    assert app.code[0].value == "('a cat', 'lstm', True)"
    assert app.toggle[0].value is True
    assert not app.error


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("model", "bert", "one of gpt, lstm; got 'bert'"),
        ("causal", "yes", "one of true, false; got 'yes'"),
        ("share", "1.5", "a number from 0 to 1; got '1.5'"),
        ("place", "1.5", "a whole number from 0 to 9; got '1.5'"),
        ("see", "Nothing", "one of Steps, Code; got 'Nothing'"),
    ],
)
def test_what_the_address_may_not_say_is_named_and_the_default_holds(name, value, rule):
    app = opened(**{name: value})
    (error,) = app.error
    assert error.value.replace("\\", "") == f"{name} in the address must be {rule}"
    assert app.code[0].value == "('the dog', 'gpt', False)"


def test_a_widget_sets_the_setting_and_the_address():
    app = opened()
    app.toggle[0].set_value(True).run()
    app.text_input[0].set_value("a cat").run()
    assert app.code[0].value == "('a cat', 'gpt', True)"
    assert (app.query_params["causal"], app.query_params["text"]) == ("true", "a cat")


def test_a_choice_made_by_hand_is_followed_by_what_the_table_says():
    app = opened(several="gpt, lstm")
    assert app.button_group[1].value == ["gpt", "lstm"]
    app.button_group[2].set_value("8").run()
    assert app.session_state["free"] == "8"
    assert app.code[0].value == "('the dog', 'gpt', True)"


PARTS = """
from ui.lessons import Lesson
from ui.settings import Choice, SettingsTable, Switch, Text

lesson = Lesson("a page", {"part": "one", "one_on": "false", "two_on": "false"}, {}, (), ())
table = SettingsTable(
    lesson,
    {
        "part": Choice({"one": "First", "two": "Second"}, "Part"),
        "one_on": Switch("On"),
        "two_on": Switch("On"),
        "notes": Text("Notes", height=100),
    },
    besides={"notes": "none"},
)
table.keep()
table.draw("part", "notes")
table.check(f"{table.choice('part')}_")
"""


def test_only_the_settings_of_the_shown_part_are_checked():
    app = AppTest.from_string(PARTS)
    app.query_params["one_on"] = app.query_params["two_on"] = "perhaps"
    app.run()
    assert ["one" in error.value for error in app.error] == [True]
    app.button_group[0].set_value("two").run()
    assert ["two" in error.value for error in app.error] == [True]
    assert app.text_area[0].value == "none"


def test_a_text_that_is_too_long_is_cut_and_it_is_said():
    app = opened(text="a" * 2000)
    assert app.code[0].value == f"({'a' * 10!r}, 'gpt', False)"
    assert app.warning[0].value == "Of 2,000 characters the first 10 are kept."
    assert app.query_params["text"] == "a" * 10


def test_a_setting_without_a_default_is_refused():
    with pytest.raises(ValueError, match="a setting must be one of text, see; got other"):
        SettingsTable(Lesson("a page", {"text": ""}, {"see": ""}, (), ()), {"other": Switch("x")})
