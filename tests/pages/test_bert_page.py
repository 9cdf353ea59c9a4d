"""The BERT page shows what its models compute, in five tabs, and keeps the last good state."""

import time

import numpy as np
import pytest
import torch
from test_screen import by_key, drawn, fine, opened, put, said

import ui
from lessons.bert import fill_in_section, pairs_section, pretraining_section, readers_section
from lmcore.masked_lm import cloze, game, next_sentence, readers
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder
from tests.pretrained.made import bert_for_pairs, pieces, save
from ui import contents, runs

LESSON = ui.lesson("bert")
NETWORK, VOCABULARY, *_ = encoder()
READER = VocabularyModel("our small encoder", NETWORK, VOCABULARY)
TEXT = cloze.cloze_text(READER, LESSON.defaults["fill_text"])
FILL_IN_VIEWS = (
    "Per-position loss",
    "What can change it",
    "Input pipeline",
    "BERT’s training",
    "Check yourself",
    "Code",
    "Slide check",
)
PAIRS_VIEWS = ("Step by step", "Many pairs", "What for", "Check yourself", "Code", "Slide check")
PRETRAINING_VIEWS = (
    "Predictions during training",
    "Tested",
    "Check yourself",
    "Code",
    "Slide check",
)
READERS_VIEWS = (
    "All gaps",
    "Shuffle the words",
    "What each reader sees",
    "Weights per place",
    "Check yourself",
    "Code",
    "Slide check",
)


def picture(app):
    return drawn(app, "fill-cloze")


def plainly(error):
    return error.value.replace("\\", "")


def test_the_page_opens_on_the_models_own_fillers_and_the_exact_ones():
    app = fine(opened("bert"))
    shown = picture(app)
    assert shown["tokens"] == list(TEXT.tokens) and shown["at"] == "14"
    (found,) = cloze.fill(NETWORK, TEXT, [(14,)])
    (card,) = shown["views"]["14"]["cards"]
    ids = [VOCABULARY.ids[word] for word in card["words"]]
    assert np.allclose(card["q"], found.log_q[0, ids].exp(), atol=1e-6)
    assert card["p"][0] == pytest.approx(float(found.exact[0, ids[0]]))
    assert card["own"] == "animal" == card["words"][0]
    assert "likeliest word is **animal**" in said(app)


def test_what_the_next_press_shows_is_what_the_server_then_computes():
    ahead = picture(opened("bert"))["views"]
    app = fine(put(opened("bert"), {"fill_at": "2,14"}))
    now = picture(app)
    assert now["at"] == "2,14"
    for here, there in zip(now["views"]["2,14"]["cards"], ahead["2,14"]["cards"], strict=True):
        assert here["words"] == there["words"]
        assert np.allclose(here["q"], there["q"], atol=1e-5)
    assert set(ahead) == {"14", ""} | {
        ",".join(map(str, sorted((14, place)))) for place in TEXT.maskable if place != 14
    }


@pytest.mark.parametrize("view", FILL_IN_VIEWS)
@pytest.mark.parametrize("at", ["", "14", "2,6,14"])
def test_every_view_stands_however_the_text_is_covered(view, at):
    app = fine(opened("bert", fill_at=at, fill_see=view))
    assert not app.error
    typed = "the [MASK] didn't cross the street because it was too tired."
    assert not fine(opened("bert", fill_text=typed, fill_at="", fill_see=view)).error


def test_only_covered_places_add_a_term_to_the_loss():
    app = fine(opened("bert", fill_at="2,14"))
    table = drawn(app, "fill_terms-losses")
    numbers = dict(zip(table["names"], table["now"], strict=True))
    covered = [n for n in range(len(TEXT.tokens)) if numbers[f"f{n}"]]
    (found,) = cloze.fill(NETWORK, TEXT, [(2, 14)])
    assert covered == [2, 14] and numbers["loss"] == pytest.approx(found.loss, abs=1e-5)
    rows = drawn(app, "table-fill-terms")["numbers"].reshape(2, 3)
    assert np.allclose(rows[:, 0], found.terms, atol=1e-5)
    assert np.allclose(rows[:, 2], found.divergence, atol=1e-5)


def test_a_gpt_is_moved_from_the_left_alone():
    app = fine(opened("bert", fill_at="5", fill_see="What can change it"))
    count = len(TEXT.tokens)
    texts = np.array(drawn(app, "cells-reach")["texts"]).reshape(2, count)
    assert not any(text.strip("✕ ") == "0" for text in texts[0])
    assert all(text.strip("✕ ") == "0" for text in texts[1, 5:])
    assert f"**5** before it and **{count - 6}** after it" in said(app)


@pytest.mark.skipif(wheel.package_folder() is None, reason="the English encoder is not installed")
def test_an_encoder_without_a_head_says_so_and_shows_what_it_reads():
    address = {"fill_model": "minilm", "fill_text": "Seattle [MASK] some snow", "fill_at": "1"}
    for view in FILL_IN_VIEWS:
        app = fine(opened("bert", **address, fill_see=view))
        assert not app.error
        shown = picture(app)
        assert shown["tokens"][:3] == ["[CLS]", "seattle", "[MASK]"] and shown["typed"] == [2]
        assert shown["views"] == {} and "no head that fills in" in shown["wait"]
    app = fine(opened("bert", bert_tab="pairs", pairs_model="minilm"))
    assert not app.error and "no head for pairs" in said(app).replace("\\", "")


def test_a_loaded_bert_with_both_heads_fills_in_and_judges_as_transformers_has_it(
    tmp_path, monkeypatch
):
    model, tokenizer = bert_for_pairs(), pieces()
    save(model, tokenizer, tmp_path / "tiny")
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path))
    address = {"fill_model": "folder:tiny", "fill_text": "The animal crossed", "fill_at": "2"}
    for view in FILL_IN_VIEWS:
        assert not fine(opened("bert", **address, fill_see=view)).error
    app = fine(opened("bert", **address))
    shown = picture(app)
    assert shown["tokens"] == ["[CLS]", "the", "animal", "cross", "##ed", "[SEP]"]
    (card,) = shown["views"]["2"]["cards"]
    ids = tokenizer.encode("The animal crossed").ids
    ids[2] = tokenizer.token_to_id("[MASK]")
    with torch.no_grad():
        q = model(torch.tensor([ids])).prediction_logits[0, 2].softmax(-1)
    assert card["p"] is None
    expected = [float(q[tokenizer.token_to_id(word)]) for word in card["words"]]
    assert np.allclose(card["q"], expected, atol=1e-5)
    assert "no exact answer for a text of real English" in said(app)

    pair = {"pairs_model": "folder:tiny", "pairs_first": "The animal", "pairs_second": "a street"}
    for view in PAIRS_VIEWS:
        assert not fine(opened("bert", bert_tab="pairs", **pair, pairs_see=view)).error
    grid = drawn(opened("bert", bert_tab="pairs", **pair), "cells-next")
    read = tokenizer.encode("The animal", "a street")
    with torch.no_grad():
        found = model(torch.tensor([read.ids]), token_type_ids=torch.tensor([read.type_ids]))
    p = found.seq_relationship_logits[0].softmax(-1)
    assert grid["texts"][0] == format_number(float(p[0]))


def test_slides_are_put_right_each_where_it_belongs():
    all_of_them = [
        *fill_in_section.ERRATA,
        *pairs_section.ERRATA,
        *pretraining_section.ERRATA,
        *readers_section.ERRATA,
    ]
    assert sorted(all_of_them) == sorted(contents.page("bert").errata)


def test_the_game_asks_reveals_and_scores():
    app = fine(opened("bert", bert_tab="game"))
    item = game.game(1)[0]
    words = VOCABULARY.decode(item.ids)
    hidden = words[item.place]
    assert "was the hidden word" not in said(app)
    best = VOCABULARY.tokens[game.best_answer(item).word]
    option = VOCABULARY.decode(item.options).index(best)
    app = fine(by_key(app.button, f"game-option-{option}").click().run())
    assert app.query_params["game_said"] in (best, [best])
    assert f"“{hidden}” was the hidden word." in said(app)
    table = drawn(app, "table-game")
    rows = dict(zip(table["labels"], table["numbers"].reshape(-1, 4), strict=True))
    assert rows["You"][0] == pytest.approx(float(item.exact.max())) == rows["Best possible"][0]
    app = fine(next(b for b in app.button if b.label == "Next text").click().run())
    chips = drawn(app, "game-chips")["views"][0][0]
    assert chips["title"] == "Text 2" and "____" in [chip["text"] for chip in chips["chips"]]
    linked = fine(opened("bert", bert_tab="game", game_said=f"{best},cat", game_at="2"))
    assert drawn(linked, "table-game")["numbers"].reshape(-1, 4)[0, 3] == 2


def test_a_typed_answer_counts_and_one_that_nobody_knows_is_refused():
    app = opened("bert", bert_tab="game")
    app = fine(by_key(app.text_input, "game-typed").set_value("hrse").run())
    assert any("got 'hrse'" in plainly(e) for e in app.error) and "table-game" not in said(app)
    app = fine(by_key(app.text_input, "game-typed").set_value("Cold").run())
    assert not app.error and app.session_state["game_said"] == "cold"


def test_a_game_ends_after_its_texts():
    answers = ",".join(["cat"] * game.ROUNDS)
    app = fine(opened("bert", bert_tab="game", game_said=answers, game_at="8"))
    assert "The game is over." in said(app)
    rows = drawn(app, "table-game")["numbers"].reshape(-1, 4)
    assert (rows[:, 3] == game.ROUNDS).all() and (rows[:, 0] <= rows[2, 0] + 1e-9).all()


def test_a_pair_is_judged_drawn_and_its_truth_told():
    app = fine(opened("bert", bert_tab="pairs"))
    texts = [LESSON.defaults[f"pairs_{name}"] for name in ("first", "second")]
    found = next_sentence.predict_next_sentence(NETWORK, READER.read(*texts))
    grid = drawn(app, "cells-next")
    assert grid["texts"][0] == f"{float(found.probabilities[0]):.4f}"
    app = fine(by_key(app.button, "pairs-draw").click().run())
    pair = next_sentence.draw_pair(1)
    assert (app.session_state["pairs_first"], app.session_state["pairs_second"]) == pair[:2]
    assert "The answer is" not in said(app)
    app = fine(put(app, {"pairs_truth": "true"}))
    assert f"The answer is **{next_sentence.NAMES[pair.label]}**" in said(app)


@pytest.mark.parametrize("view", PAIRS_VIEWS)
def test_every_view_of_a_pair_stands(view):
    assert not fine(opened("bert", bert_tab="pairs", pairs_see=view)).error


def test_many_pairs_are_told_apart_better_than_by_chance():
    app = fine(opened("bert", bert_tab="pairs", pairs_see="Many pairs"))
    _, accuracy, chance, loss, uniform = drawn(app, "table-pairs")["numbers"]
    assert accuracy > 0.8 > chance == 0.5 and loss < uniform == pytest.approx(np.log(2))


@pytest.mark.parametrize("view", READERS_VIEWS)
def test_every_view_of_the_readers_stands(view):
    assert not fine(opened("bert", bert_tab="readers", readers_see=view)).error


def test_the_readers_answer_as_their_networks_do():
    app = fine(opened("bert", bert_tab="readers"))
    grid = drawn(app, "cells-cloze-answers")
    ids = READER.read(LESSON.defaults["readers_text"]).ids
    for row, (kind, reader) in enumerate(readers.load_readers().items()):
        q = readers.gap_log_probabilities(reader, ids, 7).exp()
        text = grid["texts"][row * len(grid["columns"])]
        assert text == format_number(float(q[VOCABULARY.ids[grid["columns"][0]]])), kind


def test_the_bag_does_not_move_and_what_the_beat_says_of_the_others_holds():
    app = fine(opened("bert", bert_tab="readers", readers_see="Shuffle the words"))
    table = drawn(app, "table-shuffled")
    moved = dict(zip(table["labels"], table["numbers"], strict=True))
    assert moved["Bag DNN"] == 0 and min(x for n, x in moved.items() if n != "Bag DNN") > 0.01
    assert "**Bag DNN: by 0, exactly**" in said(app)
    far = next(preset for preset in LESSON.presets if preset.label == "Too long for the window")
    app = fine(opened("bert", **LESSON.address(far)))
    assert "the top prediction of **3 of 6**: Bag DNN, Transformer (BERT), The grammar" in said(app)
    assert "**does not see 17**" in said(app)


def rested(app):
    """The run of an app, once it makes no more steps."""
    (name,) = app.session_state["pretrain_runs"].split(",")
    end = time.monotonic() + 120
    while (view := runs.pool().view(name)).state != "finished":
        assert view.state in ("queued", "running") and time.monotonic() < end, view
        time.sleep(0.1)
    return name


def test_a_run_is_trained_fills_in_is_tested_and_linked():
    app = fine(opened("bert", bert_tab="pretrain", pretrain_steps="4"))
    app = fine(by_key(app.button, "pretrain-start").click().run())
    assert not app.error
    name = rested(app)
    assert app.query_params["pretrain_runs"] in (name, [name])
    linked = {"bert_tab": "pretrain", "pretrain_runs": name, "pretrain_steps": "4"}
    app = fine(opened("bert", **linked))
    assert not app.error and "Validated at step 4" in said(app)
    assert "step 4: [CLS] the animal" in said(app).replace("\\", "")
    labels = drawn(app, "table-filled-0")["labels"]
    assert "14: ▸ animal" in labels
    app = fine(opened("bert", **linked, pretrain_see="Tested"))
    row = drawn(app, "table-pretrained")["numbers"]
    assert row[0] == 4 and row[1] < row[2]
    app = fine(opened("bert", pretrain_runs=name, fill_model=f"run:{name}"))
    assert not app.error and picture(app)["views"]["14"]["cards"][0]["own"] == "animal"


@pytest.mark.parametrize("view", PRETRAINING_VIEWS)
def test_every_view_stands_before_any_run(view):
    app = fine(opened("bert", bert_tab="pretrain", pretrain_see=view))
    assert not app.error and not by_key(app.button, "pretrain-start").disabled


def test_a_run_that_is_gone_is_said_to_be():
    app = fine(opened("bert", bert_tab="pretrain", pretrain_runs="nobody"))
    assert any("no longer on the server" in each.value for each in app.info)


def test_a_typed_token_that_the_grammar_lacks_is_filled_round_without_it():
    app = fine(opened("bert", fill_text="the [PAD] was old.", fill_at="1"))
    assert app.session_state["fill-good"].trace.exact is None


@pytest.mark.parametrize(
    ("tab", "settings", "reason"),
    [
        ("fill", {"fill_text": ""}, "must hold at least one token"),
        ("fill", {"fill_text": "the hrse"}, "got 'hrse'"),
        ("fill", {"fill_at": "0"}, "a covered word must be from 1 to 17; got 0"),
        ("fill", {"fill_at": "x"}, "a covered word must be a whole number"),
        ("fill", {"fill_model": "run:gone"}, "This run no longer exists"),
        ("fill", {"fill_model": "nobody"}, "the model must be one of"),
        ("game", {"game_seed": "-1"}, "the game number must be from 0"),
        ("game", {"game_said": "hrse"}, "got 'hrse'"),
        ("game", {"game_said": "a,a,a,a,a,a,a,a,a"}, "must have at most 8 answers; got 9"),
        ("game", {"game_at": "9"}, "the text of the game must be from 1 to 8; got 9"),
        ("pairs", {"pairs_second": " "}, "the second text must have 1 word or more"),
        ("pairs", {"pairs_first": "the hrse"}, "word 2 must be one of the 284 the model knows"),
        ("pairs", {"pairs_second": "hrse"}, "word 1 of the second text must be one of the 284"),
        ("pretrain", {"pretrain_steps": "0"}, "the number of steps must be from 1"),
        ("pretrain", {"pretrain_share": "2"}, "above 0 and at most 1; got 2"),
        ("pretrain", {"pretrain_share": "0"}, "above 0 and at most 1; got 0"),
        ("pretrain", {"pretrain_seed": "x"}, "the seed must be a whole number"),
        ("readers", {"readers_gap": "99"}, "the gap must be from 1 to 9; got 99"),
        ("readers", {"readers_seed": "-1"}, "the seed of the shuffle must be from 0"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_and_the_last_good_stays(tab, settings, reason):
    app = opened("bert", bert_tab=tab)
    before = app.session_state[f"{tab}-good"]
    app = fine(put(app, settings))
    assert any(reason in plainly(error) for error in app.error), app.error
    assert app.session_state[f"{tab}-good"] is before
    app = fine(opened("bert", bert_tab=tab, **settings))
    assert any(reason in plainly(error) for error in app.error), app.error


@pytest.mark.parametrize(
    ("name", "value"),
    [("bert_tab", "none"), ("fill_model", "none"), ("fill_see", "none"), ("pairs_model", "none")],
)
def test_an_address_that_asks_for_what_is_not_there_says_so(name, value):
    tab = {"bert_tab": "pairs"} if name.startswith("pairs") else {}
    app = fine(opened("bert", **{**tab, name: value}))
    assert any(f"got '{value}'" in plainly(error) for error in app.error)


def test_a_text_far_too_long_is_cut_and_it_is_said():
    app = fine(opened("bert", fill_text="the dog " * 10_000, fill_at=""))
    assert any("80,000 characters" in each.value for each in app.warning)
    assert f"first {cloze.LONGEST} tokens" in said(app)
    assert len(picture(app)["tokens"]) == cloze.LONGEST


def test_typed_words_are_text_and_never_markdown():
    text = "the cow waits. <b>x</b> ![y](http://y.example)"
    app = fine(opened("bert", fill_text=text, fill_at=""))
    assert all("](http" not in error.value for error in app.error) and app.error
