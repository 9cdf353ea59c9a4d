"""The texts and pictures of the Heads page show the numbers of the tensors."""

import numpy as np
import pytest
import torch

from lessons.heads import heads_figures, heads_picture, heads_row, heads_text
from lessons.heads.heads_picture import HeadsSelection, head_name
from lessons.heads.heads_row import OtherText
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
MODES = pytest.mark.parametrize("mode", ["light", "dark"])


def row(key=None, place=3, other=None, threshold=0.0):
    return heads_row.query_row(SEEN, place, key, other, threshold)


def numbers(shown, head):
    """The numbers of a head, by name."""
    return dict(zip(shown.names, shown.table[head.layer * 3 + head.head].tolist(), strict=True))


def there(query=3, tokens=TOKENS):
    """The row of the same query in another text."""
    weights = heads.trace_heads(BERT(CONFIG, seed=9), TEXT).weights[:, :, query]
    return OtherText(weights, tokens)


def test_the_weights_are_packed_and_what_they_are_of_is_known():
    sent = heads_picture.packed_weights(SEEN)
    codes = weight_packing.unpack(sent["codes"], sent["count"])
    assert np.array_equal(codes, weight_packing.encode(SEEN.weights).reshape(-1))
    other = heads.trace_heads(BERT(CONFIG, seed=8), TEXT)
    assert sent["of"] != heads_picture.packed_weights(other)["of"]


def test_the_picture_holds_every_heads_row_and_the_open_heads_weights():
    selection = HeadsSelection(Head(1, 2), special=True, between="AB")
    shown = row()
    how = heads_picture.picture(SEEN, selection, shown, of="x", model="a model", other="")
    assert (how["layers"], how["heads"], how["d_k"]) == (2, 3, 8)
    assert how["tokens"] == list(TOKENS) and (how["query"], how["key"]) == (3, -1)
    assert np.array_equal(how["numbers"], shown.table.reshape(-1))
    exact = np.frombuffer(how["exact"], dtype="<f4").reshape(5, 5)
    assert np.array_equal(exact, SEEN.weights[1, 2].float().numpy())
    assert how["hides"] and how["between"] == "all"  # a single text has no parts A and B
    assert len(how["scale"]) == len(how["inks"]) == 256


def test_a_row_has_the_numbers_of_each_head():
    other = there()
    shown = row(key=1, other=other, threshold=0.2)
    met = heads.row_scores(SEEN, 3)
    for layer in range(2):
        for head in range(3):
            found = numbers(shown, Head(layer, head))
            assert (found["@layer"], found["@head"]) == (layer, head)
            assert found["dot"] == met.scores[layer, head, 1].item()
            assert found["left"] == int((SEEN.weights[layer, head] >= 0.2).sum())
            for j in range(5):
                assert found[f"w{j}"] == SEEN.weights[layer, head, 3, j].item()
                assert found[f"s{j}"] == met.scaled[layer, head, j].item()
                assert found[f"o{j}"] == other.weights[layer, head, j].item()
    assert "o0" not in row().names
    assert [shown.focus(head) for head in range(6)] == [1] * 6
    best = SEEN.weights[:, :, 3].argmax(-1).flatten().tolist()
    assert [row().focus(head) for head in range(6)] == best


@pytest.mark.parametrize("head", range(6))
def test_the_sentence_says_what_the_changed_word_does_to_the_weight(head):
    other = there(tokens=("[CLS]", "a", "<b>", "cat", "dog"))
    shown = row(key=1, other=other)
    said = heads_text.sentences(SEEN, shown, other, str)
    found = numbers(shown, Head(*divmod(head, 3)))
    chosen = said[int(found["@say"])]
    change = found["o1"] - found["w1"]
    verb = "stays" if abs(change) < heads_row.STEADY else "rises" if change > 0 else "falls"
    assert f" {verb} from =={{w1}}== to " in chosen and "{o1}" in chosen
    assert "Change **[SEP]** to **dog**" in chosen
    assert heads_row.change(shown, head).startswith(verb)
    hidden = heads_row.expand_hidden(["other"], shown)
    assert {f"o{j}" for j in range(5)} < set(hidden)
    assert heads_row.other_name(TOKENS, other.tokens) == "with “dog”"
    assert heads_row.other_name(TOKENS, TOKENS[:3]) == "in the other text"


def test_the_sentence_names_the_key_with_the_largest_weight():
    said = heads_text.sentences(SEEN, row(), None, str)
    assert len(said) == 5
    for j, sentence in enumerate(said):
        assert f"=={{w{j}}}==" in sentence and TOKENS[j] in sentence
    said = heads_text.sentences(SEEN, row(key=1), None, str)
    assert "attends to [key|“\u2068a\u2069”] with weight =={w1}==" in said[2]
    assert "attends most to [key|“\u2068a\u2069”]: =={w1}==" in said[1]


def test_the_formula_has_the_numbers_of_the_marked_key():
    for j, parts in enumerate(heads_text.formulas(SEEN, row(), (), str)):
        assert parts[0].endswith("**[score|{dot}]**") and TOKENS[j] in parts[0]
        assert parts[1] == f"÷ √8 = **[score|{{s{j}}}]**"
        assert parts[2].startswith("softmax over 5 keys") and f"{{w{j}}}" in parts[2]
    assert len(heads_text.formulas(SEEN, row(key=2), (), str)) == 1
    (asked, *_) = heads_text.formulas(SEEN, row(), ("weights",), str)
    assert "α = ?" in asked[1]


def test_the_alt_texts_hold_the_row_and_the_largest_weight_between_words():
    said = heads_text.describe(SEEN, row(), "a model")
    assert "2 layers of 3 heads" in said and "layer {@layer}, head {@head}" in said
    assert all(f"{token} {{w{j}}}" in said for j, token in enumerate(TOKENS))
    inner = SEEN.weights[..., 1:4, 1:4]
    assert format_number(float(inner.max())) in heads_row.describe_largest(SEEN, "a model")


def test_four_different_tokens_can_be_chosen_among_the_largest():
    for head in range(6):
        options = heads_row.four_keys(TOKENS, row(), head)
        assert len(set(options)) == 4
        assert TOKENS[row().focus(head)] in options


def test_the_three_heads_of_a_pattern_are_named_with_their_numbers():
    found = heads.head_statistics(SEEN.weights, TEXT)
    for name in heads_picture.PATTERNS:
        for head, value in heads.rank_heads(getattr(found, name))[:3]:
            said = heads_picture.pattern_words(found, name)
            assert f"**layer {head.layer}, head {head.head}**, {format_number(value)}" in said
    every, table = heads_picture.statistic_rows(found)
    assert [str(head) for head in every] == ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]
    assert table[4, 0] == pytest.approx(float(found.entropy[1, 1]))


@MODES
def test_maps_hold_the_weights_and_tags_stay_text(mode):
    pair = [("one", TOKENS, SEEN.weights[0, 0]), ("<i>", TOKENS[:4], SEEN.weights[1, 1][:4, :4])]
    figure = heads_figures.side_by_side(pair, mode)
    assert np.array_equal(figure.data[0].z, SEEN.weights[0, 0].double().numpy())
    assert (figure.data[0].zmin, figure.data[1].zmax) == (0, 1)
    assert figure.data[0].x[2] == "2 &lt;b&gt;"
    assert figure.layout.annotations[1].text == "&lt;i&gt;"


@MODES
def test_a_point_a_head_and_the_open_one_ringed(mode):
    numbers = heads.head_statistics(SEEN.weights, TEXT).entropy
    figure = heads_figures.layer_scatter(numbers, "entropy", Head(1, 2), mode)
    assert list(figure.data[0].y) == numbers.reshape(-1).tolist()
    assert figure.data[2].y[0] == numbers[1, 2]
    best, most = heads.rank_heads(numbers)[0]
    assert f"{head_name(best)}: {format_number(most)}" in heads_figures.describe_layer_scatter(
        numbers, "entropy"
    )


@MODES
@pytest.mark.parametrize("measure", heads_figures.MEASURES)
def test_what_each_head_is_worth_stands_in_its_cell(mode, measure):
    found = [e for layer in ablation.ablation_effects(NETWORK, SEEN, 3, "mute") for e in layer]
    figure = heads_figures.effect_map(found, measure, Head(0, 0), mode)
    for each in found:
        assert figure.data[0].z[each.head.layer][each.head.head] == getattr(each, measure)
    most = max(found, key=lambda each: abs(getattr(each, measure)))
    assert (
        f"{head_name(most.head)}, {format_number(getattr(most, measure))}"
        in heads_figures.describe_effect_map(found, measure)
    )
    said = heads_text.surgery(found, measure, most.head, "“cat”", "muted", "“dog”")
    assert f"without **{head_name(most.head)}**" in said and said.endswith("It is the open head.")
    assert ("log p of “dog” changes by" in said) == (measure == "gained")
    last = min(found, key=lambda each: abs(getattr(each, measure)))
    sentence = heads_text.surgery(found, measure, last.head, "“cat”", "muted", None)
    assert f"The open head, {head_name(last.head)}, is number **6** of 6" in sentence


def test_the_shift_of_a_pair_is_told_with_both_weights():
    other = heads.trace_heads(BERT(CONFIG, seed=9), TEXT)
    shifts = heads.weight_shifts(SEEN, other, (3, 1), (3, 1))
    head, _ = heads.rank_heads(shifts.abs())[0]
    said = heads_text.shift(SEEN, other, (3, 1), (3, 1), shifts, str)
    assert f"layer {head.layer}, head {head.head}" in said
    assert format_number(float(SEEN.weights[head][3, 1])) in said
    assert format_number(float(other.weights[head][3, 1])) in said
    table = heads_text.shift_table(SEEN, other, (3, 1), (3, 1), shifts, head)
    values = table["numbers"].reshape(6, 3)
    largest = int(np.abs(values[:, table["by"]]).argmax())
    assert values[:, 0] - values[:, 1] == pytest.approx(values[:, 2], abs=1e-6)
    assert table["heads"][largest] == table["here"] == str(head)
    assert table["labels"][largest] == head_name(head)


def test_a_short_title_stands_whole_and_a_long_one_keeps_its_end():
    assert heads_text.title("a cat", Head(1, 2)) == "a cat · layer 1, head 2"
    assert heads_text.title("x" * 30 + " too wide", Head(0, 0)).endswith(
        "too wide · layer 0, head 0"
    )


def test_two_maps_are_described_by_the_followed_pair():
    pair = [("one", TOKENS, SEEN.weights[0, 0]), ("two", TOKENS[:2], SEEN.weights[1, 1][:2, :2])]
    said = heads_text.describe_pair(pair, 3, 1)
    assert f"one: cat to a {format_number(float(SEEN.weights[0, 0, 3, 1]))}." in said
    assert "two: 2 tokens." in said


def test_a_masked_key_has_no_number_in_the_neuron_view():
    data = heads_picture.meeting_data(
        heads.query_scores(SEEN, Head(0, 0), 2), SEEN, Head(0, 0), 2, 1
    )
    assert data["hidden"] == [False] * 5
    assert np.array_equal(data["weights"], SEEN.weights[0, 0, 2].double().numpy())
    assert len(data["products"]) == 5 * 8
