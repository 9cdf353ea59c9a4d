"""The BERT page shows what its models compute, in five pictures, and keeps the last good state."""

import time

import numpy as np
import pytest
import torch
from test_screen import by_key, drawn, fine, opened, put, said

import ui
from lessons.bert import bert_state
from lmcore.masked_lm import cloze, game, next_sentence, pretraining, readers
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped import english
from lmcore.shipped.models import encoder, load_shipped
from tests.pretrained.made import bert, bert_for_pairs, pieces, save
from ui import runs

LESSON = ui.lesson("bert")
NETWORK, VOCABULARY, *_ = encoder()
READER = VocabularyModel("our small encoder", NETWORK, VOCABULARY)
TEXT = cloze.cloze_text(READER, LESSON.defaults["fill_text"])
WOLF = cloze.cloze_text(READER, LESSON.defaults["readers_text"])
VIEWS = [view for name, parts in bert_state.LOOKS.items() for view in (name, *parts)]
FILL_IN_VIEWS = (bert_state.PICTURE, *bert_state.LOOKS[bert_state.PICTURE])
FAR = next(each for each in LESSON.presets if each.label == "The subject is far away")


def picture(app):
    return drawn(app, "fill-cloze")


def numbers(data):
    return dict(zip(data["names"], data["now"], strict=True))


def plainly(error):
    return error.value.replace("\\", "")


def test_the_page_opens_on_the_models_own_fillers_and_the_exact_ones():
    app = fine(opened("bert"))
    shown = picture(app)
    assert shown["words"] == list(TEXT.tokens) and shown["at"] == "14"
    (found,) = cloze.fill(NETWORK, TEXT, [(14,)])
    (gap,) = shown["gaps"]
    now = numbers(shown)
    for filler in gap["fillers"]:
        i = VOCABULARY.ids[filler["word"]]
        assert now[filler["q"]] == pytest.approx(float(found.log_q[0, i].exp()), abs=1e-6)
        assert now[filler["p"]] == pytest.approx(float(found.exact[0, i]))
        assert filler["own"] == (filler["word"] == "animal")
    assert gap["place"] == 14 and gap["fillers"][0]["word"] == "animal"
    assert shown["marked"] == "q0 animal"
    q = format_number(float(found.log_q[0].max().exp()))
    assert f"our small encoder gives “animal” {q}; the exact answer is 1" in said(app)
    assert f"−log {q} = {format_number(found.loss)} nats" in said(app)


def test_the_gap_has_the_numbers_of_every_word_so_that_they_run_along_when_it_moves():
    names = [picture(fine(opened("bert", fill_at=at)))["names"] for at in ("14", "2", "6")]
    assert names[0] == names[1] == names[2] and {"q0 street", "p0 street"} <= set(names[0])


def test_the_covered_word_is_not_given_away_while_it_is_asked_for():
    for address in ({"ask": "covered"}, {"present": "1", "beat": "1"}):
        app = fine(opened("bert", **address))
        shown = picture(app)
        (gap,) = shown["gaps"]
        words = [filler["word"] for filler in gap["fillers"]]
        assert words == sorted(words) and shown["asked"] and shown["marked"] == ""
        assert {filler[kind] for filler in gap["fillers"] for kind in "qp"} <= set(shown["hidden"])
        assert "KL0" in shown["hidden"] and "“animal”" not in " ".join(shown["sentences"])
        assert not any(field.label == "Text" for field in app.text_area)
    assert not picture(fine(opened("bert", ask="covered", fill_at="2,6,14")))[
        "asked"
    ]  # 4 words fit equally well
    app = fine(opened("bert", ask="covered"))
    app = fine(by_key(app.button, "reveal-covered").click().run())
    assert "It is **animal**" in said(app) and not picture(app)["asked"]


def test_from_the_left_a_gpt_answers_and_the_exact_answer_is_that_of_the_words_before():
    app = fine(opened("bert", fill_at="2", fill_reads="left"))
    shown, gpt = picture(app), load_shipped("gpt")[0]
    found = cloze.fill_from_left(gpt.network, TEXT, 2)
    (both,) = cloze.fill(NETWORK, TEXT, [(2,)])
    now, own = numbers(shown), VOCABULARY.ids["animal"]
    assert shown["left"] and shown["bars"]["ours"] == "our small GPT"
    assert now["q0 animal"] == pytest.approx(float(found.log_q[0, own].exp()), abs=1e-6)
    assert now["p0 animal"] == pytest.approx(float(found.exact[0, own]))
    assert now["both0 animal"] == pytest.approx(float(both.log_q[0, own].exp()), abs=1e-6)
    assert now["p0 animal"] < 0.1 < 0.9 < now["both0 animal"]  # the point of the preset
    several = fine(opened("bert", fill_at="2,14", fill_reads="left"))
    assert [gap["place"] for gap in picture(several)["gaps"]] == [2]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_stands(view):
    app = fine(opened("bert", see=view))
    assert not app.error
    assert app.session_state["see"] == view


@pytest.mark.parametrize("view", FILL_IN_VIEWS)
@pytest.mark.parametrize("at", ["", "2,6,14"])
def test_every_view_stands_however_the_text_is_covered(view, at):
    assert not fine(opened("bert", fill_at=at, see=view)).error
    typed = "the [MASK] didn't cross the street because it was too tired."
    assert not fine(opened("bert", fill_text=typed, fill_at="", see=view)).error


@pytest.mark.parametrize("look", list(bert_state.LOOKS))
def test_a_picture_offers_the_other_pictures_and_its_own_views(look):
    app = fine(opened("bert", see=look))
    offered = by_key(app.button_group, "see-shown").options
    names = [option if isinstance(option, str) else option.content for option in offered]
    assert names == [*bert_state.LOOKS, *bert_state.LOOKS[look]]


def test_only_covered_places_add_a_term_to_the_loss():
    app = fine(opened("bert", fill_at="2,14", see="Per-position loss"))
    table = drawn(app, "fill_terms-losses")
    now = numbers(table)
    covered = [n for n in range(len(TEXT.tokens)) if now[f"f{n}"]]
    (found,) = cloze.fill(NETWORK, TEXT, [(2, 14)])
    assert covered == [2, 14] and now["loss"] == pytest.approx(found.loss, abs=1e-5)
    rows = drawn(app, "table-fill-terms")["numbers"].reshape(2, 3)
    assert np.allclose(rows[:, 0], found.terms, atol=1e-5)
    assert np.allclose(rows[:, 2], found.divergence, atol=1e-5)
    assert f"L = {format_number(found.loss)} nats, the mean of 2 terms" in said(app)


def test_a_single_term_is_no_fraction():
    app = fine(opened("bert", see="Per-position loss"))
    assert not any(r"\frac{1}{1}" in formula.value for formula in app.latex)


def test_a_gpt_is_moved_from_the_left_alone():
    app = fine(opened("bert", fill_at="5", see="What can change it"))
    count = len(TEXT.tokens)
    texts = np.array(drawn(app, "cells-reach")["texts"]).reshape(2, count)
    assert not any(text.strip("✕ ") == "0" for text in texts[0])
    assert all(text.strip("✕ ") == "0" for text in texts[1, 5:])
    assert f"reads **5** and **{count - 6}**" in said(app)


def test_the_page_says_how_many_types_the_model_has_as_its_errors_do():
    assert f"{len(VOCABULARY)} types: the 279 words" in said(fine(opened("bert")))


@pytest.mark.skipif(wheel.package_folder() is None, reason="the English encoder is not installed")
def test_an_encoder_that_fills_in_nothing_is_not_offered():
    assert "minilm" not in bert_state.available_models()
    app = fine(opened("bert", fill_model="minilm"))
    assert any("must be one of encoder" in plainly(error) for error in app.error)


ENGLISH = pytest.mark.skipif(not english.is_available(), reason="MiniLM is not installed")


@ENGLISH
@pytest.mark.parametrize(
    "preset", [each for each in LESSON.presets if each.label.startswith("In English")]
)
def test_real_english_is_filled_in_as_the_model_has_it(preset):
    shown = picture(fine(opened("bert", **LESSON.address(preset))))
    model = english.english()
    ids = torch.tensor([model.tokenizer.encode(preset.settings["fill_text"]).ids])
    place = shown["words"].index("[MASK]")
    q = model.network(ids).logits[0, place].softmax(-1)
    (gap,) = shown["gaps"]
    now = numbers(shown)
    for filler in gap["fillers"]:
        i = model.tokenizer.token_to_id(filler["word"])
        assert now[filler["q"]] == pytest.approx(float(q[i]), abs=1e-4)
    assert gap["fillers"][0]["word"] == model.tokenizer.id_to_token(int(q.argmax()))


@ENGLISH
def test_every_view_of_english_is_drawn_and_its_snippet_names_the_model():
    for view in FILL_IN_VIEWS:
        text = {"fill_text": "He ate the cake with the fork.", "fill_at": "5"}
        app = fine(opened("bert", fill_model="english", **text, see=view))
        assert not app.error, view
    assert any("reader = english()" in block.value for block in app.code)
    assert "english" not in bert_state.pair_models()


def test_a_loaded_bert_without_a_head_is_refused_with_the_reason(tmp_path, monkeypatch):
    save(bert(1), pieces(), tmp_path / "bare")
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path))
    app = fine(opened("bert", fill_model="folder:bare", fill_text="The animal", fill_at="1"))
    assert any("must have a head that fills in masked words" in plainly(e) for e in app.error)
    app = fine(opened("bert", see="Next sentence", pairs_model="folder:bare"))
    assert any("must have a head for pairs of texts" in plainly(e) for e in app.error)


def test_a_loaded_bert_with_both_heads_fills_in_and_judges_as_transformers_has_it(
    tmp_path, monkeypatch
):
    model, tokenizer = bert_for_pairs(), pieces()
    save(model, tokenizer, tmp_path / "tiny")
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path))
    address = {"fill_model": "folder:tiny", "fill_text": "The animal crossed", "fill_at": "2"}
    for view in FILL_IN_VIEWS:
        assert not fine(opened("bert", **address, see=view)).error
    app = fine(opened("bert", **address))
    shown = picture(app)
    assert shown["words"] == ["[CLS]", "the", "animal", "cross", "##ed", "[SEP]"]
    (gap,) = shown["gaps"]
    ids = tokenizer.encode("The animal crossed").ids
    ids[2] = tokenizer.token_to_id("[MASK]")
    with torch.no_grad():
        q = model(torch.tensor([ids])).prediction_logits[0, 2].softmax(-1)
    assert all(filler["p"] == "" for filler in gap["fillers"]) and shown["bars"]["exact"] == ""
    expected = [float(q[tokenizer.token_to_id(filler["word"])]) for filler in gap["fillers"]]
    now = numbers(shown)
    assert np.allclose([now[filler["q"]] for filler in gap["fillers"]], expected, atol=1e-5)
    assert "For real English there is no exact answer" in said(app)

    pair = {"pairs_model": "folder:tiny", "pairs_first": "The animal", "pairs_second": "a street"}
    for view in (bert_state.PAIRS, *bert_state.LOOKS[bert_state.PAIRS]):
        assert not fine(opened("bert", **pair, see=view)).error
    now = numbers(drawn(opened("bert", see=bert_state.PAIRS, **pair), "pairs-pair"))
    read = tokenizer.encode("The animal", "a street")
    with torch.no_grad():
        found = model(torch.tensor([read.ids]), token_type_ids=torch.tensor([read.type_ids]))
    p = found.seq_relationship_logits[0].softmax(-1)
    assert now["p0"] == pytest.approx(float(p[0]), abs=1e-5)


def test_the_game_asks_reveals_and_scores():
    app = fine(opened("bert", see="Cloze game"))
    item = game.game(1)[0]
    words = VOCABULARY.decode(item.ids)
    shown = drawn(app, "game-game")
    assert words[item.place] not in (shown["words"][item.place - 1], *shown["sentences"])
    assert shown["choices"] == VOCABULARY.decode(item.options) and not shown["options"]
    best = VOCABULARY.tokens[game.best_answer(item).word]
    app = fine(opened("bert", see="Cloze game", game_said=best))
    shown = drawn(app, "game-game")
    now = numbers(shown)
    assert shown["words"][item.place - 1] == words[item.place] and shown["next"] == "Next text"
    assert (
        now["points You"] == pytest.approx(float(item.exact.max())) == now["points Best possible"]
    )
    assert f"“{best}”" in shown["sentences"][0] and now[shown["marked"]] == now["points You"]
    linked = drawn(
        opened("bert", see="Cloze game", game_said=f"{best},cat", game_at="2"), "game-game"
    )
    assert linked["title"] == "Text 2 of 8" and linked["players"][0]["hits"].endswith("in 2 texts")
    assert (
        "____"
        in drawn(opened("bert", see="Cloze game", game_said=best, game_at="2"), "game-game")[
            "words"
        ]
    )


def test_a_typed_answer_counts_and_one_that_nobody_knows_is_refused():
    app = opened("bert", see="Cloze game")
    app = fine(by_key(app.text_input, "game-typed").set_value("hrse").run())
    assert any("got 'hrse'" in plainly(e) for e in app.error)
    assert not drawn(app, "game-game")["revealed"]
    app = fine(by_key(app.text_input, "game-typed").set_value("Cold").run())
    assert not app.error and app.session_state["game_said"] == "cold"


def test_a_game_ends_after_its_texts():
    answers = ",".join(["cat"] * game.ROUNDS)
    app = fine(opened("bert", see="Cloze game", game_said=answers, game_at="8"))
    shown = drawn(app, "game-game")
    assert "the game is over" in shown["title"] and shown["next"] == ""
    now = numbers(shown)
    assert all(each["hits"].endswith(f"in {game.ROUNDS} texts") for each in shown["players"])
    assert max(now["points You"], now["points Small BERT"]) <= now["points Best possible"] + 1e-9


def test_a_pair_is_judged_and_one_that_is_drawn_is_asked_before_it_is_answered():
    app = fine(opened("bert", see="Next sentence"))
    texts = [LESSON.defaults[f"pairs_{name}"] for name in ("first", "second")]
    found = next_sentence.predict_next_sentence(NETWORK, READER.read(*texts))
    shown = drawn(app, "pairs-pair")
    assert numbers(shown)["p0"] == pytest.approx(float(found.probabilities[0]), abs=1e-6)
    app = fine(by_key(app.button, "pairs-draw").click().run())
    pair = next_sentence.draw_pair(1)
    assert (app.session_state["pairs_first"], app.session_state["pairs_second"]) == pair[:2]
    shown, name = drawn(app, "pairs-pair"), next_sentence.NAMES[pair.label]
    assert {"p0", "p1"} <= set(shown["hidden"]) and shown["truth"] == ""
    assert "IsNext" not in shown["sentences"][0] and "NotNext" not in shown["sentences"][0]
    app = fine(by_key(app.button, "reveal-pair-1").click().run())
    assert f"It is **{name}**" in said(app)
    assert drawn(app, "pairs-pair")["truth"] == f"It was drawn as {name}"


def test_many_pairs_are_told_apart_better_than_by_chance():
    app = fine(opened("bert", see="Many pairs"))
    _, accuracy, chance, loss, uniform = drawn(app, "table-pairs")["numbers"]
    assert accuracy > 0.8 > chance == 0.5 and loss < uniform == pytest.approx(np.log(2))


def test_the_readers_answer_as_their_networks_do():
    shown = drawn(fine(opened("bert", see="Five readers")), "readers-readers")
    now, place = numbers(shown), int(LESSON.defaults["readers_gap"])
    own = VOCABULARY.ids[WOLF.tokens[place]]
    kinds = zip(shown["rows"], readers.load_readers().items(), strict=False)
    for row, (kind, reader) in kinds:
        q = readers.gap_log_probabilities(reader, WOLF.reading.ids, place).exp()
        assert now[row["q"]] == pytest.approx(float(q[own]), abs=1e-6), kind
        assert row["sees"] == list(readers.visible_places(kind, place, len(WOLF.tokens)))
        assert row["right"] == (int(q.argmax()) == own)


def right(app):
    """The kinds of readers whose first guess is the covered word."""
    rows = drawn(app, "readers-readers")["rows"]
    return {row["part"] for row in rows if row["right"]}


def test_order_matters_in_the_examples_of_the_readers_and_the_beats_say_who_is_right():
    assert right(opened("bert", see="Five readers")) == {"window", "birnn", "bert", "grammar"}
    app = fine(opened("bert", **LESSON.address(FAR)))
    assert right(app) == {"birnn", "bert", "grammar"}
    assert "the first guess of 2 of 5 readers" in said(app)
    beat = next(beat for beat in LESSON.beats if beat.settings == FAR.settings)
    assert "**window**" in beat.say and "BiRNN and **attention** still find *is*" in beat.say
    far = drawn(app, "readers-readers")
    assert far["place"] - far["words"].index("bird") == 9
    slow = next(each for each in LESSON.presets if each.label == "Too long for the window")
    assert right(opened("bert", **LESSON.address(slow))) == {"bag", "bert", "grammar"}


def test_who_can_fill_the_gap_is_hidden_while_it_is_asked():
    app = fine(opened("bert", see="Five readers", ask="right"))
    shown = drawn(app, "readers-readers")
    assert {row["q"] for row in shown["rows"] if not row["exact"]} <= set(shown["hidden"])
    app = fine(by_key(app.button, "reveal-right").click().run())
    assert "It is **3**" in said(app)


def test_the_bag_does_not_move_and_who_beats_the_transformer_is_said():
    app = fine(opened("bert", see="Shuffle the words"))
    table = drawn(app, "table-shuffled")
    moved = dict(zip(table["labels"], table["numbers"], strict=True))
    assert moved["Bag DNN"] == 0 and min(x for n, x in moved.items() if n != "Bag DNN") > 0.01
    assert "**Bag DNN: by 0, exactly**" in said(app)
    app = fine(opened("bert", see="All gaps"))
    table = drawn(app, "table-contest")
    rows = dict(zip(table["labels"], table["numbers"].reshape(5, 4)[:, 0], strict=True))
    ahead = [name for name, its in rows.items() if its > rows["Transformer (BERT)"]]
    assert ahead and f"**{', '.join(ahead)}**" in said(app)


def rested(app):
    """The name of the page's training run, once the run has finished."""
    (name,) = app.session_state["pretrain_runs"].split(",")
    end = time.monotonic() + 120
    while (view := runs.pool().view(name)).state != "finished":
        assert view.state in ("queued", "running") and time.monotonic() < end, view
        time.sleep(0.1)
    return name


def test_a_run_is_trained_fills_the_gap_is_tested_and_linked():
    app = fine(opened("bert", see="Train one", pretrain_steps="4"))
    app = fine(by_key(app.button, "pretrain-start").click().run())
    assert not app.error
    name = rested(app)
    assert app.query_params["pretrain_runs"] in (name, [name])
    linked = {"pretrain_runs": name, "pretrain_steps": "4"}
    app = fine(opened("bert", **linked, see="Train one"))
    assert not app.error and "Validated at step 4" in said(app)
    app = fine(opened("bert", **linked, see="Predictions during training"))
    network = bert_state.run_encoder(runs.pool().checkpoint(name)).network
    (found,) = cloze.fill(network, TEXT, [(14,)])
    q = float(found.log_q[0, VOCABULARY.ids["animal"]].exp())
    shown = picture(app)
    assert numbers(shown)["q0 animal"] == pytest.approx(q, abs=1e-6)
    assert "the encoder trained here, step 4" in shown["sentences"][0]
    app = fine(opened("bert", **linked, see="Tested"))
    row = drawn(app, "table-pretrained")["numbers"]
    assert row[0] == 4 and row[1] < row[2]
    app = fine(opened("bert", pretrain_runs=name, fill_model=f"run:{name}"))
    assert not app.error and numbers(picture(app))["q0 animal"] == pytest.approx(q, abs=1e-6)


@pytest.mark.parametrize("share", ["0.15", "0.5"])
def test_before_any_run_the_stage_shows_what_training_asks_for(share):
    app = fine(opened("bert", see="Train one", pretrain_share=share))
    assert not app.error and not by_key(app.button, "pretrain-start").disabled
    places = pretraining.chosen_places(TEXT, float(share), 0)
    shown = picture(app)
    assert [gap["place"] for gap in shown["gaps"]] == list(places) and shown["pressable"] == []
    assert f"{len(places)} of these {len(TEXT.maskable)} words" in shown["sentences"][0]


def test_a_run_that_is_gone_is_said_to_be():
    app = fine(opened("bert", see="Train one", pretrain_runs="nobody"))
    assert any("no longer on the server" in each.value for each in app.info)


def test_a_typed_token_that_the_grammar_lacks_is_filled_round_without_it():
    app = fine(opened("bert", fill_text="the [PAD] was old.", fill_at="1"))
    assert app.session_state["fill-good"].trace.exact is None


LOOKS = {
    "fill": bert_state.PICTURE,
    "game": bert_state.GAME,
    "pairs": bert_state.PAIRS,
    "pretrain": bert_state.TRAIN,
    "readers": bert_state.READERS,
}


@pytest.mark.parametrize(
    ("tab", "settings", "reason"),
    [
        ("fill", {"fill_text": ""}, "must hold at least one token"),
        ("fill", {"fill_text": "the hrse"}, "got 'hrse'"),
        ("fill", {"fill_at": "0"}, "a covered word must be from 1 to 17; got 0"),
        ("fill", {"fill_at": "x"}, "a covered word must be a whole number"),
        ("fill", {"fill_model": "run:gone"}, "The run 'gone' is no longer on the server"),
        ("fill", {"fill_model": "nobody"}, "the model must be one of"),
        ("game", {"game_seed": "-1"}, "the game number must be from 0"),
        ("game", {"game_said": "hrse"}, "got 'hrse'"),
        ("game", {"game_said": "a,a,a,a,a,a,a,a,a"}, "must have at most 8 answers; got 9"),
        ("game", {"game_at": "9"}, "the text of the game must be from 1 to 8; got 9"),
        ("pairs", {"pairs_second": " "}, "the second text must have 1 word or more"),
        (
            "pairs",
            {"pairs_first": "the hrse"},
            "word 2 must be one of the 279 words the model knows",
        ),
        (
            "pairs",
            {"pairs_second": "hrse"},
            "word 1 of the second text must be one of the 279 words",
        ),
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
    look = {"see": LOOKS[tab]}
    app = opened("bert", **look)
    before = app.session_state[f"{tab}-good"]
    app = fine(put(app, settings))
    assert any(reason in plainly(error) for error in app.error), app.error
    assert app.session_state[f"{tab}-good"] is before
    app = fine(opened("bert", **look, **settings))
    assert any(reason in plainly(error) for error in app.error), app.error


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("see", "none"),
        ("fill_model", "none"),
        ("fill_reads", "none"),
        ("pairs_model", "none"),
    ],
)
def test_an_address_that_asks_for_what_is_not_there_says_so(name, value):
    look = {"see": "Next sentence"} if name.startswith("pairs") else {}
    app = fine(opened("bert", **{**look, name: value}))
    assert any(f"got '{value}'" in plainly(error) for error in app.error)


def test_a_text_far_too_long_is_cut_and_it_is_said():
    app = fine(opened("bert", fill_text="the dog " * 10_000, fill_at=""))
    assert any("80,000 characters" in each.value for each in app.warning)
    assert f"first {cloze.LONGEST} tokens" in said(app)
    assert len(picture(app)["words"]) == cloze.LONGEST


def test_typed_words_are_text_and_never_markdown():
    text = "the cow waits. <b>x</b> ![y](http://y.example)"
    app = fine(opened("bert", fill_text=text, fill_at=""))
    assert all("](http" not in error.value for error in app.error) and app.error
