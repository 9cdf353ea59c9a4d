"""The Tokens page shows the training and the chosen words, and keeps the last good state."""

import numpy as np
import pytest
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from lmcore.tokenization import library, merges, pieces, texts
from lmcore.tokenization.rules import MERGE_RULES

LESSON = ui.lesson("tokens")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = (
    "Picture", "Step by step", "Longest match", "Pair to ids", "Input of BERT", "Fewest pieces?",
    "Code",
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
    """The pieces of each word on screen."""
    n = live(app, "tokens_n")
    found = []
    for word in picture(app)["words"]:
        row = next(nodes for start, nodes in reversed(word["tops"]) if start <= n)
        found.append([word["nodes"][i][0] for i in row])
    return found


def ask(app, key):
    """Open the question with that key."""
    return fine(put(app, {"ask": key}))


def press(app, key):
    return fine(by_key(app.button, key).click().run())


def test_the_page_opens_on_a_word_that_the_text_never_had():
    app = fine(opened("tokens"))
    assert read_now(app) == [["flight", "##less"]] and live(app, "tokens_n") == 12
    assert "The text does not have the word flightless" in said(app)
    assert "After 12 merges it is 2 pieces: flight ##less." in said(app)
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["wordpiece"], 200)
    assert live(app, "tokens") == trace.tokens[12] and live(app, "types") == trace.types[12]
    assert "= 58" in said(app) and "197 tokens / 87 words = 2.264" in said(app)
    told = library.build_tokenizer(trace, 12).encode("flightless").tokens
    assert read_now(app)[0] == told
    assert "flightless" not in texts.shipped_word_counts("birds").counts


def test_every_step_of_the_slider_is_there_from_the_start():
    app = fine(opened("tokens"))
    (slider,) = drawn(app, "tokens-sliders")["sliders"]
    shown = picture(app)
    last = len(shown["curve"]) - 1
    assert slider["positions"].tolist() == [*range(last + 1)]
    table = slider["table"].reshape(last + 1, -1)
    names = [shown["names"][column] for column in slider["columns"]]
    assert np.array_equal(table[:, names.index("tokens")], shown["curve"])
    assert np.array_equal(table[:, names.index("tokens_n")], np.arange(last + 1))
    tops = shown["words"][0]["tops"]
    for n in range(last + 1):
        say = int(table[n, names.index("@say")])
        assert table[n, names.index("pieces")] == len(tops[say][1])
        pieces_now = f"{len(tops[say][1])} piece"
        assert pieces_now in shown["sentences"][say]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("rule", MERGE_RULES)
def test_every_rule_has_every_view(rule, view):
    app = fine(opened("tokens", tokens_rule=rule, see=view))
    assert not app.error


@pytest.mark.parametrize("source", [name for name in texts.LABELS if name != "own"])
def test_every_text_can_be_learnt_from(source):
    app = fine(opened("tokens", tokens_text=source, tokens_types="300", tokens_n="20"))
    assert not app.error and scene(app).trace.words == texts.shipped_word_counts(source)


def test_the_attempts_are_those_of_the_vocabulary_on_screen():
    app = fine(opened("tokens", see="Longest match", tokens_n="10"))
    shown = drawn(app, "longest-longest")
    known = scene(app).trace.vocabulary(10)
    found = pieces.longest_match("flightless", known)
    attempts, split = shown["matches"][int(shown["now"][shown["names"].index("@say")])]
    assert [tuple(row) for row in attempts] == [
        (each.start, each.end, known.get(each.piece, -1)) for each in found.attempts
    ]
    assert split == ["f", "##l", "##ight", "##less"]
    assert f"{len(found.attempts)} lookups" in said(app)
    assert "lookups = 10 for f + 9 for ##l + 5 for ##ight + 1 for ##less = 25" in said(app)


def test_the_lookups_of_every_number_of_merges_travel_with_the_page():
    app = fine(opened("tokens", see="Longest match"))
    shown = drawn(app, "longest-longest")
    (slider,) = drawn(app, "longest-sliders")["sliders"]
    table = slider["table"].reshape(len(slider["positions"]), -1)
    names = [shown["names"][column] for column in slider["columns"]]
    trace = scene(app).trace
    for n in range(len(trace.merges) + 1):
        found = pieces.longest_match("flightless", trace.vocabulary(n))
        say = int(table[n, names.index("@say")])
        assert tuple(shown["matches"][say][1]) == found.pieces
        assert table[n, names.index("tries")] == len(found.attempts)


def test_an_unknown_letter_is_the_end_of_the_whole_word():
    app = fine(choose(opened("tokens"), "preset-shown", "An unknown letter"))
    assert read_now(app) == [["the"], ["[UNK]"], ["penguin"]]
    assert "the whole word becomes [UNK]" in said(app).replace("\\", "")
    app = fine(put(app, {"see": "Longest match"}))
    assert drawn(app, "longest-longest")["matches"][-1][1] == ["[UNK]"]
    assert "not even ##ï is in the vocabulary" in said(app)


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
    values = shown["values"].reshape(4, -1)
    assert np.allclose(values[:3].sum(0), values[3], atol=1e-6)
    table = wheel.minilm().network.embedding.token.weight
    assert np.allclose(values[0], table[shown["ids"][shown["at"]], :64].numpy(), atol=0)
    assert shown["tokens"][0] == "[CLS]" and shown["segments"][-1] == 1
    now = dict(zip(shown["names"], shown["now"], strict=True))
    assert now["tokens_dim"] == 7 and now["input"] == values[3, 7]
    assert "Dimension 7 of dog: token" in said(app)


def test_three_rules_and_the_library_are_counted():
    app = fine(choose(opened("tokens"), "preset-shown", "UW slide: fewest pieces?"))
    table = drawn(app, "table-tokens-rules")
    rows = table["numbers"].reshape(3, -1)
    size = int(scene(app).trace.types[300])
    assert (rows[:, 1] == size).all()
    for name, row in zip(MERGE_RULES, rows, strict=True):
        trace = merges.train(texts.shipped_word_counts("story"), MERGE_RULES[name], size)
        assert row[0] == len(trace.merges) and row[2] == trace.tokens[-1]
    assert rows[0, 3] < rows[2, 3]
    assert "it merges by count" in said(app)


def test_the_three_rules_differ_where_the_page_opens():
    app = fine(opened("tokens", see="Fewest pieces?"))
    rows = drawn(app, "table-tokens-rules")["numbers"].reshape(3, -1)
    assert (rows[:, 1] == 58).all()
    assert rows[:, 3].tolist() == [197, 170, 300]
    app = fine(put(app, {"tokens_n": "74"}))
    assert "with at most 120 types" in drawn(app, "table-tokens-rules")["caption"]


def test_the_pieces_are_hidden_until_they_are_counted():
    app = ask(opened("tokens"), "pieces")
    shown = picture(app)
    assert {"pieces", "sentence"} <= set(shown["hidden"])
    assert not any("##less" in each for each in [*shown["sentences"], shown["alt"]])
    app = press(app, "reveal-pieces")
    assert picture(app)["hidden"] == [] and "It is **2**" in said(app)
    assert "After 12 merges it is 2 pieces: flight ##less." in said(app)


@pytest.mark.parametrize(
    ("see", "key", "hides", "answer"),
    [
        ("Picture", "after", [], lambda trace: trace.tokens[13]),
        ("Picture", "types", ["types", "made"], lambda trace: trace.types[12]),
        ("Longest match", "lookups", ["tries", "pieces"], lambda _: 6),
        ("Longest match", "first", ["tries", "pieces"], lambda _: 5),
    ],
)
def test_the_answers_are_computed_from_the_training(see, key, hides, answer):
    app = ask(opened("tokens", see=see), key)
    name = "tokens-tokens" if see == "Picture" else "longest-longest"
    assert drawn(app, name)["hidden"] == hides
    assert not hides or "lookups" not in hides or "6 lookups" not in said(app)
    app = press(app, f"reveal-{key}")
    assert f"It is **{answer(scene(app).trace)}**" in said(app)


def test_the_sum_of_a_dimension_is_hidden_until_it_is_added():
    app = ask(opened("tokens", see="Input of BERT"), "sum")
    shown = drawn(app, "inputs-inputs")
    assert shown["hidden"] == ["input"]
    total = shown["now"][shown["names"].index("input")]
    app = press(app, "reveal-sum")
    assert f"It is **{format_number(total)}**" in said(app)
    app = press(ask(app, "segments"), "reveal-segments")
    assert f"It is **{sum(shown['segments'])}**" in said(app)


def test_a_beat_that_asks_hides_the_pieces_and_the_next_one_shows_them():
    asks = next(i for i, beat in enumerate(LESSON.beats, start=1) if "pieces" in beat.hide)
    app = fine(opened("tokens", present="1", beat=str(asks)))
    assert "pieces" in picture(app)["hidden"]
    assert not any("##less" in each for each in picture(app)["sentences"])
    app = fine(opened("tokens", present="1", beat=str(asks + 1)))
    assert picture(app)["hidden"] == []
    assert any("2 pieces" in each for each in picture(app)["sentences"])


def test_the_code_runs_and_prints_what_is_on_screen(capsys):
    app = fine(opened("tokens", see="Code", tokens_rule="bpe", tokens_n="5"))
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
    before = picture(app)["words"], live(app, "tokens")
    app = fine(put(app, given))
    assert any(reason in plainly(error) for error in app.error), app.error
    assert (picture(app)["words"], live(app, "tokens")) == before
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
    app = fine(put(opened("tokens", see=view), given))
    assert any(reason in plainly(error) for error in app.error), app.error
    fine(opened("tokens", see=view, **given))


@pytest.mark.parametrize("name", ["tokens_text", "tokens_rule", "see"])
def test_an_address_that_asks_for_what_is_not_there_says_so(name):
    app = fine(opened("tokens", **{name: "none"}))
    assert any(f"{name} in the address must be one of" in plainly(e) for e in app.error)


def test_more_merges_than_there_are_end_at_the_last():
    app = fine(opened("tokens", tokens_n="9999"))
    assert live(app, "tokens_n") == len(scene(app).trace.merges) == 74
    assert "After 74 merges every word is one piece" in said(app)
    assert "9,999 merges were requested" in said(app)
    assert not picture(app)["rivals"][74] and "next pair:" not in said(app)


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
            "tokens", tokens_rule=rule, see=view, tokens_sentence=hostile,
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
    app = fine(put(app, {"see": "Fewest pieces?", "tokens_rule": "bpe"}))
    assert not app.error and drawn(app, "table-tokens-rules")
    app = own(fine(put(app, {"see": "Picture"})), "kayak")
    assert scene(app).trace.words.counts == {"kayak": 1}, "another text is learnt anew"
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
    app = fine(opened("tokens"))
    assert "also closes the last sentence" in said(app)


def test_what_the_beats_and_presets_promise_is_so():
    app = fine(opened("tokens", tokens_n="6"))
    made = [merge.piece for merge in scene(app).trace.merges]
    assert made[0] == "##es" and made[5] == "##less" and made[11] == "flight"
    assert any("after six merges there is **##less**" in beat.say for beat in LESSON.beats)
    first = scene(app).trace.merges[0]
    assert first.count == 15 and any("15 times" in beat.say for beat in LESSON.beats)
    app = fine(choose(app, "preset-shown", "UW slide: frequent words whole"))
    names = ["".join(word["letters"]) for word in picture(app)["words"]]
    whole = dict(zip(names, read_now(app), strict=True))
    assert len(whole["the"]) == len(whole["was"]) == 1 and len(whole["unforgettable"]) > 3
    app = fine(choose(app, "preset-shown", "BPE"))
    assert "flight</w>" in [merge.piece for merge in scene(app).trace.merges]
    assert read_now(app) == [["f", "l", "igh", "tless</w>"]]
    app = fine(choose(app, "preset-shown", "Sennrich 2016: low, newest"))
    assert read_now(app)[0] == ["l", "o", "w", "est</w>"]


def test_a_model_that_cannot_be_read_is_said_and_leaves_the_page_standing():
    app = fine(opened("tokens", see="Input of BERT", tokens_model="gone"))
    assert any("tokens_model in the address must be one of" in plainly(e) for e in app.error)
    fine(opened("tokens", see="Input of BERT", tokens_model="encoder"))
