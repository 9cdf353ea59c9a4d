"""The theme is read once, and is what Streamlit reads each time; a text field reads one entry."""

import pytest
from streamlit import config
from streamlit.elements.widgets import text_widgets
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from ui.streamlit_internals import cached_theme

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar")


@pytest.fixture(autouse=True)
def nothing_read():
    cached_theme._theme.cache_clear()
    yield
    cached_theme._theme.cache_clear()


def place(message, section):
    for name in section.split(".")[1:]:
        message = getattr(message, name)
    return message


def test_it_is_what_streamlit_reads():
    theirs, ours, again = NewSession(), NewSession(), NewSession()
    for section in SECTIONS:
        cached_theme._read(place(theirs.custom_theme, section), section)
        cached_theme.fill_theme(place(ours.custom_theme, section), section)
        cached_theme.fill_theme(place(again.custom_theme, section), section)
    assert theirs.custom_theme.light.primary_color.startswith("#")
    assert ours == theirs
    assert ours.SerializeToString() == again.SerializeToString() == theirs.SerializeToString()


def test_it_is_read_once(monkeypatch):
    cached_theme.fill_theme(NewSession().custom_theme)
    monkeypatch.setattr(config, "get_options_for_section", lambda section: 1 / 0)
    cached_theme.fill_theme(NewSession().custom_theme)
    with pytest.raises(ZeroDivisionError):
        cached_theme.fill_theme(NewSession().custom_theme.dark, "theme.dark")


def test_a_session_asks_it_for_its_theme(monkeypatch):
    monkeypatch.setattr(app_session, "_populate_theme_msg", cached_theme._read)
    cached_theme.install()
    assert app_session._populate_theme_msg is cached_theme.fill_theme
    made = app_session.AppSession._create_new_session_message
    assert "_populate_theme_msg" in made.__code__.co_names


def field():
    import streamlit as st

    st.session_state.setdefault("other", 1)
    st.text_input("Empty", key="empty")
    st.text_input("Typed", key="typed")
    st.text_input("None", value=None, key="nothing")


def test_a_text_field_reads_its_own_entry_and_no_other(monkeypatch):
    monkeypatch.setattr(app_session, "_populate_theme_msg", cached_theme._read)
    monkeypatch.setattr(text_widgets, "get_session_state", text_widgets.get_session_state)
    cached_theme.install()
    monkeypatch.setattr(SessionState, "filtered_state", property(lambda self: 1 / 0))
    app = AppTest.from_function(field)
    app.session_state["typed"] = "kept"
    app.run()
    assert not app.exception
    assert [each.value for each in app.text_input] == ["", "kept", None]
    app.text_input(key="typed").set_value("new").run()
    assert [each.value for each in app.text_input] == ["", "new", None]
