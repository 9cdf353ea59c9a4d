"""The picture of BART's five ways: its cells are what the encoder reads, its counts are exact."""

import pytest

from lessons.masking import noises_picture, noises_text
from lessons.masking.corruption_state import corrupt_five_ways
from lessons.masking.masking_questions import noises_questions
from lessons.masking.noises_picture import MOVES, WAYS
from lmcore.corruption.bart_noise import MASK
from lmcore.vocabulary import split_text

TEXT = "The dog sleeps. The cat which was hungry eats. It is cold."
TOKENS = split_text(TEXT, "word")
CASES = [(TOKENS, 0.3, seed) for seed in range(6)] + [(["a"], 0.0, 1), (["a", "."], 1.0, 2)]


@pytest.mark.parametrize(("tokens", "share", "seed"), CASES)
def test_the_cells_are_what_the_encoder_reads_under_the_tokens_they_hide(tokens, share, seed):
    traces = corrupt_five_ways(tokens, share, seed)
    shown = noises_picture.picture(traces)
    assert shown["tokens"] == tokens
    for way, (name, trace) in zip(shown["ways"], traces.items(), strict=True):
        cells = way["cells"]
        read = [cell["text"] for cell in cells if cell["kind"] != "deleted"]
        assert read == list(trace.corrupted)
        ends = [cell["at"] + cell["wide"] for cell in cells]
        assert [cell["at"] for cell in cells] == [0, *ends[:-1]] and ends[-1] == len(tokens)
        if name in MOVES:
            continue
        for cell in cells:
            under = tokens[cell["at"] : cell["at"] + cell["wide"]]
            assert cell["text"] == MASK or [cell["text"]] == under


@pytest.mark.parametrize(("tokens", "share", "seed"), CASES)
def test_what_is_hidden_and_moved_is_counted_and_restored(tokens, share, seed):
    traces = corrupt_five_ways(tokens, share, seed)
    live = noises_picture.numbers(traces, "text_infilling")
    assert live["chosen"] == 2 and live["tokens"] == len(tokens)
    for n, (name, trace) in enumerate(traces.items()):
        way = noises_picture.picture(traces)["ways"][n]
        assert live[f"reads {n}"] == len(trace.corrupted)
        assert len(way["restored"]) == live[f"hidden {n}"] + live[f"moved {n}"]
        if name in MOVES:
            moved = [i for i, token in enumerate(trace.corrupted) if token != tokens[i]]
            assert live[f"hidden {n}"] == 0 and live[f"moved {n}"] >= len(moved)
        else:
            kept = sum(token != MASK for token in trace.corrupted)
            assert live[f"hidden {n}"] == len(tokens) - kept and not live[f"moved {n}"]


@pytest.mark.parametrize("chosen", WAYS)
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_sentence_says_how_many_tokens_are_hidden_or_moved(chosen, share):
    traces = corrupt_five_ways(TOKENS, share, 1)
    live = noises_picture.numbers(traces, chosen)
    n = list(traces).index(chosen)
    said = live.fill(noises_text.sentence(traces, chosen))
    assert WAYS[chosen] in said and "15" in said
    hidden, moved = int(live[f"hidden {n}"]), int(live[f"moved {n}"])
    assert (f"does not see =={hidden}==" in said) == bool(hidden)
    assert (f"=={moved}== of them" in said) == bool(moved)
    read, write, _ = map(live.fill, noises_text.formulas(traces, chosen))
    assert str(int(live[f"reads {n}"])) in read and "15" in write


def test_a_part_of_the_text_has_one_colour_wherever_it_stands():
    traces = corrupt_five_ways(TOKENS, 0.3, 1)
    for way in noises_picture.picture(traces)["ways"]:
        if way["name"] not in MOVES:
            assert set(way["parts"]) == {-1}
            continue
        moved = {cell["part"]: [] for cell in way["cells"]}
        for cell in way["cells"]:
            moved[cell["part"]].append(cell["text"])
        for part, words in moved.items():
            assert words == [t for t, p in zip(TOKENS, way["parts"], strict=True) if p == part]


def test_the_question_asks_how_many_tokens_infilling_hides():
    traces = corrupt_five_ways(TOKENS, 0.3, 1)
    (asked,) = noises_questions(traces)
    assert asked.answer == 5 == noises_picture.numbers(traces, "text_infilling")["hidden 2"]
    assert "hidden 2" in asked.hides
