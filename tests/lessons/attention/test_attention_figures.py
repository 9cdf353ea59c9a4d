"""The picture and the texts of the step table show the numbers of the tensors."""

import math

import numpy as np
import pytest
import torch

from drawing import theme
from drawing.live import LiveNumbers
from lessons.attention import attention_figures, attention_picture, attention_text, cell_text
from lmcore.attention import saturation, step_sweep
from lmcore.attention.similarity import attend_by_similarity
from lmcore.attention.step_table import (
    AttentionConfig,
    AttentionInputs,
    Projections,
    compute_step_table,
    from_inputs,
    inputs_from_qkv,
    unscaled_config,
)
from lmcore.numbers import format_number

SLIDE = from_inputs(
    ("Thinking", "Machines"),
    "1 0 2 1; 2 1 0 1",
    "0 0 2; 0 3 0; 2 2 0; 3 1 1",
    "2 2 2; 0 2 2; 3 2 0; 1 2 1",
    "1 0 1; 0 1 2; 1 1 0; 0 2 1",
)
HOW = AttentionConfig(64)
CELL = "score 1 2"


def seen(given=SLIDE, mode="query", query="1", cell=CELL, columns="2"):
    return attention_picture.table_view(mode, query, cell, columns, given)


def live(given=SLIDE, how=HOW, **look):
    view = seen(given, **look)
    found = attention_picture.numbers(
        given, compute_step_table(given, how), view, step_sweep.score_scaling(how)
    )
    return LiveNumbers("attention", found.names, found.values.numpy())


def opened(cell, given=SLIDE, how=HOW, **look):
    view = seen(given, cell=cell, **look)
    table = compute_step_table(given, how)
    found = live(given, how, cell=cell, **look)
    return [found.fill(line.text) for line in cell_text.cell_lines(given, how, table, view)]


def wide(length=5, d_k=20):
    generator = torch.Generator().manual_seed(3)
    X, W = (torch.randn(s, generator=generator).double() for s in ((length, 30), (3, 30, d_k)))
    bias = torch.randn((3, d_k), generator=generator).double()
    q, k, v = (X @ W[i] + bias[i] for i in range(3))
    projections = Projections(W[0], W[1], W[2], (bias[0], bias[1], bias[2]))
    return AttentionInputs(("t",) * length, q, k, v, X, projections)


@pytest.mark.parametrize("mode", ["query", "matrix"])
@pytest.mark.parametrize(
    "how",
    [HOW, AttentionConfig(3, mask="before"), AttentionConfig(9, scaled=False, mask="padding")],
)
@pytest.mark.parametrize("given", [SLIDE, wide()], ids=["slide", "wide"])
def test_every_cell_of_the_picture_is_the_entry_that_it_opens(given, how, mode):
    table, view = compute_step_table(given, how), seen(given, mode=mode, query="2")
    numbers = live(given, how, mode=mode, query="2")
    stages = {
        "x": given.inputs, "q": given.query, "k": given.key, "v": given.value,
        "score": table.scores, "scaled": table.scaled, "masked": table.masked,
        "exp": table.exponentials, "weight": table.weights, "context": table.context,
        "weighted": table.weights[1][:, None] * given.value,
    }  # fmt: skip
    payload = attention_picture.picture(given, how, table, view)
    met = set()
    for block in payload["blocks"]:
        for name, opens, hidden in [
            c for p in ("top", "rows", "foot") for r in getattr(block, p) for c in r
        ]:
            if not opens:
                assert name in ("sum", "total")
                continue
            stage, i, j = opens.split()
            met.add(stage)
            assert numbers[name] == pytest.approx(float(stages[stage][int(i) - 1, int(j) - 1]))
            mask = how.seen(len(given.tokens))
            if hidden:
                row = view.query if stage == "weighted" else int(i)
                key = int(i) if stage == "weighted" else int(j)
                assert not mask[row - 1, key - 1]
    missing = {"exp", "weighted"} if mode == "matrix" else set()
    assert met == set(attention_picture.STAGES) - missing


def test_only_a_narrow_matrix_is_drawn_whole_and_the_rest_is_said():
    payload = attention_picture.picture(
        wide(), HOW, compute_step_table(wide(), HOW), seen(wide(), columns="3")
    )
    by_key = {block.key: block for block in payload["blocks"]}
    assert by_key["k"].sub == "5 × 20, first 3" and len(by_key["k"].rows[0]) == 3
    own = attention_picture.picture(SLIDE, HOW, compute_step_table(SLIDE, HOW), seen())["blocks"]
    assert own[0].sub == "2 × 4" and len(own[0].rows[0]) == 4


def test_the_slides_cells_are_multiplied_out():
    assert opened("score 1 2") == ["s₁₂ = q₁ · k₂ = 7·5 + 5·8 + 3·7", "= 35 + 40 + 21 = 96"]
    assert opened("scaled 1 1") == ["s₁₁ ÷ √d_k = 112 ÷ √64 = 112 ÷ 8 = 14"]
    assert opened("masked 1 1") == ["m₁₁ = 14, unchanged: there is no mask"]
    assert opened("exp 1 2")[0] == "exp(m₁₂ − max) = exp(12 − 14) = 0.1353"
    assert opened("weight 1 1") == [
        "α₁₁ = exp(14) ÷ (exp(14) + exp(12))",
        "= 1 ÷ (1 + 0.1353), numerator and denominator divided by exp(14)",
        "= 1 ÷ 1.135 = 0.8808",
        "slope ∂α/∂m = α(1 − α) = 0.8808·(1 − 0.8808) = 0.1050",
    ]
    assert opened("weighted 2 1") == ["α₁₂ · v₂[1] = 0.1192 · 2 = 0.2384"]
    assert opened("context 1 1") == [
        "z₁[1] = α₁₁·v₁[1] + α₁₂·v₂[1]",
        "= 0.8808·3 + 0.1192·2",
        "= 2.642 + 0.2384 = 2.881",
    ]
    assert opened("q 1 2") == [
        "q₁[2] = x₁ · column 2 of W^Q = 1·0 + 0·3 + 2·2 + 1·1",
        "= 0 + 0 + 4 + 1 = 5",
    ]
    assert opened("x 2 1") == ["x₂[1] = 2, as entered"]
    assert opened("k 2 3")[-1].endswith("= 7") and opened("v 1 2")[-1].endswith("= 4")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (AttentionConfig(64, scaled=False), "s₁₁ = 112, not divided: the scale is off"),
        (AttentionConfig(64, temperature=2.0), "s₁₁ ÷ √d_k ÷ temperature = 112 ÷ 8 ÷ 2 = 7"),
        (AttentionConfig(64, scaled=False, temperature=2.0), "s₁₁ ÷ temperature = 112 ÷ 2 = 56"),
    ],
)
def test_what_a_score_is_divided_by_is_said(how, says):
    assert opened("scaled 1 1", how=how) == [says]


def test_what_is_hidden_is_said_and_a_row_that_sees_nothing_says_why():
    causal, before = AttentionConfig(64, mask="causal"), AttentionConfig(64, mask="before")
    assert opened("masked 1 2", how=causal)[0] == "m₁₂ = −∞: query 1 may not look at key 2"
    assert opened("masked 1 1", how=causal) == ["m₁₁ = 14, unchanged: query 1 may look at key 1"]
    assert opened("weight 1 2", how=causal)[0] == "α₁₂ = exp(−∞) ÷ (exp(14) + exp(−∞))"
    assert opened("masked 1 2", how=causal)[1] == cell_text.MASKED_NOTE
    assert opened("masked 1 2", how=before)[1] == cell_text.BLIND
    for stage in ("weight", "exp"):
        (line,) = opened(f"{stage} 1 1", how=before)
        assert line.endswith(cell_text.BLIND)


def test_a_wide_dot_product_shows_its_largest_terms_and_adds_up():
    lines = opened("q 1 1", given=wide())
    assert "(18 smaller products) + bias" in lines[0] and "b^Q[1]" in lines[0]
    assert lines[1].endswith(f"= {format_number(float(wide().query[0, 0]))}")
    assert "(8 smaller products)" in opened("score 1 2", given=wide())[0]
    typed = inputs_from_qkv(("a",), "1 2", "3 4", "5")
    assert opened("score 1 1", given=typed) == ["s₁₁ = q₁ · k₁ = 1·3 + 2·4", "= 3 + 8 = 11"]


def test_ten_tokens_part_their_indices():
    text = "; ".join(["1 2"] * 12)
    given = inputs_from_qkv(tuple("abcdefghijkl"), text, text, text)
    assert opened("score 12 1", given=given, query="12")[0].startswith("s₁₂,₁ = q₁₂ · k₁")


def test_the_output_is_the_values_by_their_weights():
    line = cell_text.output_line(SLIDE, compute_step_table(SLIDE, HOW), 1)
    assert live().fill(line.text) == "z₁ = 0.8808·v₁ + 0.1192·v₂"
    text = "; ".join(["1 2"] * 12)
    given = inputs_from_qkv(tuple("abcdefghijkl"), text, text, text)
    assert cell_text.output_line(given, compute_step_table(given, HOW), 2).text.endswith(" + …")


@pytest.mark.parametrize("mode", ["query", "matrix"])
@pytest.mark.parametrize("cell", ["score 1 2", "weight 2 1", "v 2 1", "q 1 1"])
@pytest.mark.parametrize("given", [SLIDE, wide()], ids=["slide", "wide"])
def test_every_template_finds_its_number(given, mode, cell):
    how, view = (
        AttentionConfig(8, mask="causal", temperature=2.0),
        seen(given, mode=mode, cell=cell, query="2"),
    )
    numbers = live(given, how, mode=mode, cell=cell, query="2")
    rows = attention_text.steps(given, how, view)
    said = [row.formula + row.value + "".join(o[1] for o in row.operands) for row in rows]
    said += [
        line.text for line in cell_text.cell_lines(given, how, compute_step_table(given, how), view)
    ]
    said += [
        attention_text.alt_text(given, view),
        cell_text.output_line(given, compute_step_table(given, how), 2).text,
    ]
    said += [
        b.sub
        for b in attention_picture.picture(given, how, compute_step_table(given, how), view)[
            "blocks"
        ]
    ]
    assert "{" not in "".join(numbers.fill(text) for text in said)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"mode": "all"}, "the mode must be one of query, matrix; got 'all'"),
        ({"query": "0"}, "the query must be 1 or more; got 0"),
        ({"query": "x"}, "the query must be a whole number"),
        ({"columns": "0"}, "columns shown must be from 1 to 16; got 0"),
        ({"cell": "score"}, "the cell must be one of x, q"),
        ({"cell": ""}, "the cell must be one of x, q"),
        ({"cell": "score 0 1"}, "a place of the cell score must be 1 or more; got 0"),
        ({"cell": "score 1 z"}, "a place of the cell score must be a whole number"),
    ],
)
def test_a_look_that_cannot_be_is_refused(settings, says):
    with pytest.raises(ValueError, match=says.replace("(", r"\(")):
        seen(**settings)


def test_a_place_beyond_a_shorter_text_is_its_end():
    assert seen(query="9", cell="score 9 9").cell == ("score", 2, 2)
    assert seen(cell="context 1 16").cell == ("context", 1, 3)
    typed = inputs_from_qkv(("a",), "1 2", "3 4", "5")
    assert seen(typed, cell="x 1 2").cell == ("q", 1, 2)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (AttentionConfig(64), "61 more that are all 0"),
        (AttentionConfig(3), "as wide as q and k"),
        (AttentionConfig(2), "as if there were 2"),
        (AttentionConfig(64, scaled=False), "has no effect"),
    ],
)
def test_what_d_k_means_is_said(how, says):
    assert says in attention_text.d_k_words(SLIDE, how)


def test_every_colour_has_an_ink_that_reads():
    for fills, inks in (theme.diverging_scale(), theme.sequential_scale()):
        assert len(fills) == len(inks) == theme.COARSE
        for fill, ink in zip(fills, inks, strict=True):
            light, dark = sorted((luminance(fill), luminance(ink)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.4, fill


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_figures_draw_what_they_are_given(mode):
    tokens = ["<b>a</b>", "b"]
    found = attend_by_similarity(SLIDE.query[0], SLIDE.key, SLIDE.value, normalised=True, d_k=64)
    drawn = attention_figures.similarity_bars(found, tokens, mode)
    assert [list(bar.y) for bar in drawn.data] == [each.weights.tolist() for each in found]
    assert "<b>" not in "".join(drawn.data[0].x)
    curves = saturation.saturation()
    for name, title, pair, log in attention_figures.saturation_pairs(curves):
        drawn = attention_figures.saturation_curves(pair, title, mode, log=log)
        assert [list(line.y) for line in drawn.data] == [values.tolist() for values in pair]
        assert format_number(float(pair[0][-1])) in attention_figures.describe_curves(pair, title)
        assert name in attention_figures.READINGS


def test_an_average_lies_among_the_values_and_what_is_none_is_named():
    soft, raw = (
        attend_by_similarity(SLIDE.query[0], SLIDE.key, SLIDE.value, normalised=n, d_k=64)
        for n in (True, False)
    )
    assert "Every z lies between the values" in attention_figures.average_words(soft, SLIDE.value)
    said = attention_figures.average_words(raw, SLIDE.value)
    assert "dot 208" in said and "not an average: z by dot, scaled dot" in said
    rows = attention_figures.similarity_rows(soft)
    assert rows[1][1:4] == pytest.approx((14, 12, 1))
    assert len(attention_figures.similarity_columns(2, 3)) == len(rows[0])


def test_slopes_stand_with_the_scale_and_without():
    table, plain = compute_step_table(SLIDE, HOW), compute_step_table(SLIDE, unscaled_config(HOW))
    (first, _) = attention_figures.slope_rows(SLIDE.tokens, table, plain, 0)
    assert first[0] == "1 Thinking"
    assert first[1:] == pytest.approx((0.880797, 0.104994, 1 - 1.1254e-7, 1.1254e-7), rel=1e-3)


def test_numbers_of_a_sweep_have_the_names_of_the_table():
    moved = step_sweep.slider_scalings(HOW)
    swept = attention_picture.numbers(
        SLIDE, step_sweep.sweep_step_table(SLIDE, HOW, moved), seen(), moved
    )
    now = live()
    assert swept.names == now.names
    at = swept.values[0, moved.d_k[0].tolist().index(512)]
    values = dict(zip(swept.names, at.tolist(), strict=True))
    assert values["w1.1"] == pytest.approx(0.66976, abs=1e-5)
    assert values["root"] == pytest.approx(math.sqrt(512)) and values["s1.1"] == 112
