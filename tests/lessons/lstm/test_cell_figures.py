import json

import numpy as np
import pytest
import torch

from lessons.lstm import figures, picture
from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM, GateClamp, LSTMConfig
from lmcore.recurrence import gate_clamping, unit_probes, vanishing
from lmcore.recurrence.gates import GateUnit, trace_gates
from lmcore.recurrence.vanishing import VanishingSpec
from lmcore.vocabulary import Vocabulary
from ui.live import SLOT

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
    """The names that templates in some data stand for."""
    return {name for name, _ in SLOT.findall(json.dumps(data, ensure_ascii=False))}


@pytest.mark.parametrize("quantity", figures.QUANTITIES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_heat_map_shows_the_first_units_at_every_token(quantity, mode):
    (strip,) = figures.heat(FREE, quantity, NAMES, mode).data
    z = np.array(strip.z)
    assert z.shape == (figures.SHOWN, 5)
    assert z[31, 3] == pytest.approx(float(getattr(FREE.layer, quantity)[0, 3, 31]))
    symmetric = quantity not in figures.GATES
    assert strip.zmin == (-strip.zmax if symmetric else 0)
    assert "32 of 37" in figures.heat_reading(FREE, quantity)
    assert figures.QUANTITIES[quantity] in figures.describe_heat(FREE, quantity, NAMES)


def test_marks_that_cannot_be_seen_and_tags_are_written_out_on_the_axis():
    figure = figures.heat(FREE, "cell", NAMES, "light")
    assert list(figure.layout.xaxis.ticktext) == ["&lt;s&gt;", "dog", "⏎", "dog", "␣"]


def test_one_unit_has_its_gates_above_its_signed_numbers():
    upper, lower = figures.unit_strips(FREE, 36, NAMES, "dark").data
    assert list(upper.y) == ["f", "i", "o"] and list(lower.y) == ["c̃", "c", "h"]
    assert np.array(lower.z)[1] == pytest.approx(FREE.layer.cell[0, :, 36].double().numpy())
    assert figures.describe_unit(FREE, 36).startswith("Unit 36")


def test_gradients_stand_beside_each_other_and_nothing_is_drawn_where_there_is_none():
    free, held = figures.gradient_back(BOTH, NAMES[:-1], "light").data
    assert (free.name, held.name) == ("free", "held")
    assert free.y == pytest.approx(FREE.gradient.double().numpy())
    gone = FREE._replace(gradient=torch.zeros(4))
    assert set(figures.gradient_back({"free": gone}, NAMES, "light").data[0].y) == {None}
    assert "free:" in figures.describe_gradient(BOTH) and "held:" in figures.describe_gradient(BOTH)
    assert "free" in figures.losses_words(BOTH)


def test_the_next_tokens_are_those_of_the_free_reading_with_both_probabilities():
    rows = figures.next_rows(BOTH, WORDS, most=9)
    assert len(rows) == 4
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)
    for column in (1, 2):
        assert sum(row[column] for row in rows) == pytest.approx(1, abs=1e-6)


def test_letters_carry_a_value_and_what_is_so_there():
    text = "“Ada.”\nB"
    labels = quoted_text.labels(text)
    values = np.linspace(-2, 1, len(text))
    how = figures.coloured_letters(
        text, values, labels.inside_quotes, "cell c, unit 3", "inside quotes"
    )
    assert how["said"][:2] == ["; inside quotes", "; inside quotes"]
    assert how["said"][-1] == "; not inside quotes"
    assert how["reach"] == pytest.approx(np.quantile(np.abs(values), 0.95))
    how = figures.coloured_letters(text, values * 0, labels.column, "cell c, unit 3", "column")
    assert how["said"][-2:] == ["; column 0", "; column 1"]
    assert how["reach"] == 1


def test_found_units_are_rows_with_both_scores():
    found = unit_probes.ProbedUnit("inside quotes", "cell c", 3, 0.9, 0.8)
    assert figures.unit_rows([found]) == [("inside quotes · cell c", 3.0, 0.9, 0.8)]
    assert "2 of 11 cells" in figures.units_words(2, 11)


def test_the_texts_of_the_cell_ask_only_for_numbers_that_there_are():
    trace = trace_gates(GateUnit(0.8, 6.0, -6.0, 1.5, 2.0))
    drawn = picture.gates_picture()
    steps = [[s.formula, s.value, *(v for _, v in s.operands)] for s in picture.gates_steps()]
    assert slots([drawn, steps]) <= trace.by_name().keys()
    columns = [*drawn["writing"], *drawn["reading"]]
    assert {column["slot"] for column in columns} <= trace.by_name().keys()
    assert r"\underbrace{0.8}_{c_{t-1}}" in picture.gates_formula(trace)


def test_the_notice_of_the_cell_calls_the_gates_what_they_are():
    first, second, _ = picture.gates_notice(trace_gates(GateUnit(0.8, 6.0, -6.0, 1.5, -6.0)))
    assert "forget gate is open" in first and "input gate shut" in first
    assert "shut" in second and "hidden" in second
    assert [picture.gate_state(gate) for gate in (0.05, 0.5, 0.95)] == ["shut", "half open", "open"]


def test_the_curves_ask_only_for_numbers_that_there_are():
    spec = VanishingSpec(0.9, 0.95)
    found = vanishing.gains(spec)
    drawn = picture.vanishing_picture(spec)
    assert slots(drawn) <= found.by_name().keys()
    for curve in drawn["curves"]:
        assert f"{curve['name']}50" in found.by_name()
    assert "ρ(W_h) = 0.9" in picture.vanishing_notice(spec, found)[0]
    assert picture.gain_after_fifty_steps() == pytest.approx(0.9**50)


@pytest.mark.parametrize(
    ("gain", "word"),
    [(1e-9, "vanishes"), (0.1, "fades"), (1.0, "survives"), (50.0, "grows"), (1e3, "explodes")],
)
def test_a_gain_has_a_word(gain, word):
    assert picture.gain_words(gain) == word
