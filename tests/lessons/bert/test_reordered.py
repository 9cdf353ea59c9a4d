"""The same words in another order: who moves where, and what each reader then answers."""

import pytest
import torch

from lessons.bert.bert_questions import order_questions
from lessons.bert.limits import reordered_picture, reordered_text, reordered_view
from lessons.bert.readers_state import readers_state, vocabulary
from lmcore.masked_lm import readers as cloze_readers
from lmcore.masked_lm.contest import shuffle_context, shuffled_places

TEXT, GAP = "the wolf that follows the rabbits is happy.", 7


@pytest.fixture(scope="module")
def scene():
    return readers_state(TEXT, str(GAP), "1")


@pytest.fixture(scope="module")
def orders(scene):
    return reordered_view.read_all(scene.question, (0, 1, 2, 99))


@pytest.mark.parametrize("seed", range(6))
def test_each_word_goes_to_the_place_that_the_shuffle_gives_it(seed):
    ids = tuple(range(100, 111))
    mixed = shuffle_context(ids, GAP, seed)
    places = shuffled_places(len(ids), GAP, seed)
    assert [mixed[at] for at in places] == list(ids)
    assert [places[t] for t in (0, GAP, 10)] == [0, GAP, 10]


def test_the_answers_are_the_readers_own_for_the_shuffled_text(scene, orders):
    live = reordered_picture.numbers(orders, 1)
    vocabulary_now = reordered_picture.picture(orders, scene.words, vocabulary())["guesses"]
    mixed = torch.tensor(shuffle_context(scene.question.ids, GAP, 1))
    for n, (_, reader) in enumerate(cloze_readers.load_readers().items()):
        row = cloze_readers.gap_log_probabilities(reader, mixed, GAP).exp()
        own = cloze_readers.gap_log_probabilities(
            reader, torch.tensor(scene.question.ids), GAP
        ).exp()
        assert live[f"p {n}"] == pytest.approx(float(row.max()), abs=1e-6)
        assert vocabulary_now[int(live[f"guess {n}"])] == vocabulary()[int(row.argmax())]
        assert vocabulary_now[int(live[f"firstGuess {n}"])] == vocabulary()[int(own.argmax())]
        assert live[f"moved {n}"] == pytest.approx(float((row - own).abs().max()), abs=1e-6)


def test_the_bag_of_words_keeps_its_answer_in_every_order(scene, orders):
    for seed in orders.seeds:
        live = reordered_picture.numbers(orders, seed)
        assert live["moved 0"] == 0 and live["still"] == 1 and live["@say"] == 0
        assert live["least"] == min(live[f"moved {n}"] for n in range(1, 5)) > 0
    said = live.fill(reordered_text.sentences(list(orders.answers))[0])
    assert said.startswith("In another order the **Bag DNN** changes its answer by ==0==, exactly")
    (question,) = order_questions(list(orders.answers), live)
    assert question.answer == 1 and "Bag DNN" in question.because


def test_an_order_of_the_same_text_changes_no_answer():
    """Two equal words may change places."""
    scene = readers_state("the dog is the dog.", "3", "1")
    orders = reordered_view.read_all(scene.question, tuple(range(40)))
    texts = [shuffle_context(scene.question.ids, 3, seed) for seed in orders.seeds]
    same = [seed for seed in orders.seeds if texts[seed] == scene.question.ids]
    assert 0 < len(same) < 40
    for seed in orders.seeds:
        live = reordered_picture.numbers(orders, seed)
        assert (live["@say"] == reordered_picture.OWN) == (seed in same)
        assert (live["still"] == 5) == (seed in same)


def test_the_slider_has_the_seed_of_the_address(orders):
    live = reordered_picture.numbers(orders, 99)
    (slider,) = live.sliders
    assert list(slider.positions) == [0, 1, 2, 99] and slider.value == 99
    assert dict(zip(live.names, live.table[0][3], strict=True)) == {n: live[n] for n in live.names}
