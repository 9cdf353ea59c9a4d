"""The pictures and texts of the BERT page show the computed numbers."""

import math

import numpy as np
import pytest
import torch

from drawing.live import LiveNumbers, live_numbers
from lessons.bert import (
    bert_picture,
    bert_state,
    bert_text,
    fill_in_text,
    game_text,
    pairs_text,
    pretraining_text,
    readers_text,
)
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
    """The grammar's probability of a type; 0 for [MASK] and [PAD], which the grammar lacks."""
    return float(trace.exact[row, i]) if i < trace.exact.shape[1] else 0.0


def filled(rows, numbers):
    """The values in the rows of a step table, with their numbers filled in."""
    live = live_numbers("x", numbers, [], {})
    return [live.fill(row.value) for row in rows]


def gaps(trace, **how):
    return bert_picture.gaps(TEXT, trace, trace, WORD, **how)


def test_a_gap_holds_both_probabilities_of_each_word_and_the_covered_one():
    trace = TRACES["2,8"]
    found = gaps(trace)
    named = bert_picture.numbers(TEXT, trace, trace, found, WORD)
    for gap in found:
        row = gap.row
        drawn = bert_picture.gap_payload(gap, trace, WORD, left=False)
        assert drawn["place"] == trace.places[row] and len(gap.ids) <= bert_picture.MOST
        assert [each["word"] for each in drawn["fillers"] if each["own"]] == [
            TEXT.tokens[trace.places[row]]
        ]
        chances = [named[each["q"]] for each in drawn["fillers"]]
        assert chances == sorted(chances, reverse=True)
        assert WORD(int(trace.exact[row].argmax())) in [each["word"] for each in drawn["fillers"]]
        for each in drawn["fillers"]:
            i = VOCABULARY.ids[each["word"]]
            assert named[each["q"]] == pytest.approx(float(trace.log_q[row, i].exp()))
            assert named[each["p"]] == pytest.approx(exactly(trace, row, i))
        costs = [named[name] for _, name in drawn["notes"]]
        expected = [trace.terms[row], trace.exact_terms[row], trace.divergence[row]]
        assert costs == pytest.approx([float(each) for each in expected])
    assert named["loss"] == pytest.approx(trace.loss) and named["terms"] == 2


def test_a_gap_that_is_asked_for_is_in_alphabetical_order():
    (gap,) = gaps(TRACES["2"], asked=True)
    words = [WORD(i) for i in gap.ids]
    assert words == sorted(words)
    hidden = bert_picture.bar_names([gap], TRACES["2"], WORD)
    assert {f"{kind}0 {word}" for word in words if word.isalpha() for kind in "qp"} <= set(hidden)


def test_without_a_truth_there_is_one_bar_and_no_divergence():
    text = cloze.cloze_text(READER, "he ate the [MASK] with the fork.")
    (trace,) = cloze.fill(NETWORK, text, [cloze.covered_places(text, [6])])
    found = bert_picture.gaps(text, trace, trace, WORD)
    first, second = (bert_picture.gap_payload(each, trace, WORD, left=False) for each in found)
    assert all(each["p"] == "" for each in (*first["fillers"], *second["fillers"]))
    assert first["notes"] == [] and [label for label, _ in second["notes"]] == ["−log q"]
    assert not any(each["own"] for each in first["fillers"])
    assert len(bert_picture.covered_rows(text, trace)[0]) == 2


def test_only_covered_places_have_a_term():
    trace = TRACES["2,8"]
    named = bert_picture.terms(TEXT, trace)
    has = [float(named[f"f{i}"]) for i in range(len(TEXT.tokens))]
    assert [i for i, one in enumerate(has) if one] == [2, 8]
    assert float(named["n_chosen"]) == 2 and float(named["loss"]) == pytest.approx(trace.loss)
    assert float(named["l2"]) == float(trace.terms[0]) and math.isnan(float(named["l3"]))
    assert bert_text.loss_formula(trace).count("+") == 1
    assert bert_text.loss_formula(TRACES[""]) == ""


def scene(trace, both=None):
    return bert_state.FillInState("encoder", READER, NETWORK, TEXT, "", trace, both or trace)


def filled_in(text, named):
    return LiveNumbers("x", tuple(named), np.array(list(named.values()))).fill(text)


def test_the_finding_names_the_favourites_of_model_and_grammar():
    trace = TRACES["2"]
    (gap,) = gaps(trace)
    said = fill_in_text.texts(scene(trace), [gap], asked=False)
    named = bert_picture.numbers(TEXT, trace, trace, [gap], WORD)
    first, best = WORD(int(trace.log_q[0].argmax())), trace.exact[0]
    sentence = filled_in(said.sentence, named)
    assert (
        f"**{first}**".replace("[", "\\[").replace("]", "\\]") in sentence
        and format_number(float(best.max())) in sentence
    )
    assert format_number(float(trace.divergence[0])) in sentence
    assert named[said.marked] == pytest.approx(float(trace.log_q[0].max().exp()))
    assert format_number(trace.loss) in filled_in(" ".join(said.formula), named)
    alike = int((best > best.max() - fill_in_text.CLOSE).sum()) - 1
    assert alike and (
        f"as for {alike} more" in sentence or f"“{WORD(int(best.argmax()))}”" in sentence
    )


def test_several_gaps_have_a_mean_with_its_terms_and_none_has_no_loss():
    trace = TRACES["2,8"]
    said = fill_in_text.texts(scene(trace), gaps(trace), asked=False)
    named = bert_picture.numbers(TEXT, trace, trace, gaps(trace), WORD)
    assert "the mean of 2 terms" in said.sentence and "without the others" in said.sentence
    one, two = (format_number(float(each)) for each in trace.terms)
    formula = filled_in(said.formula[0], named)
    assert f"({one} + {two}) / 2" in formula and format_number(trace.loss) in formula
    none = fill_in_text.texts(scene(TRACES[""]), [], asked=False)
    assert "nothing to predict" in none.sentence and none.marked == ""


def test_what_is_asked_is_in_no_text_around_the_picture():
    trace = TRACES["2"]
    (gap,) = gaps(trace, asked=True)
    said = fill_in_text.texts(scene(trace), [gap], asked=True)
    texts = " ".join([said.sentence, *said.formula, said.alt])
    assert "“cow”" not in texts and "the cow" not in texts and "{" not in texts


def test_from_the_left_both_readers_are_named():
    trace, both = TRACES["2"], TRACES["2"]
    left = cloze.FillTrace(*(getattr(trace, name) for name in trace.__dataclass_fields__))
    found = bert_picture.gaps(TEXT, left, both, WORD)
    said = fill_in_text.texts(scene(left, both), found, asked=False)
    assert "{q0 cow}" in said.sentence and "{both0 cow}" in said.sentence
    drawn = bert_picture.gap_payload(found[0], left, WORD, left=True)
    assert all(each["both"] for each in drawn["fillers"])


def test_what_a_person_typed_stands_for_itself_in_a_sentence():
    text = cloze.cloze_text(READER, "the [MASK] was old.")
    (trace,) = cloze.fill(NETWORK, text, [cloze.covered_places(text, [3])])
    whole = bert_state.FillInState("x", READER, NETWORK, text, "3", trace, trace)
    said = fill_in_text.texts(whole, bert_picture.gaps(text, trace, trace, WORD), asked=False)
    assert "\\[CLS\\]" in said.alt


def test_the_pipeline_has_the_shape_of_every_tensor():
    places = (2, 8)
    seen = cloze.trace_text(NETWORK, TRACES["2,8"].corrupted)
    rows = bert_picture.pipeline_steps(NETWORK.config, seen, places, term=True)
    time, types = len(TEXT.tokens), len(VOCABULARY)
    shapes = [row.shape for row in rows]
    wide = f"({time} × 12)"
    assert shapes == [
        f"({time})", "(2)", wide, wide, wide, wide, wide, "(2 × 12)", f"(2 × {types})",
        "scalar",
    ]  # fmt: skip
    values = filled(rows, bert_picture.pipeline(seen, places, 1.25))
    assert values[0] == f"{time} tokens" and values[-1] == "1.25 nats"
    assert values[2] == f"norm {format_number(float(seen.embedding.token.double().norm()))}"
    assert values[6] == f"norm {format_number(float(seen.hidden.double().norm()))}"
    bare = BERT(TransformerConfig(types, 12, 2, 1, 16, 64, segments=0, causal=False), head=False)
    seen = cloze.trace_text(bare, TEXT.reading.ids)
    short = bert_picture.pipeline_steps(bare.config, seen, (), term=False)
    assert [row.name for row in short][-1] == "1 blocks"
    assert "segment" not in [row.name for row in short]
    assert short[-2].formula == "E[x] + P" and short[-1].formula.endswith("then LayerNorm")
    assert torch.equal(seen.start, seen.embedding.output)  # not normalised here, so no row for it
    config = TransformerConfig(types, 12, 2, 1, 16, 64, segments=2, causal=False, norm="post")
    post = BERT(config)
    rows = bert_picture.pipeline_steps(
        config, cloze.trace_text(post, TEXT.reading.ids), (2,), term=False
    )
    assert [row.name for row in rows][6:8] == ["normalise", "1 blocks"]


def test_reach_is_shown_as_shares_and_counted_on_both_sides():
    found = {"b": doubles(1, 2, 1), "g": doubles(3, 0, 0)}
    drawn = bert_picture.reach_grid(["x", "y", "z"], found, 1)
    assert drawn["texts"][:3] == ["0.25", "0.5", "0.25"] and drawn["texts"][3] == "1"
    assert drawn["fills"][4] == "" and "g: 0 words after it" in drawn["alt"]
    said = bert_text.reach_words(found, 1, ["x", "y", "z"])
    assert "of 1 before it and 1 after it, b reads **1** and **1**; g reads **1** and **0**" in said


def test_berts_training_is_computed_from_what_is_quoted():
    named = bert_picture.training_numbers()
    # 42.6B tokens, 12.9 passes over 3.3B words
    assert float(named["tokens"]) == pytest.approx(42.6e9, rel=1e-3)
    assert float(named["passes"]) == pytest.approx(12.9, rel=2e-3)
    assert filled(bert_picture.TRAINING_STEPS, named)[2].startswith("4.260×10¹⁰")


def test_a_pair_is_drawn_with_its_segments_and_its_two_chances():
    logits = torch.tensor([1.5, -0.5], dtype=torch.float64)
    found = NextSentenceTrace(
        torch.ones(4).double(), torch.ones(4).double(), logits, logits.softmax(-1)
    )
    p = 1 / (1 + math.exp(-2))
    values = filled(pairs_text.steps(found), pairs_text.numbers(found))
    costs = [f"{format_number(-math.log(chance))} nats" for chance in (p, 1 - p)]
    assert values[4:] == [format_number(p), *costs]
    said = filled_in(pairs_text.finding(found, "it"), {**pairs_text.numbers(found)})
    assert f"**IsNext** =={format_number(p)}==" in said and "that of a coin toss is 0.6931" in said
    drawn = pairs_text.picture(READER.read("the cat", "a dog runs"), found, 1)
    assert drawn["first"] == ["[CLS]", "the", "cat", "[SEP]"] and len(drawn["second"]) == 4
    assert drawn["titles"] == ["Segment A: 4 tokens", "Segment B: 4 tokens"]
    assert drawn["labels"] == list(next_sentence.NAMES) and drawn["marked"] == "p0"
    assert drawn["truth"] == "It was drawn as NotNext"
    assert pairs_text.measured_rows(NextSentenceAccuracy(7, 0.9, 0.3))[0][1:4] == (7, 0.9, 0.5)


def test_the_game_tells_what_each_answer_earns():
    item = game.game(2)[0]
    best, own = game.best_answer(item), game.score_answer(item, item.hidden)
    log_q = np.log(np.full(len(VOCABULARY), 1 / len(VOCABULARY)))
    answers = {"You": own, "Best possible": best}
    shown, named = game_text.options(item, answers, log_q)
    points = [named[each["p"]] for each in shown]
    assert points == sorted(points, reverse=True)
    (hidden,) = [each for each in shown if each["own"]]
    assert hidden["word"] == WORD(item.hidden) and "you" in hidden["tag"]
    assert named[hidden["p"]] == float(item.exact[item.hidden]) == own.points
    said = filled_in(game_text.finding(item, answers), named)
    assert f"a **hit**; you earn =={format_number(own.points)}==" in said or "lucky" in said
    wrong = game.score_answer(item, VOCABULARY.ids["cat"])
    said = game_text.finding(item, {"You": wrong, "Best possible": best})
    assert f"the hidden word is “**{WORD(item.hidden)}**”" in said
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
    ranked = Contest(9, 0.7, 0.9, (ContestResult("Bag DNN", 0.62, 0.1, 3),
                     ContestResult("Transformer (BERT)", 0.6, 0.2, 4)))  # fmt: skip
    last = readers_text.contest_words(ranked)[-1]
    assert "**Bag DNN** is ahead of the Transformer, by at most 0.02" in last
    drawn = readers_text.moves_grid(["x", "_", "z"], {"a": doubles(0.5, 0, 0)}, 1)
    assert "a does not see 1 words" in drawn["alt"] and drawn["texts"][0] == "0.5"
    assert readers_text.block_rows([PlaceBlock(-2, 1.0, 0.5)]) == [("−2", 1.0, 0.5)]
    rows = {"a": doubles(0.1, 0.2, 0.7, 0, 0, 0), "b": doubles(0, 1, 0, 0, 0, 0)}
    bert = {"Transformer (BERT)": rows["b"], "Bag DNN": rows["a"]}
    answers = readers_text.answers(bert, doubles(0, 1, 0), 1, list("uvwxyz"))
    assert [(each.kind, each.chance, each.guess, each.right) for each in answers] == [
        ("bert", 1, "v", True), ("bag", 0.2, "w", False), ("grammar", 1, "v", True),
    ]  # fmt: skip
    assert "“**v**” is the first guess of 1 of 2 readers" in readers_text.finding(answers, "v")
    shown = readers_text.picture(["[CLS]", "u", "v", "[SEP]"], 2, answers)
    assert shown["rows"][1]["sees"] == [0, 1, 3] and not shown["rows"][1]["ordered"]
    grid = readers_text.answer_grid(rows, list("uvwxyz"))
    assert grid["columns"][:2] == ["v", "w"] and "a: w, 0.7" in grid["alt"]


def test_what_a_run_is_tested_on_is_a_row():
    told = PretrainingProgress(9, FillIn(5, 0.8, 0.4, 1.0), NextSentenceAccuracy(7, 0.9, 0.3))
    assert pretraining_text.tested_row("run 1", told) == ("run 1", 9.0, 0.4, 0.8, 1.0, 0.9, 0.3)


@pytest.mark.parametrize(
    "snippet",
    [
        bert_text.snippet("encoder", "the cow waits.", "2"),
        bert_text.snippet("encoder", "the cow waits.", "2", left=True),
        pairs_text.snippet("the cow waits.", "it is old."),
        game_text.snippet(3),
        readers_text.snippet(contest.shuffle_context((0, 4, 5, 6, 1), 2, 1), 2, 1),
        pretraining_text.snippet(pretraining.run_spec(2, 0.15)),
    ],
    ids=["fill", "left", "pairs", "game", "readers", "pretrain"],
)
def test_every_snippet_runs(snippet, capsys):
    exec(compile(snippet, "snippet", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_the_code_of_a_run_makes_that_run():
    spec = pretraining.run_spec(2, 0.3, seed=7)
    scope = {}
    exec(compile(pretraining_text.snippet(spec), "snippet", "exec"), scope)
    assert scope["run"].spec == spec


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
