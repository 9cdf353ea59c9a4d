"""The views on length, permuted weights and teacher forcing, compared with lmcore itself."""

import math
import pickle
import re

import pytest
import torch

from lessons.seq2seq import measured_text, measured_view, seq2seq_figures
from lessons.seq2seq.measured_text import ATTENTION, VECTOR
from lessons.seq2seq.measured_view import Sample
from lmcore.corpora.translation import held_out_sources, parse_source, translate
from lmcore.dataframes import Table
from lmcore.evaluation.alignment import AlignmentCounts
from lmcore.evaluation.exact_match import (
    ExposureBias,
    LengthScore,
    PermutationEffect,
    exact_matches,
    measure_exposure_bias,
    measure_permutation,
)
from lmcore.networks.seeds import share_interval
from lmcore.shipped.models import load_translator
from lmcore.shipped.translation_curves import RecordedCurve, load_curves
from lmcore.training.translation_batches import encode_sources

NETWORKS = {name: load_translator(name)[0] for name in (ATTENTION, VECTOR)}
SAMPLE = Sample(17, 30, 5)
SOURCES = held_out_sources("mixture", 17, 30, 5)
SOURCE = parse_source("the cup was hidden by a man and paul was found by kayla", "mixture")


def curves(attention, vector, first=10):
    """Made-up curves of exact matches in 100 sentences, for lengths from `first` on."""
    return {
        name: RecordedCurve(
            name,
            "key",
            "2026-01-01",
            0,
            Table(LengthScore(first + i, exact, 100) for i, exact in enumerate(exacts)),
        )
        for name, exacts in ((ATTENTION, attention), (VECTOR, vector))
    }


# --- length ---------------------------------------------------------------------------------------


def test_the_finding_is_that_of_the_curves():
    said = measured_text.length_finding(curves([100, 99, 50, 49, 0, 0], [90, 50, 49, 10, 1, 0]), 11)
    assert "**One vector** falls below one half at **12 words**: 49 of 100" in said
    assert "With **attention**, 50 of 100 are." in said
    assert "longer than the 11 words of training: it falls below one half at **13 words**" in said
    assert said.endswith("(49 of 100), and no sentence is right from 14 words on.")


@pytest.mark.parametrize(
    ("attention", "vector", "ending"),
    [
        (
            [100, 49, 0, 3],
            [40, 3, 2, 1],
            "within the 20 words of training: it falls below one half",
        ),
        ([100, 90], [90, 80], "at least half of the sentences of every length."),
    ],
)
def test_a_curve_that_fails_early_late_or_never_is_said(attention, vector, ending):
    said = measured_text.length_finding(curves(attention, vector), 20)
    assert ending in said
    assert "no sentence is right" not in said


def test_the_recorded_finding_holds_for_the_recorded_numbers():
    kept = {curve.name: curve for curve in load_curves()}
    said = measured_text.length_finding(kept, 20)
    exact = {name: {s.length: s.exact / s.sentences for s in c.scores} for name, c in kept.items()}
    for name in kept:
        lengths = [n for n, share in exact[name].items() if share < 0.5]
        assert f"**{min(lengths)} words**" in said
        assert all(share >= 0.5 for n, share in exact[name].items() if n < min(lengths))


def test_both_models_are_measured_on_the_sample():
    found = measured_view.measure_lengths(SAMPLE)
    for name, network in NETWORKS.items():
        right = sum(exact_matches(network, SOURCES, "mixture"))
        assert found[name] == LengthScore(17, right, 30)
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    ("recorded", "where"), [(820, "inside"), (740, "inside"), (720, "outside"), (900, "outside")]
)
def test_a_share_agrees_if_it_is_in_the_interval(recorded, where):
    said = measured_text.agreement(
        VECTOR, LengthScore(17, 82, 100), LengthScore(17, recorded, 1000)
    )
    _, low, high = share_interval(82, 100)
    assert (low <= recorded / 1000 <= high) == (where == "inside")
    assert where in said and ("by chance" in said) == (where == "outside")
    assert "82 of 100, share 0.82, interval 0.7333 to 0.8830" in said


def test_none_and_all_have_intervals_that_end_at_0_and_1():
    assert measured_text.share_row(0, 1000)[2:4] == (0.0, 0.0)
    assert measured_text.share_row(1000, 1000)[4] == 1.0
    assert "inside" in measured_text.agreement(
        ATTENTION, LengthScore(9, 50, 50), LengthScore(9, 7, 7)
    )
    assert measured_text.share_row(3, 9) == (9, 3, *share_interval(3, 9))


def test_rows_hold_both_models():
    made = curves([100, 7], [90, 5])
    rows = measured_text.curve_rows(made)
    assert [row[0] for row in rows] == ["10", "11"]
    assert rows[1][1:4] == (100, 7, 0.07) and rows[1][6:8] == (5, 0.05)
    scores = {ATTENTION: LengthScore(11, 3, 30), VECTOR: LengthScore(11, 2, 30)}
    labels = [row[:3] for row in measured_text.measured_rows(scores, made)]
    assert labels == [
        ("attention, measured here", 30, 3),
        ("attention, recorded", 100, 7),
        ("one vector, measured here", 30, 2),
        ("one vector, recorded", 100, 5),
    ]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_figure_draws_what_is_recorded_and_what_is_measured(mode):
    kept = {curve.name: curve for curve in load_curves()}
    scores = {ATTENTION: LengthScore(17, 30, 30), VECTOR: LengthScore(17, 20, 30)}
    figure = seq2seq_figures.length_figure(kept, scores, 20, mode)
    by_name = {trace.name: trace for trace in figure.data if trace.name}
    for name, label in measured_text.LABELS.items():
        curve, point = by_name[label], by_name[f"{label}, measured here"]
        assert list(curve.x) == [s.length for s in kept[name].scores]
        assert list(curve.y) == [s.exact / s.sentences for s in kept[name].scores]
        share, low, high = scores[name].interval
        assert (point.x, point.y) == ((17,), (share,))
        assert point.error_y.arrayminus[0] == pytest.approx(share - low)
        assert point.error_y.array[0] == pytest.approx(high - share)
    bands = [trace for trace in figure.data if trace.fill == "tonexty"]
    assert [trace.y[16] for trace in bands] == [
        kept[name].scores[16].interval[2] for name in measured_text.LABELS
    ]
    assert len({by_name[label].line.dash for label in measured_text.LABELS.values()}) == 2
    assert [shape.x0 for shape in figure.layout.shapes] == [20]
    labels = {note.text: (note.x, note.y) for note in figure.layout.annotations}
    assert labels["<b>one vector</b>"] == (20, 0.365)
    assert labels["<b>attention</b>"][0] == 27 and "trained up to 20 words" in labels


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ((3, 100, 0), "the words of a source must be from 4 to 40; got 3"),
        ((41, 100, 0), "the words of a source must be from 4 to 40; got 41"),
        ((17, 301, 0), "the number of sentences must be from 10 to 300; got 301"),
        ((17, 9, 0), "the number of sentences must be from 10 to 300; got 9"),
        ((17, 100, -1), "the seed must be from 0 to 9999; got -1"),
    ],
)
def test_a_sample_out_of_bounds_is_refused(values, wrong):
    with pytest.raises(ValueError, match=re.escape(wrong)):
        Sample(*values)


def test_every_length_has_as_many_sentences_as_may_be_asked_for():
    for length in (*range(4, 9), 40):  # there are few short sentences
        assert len(Sample(length, 300, 1).sources) == 300


# --- permuted weights -----------------------------------------------------------------------------


def test_permuted_texts_are_those_of_one_order_for_all_steps():
    found = measured_view.permuted_texts(SOURCE, range(3, 6))
    network, ids = NETWORKS[ATTENTION], encode_sources([SOURCE])
    vocabulary = load_translator(ATTENTION)[1]
    for seed, words in zip(range(3, 6), found, strict=True):
        noise = torch.rand(ids.shape, generator=torch.Generator().manual_seed(seed))
        order = noise.argsort(dim=1, stable=True)
        read = ["<s>", *words]
        with torch.no_grad():
            trace = network(ids, [vocabulary.encode(read)], order=order)
            free = network(ids, [vocabulary.encode(read)])
        written = vocabulary.decode(trace.logits[0].argmax(dim=-1).tolist())
        assert tuple(written[: len(words)]) == words
        # At the first step, α has the computed values in another order.
        assert torch.equal(trace.weights[0, 0], free.weights[0, 0][order[0]])


def test_wrong_words_are_marked_and_missing_ones_named():
    chips = measured_text.marked_row("t", "s", ["a", "x"], ["a", "b", "c"])["chips"]
    assert [(c["text"], c["kind"], c["below"]) for c in chips] == [
        ("a", "", ""),
        ("x", "deleted", "b"),
        ("∅", "frame", "c"),
    ]
    long = measured_text.marked_row("t", "s", ["a", *"zzzzz"], ["a"])["chips"]
    assert [c["text"] for c in long] == ["a", "z", "z", "z", "… 2 more"]
    assert measured_text.count_wrong(["a", "x"], ["a", "b", "c"]) == 2
    assert measured_text.wrong_places(["a", *"zzzzz"], ["a"]) == "5 of 6 places are wrong."
    assert measured_text.wrong_places(["a", "x"], ["a", "b"]) == "1 of 2 places is wrong."
    assert measured_text.wrong_places(["a"], ["a"]) == "Right in every word."


def test_the_effect_is_measured_on_the_sample_and_its_conclusion_follows():
    effect, counts = measured_view.measure_permuted(SAMPLE)
    assert effect == measure_permutation(NETWORKS[ATTENTION], SOURCES, "mixture", 5)
    assert sum(c.words for c in counts) == sum(len(translate(x, "mixture")) for x in SOURCES)
    said = measured_text.effect_finding(effect)
    assert f"**{effect.exact} of 30**" in said
    assert "depends on where α points" in said and effect.exact_permuted == 0
    assert measured_text.effect_rows(effect)[1][1:3] == (30, 0)
    assert measured_text.effect_rows(effect)[1][-1] == effect.loss_permuted > effect.loss


def test_where_nothing_is_right_no_conclusion_is_drawn_from_it():
    said = measured_text.effect_finding(PermutationEffect(100, 0, 0, 2.3, 7.6))
    assert "does not show" in said and "**depends" not in said
    assert "goes from 2.3 to 7.6 nats" in said


def test_the_alignment_finding_adds_up():
    counts = [
        AlignmentCounts(False, "article", 91, 1, 42, 90),
        AlignmentCounts(False, "verb", 10, 9, 0, 0),
        AlignmentCounts(True, "article", 9, 8, 0, 0),
        AlignmentCounts(True, "verb", 20, 2, 18, 0),
    ]
    said = measured_text.alignment_finding(counts)
    assert "for **20 of 130** words of the true targets and for **9 of 100** articles." in said
    assert "91 articles of the invented language, it is at the article for 1" in said
    assert "at its **noun** for **90**" in said
    assert "20 verbs of passive sentences, it is at the participle for 2" in said
    assert "*by*, for **18**" in said
    assert measured_text.alignment_rows(counts)[0] == ("translation: article", 91, 1, 90, 42)
    assert measured_text.alignment_rows(counts)[3] == ("passive → active: verb", 20, 2, 0, 18)
    assert "articles" not in measured_text.alignment_finding([counts[1]])


# --- teacher forcing ------------------------------------------------------------------------------


def test_the_target_is_the_input_shifted_by_one():
    rows = measured_text.shifted_rows(["ball", "kicked"])
    assert rows["step i"] == ["1", "2", "3"]
    assert [cell.replace("\\", "") for cell in rows["reads yᵢ₋₁"]] == ["<s>", "ball", "kicked"]
    targets = [cell.replace("\\", "").strip("*") for cell in rows["target yᵢ"]]
    assert targets == ["ball", "kicked", "</s>"]


def test_short_rows_of_a_table_are_filled_up():
    assert measured_text.markdown_table({"i": ["1", "2"], "word": ["a"]}).split("\n") == [
        "| i | 1 | 2 |",
        "|:--|:-:|:-:|",
        "| word | a |  |",
    ]


def test_probabilities_of_the_target_are_those_of_the_equations():
    target = [*translate(SOURCE, "mixture"), "</s>"]
    found = measured_view.target_probabilities(SOURCE)
    for name, network in NETWORKS.items():
        vocabulary = load_translator(name)[1]
        ids = vocabulary.encode(target)
        with torch.no_grad():
            logits = network(encode_sources([SOURCE]), [[vocabulary.ids["<s>"], *ids[:-1]]]).logits
        wanted = [float(row[i]) for row, i in zip(logits[0].softmax(dim=-1), ids, strict=True)]
        assert found[name] == pytest.approx(wanted, abs=1e-5)


def test_running_free_a_model_reads_what_it_wrote():
    target, written = ["a", "b", "c", "</s>"], {VECTOR: ["a", "x", "c", "d", "</s>"]}
    rows = measured_text.free_rows(target, written)
    cells = {name: [cell.replace("\\", "") for cell in row] for name, row in rows.items()}
    assert cells["step i"] == ["1", "2", "3", "4", "5"]
    assert cells["one vector reads"] == ["<s>", "a", "**x**", "c", "**d**"]
    assert cells["one vector writes"] == ["a", "**x**", "c", "**d**", "**</s>**"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("a b </s>", "writes every word right, so it reads what it reads in training."),
        ("a x </s>", "writes “x” at step 2, where “b” is right, and reads its own word at step 3."),
        ("a </s>", "writes “</s>” at step 2, where “b” is right. That is its last word."),
        ("a b c </s>", "writes “c” at step 3, where “</s>” is right, and reads its own word at"),
    ],
)
def test_where_a_model_parts_from_the_true_words(words, said):
    found = measured_text.parting(VECTOR, words.split(), ["a", "b", "</s>"]).replace("\\", "")
    assert found.startswith("**One vector** ") and said in found


def test_the_losses_are_those_of_both_models_on_the_sample():
    found = measured_view.measure_exposure(SAMPLE)
    for name, network in NETWORKS.items():
        wanted = measure_exposure_bias(network, SOURCES, "mixture")
        assert found[name].losses == wanted.losses
        assert torch.equal(found[name].tokens, wanted.tokens)
    tokens = sum(len(translate(x, "mixture")) + 1 for x in SOURCES)
    assert f"means over {tokens} tokens of 30 sentences." in measured_text.exposure_finding(
        found, 30
    )
    rows = measured_text.exposure_rows(found)
    assert [row[0] for row in rows] == [str(i) for i in range(1, len(rows) + 1)]
    assert sum(row[1] for row in rows) == tokens
    own = math.fsum(row[1] * row[5] for row in rows) / tokens
    assert own == pytest.approx(found[VECTOR].losses[1])


def bias(forced, free, tokens):
    forced, free = (torch.tensor(each, dtype=torch.float64) for each in (forced, free))
    return ExposureBias(forced, free, torch.tensor(tokens))


def test_the_finding_compares_both_losses():
    found = {
        ATTENTION: bias([0.1, 0.3], [0.1, 0.3], [10, 10]),
        VECTOR: bias([0.1, 0.5], [0.1, 1.1], [10, 10]),
    }
    said = measured_text.exposure_finding(found, 10)
    assert "**Attention**: L = 0.2 with either; its own words are the true ones." in said
    assert "**One vector**: L = 0.3 after the true words, **0.6** after its own: 2 times" in said
    assert "means over 20 tokens of 10 sentences" in said
    figure = seq2seq_figures.exposure_figure(found, "dark")
    assert [(trace.name, tuple(trace.y)) for trace in figure.data] == [
        ("attention, true words", (0.1, 0.3)),
        ("attention, own words", (0.1, 0.3)),
        ("one vector, true words", (0.1, 0.5)),
        ("one vector, own words", (0.1, 1.1)),
    ]
    assert len({trace.line.dash for trace in figure.data}) == 4
