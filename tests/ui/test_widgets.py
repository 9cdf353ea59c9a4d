"""Typed text stays text; settings without a widget are remembered; a good state is kept."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from ui.widgets import escape_markdown

ACTIVE = "\\`*_{}[]()#+-.!|<>$:~&"


def read_back(text):
    return re.sub(r"\\(.)", r"\1", text).replace("\u2060", "")


@pytest.mark.parametrize("mark", ACTIVE)
def test_every_mark_that_markdown_acts_on_is_escaped(mark):
    assert escape_markdown(f"a{mark}b") == f"a\\{mark}b"


@given(st.text(max_size=60))
def test_plain_text_reads_as_it_was_typed_on_one_line(text):
    shown = escape_markdown(text)
    assert read_back(shown) == text.replace("\u2060", "").replace("\n", " ")
    assert "\n" not in shown
    assert not re.search(r"[`*_{}\[\]()#+\-.!|<>$:~&]", re.sub(r"\\.", "", shown))


@pytest.mark.parametrize(
    "address",
    ["http://e.example", "https://e.example", "HTTP://e.example", "www.e.example", "a@e.example"],
)
def test_a_bare_address_is_broken_by_a_joiner_nobody_sees(address):
    shown = re.sub(r"\\(.)", r"\1", escape_markdown(f"got '{address}'"))
    # The three forms that Streamlit's Markdown turns into links after undoing all escapes.
    assert not re.search(r"https?://|www\.|@[-\w]", shown, re.IGNORECASE)
    assert read_back(shown) == f"got '{address}'"


def remembering():
    import streamlit as st

    import ui
    from ui.widgets import address_value

    st.text(address_value("at", "5"))
    st.button("walk", on_click=ui.set_controls, args=({"at": "7"},))
    st.button("back", on_click=ui.set_controls, args=({"at": "5"},))


def keeping():
    import streamlit as st

    import ui

    typed = st.text_input("number", "1", key="typed")
    st.text(ui.validated_or_previous("n", lambda: float(typed), lambda: -1.0))
    st.button("later", on_click=ui.show_error_later, args=(ValueError("x must be *small*; got 9"),))


def test_a_default_is_remembered_without_a_word_in_the_address():
    app = AppTest.from_function(remembering).run()
    assert app.text[0].value == "5"
    assert "at" not in app.query_params


def test_what_a_callback_puts_is_remembered_in_the_address_until_it_is_the_default_again():
    app = AppTest.from_function(remembering).run()
    app.button[0].click().run()
    assert app.text[0].value == "7"
    assert app.query_params["at"] in ("7", ["7"])
    assert app.run().text[0].value == "7"
    app.button[1].click().run()
    assert app.text[0].value == "5"
    assert "at" not in app.query_params


def test_an_address_that_is_opened_or_changed_wins():
    app = AppTest.from_function(remembering)
    app.query_params["at"] = "3"
    assert app.run().text[0].value == "3"
    app.query_params["at"] = "4"
    assert app.run().text[0].value == "4"
    app.button[0].click().run()
    assert app.text[0].value == "7"


def test_what_is_refused_leaves_the_last_good_state_and_says_why():
    app = AppTest.from_function(keeping).run()
    app.text_input[0].set_value("2.5").run()
    assert app.text[0].value == "2.5"
    app.text_input[0].set_value("two").run()
    assert app.text[0].value == "2.5"
    assert "could not convert" in app.error[0].value
    app.text_input[0].set_value("3").run()
    assert app.text[0].value == "3.0" and not app.error


def test_without_a_good_state_the_fallback_stands_in():
    app = AppTest.from_function(keeping)
    app.session_state["typed"] = "two"
    assert app.run().text[0].value == "-1.0"


def test_an_error_of_a_callback_is_shown_once():
    app = AppTest.from_function(keeping).run()
    app.button[0].click().run()
    assert app.error[0].value == r"x must be \*small\*; got 9"
    assert not app.run().error


def renamed():
    import streamlit as st

    from ui.widgets import address_values, rename_address_values

    rename_address_values({"g": "activation", "old": "new"})
    st.text(address_values({"activation": "sigmoid"})["activation"])


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ({"g": "tanh"}, "tanh"),
        ({"g": "tanh", "activation": "ReLU"}, "ReLU"),
        ({"activation": "ReLU"}, "ReLU"),
        ({"see": "Code"}, "sigmoid"),
    ],
    ids=["old", "both", "new", "neither"],
)
def test_an_address_with_an_earlier_name_of_a_setting_opens_what_it_did(address, shown):
    app = AppTest.from_function(renamed)
    for name, value in (address | {"see": "Code"}).items():
        app.query_params[name] = value
    app.run()
    assert [text.value for text in app.text] == [shown]
    assert "g" not in app.query_params and app.query_params["see"] == "Code"
