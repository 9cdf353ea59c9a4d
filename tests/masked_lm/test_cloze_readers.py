"""The four small readers read only the words they should, and compute their equations."""

import numpy as np
import pytest
import torch
from torch import nn

from lmcore.corpora import masked_words
from lmcore.corpora.microworld import microworld
from lmcore.evaluation.against_grammar import test_documents as documents_for_tests
from lmcore.masked_lm import contest, readers
from lmcore.masked_lm.filling_in import GapQuestion
from lmcore.masked_lm.readers import HIDDEN, PLACES, READER_KINDS, WINDOW, Budget, ClozeReader
from lmcore.training.masked_batches import PAD, masked_vocabulary

WORLD = microworld()
VOCABULARY = masked_vocabulary()
READERS = readers.load_readers()
WORDS = "[CLS] the wolf that follows the rabbits is happy . [SEP]"
IDS = [VOCABULARY.ids[word] for word in WORDS.split(" ")]
GAP = 7
TEXT = torch.tensor([IDS])


def chances(kind, ids, place=GAP):
    return readers.gap_log_probabilities(READERS[kind], torch.tensor(ids), place).exp()


def other(place, word="king"):
    changed = list(IDS)
    changed[place] = VOCABULARY.ids[word]
    return changed


@pytest.mark.parametrize("kind", READER_KINDS)
def test_the_word_in_the_gap_is_never_read(kind):
    assert torch.equal(chances(kind, IDS), chances(kind, other(GAP)))


SEEN = {
    "bag": set(range(len(IDS))) - {GAP},
    "window": {GAP + k for k in PLACES},
    "rnn": set(range(GAP)),
    "birnn": set(range(len(IDS))) - {GAP},
}


@pytest.mark.parametrize("kind", READER_KINDS)
def test_a_reader_sees_the_words_it_is_said_to_see_and_no_others(kind):
    before = chances(kind, IDS)
    assert set(readers.visible_places(kind, GAP, len(IDS))) == SEEN[kind]
    for place in range(len(IDS)):
        moved = not torch.equal(before, chances(kind, other(place)))
        assert moved == (place in SEEN[kind]), place


@pytest.mark.parametrize("kind", READER_KINDS)
def test_what_is_filled_up_behind_a_text_changes_nothing(kind):
    padded = torch.tensor([IDS + [VOCABULARY.ids[PAD]] * 3])
    alone, beside = (READERS[kind](tokens).logits[0, : len(IDS)] for tokens in (TEXT, padded))
    within = range(1, len(IDS) - 1)
    assert torch.allclose(alone[within], beside[within], atol=1e-4)


def test_a_bag_does_not_move_at_all_when_the_words_are_shuffled_and_the_others_do():
    mixed = list(contest.shuffle_context(IDS, GAP, 1))
    assert sorted(mixed) == sorted(IDS) and mixed != IDS
    assert (mixed[0], mixed[GAP], mixed[-1]) == (IDS[0], IDS[GAP], IDS[-1])
    assert torch.equal(chances("bag", IDS), chances("bag", mixed))
    for kind in ("window", "rnn", "birnn"):
        assert float((chances(kind, IDS) - chances(kind, mixed)).abs().max()) > 0.01


def test_the_bag_is_the_sum_of_the_other_words_vectors():
    reader = READERS["bag"]
    rows = reader.embedding(TEXT[0])
    for place in range(len(IDS)):
        expected = rows.sum(0) - rows[place]
        assert torch.allclose(reader(TEXT).inputs[0, place], expected, atol=1e-5)


def test_the_window_is_the_words_beside_the_gap_end_to_end():
    reader = READERS["window"]
    beside = [IDS[GAP + k] for k in PLACES]
    expected = reader.embedding(torch.tensor(beside)).reshape(-1)
    assert torch.equal(reader(TEXT).inputs[0, GAP], expected)
    past = reader(TEXT).inputs[0, 1].reshape(2 * WINDOW, -1)
    padding = reader.embedding.weight[reader.padding]
    assert torch.equal(past[0], padding) and not torch.equal(past[2], padding)


def test_the_states_are_those_of_torchs_two_way_rnn():
    reader = READERS["birnn"]
    both = nn.RNN(reader.forward_rnn.input_size, HIDDEN, batch_first=True, bidirectional=True)
    weights = dict(reader.forward_rnn.named_parameters())
    weights |= {f"{n}_reverse": w for n, w in reader.backward_rnn.named_parameters()}
    both.load_state_dict(weights)
    states = both(reader.embedding(TEXT))[0][0]
    joined = reader(TEXT).inputs[0, GAP]
    assert torch.allclose(joined[:HIDDEN], states[GAP - 1, :HIDDEN], atol=1e-6)
    assert torch.allclose(joined[HIDDEN:], states[GAP + 1, HIDDEN:], atol=1e-6)
    left = ClozeReader("rnn")(TEXT).inputs[0, 0]
    assert (left == 0).all()


@pytest.mark.parametrize("kind", READER_KINDS)
def test_a_reader_learns_and_the_same_seed_learns_the_same(kind):
    budget = Budget(steps=12, batch=8)
    first, loss = readers.train_reader(kind, budget)
    again, same = readers.train_reader(kind, budget)
    assert loss == same < np.log(len(VOCABULARY)) - 0.3
    for one, two in zip(first.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, two)


def test_the_files_are_small_and_say_how_they_were_made():
    assert readers.WEIGHTS.stat().st_size < 1_000_000
    told = readers.load_card()
    assert told["how"]["steps"] == Budget().steps and told["how"]["seed"] == Budget().seed
    assert max(told["seconds of a core"].values()) <= 180


@pytest.fixture(scope="module")
def found():
    asks = {
        kind: (contest.reader_predictor(reader, together=True), reader.parameters_count)
        for kind, reader in READERS.items()
    }
    return contest.contest(asks, documents_for_tests(WORLD, 120), WORLD)


def test_nobody_beats_the_grammar_and_nobody_from_the_left_the_grammar_from_the_left(found):
    by_name = {each.name: each for each in found.results}
    assert all(each.accuracy <= found.best + 1e-12 for each in found.results)
    assert by_name["rnn"].accuracy <= found.left + 0.02
    assert by_name["rnn"].accuracy < by_name["birnn"].accuracy
    assert by_name["window"].accuracy < by_name["birnn"].accuracy
    assert all(each.divergence > 0 for each in found.results)


def test_the_contest_is_what_asking_one_gap_after_another_gives():
    documents = documents_for_tests(WORLD, 6)
    ask = contest.reader_predictor(READERS["birnn"])
    (result,) = contest.contest({"it": (ask, 1)}, documents, WORLD).results
    rng = np.random.default_rng(contest.SEED)
    accuracy, divergence = [], []
    for document in documents:
        place = int(rng.integers(1, len(document) - 1))
        p = masked_words.posterior(WORLD, document, place)
        q = readers.gap_log_probabilities(READERS["birnn"], torch.from_numpy(document), place).exp()
        accuracy.append(p[int(q.argmax())])
        divergence.append(sum(x * np.log(x / float(q[i])) for i, x in enumerate(p) if x > 0))
    assert result.accuracy == pytest.approx(np.mean(accuracy))
    assert result.divergence == pytest.approx(np.mean(divergence), rel=1e-6)


def test_a_move_is_0_exactly_where_a_word_is_not_seen():
    types = len(WORLD.vocabulary)
    for kind in READER_KINDS:
        ask = contest.reader_predictor(READERS[kind])
        far = contest.prediction_changes(ask, GapQuestion(tuple(IDS), GAP), types)
        assert set(far.nonzero()[:, 0].tolist()) == SEEN[kind]
        assert ((far >= 0) & (far <= 1)).all()


def test_each_place_of_the_window_has_weights_of_its_own():
    reader, word = READERS["window"], VOCABULARY.ids["wolf"]
    blocks = contest.window_blocks(reader, word)
    assert [each.place for each in blocks] == list(PLACES)
    width = reader.embedding.embedding_dim
    for n, each in enumerate(blocks):
        alone = torch.zeros(len(PLACES) * width)
        alone[n * width : (n + 1) * width] = reader.embedding.weight[word]
        made = reader.dense(alone) - reader.dense.bias
        assert each.length == pytest.approx(float(made.norm()), rel=1e-4)
    beside = next(each for each in blocks if each.place == -1)
    assert beside.cosine == pytest.approx(1.0)
    assert max(each.cosine for each in blocks if each.place != -1) < 0.9


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (lambda: chances("bag", IDS, 99), "the gap must be from 0 to 10; got 99"),
        (lambda: contest.window_blocks(READERS["bag"], 3), "must have a window; got 'bag'"),
        (
            lambda: contest.contest({}, documents_for_tests(WORLD, 1)[:0], WORLD),
            "at least one document; got none",
        ),
    ],
)
def test_what_cannot_be_is_refused(asked, reason):
    with pytest.raises(ValueError, match=reason):
        asked()
