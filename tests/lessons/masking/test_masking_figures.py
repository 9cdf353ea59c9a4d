"""What is said and drawn of masks and of leakage is what was computed."""

import math

import pytest
import torch

from lessons.masking import leakage_picture as leaks
from lessons.masking import picture, text
from lmcore.masking import leakage, mask_pairs, under_mask
from lmcore.masking.leakage import Leakage
from lmcore.masking.mask_choice import MASK_KINDS, MaskChoice
from lmcore.masking.mask_pairs import HeadIndex, PaddingEffect, SoftmaxSteps
from lmcore.models import masks
from lmcore.numbers import format_number

GPT = under_mask.untrained_gpt()
WORDS = under_mask.encode_text("the cat sat")


def pair_of(choice, other="bidirectional", layer=0):
    return mask_pairs.text_pair(GPT, WORDS, MaskChoice(other), choice, HeadIndex(layer, 1))


def test_the_picture_holds_the_numbers_of_the_tensors():
    pair = pair_of(MaskChoice("sliding", window=2))
    drawn = picture.picture(pair, picture.MaskPictureOptions(2, True))
    assert (drawn["rows"], drawn["at"]) == (("<s>", "the", "cat", "sat"), 2)
    left, right = drawn["sides"]
    assert (left["paints"], right["paints"]) == (False, True)
    assert (right["values"], right["at"], right["hand"]["name"]) == ((1, 2, 3, 4), 1, "window")
    assert right["text"] == "1000.1100.0110.0011"
    for side, shown in ((left, pair.other), (right, pair.chosen)):
        for name in ("mask", "scaled", "weights"):
            assert torch.equal(torch.from_numpy(side[name]), getattr(shown.trace, name))
    assert drawn["reach"] == pytest.approx(
        max(float(each.trace.scaled.abs().max()) for each in (pair.other, pair.chosen))
    )
    assert len(drawn["signed"]["fills"]) == len(drawn["signed"]["inks"])


def test_the_alt_texts_say_who_sees_whom_and_looks_most_where():
    chosen = pair_of(MaskChoice("painted", painted="1000.1100.0000.0011")).chosen
    said = picture.describe_mask(chosen, WORDS.tokens)
    assert "the sees <s> the;" in said and "cat sees nothing" in said
    said = picture.describe_weights(chosen, WORDS.tokens)
    assert "<s> most at <s>, 1;" in said and "cat at nothing" in said


def test_the_notice_says_what_is_seen_and_what_the_mask_took():
    pair = pair_of(MaskChoice())
    found = mask_pairs.query_visibility(pair, 1)
    said = " ".join(text.notice(pair, 1, found, 0))
    assert (
        "“the”, **sees 2 of 4**" in said and f"**{format_number(found.given)}** of the row" in said
    )
    assert "differ too" not in said
    assert "differ too" in " ".join(text.notice(pair, 1, found, 1))
    pair = pair_of(MaskChoice("bidirectional"), other="causal")
    found = mask_pairs.query_visibility(pair, 1)
    said = " ".join(text.notice(pair, 1, found, 0))
    assert "it sees 2;" in said and f"**{format_number(found.kept)}**" in said


def test_a_row_that_sees_nothing_is_explained():
    pair = pair_of(MaskChoice("painted", painted="0000.1100.1110.1111"))
    (said,) = text.notice(pair, 0, mask_pairs.query_visibility(pair, 0), 0)
    assert "may look at nothing" in said and "output are 0, not nan" in said
    steps = mask_pairs.softmax_steps(pair.chosen, 0)
    assert r"\alpha_{1,j} = 0" in picture.softmax_formula(steps, 0)
    assert text.sees_words(pair, 0) == "All are hidden from it."


def test_the_formula_divides_the_powers_of_what_is_seen():
    row = torch.tensor([0.0, math.log(3.0), 5.0], dtype=torch.float64)
    masked = row.masked_fill(torch.tensor([False, False, True]), -math.inf)
    said = picture.softmax_formula(SoftmaxSteps(row, masked, masked.exp(), masked.softmax(0)), 1)
    assert r"\alpha_{2,2}" in said and r"\frac{3}{1 + 3}" in said and said.endswith("0.75")
    rows = picture.step_rows(
        ("a", "b", "c"), SoftmaxSteps(row, masked, masked.exp(), masked.softmax(0)), None
    )
    assert rows[2] == ("3: c", 5.0, -math.inf, 0.0, 0.0)


def test_padding_is_said_with_its_numbers():
    said = text.padding_words(PaddingEffect(0.25, 0.0), 1, 2)
    assert "Text 2 has 2 [PAD]" in said and "**0.25**" in said and "rounding" not in said
    assert "which is rounding" in text.padding_words(PaddingEffect(0.25, 1e-9), 1, 2)
    assert "no [PAD]" in text.padding_words(PaddingEffect(0.0, 0.0), 0, 0)


def test_an_order_is_said_as_it_is_read():
    said = text.order_words(MaskChoice("permutation", order=(3, 1)), 4)
    assert "3 → 1 → 2 → 4" in said and "content stream" in said


@pytest.mark.parametrize("kind", MASK_KINDS)
def test_the_snippet_prints_the_grids(kind, capsys):
    pair = pair_of(MaskChoice(kind, painted="1000.1100.0000.0011"), layer=1)
    script = text.snippet(pair, HeadIndex(1, 1), model=None, ids=[WORDS.ids])
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
    exec(text.snippet(pair, HeadIndex(0, 2), model=None, ids=[source.ids, target.ids]), space)
    assert torch.equal(space["trace"].weights, pair.chosen.now.weights)


def test_leakage_is_said_by_its_own_numbers():
    ids = torch.tensor(WORDS.ids)
    tokens = WORDS.tokens
    found = leakage.leakage(masks.causal(4), ids)
    said = " ".join(leaks.notice(found, tokens, 1, blank=False))
    assert "**Nothing before the changed token moves**" in said and "all **64** cells" in said
    found = leakage.leakage(masks.sliding(4, 2), ids)
    assert "at most 1, 2, 3 and 3 places ahead" in " ".join(
        leaks.notice(found, tokens, 0, blank=False)
    )
    found = leakage.leakage(masks.bidirectional(4), ids, blank=True)
    said = " ".join(leaks.notice(found, tokens, 2, blank=True))
    own = format_number(float(found.moved[1, 2, 2]))
    assert f"after 2 layers “cat” has moved the prediction of itself by **{own}**" in said
    found = leakage.leakage(masks.permutation([2, 0, 1, 3]), ids, blank=True)
    assert "“cat” never reaches the place" in " ".join(leaks.notice(found, tokens, 2, blank=True))


def test_a_disagreement_is_counted():
    moved = torch.eye(3, dtype=torch.float64)[None]
    found = Leakage(moved, torch.ones(1, 3, 3, dtype=torch.bool))
    assert "disagree in **6** of 9" in " ".join(leaks.notice(found, "abc", 0, blank=False))


def test_the_leak_picture_holds_what_was_measured():
    ids = torch.tensor(WORDS.ids)
    found = leakage.leakage(masks.causal(4), ids)
    drawn = leaks.picture(found, masks.causal(4), WORDS.tokens, 2, blank=False)
    assert torch.equal(torch.from_numpy(drawn["moved"]), found.moved)
    assert drawn["alt"].startswith(
        "Token 3, cat, is changed. Outputs that move after layer 1: 3 cat, 4 sat;"
    )
    assert leaks.shades(torch.tensor([1.0, 0.01, 1e-9, 0.0])).tolist() == pytest.approx(
        [1, 0.5, 0, 0]
    )
    assert leaks.receptive_field(found.reach) == 4


def test_the_readers_are_compared_in_nats():
    columns = {"left": torch.tensor([0.5, 0.5]), "both": torch.tensor([1.0, 0.25])}
    said = picture.readers_words(columns)
    assert f"left **{format_number(math.log(2))}**" in said
    assert f"both **{format_number(math.log(4) / 2)}**" in said
    assert picture.readers_rows(["a", "b"], columns) == [("a", 0.5, 1.0), ("b", 0.5, 0.25)]
    formula = picture.readers_formula(("<s>", "a$}", "b"), 1)
    assert r"\mid \langle\text{s}\rangle)" in formula and r"\square\ \text{b}" in formula
    assert "$" not in formula


def test_words_on_an_axis_are_no_tags():
    moved = torch.tensor([0.1, 0.2])
    figure = picture.difference_bars(moved, ("<b>x", "a&b"), "light")
    assert list(figure.data[0].x) == ["1: &lt;b&gt;x", "2: a&amp;b"]
    assert "a&b 0.2" in picture.describe_differences(moved.double(), ("<b>x", "a&b"))
