"""The pictures and texts of tokens show the computed pieces and numbers."""

import numpy as np
import pytest
import torch

from lessons.tokens import (
    input_view,
    longest_view,
    tokens_picture,
    tokens_state,
    tokens_text,
)
from lmcore.pretrained.reading import TokenizedText
from lmcore.tokenization import library, merges, packing, pieces, texts, trees
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.library import Agreement
from lmcore.tokenization.rules import MERGE_RULES, SPECIAL_TOKENS

TRACE = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["wordpiece"], 200)
SENTENCE = ("the", "flightless", "naïve")
TREES = trees.merge_trees(SENTENCE, TRACE)
NAMED = TREES[1]
LAST = len(TRACE.merges)


def test_every_number_that_follows_the_hand_is_the_trainings():
    found = tokens_picture.numbers(TRACE, TREES, NAMED)
    assert {len(values) for values in found.values()} == {LAST + 1}
    for n in (0, 1, 12, LAST):
        known = TRACE.vocabulary(n)
        assert found["tokens_n"][n] == n and found["types"][n] == len(known)
        assert found["made"][n] == len(known) - len(SPECIAL_TOKENS) - len(TRACE.base)
        reader = library.build_tokenizer(TRACE, n)
        told = [len(reader.encode(word).ids) for word in SENTENCE]
        assert found["sentence"][n] == sum(told) and found["pieces"][n] == told[1]
        assert found["per_word"][n] == pytest.approx(TRACE.tokens[n] / 87)
        assert NAMED.tops[int(found["@say"][n])].nodes == NAMED.tops[NAMED.top(n)].nodes
    assert found["count"][0] == 15 and found["count"][LAST] == 0
    assert found["@formula"].tolist() == [0.0] * LAST + [1.0]
    ratio = found["count"][:LAST] / (found["first"] * found["second"])[:LAST]
    assert torch.allclose(found["gain"][:LAST], ratio)


def test_the_picture_has_the_rivals_of_every_step():
    drawn = tokens_picture.tree_picture(TRACE, TREES, NAMED)
    assert len(drawn["rivals"]) == LAST + 1 == len(drawn["curve"])
    assert drawn["rivals"][0][0] == ("##e", "##s", "##es") and drawn["counts"][0][0] == 15
    assert drawn["rivals"][LAST] == [] and TRACE.exhausted
    for step, rivals in enumerate(TRACE.candidates):
        assert drawn["counts"][step][: len(rivals)].tolist() == [each.count for each in rivals]
        assert np.allclose(drawn["gains"][step][: len(rivals)], [each.gain for each in rivals])


def test_the_picture_has_every_node_with_its_id():
    drawn = tokens_picture.tree_picture(TRACE, TREES, NAMED)
    assert ["".join(word["letters"]) for word in drawn["words"]] == [*SENTENCE]
    assert drawn["named"] == 1
    ids = TRACE.vocabulary(LAST)
    for word, tree in zip(drawn["words"], TREES, strict=True):
        assert [tuple(row) for row in word["tops"]] == [(t.merges, t.nodes) for t in tree.tops]
        for row, node in zip(word["nodes"], tree.nodes, strict=True):
            assert row[:6] == (
                node.piece, node.start, node.end, node.merge, node.since, node.times
            )  # fmt: skip
            assert row[6:8] == (node.parts or (-1, -1))
            assert row[8] == ids.get(node.piece, -1)
    lost = drawn["words"][2]["nodes"]
    assert lost[2][8] == -1 and lost[-1][0] == "[UNK]"


def test_the_table_of_merges_ends_with_the_last_that_was_made():
    rows = tokens_picture.merge_rows(TRACE, 20)
    assert len(rows) == tokens_picture.LISTED and rows[-1][0].startswith("20: ")
    assert rows[-1][2:] == (TRACE.types[20], TRACE.tokens[20])
    assert tokens_picture.merge_rows(TRACE, 0) == []


def test_the_sentence_of_every_reading_of_the_word():
    said = tokens_text.sentences(TRACE, NAMED, hidden=False)
    assert len(said) == len(NAMED.tops)
    assert said[-1] == (
        "The text does not have the word **flightless**. After {tokens_n} merges it is "
        "==2 pieces==: **flight ##less**."
    )
    asked = tokens_text.sentences(TRACE, NAMED, hidden=True)
    assert len(asked) == len(NAMED.tops) and not any("##less" in each for each in asked)
    (the, _, lost) = TREES
    assert "The text has **the** " in tokens_text.sentences(TRACE, the, hidden=False)[0]
    assert "1 piece==" in tokens_text.sentences(TRACE, the, hidden=False)[-1]
    assert "the whole word becomes ==[UNK]==" in tokens_text.sentences(TRACE, lost, hidden=False)[0]
    (long,) = trees.merge_trees(["l" * 60], TRACE)
    said = tokens_text.sentences(TRACE, long, hidden=False)
    assert all(len(each) < 300 and "…" in each for each in said)
    (marked,) = trees.merge_trees(["{=}"], TRACE)
    assert "\\{\\=\\}" in tokens_text.sentences(TRACE, marked, hidden=False)[0]


def test_the_formula_has_the_next_pair_as_long_as_there_is_one():
    with_pair, without = tokens_text.formulas(TRACE)
    assert "5 special + 41 letters + {made} made = **[weight|{types}]**" in with_pair[0]
    assert with_pair[:2] == without and "{count}" in with_pair[2]
    gain = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["gain"], 90)
    assert "{count} / ({first}·{second})" in tokens_text.formulas(gain)[0][2]


def test_what_is_read_out_says_the_pieces_unless_they_are_asked_for():
    said = tokens_text.describe(TRACE, TREES, 12, hidden=False)
    assert "flightless: flight ##less; naïve: [UNK]" in said and "{tokens}" in said
    assert "##less" not in tokens_text.describe(TRACE, TREES, 12, hidden=True)
    braces = trees.merge_trees(["{", "tokens", "}"], TRACE)
    assert tokens_text.describe(TRACE, braces, 0, hidden=False).count("{") == 6


def test_where_the_training_ends_is_said():
    assert tokens_text.limit_words(TRACE, 12) == (
        "After 74 merges every word is one piece, and |V| stays at 120."
    )
    cut = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["wordpiece"], 60)
    assert "|V| has reached 60, its limit. 99 merges were requested." in tokens_text.limit_words(
        cut, 99
    )


def test_every_lookup_is_drawn_with_its_id():
    found = pieces.longest_matches("flightless", TRACE)
    scene = tokens_state.tokens_state("birds", TRACE, 200, 12, "flightless")
    drawn = longest_view.match_picture(found, scene, 3)
    ids = TRACE.vocabulary(LAST)
    attempts, split = drawn["matches"][-1]
    assert [row[2] for row in attempts] == [-1, -1, -1, -1, ids["flight"], ids["##less"]]
    assert split == ["flight", "##less"] and drawn["at"] == 3
    last = [*found.values()][-1]
    said = tokens_text.match_sentence(last, hidden=False)
    assert "==6 lookups==, and it is split into **flight ##less**" in said
    assert tokens_text.match_formula(last) == [
        "lookups = 5 for **flight** + 1 for **##less** = **[score|{tries}]**"
    ]
    assert "=={tries}==" in tokens_text.match_sentence(last, hidden=True)
    live = longest_view.slider_numbers(scene, found)
    assert live["tries"] == 6 and live["pieces"] == 2 and live["@say"] == len(found) - 1


def test_lookups_that_find_nothing():
    lost = pieces.longest_match("naïve", TRACE.vocabulary(60))
    said = tokens_text.match_sentence(lost, hidden=False)
    assert "not even **##ï** is in the vocabulary" in said and "becomes **[UNK]**" in said
    assert "in vain" in tokens_text.match_formula(lost)[0]
    long = pieces.longest_match("a" * 101, TRACE.vocabulary(12))
    assert "more than WordPiece accepts" in tokens_text.match_sentence(long, hidden=False)
    assert tokens_text.match_formula(long) == []
    one = pieces.longest_match("a", TRACE.vocabulary(12))
    assert "==1 lookup==" in tokens_text.match_sentence(one, hidden=False)
    letters = pieces.longest_match("flightless", TRACE.vocabulary(0))
    assert "+ … =" in tokens_text.match_formula(letters)[0]


def test_the_row_of_a_pair_and_what_is_lost_of_it():
    packed = packing.pack(library.build_tokenizer(TRACE, LAST), "the fox", "naïve", 9)
    rows = tokens_picture.packed_rows(packed)
    assert rows[0] == ("[CLS]", 2, 0, 0, 0, 0) and rows[2] == ("fox", rows[2][1], 0, 2, 4, 7)
    assert rows[-1] == ("[PAD]", 0, 0, 8, 0, 0)
    said = " ".join(tokens_text.packed_words(packed, ("the fox", "naïve")))
    assert "6 tokens and 3 [PAD]; 2 [SEP]" in said and "“the fox” again, letter by letter" in said
    assert "“[UNK]”: words that became [UNK] are lost" in said
    packed = packing.pack(library.build_tokenizer(TRACE, LAST), "the fox  is", "", 9)
    assert "spaces" in " ".join(tokens_text.packed_words(packed, ("the fox  is",)))
    packed = packing.pack(library.build_tokenizer(TRACE, LAST), "the fox is the fox", "", 5)
    assert "too short" in " ".join(tokens_text.packed_words(packed, ("the fox is the fox",)))


def input_of(width, segment):
    token, position = torch.randn(3, width), torch.randn(3, width)
    output = token + position + (0 if segment is None else segment)
    reading = TokenizedText(
        torch.tensor([5, 6, 5]), ("a", "b", "a"), torch.tensor([0, 0, 1]),
        torch.zeros(3, dtype=torch.bool), False,
    )  # fmt: skip
    return InputTrace(reading, token, position, segment, output)


@pytest.mark.parametrize("width", [3, 70])
def test_the_strips_are_the_rows_of_the_tables_and_their_sum(width):
    trace = input_of(width, torch.randn(3, width))
    drawn = input_view.input_picture(trace, 1)
    shown = min(width, input_view.SHOWN)
    values = drawn["values"]
    assert values.shape == (4, shown) and drawn["wide"] == width and drawn["at"] == 1
    assert np.allclose(values[:3].sum(0), values[3], atol=1e-6)
    assert np.array_equal(values[0], trace.token[1, :shown].double().numpy())
    largest = max(float(each[:, :shown].abs().max()) for each in trace.rows.values())
    assert drawn["reach"] == largest
    live = input_view.slider_numbers(trace, (1, 2))
    assert live["input"] == values[3, 2] and live["token"] == values[0, 2]
    assert live.table.shape == (1, shown, 5)
    assert tokens_text.input_sentence(trace, 1).endswith("= =={input}==.")
    assert tokens_text.input_formula(trace, 1)[0] == (
        "x₁ = [input|E\\[6\\]] + [key|P\\[1\\]] + [value|S\\[0\\]]"
    )
    said = tokens_text.input_words(trace, "a model")
    assert "the sum of 3 rows" in said[0] and "a occurs twice" in said[1]


def test_a_model_without_segments_has_two_rows():
    trace = input_of(4, None)
    drawn = input_view.input_picture(trace, 0)
    assert [row[0] for row in drawn["rows"]] == ["token", "position", "input"]
    assert "segment" not in tokens_text.input_sentence(trace, 0)
    assert "the sum of 2 rows" in tokens_text.input_words(trace, "a model")[0]


def test_what_is_said_of_the_library():
    said = " ".join(tokens_text.library_words(Agreement(9, 9, 9), by_gain=False, repeatable=True))
    assert "first **9** are the same here" in said and "the same vocabulary" in said
    said = " ".join(tokens_text.library_words(Agreement(9, 2, 9), by_gain=False, repeatable=False))
    assert "**9 of 9**" in said and "gave another vocabulary" in said
    (said,) = tokens_text.library_words(Agreement(9, 0, 1), by_gain=True, repeatable=True)
    assert "not even the first matches that above" in said


def test_three_rules_are_compared_by_the_pieces_they_leave():
    traces = [
        merges.train(texts.shipped_word_counts("birds"), rule, 90) for rule in MERGE_RULES.values()
    ]
    read = [pieces.count_tokens(trace, len(trace.merges)) for trace in traces]
    cuts = [(trace, len(trace.merges)) for trace in traces]
    rows = tokens_text.rule_rows(cuts, read)
    assert [row[0] for row in rows] == [rule.label for rule in MERGE_RULES.values()]
    assert [row[4] for row in rows] == read
    said = tokens_text.fewest_words(cuts, read)
    assert f"gives {read[0]:,} pieces" in said and f"{read[2]:,}" in said and read[0] < read[2]
    assert "equally many" in tokens_text.fewest_words(cuts, [5, 6, 5])


@pytest.mark.parametrize("name", MERGE_RULES)
def test_the_script_prints_the_pieces_on_screen(name, capsys):
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES[name], 200)
    exec(tokens_text.snippet("birds", name, 200, 12, "the flightless"), {})
    printed = capsys.readouterr().out
    assert f"|V|    {trace.types[12]}" in printed and f"tokens {trace.tokens[12]}" in printed
    cut = pieces.segmentations(["the", "flightless"], trace)
    now = next(each for each in reversed(cut) if each.merges <= 12)
    assert str([piece for word in now.words for piece in word]) in printed
    assert "your_text.txt" in tokens_text.snippet("own", name, 200, 12, "x")
