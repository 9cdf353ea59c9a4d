"""What the page on heads says of a text is what its tensors hold, in words and in pictures."""

import numpy as np
import pytest
import torch

from lessons.heads import figures as maps
from lessons.heads import picture as figures
from lessons.heads import text as words
from lessons.heads.picture import HeadsSelection
from lmcore.attention import ablation, heads, weight_packing
from lmcore.attention.heads import Head
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.numbers import format_number
from lmcore.pretrained.reading import TokenizedText

CONFIG = TransformerConfig(31, width=24, heads=3, layers=2, hidden=40, longest=17, norm="post")
NETWORK = BERT(CONFIG, seed=7)
TOKENS = ("[CLS]", "a", "<b>", "cat", "[SEP]")
TEXT = TokenizedText(
    torch.tensor([1, 5, 6, 7, 2]),
    TOKENS,
    torch.zeros(5, dtype=torch.long),
    torch.tensor([True, False, False, False, True]),
    False,
)
SEEN = heads.trace_heads(NETWORK, TEXT)
PLAIN = {token: token for token in TOKENS}
MODES = pytest.mark.parametrize("mode", ["light", "dark"])


def test_the_picture_holds_every_weight_and_what_it_is_of():
    shown = figures.picture(SEEN, "a model")
    codes = weight_packing.unpack(shown["codes"], SEEN.weights.numel())
    assert np.array_equal(codes, weight_packing.encode(SEEN.weights).reshape(-1))
    assert (shown["layers"], shown["heads"], shown["pair"]) == (2, 3, False)
    assert shown["tokens"] == list(TOKENS)
    assert len(shown["scale"]) == len(shown["inks"]) == 256
    assert shown["of"] != figures.picture(heads.trace_heads(BERT(CONFIG, seed=8), TEXT), "m")["of"]


def test_what_is_open_travels_with_all_digits_and_nothing_followed_is_minus_1():
    sent = figures.open_head_payload(SEEN, HeadsSelection(Head(1, 2)), "x")
    assert sent["at"]["query"] == sent["at"]["key"] == -1
    assert np.array_equal(sent["weights"], SEEN.weights[1, 2].double().numpy())


def test_the_alt_text_names_the_largest_weight_between_words():
    said = figures.describe(SEEN, "a model")
    inner = SEEN.weights[..., 1:4, 1:4]
    assert format_number(float(inner.max())) in said
    assert "2 layers of 3 heads" in said and "5 tokens" in said


def test_the_notice_says_where_a_token_looks_and_which_head_gives_the_pair_most():
    said = " ".join(figures.notice(SEEN, HeadsSelection(Head(0, 1), 3, 1), PLAIN))
    row = SEEN.weights[0, 1, 3]
    assert f"**{format_number(float(row.max()))}**" in said
    top, most = heads.rank_heads(SEEN.weights[..., 3, 1])[0]
    assert "this one" in said if top == (0, 1) else format_number(most) in said
    assert "Of all 6 heads" in said
    assert "Of all" not in " ".join(figures.notice(SEEN, HeadsSelection(Head(0, 1)), PLAIN))
    assert "other text" not in said
    shift = " ".join(figures.notice(SEEN, HeadsSelection(Head(0, 1), 3, 1), PLAIN, elsewhere=0.25))
    assert "In the other text it gives " in shift
    assert "**0.25**" in shift


def test_the_three_heads_of_a_pattern_are_named_with_their_numbers():
    found = heads.head_statistics(SEEN.weights, TEXT)
    for name in figures.PATTERNS:
        for head, value in heads.rank_heads(getattr(found, name))[:3]:
            assert f"**{head}** ({format_number(value)}" in figures.pattern_words(found, name)
    labels, rows = figures.statistic_rows(found)
    assert labels == ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]
    assert rows[4, 0] == pytest.approx(float(found.entropy[1, 1]))


@MODES
def test_maps_hold_the_weights_and_tags_stay_text(mode):
    pair = [("one", TOKENS, SEEN.weights[0, 0]), ("<i>", TOKENS[:4], SEEN.weights[1, 1][:4, :4])]
    figure = maps.side_by_side(pair, mode)
    assert np.array_equal(figure.data[0].z, SEEN.weights[0, 0].double().numpy())
    assert (figure.data[0].zmin, figure.data[1].zmax) == (0, 1)
    assert figure.data[0].x[2] == "2 &lt;b&gt;"
    assert figure.layout.annotations[1].text == "&lt;i&gt;"


@MODES
def test_a_point_a_head_and_the_open_one_ringed(mode):
    numbers = heads.head_statistics(SEEN.weights, TEXT).entropy
    figure = maps.layer_scatter(numbers, "entropy", Head(1, 2), mode)
    assert list(figure.data[0].y) == numbers.reshape(-1).tolist()
    assert figure.data[2].y[0] == numbers[1, 2]
    best, most = heads.rank_heads(numbers)[0]
    assert f"head {best}: {format_number(most)}" in maps.describe_layer_scatter(numbers, "entropy")


@MODES
@pytest.mark.parametrize("measure", maps.MEASURES)
def test_what_each_head_is_worth_stands_in_its_cell(mode, measure):
    found = [e for layer in ablation.ablation_effects(NETWORK, SEEN, 3, "mute") for e in layer]
    figure = maps.effect_map(found, measure, Head(0, 0), mode)
    for each in found:
        assert figure.data[0].z[each.head.layer][each.head.head] == getattr(each, measure)
    most = max(found, key=lambda each: abs(getattr(each, measure)))
    assert f"{most.head} {format_number(getattr(most, measure))}" in maps.describe_effect_map(
        found, measure
    )
    said = words.surgery(found, measure, most.head, "“cat”", "muted", "“dog”")
    assert f"without head **{most.head}**" in said and said.endswith("It is the open head.")
    assert ("log p of “dog” changes by" in said) == (measure == "gained")
    last = min(found, key=lambda each: abs(getattr(each, measure)))
    assert "is number **6** of 6" in words.surgery(
        found, measure, last.head, "“cat”", "muted", None
    )


def test_the_shift_of_a_pair_is_told_with_both_weights():
    other = heads.trace_heads(BERT(CONFIG, seed=9), TEXT)
    shifts = heads.weight_shifts(SEEN, other, (3, 1), (3, 1))
    head, _ = heads.rank_heads(shifts.abs())[0]
    said = words.shift(SEEN, other, (3, 1), (3, 1), shifts, str)
    assert f"layer {head.layer}, head {head.head}" in said
    assert format_number(float(SEEN.weights[head][3, 1])) in said
    assert format_number(float(other.weights[head][3, 1])) in said
    table = words.shift_table(SEEN, other, (3, 1), (3, 1), shifts, head)
    rows = table["numbers"].reshape(6, 3)
    assert rows[:, 0] - rows[:, 1] == pytest.approx(rows[:, 2], abs=1e-6)
    assert table["labels"][0] == table["here"] == str(head)


def test_a_short_title_stands_whole_and_a_long_one_keeps_its_end():
    assert words.title("a cat", Head(1, 2)) == "a cat · head 1.2"
    assert words.title("x" * 30 + " too wide", Head(0, 0)).endswith("too wide · head 0.0")


def test_two_maps_are_described_by_the_followed_pair():
    pair = [("one", TOKENS, SEEN.weights[0, 0]), ("two", TOKENS[:2], SEEN.weights[1, 1][:2, :2])]
    said = words.describe_pair(pair, 3, 1)
    assert f"one: cat to a {format_number(float(SEEN.weights[0, 0, 3, 1]))}." in said
    assert "two: 2 tokens." in said


def test_a_masked_key_has_no_number_in_the_neuron_view():
    data = figures.meeting_data(heads.query_scores(SEEN, Head(0, 0), 2), SEEN, Head(0, 0), 2, 1)
    assert data["hidden"] == [False] * 5
    assert np.array_equal(data["weights"], SEEN.weights[0, 0, 2].double().numpy())
    assert len(data["products"]) == 5 * 8
