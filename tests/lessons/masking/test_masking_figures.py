"""The texts and pictures of masks and leakage show the computed numbers."""

import math

import numpy as np
import pytest
import torch

from drawing.live import LiveNumbers
from lessons.masking import (
    leakage_picture,
    leakage_text,
    live_leakage_picture,
    live_leakage_text,
    masking_picture,
    masking_text,
)
from lmcore.masking import leakage, mask_pairs, under_mask
from lmcore.masking.leakage import Leakage
from lmcore.masking.mask_choice import MASK_KINDS, MaskChoice
from lmcore.masking.mask_pairs import HeadIndex, PaddingEffect, SoftmaxSteps
from lmcore.masking.without_causal_mask import load_recording
from lmcore.models import masks
from lmcore.numbers import format_number

GPT = under_mask.untrained_gpt()
WORDS = under_mask.encode_text("the cat sat")


def pair_of(choice, other="bidirectional", layer=0):
    return mask_pairs.text_pair(GPT, WORDS, MaskChoice(other), choice, HeadIndex(layer, 1))


def numbers_of(pair):
    names, table = masking_picture.numbers(pair)
    return LiveNumbers("", names, table[pair.chosen.at]), names, table


def told(pair, query, variant, **how):
    """The sentence on a query, with its numbers filled in."""
    at = len(masking_picture.VARIANTS) * query + masking_picture.VARIANTS.index(variant)
    return numbers_of(pair)[0].fill(masking_text.sentences(pair, str, **how)[at])


def test_the_picture_holds_the_numbers_of_the_tensors():
    pair = pair_of(MaskChoice("sliding", window=2))
    drawn = masking_picture.picture(pair, 2, paints=True, compares=False)
    assert (drawn["queries"], drawn["at"]) == (("<s>", "the", "cat", "sat"), 2)
    assert [each["paints"] for each in drawn["panels"]] == [True, False]
    assert drawn["text"] == "1000.1100.0110.0011"
    _, names, table = numbers_of(pair)
    place = {name: i for i, name in enumerate(names)}
    trace = pair.chosen.trace
    assert pair.chosen.values == (1, 2, 3, 4) and pair.chosen.at == 1
    grids = {"s": trace.scaled, "k": trace.masked, "w": trace.weights, "m": trace.mask}
    for value in range(4):
        for letter, grid in grids.items():
            for i in range(4):
                for j in range(4):
                    found = table[value, place[f"{letter}{i + 1}.{j + 1}"]]
                    assert found == float(grid[value, i, j])
        later = trace.weights[value].double().triu(1).sum(dim=1)
        ahead = torch.tensor([table[value, place[f"ahead{i + 1}"]] for i in range(4)])
        torch.testing.assert_close(ahead, later)
    assert table[1, place["o3.4"]] == float(pair.other.now.weights[0, 2, 3])
    assert masking_picture.slider(MaskChoice("sliding"), pair.chosen)[0] == "masking_window"
    assert masking_picture.slider(None, pair.chosen) is None


def test_the_number_at_the_end_of_a_row_is_what_the_masks_exchange():
    pair = pair_of(MaskChoice())
    drawn = masking_picture.picture(pair, 1, paints=False, compares=True)
    assert drawn["share"] == "given" and drawn["marks"][1] == "given2"
    assert [each["number"] for each in drawn["panels"]] == ["o", "w"]
    given = float(pair.other.now.weights[0, 1, 2:].double().sum())
    said = numbers_of(pair)[0].fill(masking_text.compared(pair, str, "given")[5])
    assert said.startswith(
        f"The causal mask takes =={format_number(given)}== of the weight of “the”"
    )
    pair = pair_of(MaskChoice("bidirectional"), other="causal")
    assert masking_picture.share_of(pair, compares=True) == "kept"
    kept = float(pair.chosen.now.weights[0, 1, 2:].double().sum())
    said = numbers_of(pair)[0].fill(masking_text.compared(pair, str, "kept")[5])
    assert said == (
        f"“the” gives =={format_number(kept)}== of its weight to words that the causal mask hides."
    )


def test_the_alt_text_says_who_sees_whom_and_with_which_weight():
    pair = pair_of(MaskChoice("painted", painted="1000.1100.0000.0011"))
    said = numbers_of(pair)[0].fill(masking_text.describe(pair, 1, compares=False))
    assert "the sees <s> the;" in said and "cat sees nothing" in said
    assert "Query 2, the, sees 2 words. Weights: <s> 0." in said and "cat 0, sat 0." in said


def test_the_sentence_says_what_is_seen_and_what_flows_from_later_words():
    pair = pair_of(MaskChoice())
    assert told(pair, 1, "cut") == (
        "“the” sees **2** of 4 words. The others become −∞, so words after it get ==0== of its "
        "weight."
    )
    assert told(pair, 3, "whole") == "“sat” sees **all 4** words, and none comes after it: ==0==."
    pair = pair_of(MaskChoice("painted", painted="1000.1110.1110.1111"))
    leaked = float(pair.chosen.now.weights[0, 1, 2])
    assert told(pair, 1, "ahead") == (
        f"The future leaks: “the” takes =={format_number(leaked)}== of its weight from words that "
        "come after it."
    )
    pair = pair_of(MaskChoice("permutation", order=(3, 1)))
    order = masking_text.reading_order(MaskChoice("permutation", order=(3, 1)), 4)
    assert order == "3 → 1 → 2 → 4"
    assert order in told(pair, 0, "ahead", order=order)


def test_the_sentence_while_a_slider_moves_and_the_formula_follow_the_row():
    pair = pair_of(MaskChoice("prefix", known=2))
    assert "{sees2}" in masking_text.moved(pair, 1, str) and "{ahead2<}" in masking_text.moved(
        pair, 1, str
    )
    parts = masking_text.formulas(pair, 4)
    assert len(parts) == 16 and parts[4] == parts[7]
    said = numbers_of(pair)[0].fill(parts[4][1])
    assert said.count("−∞") == 2 and said.endswith("0, 0])**")
    assert (
        masking_text.change_words(0.5, 0.2) == "It shrinks"
        and masking_text.change_words(0.5, 0.5) == "It stays"
    )


def test_a_row_that_sees_nothing_is_explained():
    pair = pair_of(MaskChoice("painted", painted="0000.1100.1110.1111"))
    said = told(pair, 0, "blind")
    assert "may look at nothing" in said and "==0==, not nan" in said
    steps = mask_pairs.softmax_steps(pair.chosen, 0)
    assert r"\alpha_{1,j} = 0" in masking_picture.softmax_formula(steps, 0)


def test_the_formula_divides_the_powers_of_what_is_seen():
    row = torch.tensor([0.0, math.log(3.0), 5.0], dtype=torch.float64)
    masked = row.masked_fill(torch.tensor([False, False, True]), -math.inf)
    said = masking_picture.softmax_formula(
        SoftmaxSteps(row, masked, masked.exp(), masked.softmax(0)), 1
    )
    assert r"\alpha_{2,2}" in said and r"\frac{3}{1 + 3}" in said and said.endswith("0.75")
    rows = masking_picture.step_rows(
        ("a", "b", "c"), SoftmaxSteps(row, masked, masked.exp(), masked.softmax(0)), None
    )
    assert rows[2] == ("3: c", 5.0, -math.inf, 0.0, 0.0)


def test_padding_is_said_with_its_numbers():
    said = masking_text.padding_words(PaddingEffect(0.25, 0.0), 1, 2)
    assert "Text 2 has 2 [PAD]" in said and "**0.25**" in said and "rounding" not in said
    said = masking_text.padding_words(PaddingEffect(0.25, 1e-9), 1, 2)
    visible, _, masked = said.partition("with the padding mask")
    assert "**0.25**" in visible and masked == ", by **1×10⁻⁹**, which is rounding."
    assert "no [PAD]" in masking_text.padding_words(PaddingEffect(0.0, 0.0), 0, 0)


def test_what_a_stream_of_a_permutation_sees_is_said():
    assert "content stream" in masking_text.stream_words(MaskChoice("permutation"))
    assert "must predict" in masking_text.stream_words(MaskChoice("permutation", content=False))


@pytest.mark.parametrize("kind", MASK_KINDS)
def test_the_snippet_prints_the_grids(kind, capsys):
    pair = pair_of(MaskChoice(kind, painted="1000.1100.0000.0011"), layer=1)
    script = masking_text.snippet(pair, HeadIndex(1, 1), model=None, ids=[WORDS.ids])
    space = {}
    exec(script, space)
    torch.testing.assert_close(space["trace"].weights, pair.chosen.now.weights)
    assert "inf" in capsys.readouterr().out or kind == "bidirectional"


def test_the_snippet_of_a_decoder_prints_its_look_at_the_source():
    source, target = under_mask.number_words(
        [WORDS, under_mask.encode_text("die katze", start=False)]
    )
    pair = mask_pairs.cross_attention_pair(
        under_mask.untrained_transformer(), source, target, HeadIndex(0, 2)
    )
    space = {}
    exec(
        masking_text.snippet(pair, HeadIndex(0, 2), model=None, ids=[source.ids, target.ids]), space
    )
    assert torch.equal(space["trace"].weights, pair.chosen.now.weights)


def leak_of(mask, at, *, blank=False):
    """The sentence on a changed token, its numbers, and the measured leakage."""
    found = leakage.leakage(mask, torch.tensor(WORDS.ids), blank=blank)
    now = leakage_picture.numbers(found, mask, at, blank=blank)
    live = LiveNumbers("", tuple(now), leakage_picture.swept([now])[0])
    return live.fill(leakage_text.sentences(WORDS.tokens, str)[int(now["@say"])]), now, found


def test_leakage_is_said_by_its_own_numbers():
    said, now, _ = leak_of(masks.causal(4), 1)
    assert said == (
        "Change “the”: of 1 outputs before it, ==0== move, in any of 4 layers. From it on, **3** "
        "of 3 do."
    )
    assert now["r0.2"] == 1 and now["r0.1"] == 0 and now["m1.2"] == 0 and now["m2.1"] == 1
    said, now, _ = leak_of(masks.bidirectional(4), 2)
    assert said == "The future leaks: change “cat”, and ==2== of 2 outputs before it move."
    said, now, _ = leak_of(masks.sliding(4, 2), 0)
    assert [now[f"n{depth}"] for depth in (1, 2, 3, 4)] == [2, 3, 4, 4]
    assert said == "Change “<s>”, the first: through 4 layers, ==4== of 4 outputs move."
    said, now, found = leak_of(masks.bidirectional(4), 2, blank=True)
    own = format_number(float(found.moved[1, 2, 2]))
    assert f"after 2 layers “cat” moves its own prediction by =={own}==" in said
    said, *_ = leak_of(masks.permutation([2, 0, 1, 3]), 2, blank=True)
    assert said == "“cat” never reaches the place that must predict it, which moves by ==0==."


def test_a_disagreement_is_counted():
    moved = torch.eye(3, dtype=torch.float64)[None]
    found = Leakage(moved, torch.ones(1, 3, 3, dtype=torch.bool))
    assert leakage_text.formula(found)[2] == "paths and measurement agree in **3 of 9** cells"


def test_the_leak_picture_holds_what_was_measured():
    *_, found = leak_of(masks.causal(4), 2)
    drawn = leakage_picture.picture(found, WORDS.tokens, blank=False)
    assert ((torch.from_numpy(drawn["every"]) > 0) == (found.moved > 0)).all()
    shades = leakage_picture.shades(torch.tensor([1.0, 0.01, 1e-9, 0.0])).tolist()
    assert shades == pytest.approx([1, 0.5, 0.1, 0])
    assert "{n4}" in leakage_text.describe()


def test_both_recorded_models_are_drawn_with_their_texts():
    recording = load_recording()
    drawn = live_leakage_picture.picture(recording, [], [])
    assert [each["end"] for each in drawn["curves"]] == ["with", "without"]
    assert drawn["steps"] == recording.steps and len(drawn["curves"][0]["texts"]) == 3
    now = live_leakage_picture.numbers(recording, [])
    assert now["without"] < now["truth"] < now["with"] < now["alone"]
    live = LiveNumbers("", tuple(now), np.array(list(now.values())))
    (said,) = live_leakage_text.sentences(begun=False)
    assert f"=={format_number(recording.runs[1].loss)}== nats" in live.fill(said)
    assert len(live_leakage_text.sentences(begun=True)) == 2


def test_the_readers_are_compared_in_nats():
    columns = {"left": torch.tensor([0.5, 0.5]), "both": torch.tensor([1.0, 0.25])}
    said = masking_picture.readers_words(columns)
    assert f"left **{format_number(math.log(2))}**" in said
    assert f"both **{format_number(math.log(4) / 2)}**" in said
    assert masking_picture.readers_rows(["a", "b"], columns) == [("a", 0.5, 1.0), ("b", 0.5, 0.25)]
    formula = masking_picture.readers_formula(("<s>", "a$}", "b"), 1)
    assert r"\mid \langle\text{s}\rangle)" in formula and r"\square\ \text{b}" in formula
    assert "$" not in formula


def test_words_on_an_axis_are_no_tags():
    moved = torch.tensor([0.1, 0.2])
    figure = masking_picture.difference_bars(moved, ("<b>x", "a&b"), "light")
    assert list(figure.data[0].x) == ["1: &lt;b&gt;x", "2: a&amp;b"]
    assert "a&b 0.2" in masking_picture.describe_differences(moved.double(), ("<b>x", "a&b"))
