"""The Tokens page shows the training and the readings asked for, and keeps the last good ones."""

import numpy as np
import pytest
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from lmcore.pretrained import wheel
from lmcore.tokenization import library, merges, pieces, texts
from lmcore.tokenization.rules import MERGE_RULES

LESSON = ui.lesson("tokens")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = (
    "Step by step", "Longest match", "Pair to ids", "Input of BERT", "Fewest pieces?",
    "Check yourself", "Code", "Slide check",
)  # fmt: skip
REAL = pytest.mark.skipif(
    wheel.package_folder() is None, reason="the encoder's package is not installed"
)
PHOTO = "naïve café 🙂 שלום 日本"


def picture(app):
    return drawn(app, "tokens-tokens")


def scene(app):
    return app.session_state["tokens-good"]


def live(app, name):
    shown = picture(app)
    return shown["now"][shown["names"].index(name)]


def plainly(error):
    return error.value.replace("\\", "")


def read_now(app):
    """The pieces of the sentence on screen."""
    shown = picture(app)
    n = live(app, "n")
    return next(words for start, words in reversed(shown["readings"]) if start <= n)


def test_the_page_opens_on_a_word_that_the_text_never_had():
    app = fine(opened("tokens"))
    assert ["flight", "##less"] in read_now(app) and live(app, "n") == 12
    assert "“flightless” is split into **flight ##less**" in said(app).replace("\\", "")
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["wordpiece"], 200)
    assert live(app, "tokens") == trace.tokens[12] and live(app, "types") == trace.types[12]
    told = library.build_tokenizer(trace, 12).encode("the flightless penguin is fearless").tokens
    assert [piece for word in read_now(app) for piece in word] == told


def test_every_step_of_the_slider_is_there_from_the_start():
    app = fine(opened("tokens"))
    (slider,) = drawn(app, "tokens-sliders")["sliders"]
    shown = picture(app)
    last = len(shown["curve"]) - 1
    assert slider["positions"].tolist() == [*range(last + 1)]
    table = slider["table"].reshape(last + 1, -1)
    names = [shown["names"][column] for column in slider["columns"]]
    assert np.array_equal(table[:, names.index("tokens")], shown["curve"])
    assert np.array_equal(table[:, names.index("n")], np.arange(last + 1))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("rule", MERGE_RULES)
def test_every_rule_has_every_view(rule, view):
    app = fine(opened("tokens", tokens_rule=rule, tokens_see=view))
    assert not app.error


@pytest.mark.parametrize("source", [name for name in texts.LABELS if name != "own"])
def test_every_text_can_be_learnt_from(source):
    app = fine(opened("tokens", tokens_text=source, tokens_types="300", tokens_n="20"))
    assert not app.error and scene(app).trace.words == texts.shipped_word_counts(source)


def test_the_attempts_are_those_of_the_vocabulary_on_screen():
    app = fine(opened("tokens", tokens_see="Longest match", tokens_n="10"))
    shown = drawn(app, "longest-longest")
    known = scene(app).trace.vocabulary(10)
    found = pieces.longest_match("flightless", known)
    assert [row[0] for row in shown["attempts"]] == [each.piece for each in found.attempts]
    assert shown["pieces"] == ["f", "##l", "##ight", "##less"]
    assert "does not contain this word" in said(app)
    app = fine(put(app, {"tokens_word": "gull"}))
    assert f"contains the word {scene(app).trace.words.counts['gull']} times" in said(app)


def test_an_unknown_letter_is_the_end_of_the_whole_word():
    app = fine(choose(opened("tokens"), "preset-shown", "An unknown letter"))
    assert drawn(app, "longest-longest")["pieces"] == ["[UNK]"]
    assert "so the whole word becomes [UNK]" in said(app).replace("\\", "")
    assert ["[UNK]"] in read_now(app)


def test_a_pair_is_packed_with_ids_segments_and_places():
    app = fine(choose(opened("tokens"), "preset-shown", "CMU slide: special tokens"))
    table = drawn(app, "table-tokens-row")
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    known = scene(app).trace.vocabulary(scene(app).merges)
    assert len(rows) == 34 and rows[:, 0].tolist() == [known[token] for token in table["labels"]]
    assert rows[:, 2].tolist() == [*range(34)]
    first = table["labels"].index("[SEP]")
    second = table["labels"].index("[SEP]", first + 1)
    assert rows[: first + 1, 1].sum() == 0 and rows[first + 1 : second + 1, 1].all()
    assert set(table["labels"][second + 1 :]) == {"[PAD]"}
    assert "[UNK]" in table["labels"] and "[MASK]" in table["labels"]
    assert "2 [SEP], one after each sentence" in said(app).replace("\\", "")


@REAL
def test_three_rows_add_up_to_the_input_of_the_real_encoder():
    app = fine(choose(opened("tokens"), "preset-shown", "Feng slide: three embeddings"))
    shown = drawn(app, "inputs-inputs")
    assert [row[0] for row in shown["rows"]] == ["token", "position", "segment", "input"]
    values = shown["values"].reshape(4, len(shown["tokens"]), -1)
    assert np.allclose(values[:3].sum(0), values[3], atol=1e-6)
    network = wheel.minilm().network
    assert np.allclose(values[0], network.embedding.token.weight[shown["ids"], :64].numpy(), atol=0)
    assert shown["tokens"][0] == "[CLS]" and shown["segments"][-1] == 1


def test_three_rules_and_the_library_are_counted():
    app = fine(choose(opened("tokens"), "preset-shown", "UW slide: fewest pieces?"))
    table = drawn(app, "table-tokens-rules")
    rows = table["numbers"].reshape(3, -1)
    assert (rows[:, 1] == 600).all()
    for name, row in zip(MERGE_RULES, rows, strict=True):
        trace = merges.train(texts.shipped_word_counts("story"), MERGE_RULES[name], 600)
        assert row[2] == trace.tokens[-1]
    assert rows[0, 3] < rows[2, 3]
    assert "it merges by count" in said(app)


def test_the_checks_are_computed_from_the_training():
    reveal = {f"reveal-tokens-{name}": "true" for name in ("after", "types", "pads")}
    app = fine(opened("tokens", tokens_see="Check yourself", **reveal))
    trace = scene(app).trace
    for answer in (trace.tokens[13], trace.types[12], 4):
        assert f"It is **{answer}**" in said(app)


def test_the_code_runs_and_prints_what_is_on_screen(capsys):
    app = fine(opened("tokens", tokens_see="Code", tokens_rule="bpe", tokens_n="5"))
    exec(next(each.value for each in app.code if "library.build_tokenizer" in each.value), {})
    printed = capsys.readouterr().out
    assert str([piece for word in read_now(app) for piece in word]) in printed


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"tokens_types": "10"}, "the vocabulary must have from 46 types (5 special tokens and 41"),
        ({"tokens_types": "100000"}, "to 3,000; got 100,000"),
        ({"tokens_types": "many"}, "the vocabulary must be a whole number"),
        ({"tokens_n": "-1"}, "the number of merges must be 0 or more; got -1"),
        ({"tokens_sentence": ""}, "the text must have at least one word; got an empty text"),
        ({"tokens_sentence": "a\x07b"}, "got U+0007 in line 1, character 2"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_and_the_last_good_stays(given, reason):
    app = opened("tokens", tokens_n="7")
    before = picture(app)["readings"], live(app, "tokens")
    app = fine(put(app, given))
    assert any(reason in plainly(error) for error in app.error), app.error
    assert (picture(app)["readings"], live(app, "tokens")) == before
    fine(opened("tokens", **given))


@pytest.mark.parametrize(
    ("view", "given", "reason"),
    [
        ("Longest match", {"tokens_word": "two words"}, "must be one word, without spaces"),
        ("Longest match", {"tokens_word": "a" * 31}, "at most 30 letters here; got 31"),
        ("Longest match", {"tokens_word": " "}, "got only spaces"),
        ("Longest match", {"tokens_try": "-1"}, "the attempt must be 0 or more; got -1"),
        ("Pair to ids", {"tokens_length": "4"}, "the length must be from 5 to 64 tokens; got 4"),
        ("Pair to ids", {"tokens_length": "65"}, "to 64 tokens; got 65"),
        ("Pair to ids", {"tokens_first": ""}, "got an empty text"),
        ("Input of BERT", {"tokens_first": "\x01"}, "got U+0001"),
        ("Input of BERT", {"tokens_at": "x"}, "the token must be a whole number"),
        ("Input of BERT", {"tokens_dim": "-2"}, "must be 0 or more; got -2"),
    ],
    ids=str,
)
def test_what_is_wrong_in_a_view_is_refused_there(view, given, reason):
    app = fine(put(opened("tokens", tokens_see=view), given))
    assert any(reason in plainly(error) for error in app.error), app.error
    fine(opened("tokens", tokens_see=view, **given))


@pytest.mark.parametrize("name", ["tokens_text", "tokens_rule", "tokens_see"])
def test_an_address_that_asks_for_what_is_not_there_says_so(name):
    app = fine(opened("tokens", **{name: "none"}))
    assert any(f"{name} in the address must be one of" in plainly(e) for e in app.error)


def test_more_merges_than_there_are_end_at_the_last():
    app = fine(opened("tokens", tokens_n="9999"))
    assert live(app, "n") == len(scene(app).trace.merges) == 74
    assert "9,999 merges were requested; there are 74" in said(app)
    assert "no pair is left to merge" in said(app)


def test_a_text_far_too_long_is_cut_and_it_is_said():
    app = fine(opened("tokens", tokens_sentence="the dog " * 12_500))
    assert any("100,000 characters" in each.value for each in app.warning)
    assert len(app.session_state["tokens_sentence"]) == 200


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("rule", MERGE_RULES)
def test_any_letters_are_text_and_never_markdown(rule, view):
    hostile = "![x](//e.example) <script>alert(1)</script> " + PHOTO
    app = fine(
        opened(
            "tokens", tokens_rule=rule, tokens_see=view, tokens_sentence=hostile,
            tokens_first=hostile, tokens_second=hostile, tokens_word="naïve🙂",
            tokens_length="64",
        )
    )  # fmt: skip
    assert not app.error
    assert not any("![" in each.value or "](//" in each.value for each in app.markdown)


def own(app, text):
    app = fine(put(app, {"tokens_text": "own"}))
    return fine(by_key(app.text_area, "tokens-pasted").set_value(text).run())


def test_ones_own_text_is_learnt_from_and_is_in_no_link():
    app = own(opened("tokens"), "banana bandana banana")
    assert scene(app).trace.words.counts == {"banana": 2, "bandana": 1}
    assert "banana" not in str(dict(app.query_params))
    app = fine(put(app, {"tokens_see": "Fewest pieces?", "tokens_rule": "bpe"}))
    assert not app.error and drawn(app, "table-tokens-rules")
    again = fine(opened("tokens", tokens_text="own"))
    assert not again.error and scene(again).source == "birds"
    assert any("never contain your own text" in each.value for each in again.info)


@pytest.mark.parametrize("text", ["a", "🙂", "aaaa", PHOTO, "שלום", "x" * 50, "a " * 50_000])
@pytest.mark.parametrize("rule", MERGE_RULES)
def test_any_text_of_ones_own_can_be_learnt_from(rule, text):
    app = own(opened("tokens", tokens_rule=rule), text)
    assert not app.error and scene(app).source == "own"
    assert scene(app).trace.exhausted


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\x00b", "no control characters"),
        ("x" * 101, "a word of at most 100 letters"),
        (" \n ", "got only spaces"),
        ("".join(map(chr, range(0x4E00, 0x4E00 + 4000))), "single letters"),
    ],
    ids=repr,
)
def test_a_text_that_cannot_be_learnt_from_is_refused_and_the_last_good_stays(text, reason):
    app = own(opened("tokens"), text)
    assert any(reason in plainly(error) for error in app.error)
    assert scene(app).source == "birds"
    assert not any(text[:40] in plainly(error) for error in app.error if len(text) > 8)


def test_slides_are_put_right():
    app = fine(opened("tokens", tokens_see="Slide check"))
    assert "also closes the last sentence" in said(app)


def test_what_the_beats_and_presets_promise_is_so():
    app = fine(opened("tokens", tokens_n="6"))
    made = [merge.piece for merge in scene(app).trace.merges]
    assert made[0] == "##es" and made[5] == "##less" and made[11] == "flight"
    assert any("after six merges there is **##less**" in beat.say for beat in LESSON.beats)
    app = fine(choose(app, "preset-shown", "UW slide: frequent words whole"))
    whole = dict(zip(picture(app)["words"], read_now(app), strict=True))
    assert len(whole["the"]) == len(whole["said"]) == 1 and len(whole["unforgettable"]) > 3
    app = fine(choose(app, "preset-shown", "Sennrich 2016: low, newest"))
    assert read_now(app)[0] == ["l", "o", "w", "est</w>"]


def test_a_model_that_cannot_be_read_is_said_and_leaves_the_page_standing():
    app = fine(opened("tokens", tokens_see="Input of BERT", tokens_model="gone"))
    assert any("tokens_model in the address must be one of" in plainly(e) for e in app.error)
    fine(opened("tokens", tokens_see="Input of BERT", tokens_model="encoder"))
