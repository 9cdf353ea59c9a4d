"""The figures of the RNN page show the numbers that they are given."""

import inspect
import math

import numpy as np
import pytest
import torch

from drawing import theme
from drawing.live import SLOT, LiveNumbers
from lessons.rnn import rnn_figures, rnn_picture, rnn_text
from lmcore.models.rnn import RNN, RNNConfig
from lmcore.recurrence.receptive_field import RecurrentStack, parameter_counts, receptive_field
from lmcore.recurrence.truncated_bptt import truncate
from lmcore.recurrence.unrolled import (
    PHASES,
    RNNMatrices,
    UnrolledPosition,
    summarize_losses,
    unit_trace,
    unroll,
)
from lmcore.vocabulary import Vocabulary

VOCABULARY = Vocabulary(("<s>", "a", "b", "c", "d", "e", "f"))
NETWORK = RNN(RNNConfig(7, 5, 11), seed=3).double()
WALK = UnrolledPosition((0, 3, 1, 2), step=2, phase="h", unit=6)
WEIGHTS = RNNMatrices.from_network(NETWORK)
SEEN = unroll(WEIGHTS, WALK.tokens)
TRUTH = torch.tensor([0.5, 2.0, 1.0], dtype=torch.float64)
TABLE = rnn_picture.numbers(WALK, SEEN, unit_trace(WEIGHTS, SEEN, WALK.unit), TRUTH)
LOSSES = summarize_losses(torch.tensor([0.5, 2.0, 1.0], dtype=torch.float64))
SPELLED = ["<s>", "c", "a", "b"]
NORMS = torch.tensor([[1.0, 0, 0], [0.5, 1, 0], [1e-12, 0.5, 1]])
MODES = ("light", "dark")


def shown():
    return rnn_picture.picture(WALK, SEEN, WEIGHTS, VOCABULARY, table=TABLE, whole=False)


def told(truth=TRUTH, losses=SEEN.losses):
    return rnn_text.walk_facts(WALK, SEEN._replace(losses=losses), VOCABULARY, truth)


def row(t, phase):
    return (t - 1) * len(PHASES) + PHASES.index(phase)


def test_the_picture_holds_the_trace():
    how = shown()
    assert how["words"] == SPELLED and how["ids"] == list(WALK.tokens)
    assert np.array_equal(how["h"]["values"], SEEN.hidden.numpy())
    assert (how["e"]["shown"], how["e"]["size"]) == (5, 5)
    assert how["e"]["reach"] == float(SEEN.embedding.abs().max())
    assert how["h"]["reach"] == 1
    assert how["table"].shape == (4, len(TABLE))
    best = SEEN.probabilities.max(dim=1)
    assert how["chances"][:, 0].tolist() == best.values.tolist()
    assert [row[0] for row in how["choices"]] == VOCABULARY.decode(best.indices.tolist())


def test_a_strip_says_which_part_of_a_wide_layer_it_shows():
    found = rnn_picture.strip("e", "embedding", torch.zeros(2, 50, dtype=torch.float64), 32)
    assert (found["shown"], found["size"], found["values"].shape) == (32, 50, (2, 32))
    assert found["reach"] == 1


def test_the_code_is_the_source_and_every_phase_has_a_line():
    rows = rnn_picture.code_lines()
    assert "\n".join(row["text"] for row in rows) == inspect.getsource(unroll).rstrip()
    phases = [row["phase"] for row in rows if row["phase"]]
    assert tuple(dict.fromkeys(phases)) == PHASES
    assert phases.count("h") == 2


def test_the_weights_are_named_once_with_their_shapes():
    assert shown()["same"] == ["Wₓ 11×5", "Wₕ 11×11", "U 7×11"]


def test_each_quantity_of_each_step_has_a_sentence_and_a_formula_of_known_numbers():
    of = told()
    sentences, formulas = rnn_text.sentences(of), rnn_text.formulas(of)
    assert len(sentences) == len(formulas) == 4 * len(PHASES)
    every = [*sentences, *(part for parts in formulas for part in parts), rnn_text.describe(of)]
    assert {name for text in every for name, *_ in SLOT.findall(text)} <= set(TABLE)
    assert sentences[row(2, "x")].startswith("Step 2 of 4 reads **c**.")
    assert formulas[row(2, "J")][0].startswith("[loss|J(2)] = −log ŷ₂[a]")
    assert "is not known" in sentences[row(4, "J")]


def test_the_texts_of_a_row_are_chosen_by_its_numbers():
    for t in range(1, 5):
        assert TABLE["@say"][t - 1] == TABLE["@formula"][t - 1] == row(t, WALK.phase)
        assert TABLE["@t"][t - 1] == TABLE["t"][t - 1] == t


def test_what_is_to_be_predicted_is_in_no_text():
    favourite = told().favourites[1]
    hidden = rnn_text.sentences(told(), ("y", "J"))[row(2, "y")]
    assert f"**{favourite}**" not in hidden and "Which has the highest?" in hidden
    assert favourite not in rnn_text.formulas(told(), ("y",))[row(2, "y")][1]
    assert "What is the loss" in rnn_text.sentences(told(), ("J",))[row(2, "J")]


def test_the_step_table_is_filled_from_the_numbers():
    now = np.array([float(values[1]) for values in TABLE.values()])
    live = LiveNumbers("rnn", tuple(TABLE), now)
    rows = rnn_picture.unit_steps(WALK, (5, 11))
    filled = [live.fill(row.formula) + live.fill(row.value) for row in rows]
    assert all("{" not in text for text in filled)
    assert len(rows[1].operands) == 5 + 1 and len(rows[2].operands) == 8 + 1
    assert all("{" not in live.fill(text) for row in rows for _, text in row.operands)


def test_a_loss_tells_a_hard_word_from_one_that_nobody_says():
    losses = torch.tensor([0.5, 2.0, 0.01, math.nan], dtype=torch.float64)
    said = rnn_text.sentences(told(losses=losses))
    assert "“a” came next" in said[row(2, "J")] and "the largest here" in said[row(2, "J")]
    assert said[row(2, "J")].endswith("All of it is chance, which no model can predict.")
    assert said[row(3, "J")].endswith("nearly certain, and right.")
    poor = rnn_text.sentences(told(TRUTH - 0.5, losses))[row(2, "J")]
    assert poor.endswith("{grammar} nats are unavoidable; the model adds {own}.")
    never = told(torch.full((3,), math.inf, dtype=torch.float64), losses)
    assert "never produces this" in rnn_text.sentences(never)[row(2, "J")]


def test_what_was_typed_stands_for_itself_in_every_text():
    typed = Vocabulary(("<s>", "a", "[b|", "{c}", "d", "e", "f"))
    of = rnn_text.walk_facts(WALK, SEEN, typed, TRUTH)
    assert of.words[1] == r"\{c\}" and of.words[3] == r"\[b\|"


@pytest.mark.parametrize("mode", MODES)
def test_bars_are_the_losses_and_what_is_impossible_has_no_mark(mode):
    truth = torch.tensor([0.4, math.inf, 1.0], dtype=torch.float64)
    bars, casing, mean, marks = rnn_figures.loss_bars(LOSSES, truth, SPELLED, mode).data
    assert list(bars.x) == ["1: c", "2: a", "3: b"]
    assert list(bars.y) == [0.5, 2, 1]
    assert list(mean.y) == [0.5, 1.25, pytest.approx(3.5 / 3)]
    assert list(marks.y) == [0.4, None, 1]
    assert casing.y == mean.y and casing.line.width > mean.line.width
    assert casing.line.color == marks.marker.color == theme.BACKGROUND[mode]
    assert bars.marker.color == theme.ROLES["loss"][mode]
    assert "a 2" in rnn_figures.describe_losses(LOSSES, SPELLED)


@pytest.mark.parametrize("mode", MODES)
def test_gradients_are_on_a_logarithmic_scale_and_what_is_cut_is_marked(mode):
    cut = truncate(NORMS, 2)
    heat, marks = rnn_figures.gradient_map(NORMS, cut, SPELLED, mode).data
    assert heat.z[0][0] == 0 and heat.z[0][1] is None
    assert heat.z[1][0] == pytest.approx(math.log10(0.5))
    assert heat.z[2][0] == rnn_figures.DEEPEST
    assert (list(marks.x), list(marks.y)) == (["1: &lt;s&gt;"], ["3: a"])
    assert "keeps 5 of 6 pairs" in rnn_figures.describe_gradients(NORMS, cut)
    assert "5 of 6 gradients" in rnn_figures.reach_words(cut, 0.5, 1.2)


@pytest.mark.parametrize("mode", MODES)
def test_sizes_are_two_lines_one_of_them_flat(mode):
    found = parameter_counts(RNNConfig(7, 5, 11))
    growing, flat = rnn_figures.size_curves(found, mode).data
    assert list(growing.y) == list(found.feedforward)
    assert set(flat.y) == {found.rnn}
    assert f"{found.rnn:,}" in rnn_figures.describe_sizes(found)
    assert "**55** parameters" in rnn_figures.size_words(found)


@pytest.mark.parametrize("mode", MODES)
def test_a_place_has_a_mark_for_each_word_it_sees(mode):
    (marks,) = rnn_figures.receptive_field_map(
        receptive_field(RecurrentStack(2), 4), SPELLED, mode
    ).data
    assert len(marks.x) == 10
    assert "first place sees 1 of 4 words, the last 4" in rnn_figures.describe_receptive_field_map(
        receptive_field(RecurrentStack(2), 4)
    )


def test_a_stack_says_its_price_and_whether_it_can_predict():
    config = RNNConfig(7, 5, 11)
    assert f"**{config.parameters:,}**" in rnn_figures.stack_words(RecurrentStack(), config)
    assert "language model needs" in rnn_figures.stack_words(RecurrentStack(), config)
    assert "fill a gap" in rnn_figures.stack_words(RecurrentStack(bidirectional=True), config)


def test_the_loss_is_written_with_and_without_its_log():
    assert r"1.167\ \text{nats}" in rnn_figures.loss_formula(LOSSES)
    assert f"**−{math.fsum(math.exp(-j) for j in (0.5, 2, 1)) / 3:.4f}**" in (
        rnn_figures.loss_without_log_words(LOSSES)
    )
