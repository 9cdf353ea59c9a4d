"""What is drawn and said of tokens is what was computed."""

import numpy as np
import pytest
import torch

from lessons.tokens import picture as figures
from lessons.tokens import text as words
from lmcore.numbers import format_number
from lmcore.pretrained.reading import TokenizedText
from lmcore.tokenization import library, merges, packing, pieces, texts
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.library import Agreement
from lmcore.tokenization.rules import MERGE_RULES, SPECIAL_TOKENS

TRACE = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["wordpiece"], 200)
SENTENCE = ("the", "flightless", "naïve")
CUT = pieces.segmentations(SENTENCE, TRACE)
LAST = len(TRACE.merges)


def test_every_number_that_follows_the_hand_is_the_trainings():
    found = figures.numbers(TRACE, CUT)
    assert {len(values) for values in found.values()} == {LAST + 1}
    for n in (0, 1, 12, LAST):
        known = TRACE.vocabulary(n)
        assert found["n"][n] == n and found["types"][n] == len(known)
        assert found["made"][n] == len(known) - len(SPECIAL_TOKENS) - len(TRACE.base)
        reader = library.build_tokenizer(TRACE, n)
        told = [len(reader.encode(word).ids) for word in SENTENCE]
        assert found["sentence"][n] == sum(told)
        assert found["per_word"][n] == pytest.approx(TRACE.tokens[n] / 87)
    assert found["count"][0] == 15 and found["count"][LAST] == 0
    ratio = found["count"][:LAST] / (found["first"] * found["second"])[:LAST]
    assert torch.allclose(found["gain"][:LAST], ratio)


def test_the_picture_has_the_rivals_of_every_step():
    drawn = figures.picture(TRACE, CUT, SENTENCE)
    assert len(drawn["rivals"]) == LAST + 1 == len(drawn["curve"])
    assert drawn["rivals"][0][0] == ("##e", "##s", "##es") and drawn["counts"][0][0] == 15
    assert drawn["rivals"][LAST] == [] and TRACE.exhausted
    assert drawn["readings"][-1][0] <= LAST and drawn["words"] == [*SENTENCE]
    for step, rivals in enumerate(TRACE.candidates):
        assert drawn["counts"][step][: len(rivals)].tolist() == [each.count for each in rivals]
        assert np.allclose(drawn["gains"][step][: len(rivals)], [each.gain for each in rivals])


def test_the_table_of_merges_ends_with_the_last_that_was_made():
    rows = figures.merge_rows(TRACE, 20)
    assert len(rows) == figures.LISTED and rows[-1][0].startswith("20: ")
    assert rows[-1][2:] == (TRACE.types[20], TRACE.tokens[20])
    assert figures.merge_rows(TRACE, 0) == []


def test_the_words_of_a_step_and_of_what_comes_next():
    now = next(each for each in reversed(CUT) if each.merges <= 12)
    said = " ".join(words.notice(TRACE, 12, SENTENCE, now))
    assert (
        "**12 merges**" in said
        and f"**{format_number(int(TRACE.tokens[12]) / 87)} per word**" in said
    )
    assert "“flightless” is split into **flight ##less**" in said
    assert "1 of 3 words has a letter that is not in the training text: [UNK]" in said
    assert "##e + ##s → ##es: side by side 15 times" in words.next_words(TRACE, TRACE.candidates[0])
    assert "one with older pieces" in words.next_words(TRACE, TRACE.candidates[12])
    assert "no pair is left" in words.next_words(TRACE, TRACE.candidates[LAST])
    gain = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["gain"], 90)
    best = gain.candidates[0][0]
    assert f"gain, {format_number(best.gain)}" in words.next_words(gain, gain.candidates[0])


def test_every_attempt_is_drawn_with_its_id():
    ids = TRACE.vocabulary(12)
    found = pieces.longest_match("flightless", ids)
    drawn = figures.match_picture(found, ids, 3)
    assert [row[3] for row in drawn["attempts"]] == [-1, -1, -1, -1, ids["flight"], ids["##less"]]
    assert drawn["pieces"] == ["flight", "##less"] and not found.unknown
    assert "6 pieces were looked for" in drawn["alt"]
    assert words.match_words(found) == "6 pieces were looked for: flightless → flight ##less."
    lost = pieces.longest_match("naïve", TRACE.vocabulary(60))
    assert "the whole word becomes [UNK]" in words.match_words(lost) and "##ï" in words.match_words(
        lost
    )
    assert "more than WordPiece accepts" in words.match_words(pieces.longest_match("a" * 101, ids))
    assert "1 piece was looked for" in words.match_words(pieces.longest_match("a", ids))


def test_the_row_of_a_pair_and_what_is_lost_of_it():
    packed = packing.pack(library.build_tokenizer(TRACE, LAST), "the fox", "naïve", 9)
    rows = figures.packed_rows(packed)
    assert rows[0] == ("[CLS]", 2, 0, 0, 0, 0) and rows[2] == ("fox", rows[2][1], 0, 2, 4, 7)
    assert rows[-1] == ("[PAD]", 0, 0, 8, 0, 0)
    said = " ".join(words.packed_words(packed, ("the fox", "naïve")))
    assert "6 tokens and 3 [PAD]; 2 [SEP]" in said and "“the fox” again, letter by letter" in said
    assert "“[UNK]”: words that became [UNK] are lost" in said
    packed = packing.pack(library.build_tokenizer(TRACE, LAST), "the fox  is", "", 9)
    assert "spaces" in " ".join(words.packed_words(packed, ("the fox  is",)))
    packed = packing.pack(library.build_tokenizer(TRACE, LAST), "the fox is the fox", "", 5)
    assert "too short" in " ".join(words.packed_words(packed, ("the fox is the fox",)))


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
    drawn = figures.input_picture(trace, (1, 2), "a model")
    shown = min(width, figures.SHOWN)
    values = drawn["values"]
    assert values.shape == (4, 3, shown) and drawn["wide"] == width
    assert np.allclose(values[:3].sum(0), values[3], atol=1e-6)
    assert np.array_equal(values[0], trace.token[:, :shown].double().numpy())
    assert drawn["reach"] == np.abs(values).max()
    said = words.input_words(trace, "a model")
    assert "the sum of 3 rows" in said[0] and "a occurs twice" in said[1]


def test_a_model_without_segments_has_two_rows():
    trace = input_of(4, None)
    drawn = figures.input_picture(trace, (0, 0), "a model")
    assert [row[0] for row in drawn["rows"]] == ["token", "position", "input"]
    assert "token + position = input" in drawn["alt"]
    assert "the sum of 2 rows" in words.input_words(trace, "a model")[0]


def test_what_is_said_of_the_library():
    said = " ".join(words.library_words(Agreement(9, 9, 9), by_gain=False, repeatable=True))
    assert "first **9** are the same here" in said and "the same vocabulary" in said
    said = " ".join(words.library_words(Agreement(9, 2, 9), by_gain=False, repeatable=False))
    assert "**9 of 9**" in said and "gave another vocabulary" in said
    (said,) = words.library_words(Agreement(9, 0, 1), by_gain=True, repeatable=True)
    assert "not even the first matches that above" in said


def test_three_rules_are_compared_by_the_pieces_they_leave():
    traces = [
        merges.train(texts.shipped_word_counts("birds"), rule, 90) for rule in MERGE_RULES.values()
    ]
    read = [pieces.count_tokens(trace, len(trace.merges)) for trace in traces]
    rows = words.rule_rows(traces, read)
    assert [row[0] for row in rows] == [rule.label for rule in MERGE_RULES.values()]
    assert [row[4] for row in rows] == read
    said = words.fewest_words(traces, read)
    assert f"gives {read[0]:,} pieces" in said and f"{read[2]:,}" in said and read[0] < read[2]
    assert "equally many" in words.fewest_words(traces, [5, 6, 5])


@pytest.mark.parametrize("name", MERGE_RULES)
def test_the_script_prints_the_pieces_on_screen(name, capsys):
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES[name], 200)
    exec(words.snippet("birds", name, 200, 12, "the flightless"), {})
    printed = capsys.readouterr().out
    assert f"|V|    {trace.types[12]}" in printed and f"tokens {trace.tokens[12]}" in printed
    cut = pieces.segmentations(["the", "flightless"], trace)
    now = next(each for each in reversed(cut) if each.merges <= 12)
    assert str([piece for word in now.words for piece in word]) in printed
    assert "your_text.txt" in words.snippet("own", name, 200, 12, "x")
