"""What the BERT page draws and says is what was computed."""

import math

import numpy as np
import pytest
import torch

from lessons.bert import game_text, pairs_text, picture, pretraining_text, readers_text
from lessons.bert import text as bert_words
from lmcore.masked_lm import cloze, contest, game, next_sentence, pretraining
from lmcore.masked_lm.contest import Contest, ContestResult, PlaceBlock
from lmcore.masked_lm.filling_in import FillIn
from lmcore.masked_lm.next_sentence import NextSentenceAccuracy, NextSentenceTrace
from lmcore.masked_lm.pretraining import PretrainingProgress
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.numbers import format_number
from lmcore.pretrained.reading import VocabularyModel
from lmcore.training.events import Evaluated, History
from lmcore.training.masked_batches import masked_vocabulary
from lmcore.training.pool.messages import Began
from lmcore.training.pool.runs import RunView
from ui.live import LiveNumbers, live_numbers

VOCABULARY = masked_vocabulary()
NETWORK = BERT(
    TransformerConfig(len(VOCABULARY), 12, 2, 2, 16, 64, segments=2, causal=False), pairs=True
)
READER = VocabularyModel("small", NETWORK, VOCABULARY)
TEXT = cloze.cloze_text(READER, "the cow which was raced past the farms waits.")
WAYS = {"": (), "2": (2,), "2,8": (2, 8)}
TRACES = dict(zip(WAYS, cloze.fill(NETWORK, TEXT, list(WAYS.values())), strict=True))
WORD = VOCABULARY.tokens.__getitem__


def doubles(*numbers):
    return torch.tensor(numbers, dtype=torch.float64)


def exactly(trace, row, i):
    """The grammar's probability of a type; of [MASK] and [PAD], which it does not have, 0."""
    return float(trace.exact[row, i]) if i < trace.exact.shape[1] else 0.0


def filled(rows, numbers):
    """The rows of a step table with their numbers in."""
    live = live_numbers("x", numbers, [], {})
    return [live.fill(row.value) for row in rows]


def test_a_card_holds_both_probabilities_of_each_filler():
    drawn = picture.picture(TEXT, "2,8", TRACES, WORD)
    assert drawn["tokens"] == list(TEXT.tokens) and drawn["maskable"] == list(TEXT.maskable)
    assert set(drawn["views"]) == set(WAYS) and drawn["views"][""]["cards"] == []
    trace = TRACES["2,8"]
    for row, card in enumerate(drawn["views"]["2,8"]["cards"]):
        assert card["own"] == TEXT.tokens[trace.places[row]] and card["own"] in card["words"]
        for word, q, p in zip(card["words"], card["q"], card["p"], strict=True):
            i = VOCABULARY.ids[word]
            assert q == pytest.approx(float(trace.log_q[row, i].exp()))
            assert p == pytest.approx(exactly(trace, row, i))
        assert format_number(float(trace.terms[row])) in card["foot"]
        assert format_number(float(trace.divergence[row])) in card["foot"]
        assert f"{card['words'][0]} {format_number(card['q'][0])}, exactly" in card["alt"]
    assert (
        f"L = {format_number(trace.loss)} nats, the mean of 2 terms"
        in (drawn["views"]["2,8"]["said"])
    )


def test_without_a_truth_there_is_one_bar_and_no_divergence():
    text = cloze.cloze_text(READER, "he ate the [MASK] with the fork.")
    (trace,) = cloze.fill(NETWORK, text, [cloze.covered_places(text, [6])])
    first, second = picture.view(text, trace, WORD)["cards"]
    assert first["p"] is second["p"] is None and first["own"] is None
    assert "no right answer to compare with" in first["foot"] and "KL" not in second["foot"]
    assert "typed [MASK]" in first["title"] and "“the” is covered" in second["title"]
    assert len(picture.covered_rows(text, trace)[0]) == 2


def test_only_covered_places_have_a_term():
    trace = TRACES["2,8"]
    named = picture.terms(TEXT, trace)
    has = [float(named[f"f{i}"]) for i in range(len(TEXT.tokens))]
    assert [i for i, one in enumerate(has) if one] == [2, 8]
    assert float(named["n_chosen"]) == 2 and float(named["loss"]) == pytest.approx(trace.loss)
    assert float(named["l2"]) == float(trace.terms[0]) and math.isnan(float(named["l3"]))
    assert bert_words.loss_formula(trace).count("+") == 1
    assert bert_words.loss_formula(TRACES[""]) == ""
    assert picture.loss_words(TRACES[""]) == picture.NOTHING


def test_the_notice_names_the_favourites_of_model_and_grammar():
    trace = TRACES["2"]
    said = " ".join(bert_words.notice(TEXT, trace, WORD))
    assert f"**{WORD(int(trace.log_q[0].argmax()))}**" in said
    best = trace.exact[0]
    alike = int((best > best.max() - 1e-9).sum()) - 1
    assert f"and {alike} more words as likely" in said
    assert f"**{format_number(float(best.max()))}**" in said
    assert "each is predicted on its own" in " ".join(bert_words.notice(TEXT, TRACES["2,8"], WORD))
    assert "no place adds a term" in bert_words.notice(TEXT, TRACES[""], WORD)[0]


def test_the_pipeline_has_the_shape_of_every_tensor():
    places = (2, 8)
    seen = cloze.trace_text(NETWORK, TRACES["2,8"].corrupted)
    rows = picture.pipeline_steps(NETWORK.config, seen, places, term=True)
    time, types = len(TEXT.tokens), len(VOCABULARY)
    shapes = [row.shape for row in rows]
    wide = f"({time} × 12)"
    assert shapes == [
        f"({time})", "(2)", wide, wide, wide, wide, wide, "(2 × 12)", f"(2 × {types})",
        "scalar",
    ]  # fmt: skip
    values = filled(rows, picture.pipeline(seen, places, 1.25))
    assert values[0] == f"{time} tokens" and values[-1] == "1.25 nats"
    assert values[2] == f"norm {format_number(float(seen.embedding.token.double().norm()))}"
    assert values[6] == f"norm {format_number(float(seen.hidden.double().norm()))}"
    bare = BERT(TransformerConfig(types, 12, 2, 1, 16, 64, segments=0, causal=False), head=False)
    seen = cloze.trace_text(bare, TEXT.reading.ids)
    short = picture.pipeline_steps(bare.config, seen, (), term=False)
    assert [row.name for row in short][-1] == "1 blocks"
    assert "segment" not in [row.name for row in short]
    assert short[-2].formula == "E[x] + P" and short[-1].formula.endswith("then LayerNorm")
    assert torch.equal(seen.start, seen.embedding.output)  # so no row says that it is normalised
    config = TransformerConfig(types, 12, 2, 1, 16, 64, segments=2, causal=False, norm="post")
    post = BERT(config)
    rows = picture.pipeline_steps(
        config, cloze.trace_text(post, TEXT.reading.ids), (2,), term=False
    )
    assert [row.name for row in rows][6:8] == ["normalise", "1 blocks"]


def test_reach_is_shown_as_shares_and_counted_on_both_sides():
    found = {"b": doubles(1, 2, 1), "g": doubles(3, 0, 0)}
    drawn = picture.reach_grid(["x", "y", "z"], found, 1)
    assert drawn["texts"][:3] == ["0.25", "0.5", "0.25"] and drawn["texts"][3] == "1"
    assert drawn["fills"][4] == "" and "g: 0 words after it" in drawn["alt"]
    said = bert_words.reach_words(found, 1, ["x", "y", "z"])
    assert "b: **1** before it and **1** after it; g: **1** before it and **0**" in said


def test_berts_training_is_computed_from_what_is_quoted():
    named = picture.training_numbers()
    # numbers.md, N18: 42.6B tokens, 12.9 passes over 3.3B words
    assert float(named["tokens"]) == pytest.approx(42.6e9, rel=1e-3)
    assert float(named["passes"]) == pytest.approx(12.9, rel=2e-3)
    assert filled(picture.TRAINING_STEPS, named)[2].startswith("4.260×10¹⁰")


def test_a_pair_is_drawn_with_its_segments_and_its_two_chances():
    logits = torch.tensor([1.5, -0.5], dtype=torch.float64)
    found = NextSentenceTrace(
        torch.ones(4).double(), torch.ones(4).double(), logits, logits.softmax(-1)
    )
    drawn = pairs_text.verdict(found)
    p = 1 / (1 + math.exp(-2))
    assert drawn["columns"] == list(next_sentence.NAMES)
    assert drawn["texts"] == [format_number(p), format_number(1 - p)]
    assert drawn["ends"][0]["texts"] == ["1.5"]
    values = filled(pairs_text.steps(found), pairs_text.numbers(found))
    costs = [f"{format_number(-math.log(chance))} nats" for chance in (p, 1 - p)]
    assert values[4:] == [format_number(p), *costs]
    said = " ".join(pairs_text.notice(found.probabilities.tolist(), found.losses.tolist()))
    assert f"**IsNext**, {format_number(p)}" in said and "0.6931" in said
    chips = pairs_text.chips(READER.read("the cat", "a dog runs"))[0]
    assert [chip["below"] for chip in chips["chips"]] == ["S_A"] * 4 + ["S_B"] * 4
    assert chips["said"] == "4 tokens in segment A, 4 in segment B"
    assert pairs_text.measured_rows(NextSentenceAccuracy(7, 0.9, 0.3))[0][1:4] == (7, 0.9, 0.5)


def test_the_game_hides_the_gap_until_it_is_answered():
    item = game.game(2)[0]
    words = VOCABULARY.decode(item.ids)
    hidden = game_text.chips(item, 0, revealed=False)["chips"]
    assert hidden[item.place - 1]["text"] == game_text.GAP and len(hidden) == len(words) - 2
    assert (
        game_text.chips(item, 0, revealed=True)["chips"][item.place - 1]["text"]
        == words[item.place]
    )
    best, own = game.best_answer(item), game.score_answer(item, item.hidden)
    log_q = np.log(np.full(len(VOCABULARY), 1 / len(VOCABULARY)))
    drawn = game_text.grid(item, {"You": own}, log_q)
    at = drawn["columns"].index(words[item.place])
    assert drawn["texts"][at] == format_number(float(item.exact[item.hidden]))
    said = " ".join(game_text.answer_words(item, {"You": own, "Best": best}))
    assert f"“{words[item.place]}” was the hidden word." in said and "a hit" in said
    rows = game_text.rows({"You": game.total_score([own, own])})
    assert rows == [("You", 2 * own.points, own.points, 2, 2)]


def test_readers_are_ranked_and_who_is_blind_is_said():
    found = Contest(
        10, 0.7, 0.8, (ContestResult("a", 0.4, 0.1, 3), ContestResult("b", 0.6, 0.2, 4))
    )
    assert readers_text.contest_rows(found)[1] == ("b", 0.6, pytest.approx(0.75), 0.2, 4)
    first, second = readers_text.contest_words(found)
    assert first.index("b 0.6") < first.index("a 0.4") and "**0.8**" in second
    said = " ".join(readers_text.shuffle_words({"a": 0.0, "b": 0.25}))
    assert "of b by 0.25" in said and "**a: by 0, exactly**" in said
    assert "exactly" not in " ".join(readers_text.shuffle_words({"b": 0.25}))
    drawn = readers_text.moves_grid(["x", "_", "z"], {"a": doubles(0.5, 0, 0)}, 1)
    assert "a does not see 1 words" in drawn["alt"] and drawn["texts"][0] == "0.5"
    assert readers_text.block_rows([PlaceBlock(-2, 1.0, 0.5)]) == [("−2", 1.0, 0.5)]
    rows = {"a": doubles(0.1, 0.2, 0.7, 0, 0, 0), "b": doubles(0, 1, 0, 0, 0, 0)}
    grid = readers_text.answer_grid(rows, list("uvwxyz"))
    assert grid["columns"][:2] == ["v", "w"] and "a: w, 0.7" in grid["alt"]


def test_what_a_run_fills_in_is_listed_with_the_truth_beside():
    trace = TRACES["2"]
    rows = pretraining_text.filled_rows(TEXT, trace, WORD)
    assert len(rows[0]) == len(pretraining_text.filled_columns(trace)) == 3
    assert any(label == "2: ▸ cow" for label, *_ in rows)
    for label, q, p in rows:
        i = VOCABULARY.ids[label.split()[-1]]
        assert (q, p) == (pytest.approx(float(trace.log_q[0, i].exp())),
                          pytest.approx(exactly(trace, 0, i)))  # fmt: skip
    assert "the [MASK] which" in pretraining_text.covered_text(TEXT, trace)
    told = PretrainingProgress(9, FillIn(5, 0.8, 0.4, 1.0), NextSentenceAccuracy(7, 0.9, 0.3))
    assert pretraining_text.tested_row("run 1", told) == ("run 1", 9.0, 0.4, 0.8, 1.0, 0.9, 0.3)


@pytest.mark.parametrize(
    "snippet",
    [
        bert_words.snippet("encoder", "the cow waits.", "2"),
        pairs_text.snippet("the cow waits.", "it is old."),
        game_text.snippet(3),
        readers_text.snippet(contest.shuffle_context((0, 4, 5, 6, 1), 2, 1), 2, 1),
        pretraining_text.snippet(pretraining.run_spec(2, 0.15)),
    ],
    ids=["fill", "pairs", "game", "readers", "pretrain"],
)
def test_every_snippet_runs(snippet, capsys):
    exec(compile(snippet, "snippet", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_a_template_is_filled_by_the_same_rule_as_in_the_browser():
    assert LiveNumbers("x", ("l0",), np.array([-1.5])).fill("{l0:p}") == "(−1.5)"


@pytest.mark.parametrize(
    ("state", "loss", "expected"),
    [
        ("running", 2.0, pretraining_text.LINES),
        ("finished", 2.0, "choosing among 7.389 equally likely words"),
        ("diverged", math.inf, "the run has diverged"),
    ],
)
def test_a_run_says_what_its_lines_are_and_at_rest_where_it_stands(state, loss, expected):
    began = Began("a", len(VOCABULARY), 9, None)
    spec = pretraining.run_spec(5, 0.15)
    view = RunView("a", spec, state, 5, 0, "", 0.0, "CPU", 1, 1, began)
    history = History(evaluations=[Evaluated(5, loss, ())])
    said = pretraining_text.standing_words(view, history)
    assert expected in said
    assert (format_number(math.log(len(VOCABULARY))) in said) == (state == "finished")
