"""The LSTM page: one cell by hand, a trained one over a text, its units, gradients and recall."""

import math

import pytest
import streamlit as st
from test_screen import by_key, choose, drawn, fine, held, opened, put, said

import ui
from lessons.lstm import lstm_figures
from lmcore.corpora import quoted_text
from lmcore.corpora.microworld import microworld
from lmcore.models.lstm import LSTM, LSTMConfig
from lmcore.models.registry import NeuralModel
from lmcore.models.rnn import RNN, RNNConfig
from lmcore.recurrence.gates import GateUnit
from ui import compute
from ui.models import ModelEntry

LESSON = ui.lesson("lstm")
PRESETS = {preset.label: preset for preset in LESSON.presets}
OVER, CELLS = "Gates over a text", "Interpretable cells"
VANISHING, RECALL = "Vanishing gradients", "Recall at distance"


@pytest.fixture(autouse=True)
def small_models(monkeypatch):
    """Untrained networks in place of the shipped ones."""
    models = {
        "lstm": microworld().vocabulary,
        "character_lstm": quoted_text.VOCABULARY,
    }

    def network(name):
        vocabulary = models[name]
        return ModelEntry(
            name, NeuralModel(LSTM(LSTMConfig(len(vocabulary), 5, 11), seed=3), vocabulary)
        )

    compute.clear_results()
    monkeypatch.setattr(ui.models, "shipped_network", network)
    yield
    compute.clear_results()


def errors(app):
    """The error messages, without Markdown escapes."""
    return "\n".join(each.value.replace("\\", "") for each in app.error)


def cell(app):
    """The numbers of the gate calculator by name."""
    data = drawn(app, "lstm-lstm")
    return dict(zip(data["names"], data["now"], strict=True))


def test_the_page_opens_on_a_cell_that_remembers():
    app = fine(opened("lstm"))
    now = cell(app)
    assert now["cell"] == pytest.approx(now["c_before"], abs=0.01)
    assert now["cell_by_before"] == now["forget"] == pytest.approx(1 / (1 + math.exp(-6)))
    assert "The forget gate keeps 0.9975 of the memory; the input gate adds 0.002238" in said(app)
    assert "c goes from 0.8 to 0.8003" in said(app)
    assert "0.9975·0.8 + 0.002473·0.9051 = 0.8003" in said(app)
    assert "0.9526·0.6642 = 0.6327" in said(app)


def test_the_views_are_those_that_these_tests_open():
    views = ["Picture", "Step by step", OVER, "One cell reads", CELLS, VANISHING, RECALL, "Code"]
    assert by_key(opened("lstm").button_group, "see-shown").options == views


def test_presets_do_what_they_are_called():
    app = opened("lstm")
    overwritten = cell(choose(app, "preset-shown", "Overwrite"))
    assert overwritten["cell"] == pytest.approx(overwritten["candidate"], abs=0.01)
    assert abs(cell(choose(app, "preset-shown", "Forget"))["cell"]) < 0.01
    hidden = cell(choose(app, "preset-shown", "Write and hide"))
    assert hidden["cell"] > 1 and abs(hidden["hidden"]) < 0.01
    assert "stays hidden" in said(app)


def test_every_preset_opens_and_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = fine(choose(opened("lstm"), "preset-shown", label))
        assert preset.help in [element.value for element in app.caption]
        assert not app.error
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value


def test_what_z_is_stands_over_its_sliders():
    data = drawn(opened("lstm"), "lstm-sliders")
    headings = {each["name"]: each["heading"] for each in data["sliders"]}
    assert headings.pop("c_before") == ""
    assert set(headings.values()) == {"Each z = W·[hₜ₋₁; eₜ] + b"}
    assert "f = σ(z_f)" in said(opened("lstm"))


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "gates must hold at least one number"),
        ("1, 2", "the gates must be 5 numbers, c_before, z_f, z_i, z_c, z_o; got 2"),
        ("1, 2, 3, 4, 99", "z_o must be from −20 to 20; got 99"),
        ("1, 2, x, 4, 5", "number 3 of gates must be a number"),
    ],
)
def test_a_cell_that_is_none_is_refused_and_the_last_good_stays(typed, reason):
    app = fine(put(opened("lstm", gates="0.5, 0, 0, 0, 0"), {"gates": typed}))
    assert reason in errors(app)
    assert app.session_state["gates-good"] == GateUnit(0.5, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def slider(monkeypatch):
    """A function that presses a group's button: it reports a slider, released at `typed`."""
    told, real = {}, ui.sliders

    def sliders(live, *, on_settled):
        real(live, on_settled=on_settled)
        name = f"let-go-{live.group}"
        st.button(name, key=name, on_click=lambda: on_settled(dict(told)))

    monkeypatch.setattr(ui, "sliders", sliders)

    def let_go(app, group, name, typed):
        told.update(name=name, typed=typed)
        return fine(app.button(key=f"let-go-{group}").click().run())

    return let_go


def test_a_slider_of_the_cell_changes_one_number(slider):
    app = slider(opened("lstm"), "lstm", "z_f", "−1.5")
    assert app.session_state["gates"] == "0.8, -1.5, -6, 1.5, 3"
    slider(app, "lstm", "z_f", "77")
    assert "z_f must be from −20 to 20; got 77" in errors(app)
    assert cell(app)["z_f"] == -1.5


def test_a_slider_of_the_gradient_changes_one_number(slider):
    app = slider(opened("lstm", see=VANISHING), "vanish", "radius", "1.25")
    assert app.session_state["radius"] == "1.25"
    assert "ρ⁵⁰ = 1.25⁵⁰" in said(app)
    slider(app, "vanish", "forget_rate", "3")
    assert "the forget gate f must be from 0 to 1; got 3" in errors(app)


def test_the_example_of_the_gradient_shows_both():
    app = fine(choose(opened("lstm"), "preset-shown", "RNN fades, LSTM stays"))
    assert "gradient is 0.0007397 times as large: it vanishes" in said(app)
    assert "The LSTM's is 0.6910 times: it survives" in said(app)
    assert "random weights, not trained" in said(app)
    app = fine(choose(app, "preset-shown", "0.9⁵⁰ and 1.1⁵⁰"))
    assert "gradient is 59.17 times as large: it grows" in said(app)
    assert "The LSTM's is 0.6910 times: it survives" in said(app)
    app = fine(choose(app, "preset-shown", "Not solved"))
    assert "The LSTM's is 62.95 times: it grows" in said(app)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"input_rate": "2"}, "the input gate i must be from 0 to 1; got 2"),
        ({"input_rate": "x"}, "the input gate i must be a number"),
        ({"drive": "11"}, "the size of the inputs must be from 0 to 10; got 11"),
    ],
    ids=str,
)
def test_a_gradient_that_cannot_be_is_refused(settings, reason):
    assert reason in errors(fine(put(opened("lstm", see=VANISHING), settings)))


def test_the_text_that_is_read_stands_in_its_box():
    app = fine(opened("lstm", see=OVER))
    assert by_key(app.text_input, "lstm_text-shown").value == lstm_figures.TEXTS["lstm"]
    app = fine(choose(app, "lstm_reader-shown", "character_lstm"))
    assert by_key(app.text_input, "lstm_text-shown").value == lstm_figures.TEXTS["character_lstm"]
    assert not app.error


@pytest.mark.parametrize("reader", ["lstm", "character_lstm"])
def test_a_text_is_read_with_a_gate_held_or_not(reader):
    app = fine(opened("lstm", see=OVER, lstm_reader=reader))
    assert drawn(app, "table-next")["columns"] == ["next token", "p, free"]
    put(app, {"hold_gate": "forget", "hold_value": "1"})
    assert drawn(fine(app), "table-next")["columns"] == ["next token", "p, free", "p, held"]
    assert not app.error


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"lstm_text": "the dragon sleeps"}, "word 2 must be one of"),
        ({"lstm_text": "the dog " * 90}, "a text must have from 2 to 160 tokens"),
        ({"heat_unit": "11"}, "the unit must be from 0 to 10; got 11"),
        ({"hold_gate": "input", "hold_value": "3"}, "the input gate must be from 0 to 1; got 3"),
    ],
    ids=str,
)
def test_a_reading_that_cannot_be_is_refused(settings, reason):
    app = fine(put(opened("lstm", see=OVER), settings))
    assert reason in errors(app)


def test_the_best_units_are_listed_and_colour_a_text():
    app = fine(opened("lstm", see=CELLS))
    table = drawn(app, "table-units")
    assert len(table["labels"]) == 6
    unit = int(table["numbers"][0])
    letters = drawn(app, "letters-letters")
    assert letters["name"] == f"cell c, unit {unit}"
    assert len(letters["values"]) == len(letters["text"]) == len(letters["said"])
    put(app, {"cell_text": "“Ada sings.” B", "cell_unit": "4", "meaning": "position in line"})
    letters = drawn(fine(app), "letters-letters")
    assert letters["name"] == "cell c, unit 4"
    assert letters["said"][-1] == "; position in line 14"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"cell_unit": "11"}, "the unit must be from 0 to 10; got 11"),
        ({"cell_text": "Zebra!"}, "character 1 must be one of"),
    ],
    ids=str,
)
def test_a_text_or_unit_that_is_not_known_is_refused(settings, reason):
    assert reason in errors(fine(put(opened("lstm", see=CELLS), settings)))


def test_the_cells_of_a_run_of_this_session_can_be_looked_at(monkeypatch):
    types = len(quoted_text.VOCABULARY)
    trained = NeuralModel(LSTM(LSTMConfig(types, 5, 13), seed=9), quoted_text.VOCABULARY)
    plain = NeuralModel(RNN(RNNConfig(types, 5, 13)), quoted_text.VOCABULARY)
    own = {"mine": ModelEntry("LSTM, trained here", trained), "other": ModelEntry("RNN", plain)}
    monkeypatch.setattr(
        ui.models, "session_models", lambda source: own if source == "quoted" else {}
    )
    app = fine(opened("lstm", see=CELLS))
    assert "of 11 cells" in said(app)
    app = fine(put(app, {"cell_model": "mine"}))
    assert "of 13 cells" in said(app)
    (choice,) = [each for each in app.get("button_group") if each.label == "Cells of"]
    assert len(choice.options) == 2


@pytest.mark.parametrize("ends", [("0", "0"), ("2", "1")])
@pytest.mark.parametrize("linear", ["true", "false"])
def test_both_ends_of_the_gradient_sliders_show(ends, linear):
    radius, forget = ends
    address = {"see": VANISHING, "radius": radius, "forget_rate": forget, "linear": linear}
    app = fine(opened("lstm", **address))
    assert not app.error
    data = drawn(app, "vanish-vanish")
    now = dict(zip(data["names"], data["now"], strict=True))
    assert now["plain0"] == now["along_cell0"] == pytest.approx(1)
    assert now["along_cell50"] == float(forget)


def test_an_lstm_of_this_session_reads_a_text_as_well(monkeypatch):
    vocabulary = microworld().vocabulary
    trained = NeuralModel(LSTM(LSTMConfig(len(vocabulary), 5, 13), seed=9), vocabulary)
    plain = NeuralModel(RNN(RNNConfig(len(vocabulary), 5, 13)), vocabulary)
    own = {"mine": ModelEntry("LSTM, trained here", trained), "other": ModelEntry("RNN", plain)}
    monkeypatch.setattr(
        ui.models, "session_models", lambda source: own if source == "microworld" else {}
    )
    app = fine(opened("lstm", see=OVER, lstm_reader="mine"))
    assert not app.error
    assert "13 of 13 shown" in said(app)
    (choice,) = [each for each in app.get("button_group") if each.label == "A trained LSTM reads"]
    assert len(choice.options) == 3
    assert "lstm_reader in the address" in errors(opened("lstm", lstm_reader="other"))


@pytest.mark.parametrize(
    "name",
    ["quantity", "lstm_reader", "meaning", "cell_kind", "cell_model", "hold_gate", "linear"],
)
@pytest.mark.parametrize("view", ["Step by step", OVER])
def test_a_value_that_is_not_there_is_said_in_any_view_and_left_aside(name, view):
    app = fine(opened("lstm", see=view, **{name: "nonsense"}))
    (error,) = app.error
    assert error.value.replace("\\", "").startswith(f"{name} in the address must be one of")


def test_the_recall_is_shown_as_measured():
    app = fine(opened("lstm", see=RECALL))
    assert "The plain RNN:" in said(app) and "matters more than the" in said(app)
    assert "the plain RNN recalls 16%" in said(app) and "gives 12.5%; the LSTM 70%" in said(app)
    assert "Measured on" in said(app) and "Mixed distances, at 160" in said(app)


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ({"ask": "memory"}, "It is **0.8003**"),
        ({"ask": "turned"}, "It is **0.004216**"),
        ({"ask": "weights"}, "It is **98,816**"),
        ({"ask": "rnn", "see": VANISHING}, "It is **vanishes**"),
        ({"ask": "fifty", "see": VANISHING}, "It is **0.005154**"),
        ({"ask": "recalled", "see": RECALL}, "It is **16%**"),
    ],
    ids=str,
)
def test_the_questions_have_computed_answers(address, answer):
    app = fine(opened("lstm", **address))
    assert answer not in said(app)
    (reveal,) = [each for each in app.button if (each.key or "").startswith("reveal-")]
    assert answer in said(fine(reveal.click().run()))


def test_what_is_asked_is_hidden_until_it_is_answered():
    app = fine(opened("lstm", ask="memory"))
    assert set(drawn(app, "lstm-lstm")["hidden"]) == {"cell", "squashed", "hidden"}
    (reveal,) = [each for each in app.button if (each.key or "").startswith("reveal-")]
    assert not drawn(fine(reveal.click().run()), "lstm-lstm")["hidden"]
    asked = fine(opened("lstm", ask="rnn", see=VANISHING))
    assert drawn(asked, "vanish-vanish")["hidden"] == ["plain50"]
    asked = fine(opened("lstm", ask="recalled", see=RECALL))
    assert drawn(asked, "recall-recall")["hidden"] == ["alone rnn 20"]
    data = drawn(asked, "recall-recall")
    assert "16%" not in f"{data['sentences']} {data['formula']} {data['alt']}"


def test_the_code_is_that_of_the_module():
    app = fine(opened("lstm", see="Code"))
    assert "GateUnit(c_before=0.8" in said(app) and "def gate_step(" in said(app)


def test_every_beat_opens_and_a_beat_that_asks_hides():
    for number, beat in enumerate(LESSON.beats, start=1):
        app = fine(opened("lstm", present="1", beat=str(number)))
        assert not app.error
        if beat.hide:
            assert drawn(app, "lstm-lstm")["hidden"] == list(beat.hide)
            assert not LESSON.beats[number].hide


def test_a_choice_of_the_address_that_is_not_there_is_refused():
    assert "see in the address must be one of" in errors(opened("lstm", see="Nowhere"))
