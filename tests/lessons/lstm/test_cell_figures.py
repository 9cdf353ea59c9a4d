import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from drawing.live import SLOT, LiveNumbers
from lessons.lstm import lstm_figures, lstm_picture, lstm_text, lstm_views, vanish_view
from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM, GateClamp, LSTMConfig
from lmcore.recurrence import gate_clamping, unit_probes, vanishing
from lmcore.recurrence.gates import GateUnit, trace_gates
from lmcore.vocabulary import Vocabulary

WORDS = Vocabulary(("<s>", "\n", "dog", " "), "word")
NETWORK = LSTM(LSTMConfig(4, 5, 37), seed=2)
TOKENS = [0, 2, 1, 2, 3]
FREE = gate_clamping.trace_clamped(NETWORK, torch.tensor(TOKENS))
BOTH = {
    "free": FREE,
    "held": gate_clamping.trace_clamped(NETWORK, torch.tensor(TOKENS), (GateClamp("input", 0.0),)),
}
NAMES = WORDS.decode(TOKENS)


def slots(data):
    """The names of the numbers that the templates in `data` contain."""
    return {name for name, *_ in SLOT.findall(json.dumps(data, ensure_ascii=False))}


@pytest.mark.parametrize("quantity", lstm_figures.QUANTITIES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_heat_map_shows_the_first_units_at_every_token(quantity, mode):
    (strip,) = lstm_figures.heat(FREE, quantity, NAMES, mode).data
    z = np.array(strip.z)
    assert z.shape == (lstm_figures.SHOWN, 5)
    assert z[31, 3] == pytest.approx(float(getattr(FREE.layer, quantity)[0, 3, 31]))
    symmetric = quantity not in lstm_figures.GATES
    assert strip.zmin == (-strip.zmax if symmetric else 0)
    assert "32 of 37" in lstm_figures.heat_reading(FREE, quantity)
    assert lstm_figures.QUANTITIES[quantity] in lstm_figures.describe_heat(FREE, quantity, NAMES)


def test_marks_that_cannot_be_seen_and_tags_are_written_out_on_the_axis():
    figure = lstm_figures.heat(FREE, "cell", NAMES, "light")
    assert list(figure.layout.xaxis.ticktext) == ["&lt;s&gt;", "dog", "⏎", "dog", "␣"]


def test_one_unit_has_its_gates_above_its_signed_numbers():
    upper, lower = lstm_figures.unit_strips(FREE, 36, NAMES, "dark").data
    assert list(upper.y) == ["f", "i", "o"] and list(lower.y) == ["c̃", "c", "h"]
    assert np.array(lower.z)[1] == pytest.approx(FREE.layer.cell[0, :, 36].double().numpy())
    assert lstm_figures.describe_unit(FREE, 36).startswith("Unit 36")


def test_gradients_stand_beside_each_other_and_nothing_is_drawn_where_there_is_none():
    free, held = lstm_figures.gradient_back(BOTH, NAMES[:-1], "light").data
    assert (free.name, held.name) == ("free", "held")
    assert free.y == pytest.approx(FREE.gradient.double().numpy())
    gone = FREE._replace(gradient=torch.zeros(4))
    assert set(lstm_figures.gradient_back({"free": gone}, NAMES, "light").data[0].y) == {None}
    assert "free:" in lstm_figures.describe_gradient(
        BOTH
    ) and "held:" in lstm_figures.describe_gradient(BOTH)
    assert "free" in lstm_figures.losses_words(BOTH)


def test_the_next_tokens_are_those_of_the_free_reading_with_both_probabilities():
    rows = lstm_figures.next_rows(BOTH, WORDS, most=9)
    assert len(rows) == 4
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)
    for column in (1, 2):
        assert sum(row[column] for row in rows) == pytest.approx(1, abs=1e-6)


def test_letters_carry_a_value_and_what_is_so_there():
    text = "“Ada.”\nB"
    labels = quoted_text.labels(text)
    values = np.linspace(-2, 1, len(text))
    how = lstm_figures.coloured_letters(
        text, values, labels.inside_quotes, "cell c, unit 3", "inside quotes"
    )
    assert how["said"][:2] == ["; inside quotes", "; inside quotes"]
    assert how["said"][-1] == "; not inside quotes"
    assert how["reach"] == pytest.approx(np.quantile(np.abs(values), 0.95))
    how = lstm_figures.coloured_letters(text, values * 0, labels.column, "cell c, unit 3", "column")
    assert how["said"][-2:] == ["; column 0", "; column 1"]
    assert how["reach"] == 1


def test_found_units_are_rows_with_both_scores():
    found = unit_probes.ProbedUnit("inside quotes", "cell c", 3, 0.9, 0.8)
    assert lstm_figures.unit_rows([found]) == [("inside quotes · cell c", 3.0, 0.9, 0.8)]
    assert "2 of 11 cells" in lstm_figures.units_words(2, 11)


def test_the_texts_of_the_cell_ask_only_for_numbers_that_there_are():
    trace = trace_gates(GateUnit(0.8, 6.0, -6.0, 1.5, 2.0))
    told = [lstm_text.SENTENCES, lstm_text.FORMULA, lstm_text.ALT]
    steps = [[s.formula, s.value, *(v for _, v in s.operands)] for s in lstm_picture.gates_steps()]
    assert slots([told, steps]) <= trace.by_name().keys()
    assert set(lstm_picture.cell_picture()["named"]) <= trace.by_name().keys()
    assert r"\underbrace{0.8}_{c_{t-1}}" in lstm_picture.gates_formula(trace)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ((0.8, 6, -6, 1.5, 3), "The forget gate keeps ==[weight|0.9975]== of the memory"),
        ((0.8, 0, 0, 1.5, 3), "The forget gate keeps ==[weight|0.5]== of the memory"),
        ((0.8, -6, 6, -1.5, 3), "keeps only ==[weight|0.002473]== of the memory, the candidate"),
        ((0.8, -6, -6, 1.5, 3), "Both gates are shut: ==[weight|0.002473]=="),
        ((0.8, 6, 6, 1.5, 3), "Both gates are open: 0.7980 is kept and ==[input|0.9029]== is"),
        ((0.8, 6, 6, 1.5, -6), "The output gate lets only ==[weight|0.002473]== through"),
    ],
    ids=str,
)
def test_the_sentence_calls_the_gates_what_they_are(cell, said):
    trace = trace_gates(GateUnit(*map(float, cell)))
    found = {name: float(value) for name, value in lstm_picture.findings(trace).items()}
    name, sentence = lstm_text.SENTENCES[int(found["@say"])]
    numbers = {name: float(value) for name, value in trace.by_name().items()}
    live = LiveNumbers("cell", tuple(numbers), np.array(list(numbers.values())))
    assert said in live.fill(sentence)
    assert f"{{{name}}}" in sentence.partition("==")[2]


def test_the_scale_of_the_memory_holds_all_its_levels():
    trace = trace_gates(GateUnit(-20.0, 20.0, 20.0, -20.0, 3.0))
    assert float(lstm_picture.findings(trace)["reach"]) == 25
    trace = trace_gates(GateUnit(0.8, 6.0, -6.0, 1.5, 2.0))
    assert float(lstm_picture.findings(trace)["reach"]) == 1


def test_the_curves_ask_only_for_numbers_that_there_are():
    found = vanishing.gains(vanish_view.KEEPS)
    live = vanish_view.slider_numbers(vanish_view.KEEPS, found)
    told = [
        lstm_text.vanishing_sentences(),
        lstm_text.VANISHING_FORMULA,
        lstm_text.describe_vanishing(vanish_view.KEEPS),
    ]
    drawn = lstm_picture.vanishing_picture()
    assert slots(told) <= set(live.names)
    for curve in drawn["curves"]:
        assert f"{curve['name']}50" in live.names
    assert drawn["named"] in live.names
    assert lstm_picture.gain_after_fifty_steps() == pytest.approx(0.9**50)


def test_the_plain_networks_gradient_vanishes_and_the_lstms_stays():
    found = vanishing.gains(vanish_view.KEEPS)
    assert found.plain[-1] < 0.001
    assert 0.5 < found.along_cell[-1] < 1 and 0.5 < found.all_paths[-1] < 1
    sentence = lstm_text.vanishing_sentences()[int(lstm_picture.vanishing_say(found))]
    assert "it **vanishes**" in sentence and "it **survives**" in sentence


def test_with_a_larger_radius_it_grows_and_the_lstms_stays():
    found = vanishing.gains(replace(vanish_view.KEEPS, radius=1.1, g="identity"))
    assert found.plain[-1] > 50 and 0.5 < found.all_paths[-1] < 1
    assert found.power[-1] == pytest.approx(1.1**50)


def test_with_its_input_gate_left_to_itself_the_lstms_grows():
    found = vanishing.gains(replace(vanish_view.KEEPS, write=None))
    assert found.all_paths[-1] > 10 and found.along_cell[-1] < 1
    sentence = lstm_text.vanishing_sentences()[int(lstm_picture.vanishing_say(found))]
    assert "times: it **grows**" in sentence


@pytest.mark.parametrize(
    ("gain", "word"),
    [(1e-9, "vanishes"), (0.1, "fades"), (1.0, "survives"), (50.0, "grows"), (1e3, "explodes")],
)
def test_a_gain_has_a_word(gain, word):
    assert lstm_picture.gain_words(gain) == word
    found = vanishing.Gains(*torch.full((4, 2), gain, dtype=torch.float64))
    sentence = lstm_text.vanishing_sentences()[int(lstm_picture.vanishing_say(found))]
    assert sentence.count(f"it **{word}**") == 2


def test_a_reader_opens_on_its_own_text_and_keeps_a_typed_one():
    words, letters = lstm_figures.TEXTS["lstm"], lstm_figures.TEXTS["character_lstm"]
    assert lstm_views.own_text("lstm", "") == lstm_views.own_text("mine", letters) == words
    assert lstm_views.own_text("character_lstm", words) == letters
    assert lstm_views.own_text("lstm", "the dog sleeps") == "the dog sleeps"
