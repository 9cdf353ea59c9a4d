"""What a component reports reaches the controls: a released slider, a typed number, a step.

AppTest cannot operate a component, so a button reports in its place.
"""

import pytest
import streamlit as st
from test_screen import drawn, fine, opened, said

import ui


@pytest.fixture
def slider(monkeypatch):
    """A function that presses the button: it reports the named slider, released at `typed`."""
    told = {}
    real = ui.sliders

    def sliders(live, *, on_settled):
        real(live, on_settled=on_settled)
        st.button("let go", key="let-go", on_click=lambda: on_settled(dict(told)))

    monkeypatch.setattr(ui, "sliders", sliders)

    def let_go(app, name, typed):
        told.update(name=name, typed=typed)
        return fine(app.button(key="let-go").click().run())

    return let_go


def test_a_slider_of_the_unit_changes_one_number_and_no_other(slider):
    app = slider(opened("neuron"), "w2", "1.5")
    assert app.session_state["w"] == "0.1, 1.5, 0.2"
    assert app.session_state["x"] == "0.3, 0.2, 0.9"
    slider(app, "b", "−0.25")
    assert "0.2·0.9 + (−0.25) = 0.26" in said(app)


@pytest.mark.parametrize("typed", ["", "nan", "inf", "1e308", "two", "__import__('os')", "1, 2"])
def test_a_number_typed_beside_a_slider_of_the_unit_may_be_refused(slider, typed):
    app = slider(opened("neuron"), "x1", typed)
    assert "must" in app.error[0].value
    assert drawn(app, "neuron-neuron")["now"][0] == 0.3
    slider(app, "x1", "1")
    assert not app.error


def test_a_slider_of_the_graph_writes_into_the_program_and_leaves_the_rest(slider):
    app = slider(opened("backprop"), "b", "1.5")
    assert app.session_state["program"].strip() == (
        "a = 3\nb = 1.5\nc = -2\nd = 2*b\ne = a + d\nL = c*e"
    )
    assert "L = c × e = (−2) × 6 = −12" in said(app)


def test_a_slider_of_one_entry_changes_that_entry(slider):
    app = opened("backprop", program="x = [1, 2]\nL = sum(x*x)")
    slider(app, "x(2)", "3")
    assert app.session_state["program"].startswith("x = [1, 3]\n")


@pytest.mark.parametrize("typed", ["", "nan", "1e999", "1e200", "two", "b = 3", "1\nL = 5"])
def test_a_number_typed_beside_a_slider_of_the_graph_may_be_refused(slider, typed):
    app = opened("backprop")
    before = app.session_state["program"]
    slider(app, "b", typed)
    assert "must" in app.error[0].value
    assert app.session_state["program"] == before
    assert not fine(app.run()).error


def test_the_step_a_picture_reports_is_kept_in_the_address(monkeypatch):
    real = ui.main_picture

    def picture(kind, live, how, told, *, on_event=None):
        real(kind, live, how, told, on_event=on_event)
        st.button("walk", key="walk", on_click=on_event, args=(3,))

    monkeypatch.setattr(ui, "main_picture", picture)
    app = opened("backprop")
    app.button(key="walk").click().run()
    assert drawn(fine(app), "backprop-graph")["step"] == 3
    assert app.query_params["at"] in ("3", ["3"])


def test_the_slider_of_a_position_moves_the_first_word(slider):
    app = slider(opened("positions"), "pos", "21")
    assert app.session_state["positions_start"] == "20"
    slider(app, "d", "64")
    slider(app, "base", "100")
    spec, _ = app.session_state["positions-good"]
    assert (spec.position, spec.width, spec.base) == (21, 64, 100)


@pytest.mark.parametrize("typed", ["0", "42", "x", "1.5", ""])
def test_a_position_typed_beside_its_slider_may_be_refused(slider, typed):
    app = slider(opened("positions"), "pos", typed)
    assert "pos must be" in app.error[0].value
    assert app.session_state["positions_start"] == "0"
