"""The texts and pictures of a corrupted text show the computed numbers."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from drawing.live import LiveNumbers
from lessons.masking import corruption_picture, corruption_text
from lmcore.corruption.bart_noise import MASK, sentence_permutation, text_infilling, token_deletion
from lmcore.corruption.corruption import KEPT, MASKED, RANDOM, Rates
from lmcore.corruption.draws import (
    SLIDERS,
    CorruptionConfig,
    change_rate,
    corrupt_as_chosen,
    corrupt_at_random,
    draw_for_text,
    visible_tokens,
)
from lmcore.corruption.full_sentences import pack
from lmcore.corruption.rates import expected_shares, repeat_draws
from lmcore.corruption.text import text_from_model, text_from_words
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import VocabularyModel
from lmcore.vocabulary import Vocabulary

TEXT = text_from_words("So long and thanks for all the fish")
HAND = "2:[MASK] 4:[MASK] 7:apricot"
GRID = [[k / 100 for k in range(101)]] * 3


def test_the_sweep_is_what_lmcore_decides_at_each_position():
    config = CorruptionConfig(seed=5)
    draws = draw_for_text(TEXT, config).draws
    swept = corruption_picture.swept_numbers(TEXT, config, draws, GRID)
    assert {rows.shape for rows in swept.values()} == {(3, 101)}
    for s, name in enumerate(SLIDERS):
        for p in (0, 1, 15, 63, 99, 100):
            rates = change_rate(config.rates, name, GRID[s][p])
            outcomes = corrupt_at_random(TEXT, config, [rates], draws).outcomes[0]
            found = [float(swept[f"f{i}"][s, p]) for i in range(len(TEXT.tokens))]
            assert found == outcomes.tolist()
            assert float(swept["n_masked"][s, p]) == int((outcomes == MASKED).sum())
            assert float(swept["n_random"][s, p]) == int((outcomes == RANDOM).sum())
            assert float(swept["n_kept"][s, p]) == int((outcomes == KEPT).sum())
            assert float(swept["kept"][s, p]) == pytest.approx(rates.kept)
    assert float(swept["chosen"][0, 15]) == 0.15  # not rounded to float32


def test_by_hand_the_numbers_are_those_of_the_hand():
    trace = corrupt_as_chosen(TEXT, HAND)
    now = corruption_picture.current_numbers(TEXT, Rates(), trace, by_hand=True)
    assert (now["hand"], now["n_chosen"], now["n_rest"], now["n_random"]) == (1, 3, 5, 1)
    drawn = corruption_picture.picture(
        TEXT, CorruptionConfig(), trace, draw_for_text(TEXT, CorruptionConfig()).draws, HAND
    )
    assert drawn["standing"][6] == "apricot" and drawn["standing"][1] == MASK
    assert set(drawn["drawn"]) <= set(TEXT.stock.types)


def test_a_large_model_is_asked_when_the_hand_lets_go(monkeypatch):
    words_known = Vocabulary(("[CLS]", "[SEP]", "a", "b", "[MASK]"))
    network = BERT(TransformerConfig(5, width=8, heads=2, layers=1, longest=9))
    text = text_from_model(VocabularyModel("small", network, words_known), "a b b a")
    config = CorruptionConfig(Rates(0.5), seed=3)
    draws = draw_for_text(text, config).draws
    swept = corruption_picture.swept_numbers(text, config, draws, GRID)
    for p in (10, 50, 90):
        trace = corrupt_at_random(
            text, config, [change_rate(config.rates, "chosen", p / 100)], draws
        )
        now = corruption_picture.current_numbers(text, config.rates, trace, by_hand=False)
        for i in range(6):
            one, other = float(swept[f"l{i}"][0, p]), float(now[f"l{i}"])
            assert one == pytest.approx(other, nan_ok=True)
            assert np.isnan(one) == (not trace.chosen[0, i])
    monkeypatch.setattr(corruption_picture, "MOST_FOLLOWED_PARAMETERS", 10)
    swept = corruption_picture.swept_numbers(text, config, draws, GRID)
    assert not swept["asked"].any() and swept["loss"].isnan().all()
    assert (
        corruption_picture.current_numbers(text, config.rates, trace, by_hand=False)["asked"] == 1
    )


def test_a_batch_predicts_what_the_lecture_says():
    now = corruption_picture.current_numbers(
        TEXT, Rates(), corrupt_as_chosen(TEXT, HAND), by_hand=True
    )
    assert float(now["text_masked"]) == pytest.approx(76.8)
    assert float(now["text_masks"]) == pytest.approx(61.44)
    assert float(now["times"]) == pytest.approx(511 / 76.8)
    assert float(now["batch"]) == pytest.approx(256 * 512 * 0.15)
    named = {
        name
        for step in corruption_picture.batch_steps()
        for name in now
        if f"{{{name}}}" in step.value
    }
    assert len(named) == len(corruption_picture.batch_steps())


def test_rates_are_shown_beside_what_they_must_be():
    config = CorruptionConfig(seed=2)
    found, wanted = repeat_draws(TEXT, config, 500), expected_shares(TEXT, config)
    columns, rows = corruption_picture.rate_rows(found, wanted)
    assert len(columns) == len(rows[0]) == 5
    assert [row[3] for row in rows] == pytest.approx([0.15, 0.12, 0.015, 0.015])
    for row in rows:
        assert row[4] == pytest.approx((row[1] - row[3]) / row[2])
    assert len(corruption_picture.rate_rows(found, None)[0]) == 3
    curve = corruption_picture.converging(found, wanted, "light").data[0]
    assert (curve.x[0], curve.x[-1]) == (1, 500)
    assert curve.y[0] == float(found.shares[0, 0])
    assert curve.y[-1] == pytest.approx(float(found.mean[0]))


def test_replacements_are_listed_with_both_their_chances():
    found = repeat_draws(TEXT, CorruptionConfig(Rates(1.0, 0.0, 1.0), source="unigram"), 400)
    rows = corruption_picture.replacement_rows(TEXT, found)
    counts = TEXT.stock.counts
    assert rows[0][0] == "the"
    assert rows[0][1] == pytest.approx(1 / len(counts))
    assert rows[0][2] == pytest.approx(float(counts.max() / counts.sum()))
    assert rows[0][3] == pytest.approx(float(found.drawn[0]) / int(found.drawn.sum()))


def test_the_bars_of_spans_are_the_chances_and_what_was_drawn():
    figure = corruption_picture.span_lengths(torch.tensor([0.75, 0.25]), [1, 1, 2, 2, 2], "dark")
    assert np.allclose(figure.data[0].y, [0.75, 0.25])
    assert np.allclose(figure.data[1].y, [0.4, 0.6])


def said(trace, *, by_hand):
    now = corruption_picture.current_numbers(TEXT, Rates(), trace, by_hand=by_hand)
    numbers = LiveNumbers("", tuple(now), np.array([float(each) for each in now.values()]))
    return numbers.fill(corruption_text.SENTENCES[int(now["@say"])])


def test_the_sentence_counts_and_says_when_there_is_nothing_to_learn():
    found = said(corrupt_as_chosen(TEXT, HAND), by_hand=True)
    assert found.startswith("By hand: ==3== of 8 words must be predicted, 2 behind")
    assert "1 [gradient|replaced], 0 [activation|left as they were]" in found
    draws = draw_for_text(TEXT, CorruptionConfig(seed=5)).draws
    trace = corrupt_at_random(TEXT, CorruptionConfig(seed=5), [Rates()], draws)
    assert said(trace, by_hand=False).startswith(f"=={int(trace.chosen.sum())}== of 8 words")
    none = corrupt_at_random(TEXT, CorruptionConfig(), [Rates(0.0)], draws)
    assert said(none, by_hand=False).startswith("None of 8 words is chosen: this text adds ==0==")
    swept = corruption_picture.swept_numbers(TEXT, CorruptionConfig(seed=5), draws, GRID)
    assert swept["@say"][0, 0] == 0 and swept["@say"][0, 100] == 2
    assert torch.equal(swept["corrupt_chosen"], swept["chosen"])


def test_the_formula_is_that_of_berts_length_and_of_the_model():
    now = corruption_picture.current_numbers(
        TEXT, Rates(), corrupt_as_chosen(TEXT, HAND), by_hand=True
    )
    numbers = LiveNumbers("", tuple(now), np.array([float(each) for each in now.values()]))
    first, second = (numbers.fill(part) for part in corruption_text.formula(with_model=False))
    assert first == "of 512 tokens: 512·0.15 = **[loss|76.8]** predicted"
    assert "0.8 = **[weight|61.44]**" in second
    assert "{loss}" in corruption_text.formula(with_model=True)[0]
    assert "“a ( b”" in corruption_text.describe(("a", "{", "b"), ("a", "{", "b"))


def test_the_formula_has_the_terms_in_it():
    assert corruption_text.masked_formula([1.5, 0.5], 1.0) == (
        r"= \frac{1.5 + 0.5}{2} = 1\ \text{nats}"
    )  # fmt: skip
    assert r"\dots}{5}" in corruption_text.masked_formula([1.0] * 5, 1.0)
    said = corruption_text.gradient_words(("a", "b", "c"), [2.0, 1.0, 1.0], [True, False, False])
    assert "2 of 3 places add no term" in said and "33.33 %" in said


@pytest.mark.parametrize("written", ["", HAND])
def test_the_snippet_prints_what_is_on_screen(written):
    config = CorruptionConfig(Rates(0.4, 0.5, 0.3), "word", "unigram", 9, True)
    script = corruption_text.snippet(
        "So long and thanks for all the fish", config, written, model=None
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    drawn = corrupt_at_random(TEXT, config, [config.rates], draw_for_text(TEXT, config).draws)
    trace = corrupt_as_chosen(TEXT, written) if written else drawn
    shown, outcomes = ran.stdout.strip().splitlines()
    assert shown == str(visible_tokens(TEXT, trace, written))
    assert outcomes == str(trace.outcomes[0].tolist())


def test_chips_are_the_pieces_of_a_corruption():
    tokens = ["a", "b", ".", "c", "."]
    trace = text_infilling(tokens, torch.Generator().manual_seed(1), share=0.6)
    chips = corruption_picture.noise_chips("text_infilling", trace)
    assert [chip["text"] for chip in chips] == list(trace.corrupted)
    trace = token_deletion(tokens, torch.Generator().manual_seed(1), share=0.6)
    chips = corruption_picture.noise_chips("token_deletion", trace)
    left = [chip["text"] for chip in chips if chip["kind"] == "kept"]
    assert left == list(trace.corrupted) and len(chips) == 5
    trace = sentence_permutation(tokens, torch.Generator().manual_seed(1))
    (row,) = corruption_picture.noise_rows({"sentence_permutation": trace})
    assert [chip["text"] for chip in row["chips"]] == list(trace.corrupted)
    assert {chip["below"] for chip in row["chips"]} == {"1", "2"}


def test_packed_rows_say_how_full_they_are():
    packed = pack([[["a", "."]], [["b", "c", "."]]], 9)
    (row,) = corruption_picture.packing_rows(packed)
    assert row["said"] == "8 of 9 tokens, 1 [PAD]"
    kinds = ["frame", "part1", "part1", "extra", "part2", "part2", "part2", "frame"]
    assert [chip["kind"] for chip in row["chips"]] == kinds
