"""E learned and E frozen: the neighbours and the losses are those of the recorded runs."""

import pytest
import torch
import torch.nn.functional as F

from lessons.feedforward import frozen_rows_picture, frozen_rows_text
from lessons.feedforward.feedforward_questions import frozen_questions
from lessons.feedforward.neighbours import WORDS, own_nearest
from lmcore.embeddings.drift import GROUPS, load_recorded

LAST = 28


@pytest.mark.parametrize("at", [0, 7, LAST])
def test_the_words_near_their_own_group_are_counted_as_elsewhere(at):
    live = frozen_rows_picture.numbers(at, "cat")
    for r, name in enumerate(frozen_rows_picture.RUNS):
        run = load_recorded(name)
        assert live[name] == own_nearest(run, at)
        assert live[name] == sum(live[f"right {r} {w}"] for w in range(len(WORDS)))
        assert live[f"loss {r}"] == float(run.losses[at])
    assert live["gap"] == live["loss 1"] - live["loss 0"]
    assert live["step"] == int(load_recorded("learned").steps[at])


@pytest.mark.parametrize("word", ["cat", "river", "hear"])
def test_the_nearest_word_has_the_largest_cosine(word):
    live = frozen_rows_picture.numbers(LAST, word)
    for r, name in enumerate(frozen_rows_picture.RUNS):
        run = load_recorded(name)
        row = {each: run.embedding[LAST, run.words.index(each)].double() for each in WORDS}
        others = [each for each in WORDS if each != word]
        best = max(others, key=lambda each: float(F.cosine_similarity(row[word], row[each], dim=0)))
        assert WORDS[int(live[f"near {r}"])] == best
        group = next(group for group in GROUPS.values() if word in group)
        assert live[f"right {r} {WORDS.index(word)}"] == (best in group)


def test_a_frozen_run_keeps_its_rows_and_so_its_neighbours():
    learned, frozen = frozen_rows_picture.runs()
    assert torch.equal(frozen.nearest, frozen.nearest[:1].expand_as(frozen.nearest))
    assert not torch.equal(learned.nearest[0], learned.nearest[-1])


def test_the_sentence_says_what_freezing_costs():
    live = frozen_rows_picture.numbers(LAST, "cat")
    said = live.fill(frozen_rows_text.sentences()[int(live["@say"])])
    assert said == (
        "**Frozen**, E costs ==0.01386== nats more after 3000 steps. But 12 of 58 words are "
        "nearest to one of their own group; learned, 58."
    )
    start = frozen_rows_picture.numbers(0, "cat")
    assert start["gap"] == 0 and start["@say"] == 1
    (question,) = frozen_questions(live)
    assert question.answer == "12" in question.options
    assert "frozen" in question.hides and "learned" not in question.hides


def test_the_slider_goes_through_all_snapshots():
    live = frozen_rows_picture.numbers(3, "cat")
    (slider,) = live.sliders
    table = live.table[0]
    assert list(slider.positions) == list(range(LAST + 1)) == list(table[:, live.names.index("at")])
    assert list(table[3]) == [live[name] for name in live.names]
