"""Covered words, pairs, the game and reach, each compared with an independent computation."""

import itertools

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lmcore.corpora import masked_words
from lmcore.corpora.documents import concatenate
from lmcore.corpora.microworld import held_out_mask, microworld
from lmcore.corpora.sentence_pairs import draw_pairs
from lmcore.corruption.masked_loss import masked_loss
from lmcore.evaluation.against_grammar import test_documents as documents_for_tests
from lmcore.masked_lm import cloze, game, next_sentence, pretraining
from lmcore.masking import receptive_field
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import VocabularyModel, trace_text
from lmcore.shipped.models import encoder, load_shipped
from lmcore.training.loop import Training
from lmcore.training.masked_batches import masked_vocabulary

WORLD = microworld()
END = WORLD.vocabulary.ids["</s>"]
NETWORK, VOCABULARY, *_ = encoder()
READER = VocabularyModel("small", NETWORK, VOCABULARY)
TIRED = "the animal didn't cross the street because it was too tired. the animal was old."
TEXT = cloze.cloze_text(READER, TIRED)


def test_the_fillers_and_the_terms_are_the_models_own():
    places = (2, 14)
    (found,) = cloze.fill(NETWORK, TEXT, [places])
    ids = TEXT.reading.ids.clone()
    ids[list(places)] = VOCABULARY.ids["[MASK]"]
    with torch.no_grad():
        logits = NETWORK(ids[None]).logits[0].double()
    assert torch.allclose(found.log_q, logits[list(places)].log_softmax(-1), atol=1e-5)
    expected = F.cross_entropy(logits[list(places)], TEXT.reading.ids[list(places)])
    assert found.loss == pytest.approx(float(expected), abs=1e-5)
    chosen = torch.zeros(1, len(ids), dtype=torch.bool)
    chosen[0, list(places)] = True
    other = masked_loss(NETWORK, TEXT.reading.ids[None], ids[None], chosen)
    assert found.loss == pytest.approx(float(other.loss), abs=1e-5)


def test_the_posterior_is_what_trying_every_word_gives():
    places = (2, 14)
    (found,) = cloze.fill(NETWORK, TEXT, [places])
    nouns = [WORLD.vocabulary.ids[w] for w in WORLD.vocabulary.tokens if w.isalpha()]
    total, rows = 0.0, np.zeros((2, len(WORLD.vocabulary)))
    likely = [i for i in nouns if float(found.exact[0][i]) > 0 or float(found.exact[1][i]) > 0]
    for one, two in itertools.product(likely, likely):
        ids = TEXT.reading.ids.tolist()
        ids[2], ids[14] = one, two
        p = np.exp(WORLD.log_probability(ids))
        total += p
        rows[0, one] += p
        rows[1, two] += p
    assert np.allclose(found.exact.numpy(), rows / total)
    q = found.log_q[:, : found.exact.shape[1]].exp().numpy()
    p = found.exact.numpy()
    kl = [sum(x * np.log(x / y) for x, y in zip(a, b, strict=True) if x > 0)
          for a, b in zip(p, q, strict=True)]  # fmt: skip
    assert np.allclose(found.divergence.numpy(), kl)


def test_many_ways_at_once_are_each_way_alone():
    ways = [(), (14,), (2, 14)]
    together = cloze.fill(NETWORK, TEXT, ways)
    for places, found in zip(ways, together, strict=True):
        (alone,) = cloze.fill(NETWORK, TEXT, [places])
        assert torch.allclose(found.log_q, alone.log_q, atol=1e-4)
        assert found.places == places and len(found.terms) == len(places)


def test_tired_and_wide_turn_the_answer():
    wide = cloze.cloze_text(READER, TIRED.replace("tired", "wide"))
    for text, noun in ((TEXT, "animal"), (wide, "street")):
        (found,) = cloze.fill(NETWORK, text, [(14,)])
        assert VOCABULARY.tokens[int(found.log_q[0].argmax())] == noun
        assert WORLD.vocabulary.tokens[int(found.exact[0].argmax())] == noun


def test_a_typed_mask_is_covered_for_good_and_has_no_term():
    text = cloze.cloze_text(READER, "the [MASK] didn't cross the street because it was too tired .")
    assert text.typed == (2,) and cloze.covered_places(text, []) == (2,)
    (found,) = cloze.fill(NETWORK, text, [(2, 6)])
    assert torch.isnan(found.terms[0]) and not torch.isnan(found.terms[1])
    assert found.loss == pytest.approx(float(found.terms[1]))


def test_a_text_that_the_grammar_never_says_has_no_exact_answer():
    text = cloze.cloze_text(READER, "he ate the cake with the fork.")
    (found,) = cloze.fill(NETWORK, text, [(5,)])
    assert found.exact is None and found.divergence is None
    assert not torch.isnan(found.terms).any()


def test_a_text_with_a_token_that_the_grammar_lacks_has_no_posterior():
    for text in ("the [PAD] was old .", "the dog gets cat . [PAD]"):
        (found,) = cloze.fill(NETWORK, cloze.cloze_text(READER, text), [(1,)])
        assert found.exact is None
    with pytest.raises(ValueError, match=r"must have a probability above 0; got 'dog dog'"):
        masked_words.posteriors(WORLD, [0, *(WORLD.vocabulary.ids["dog"],) * 2, 999], [3])
    with pytest.raises(ValueError, match=r"an id from 0 to .*; got 999"):
        masked_words.posteriors(WORLD, [0, 999, 3], [2])


def test_words_to_show_are_those_of_both_and_the_own():
    (found,) = cloze.fill(NETWORK, TEXT, [(14,)])
    own = VOCABULARY.ids["king"]
    ids = cloze.likeliest_types(found, 0, 3, own)
    assert set(found.log_q[0].topk(3).indices.tolist()) <= set(ids) and own in ids
    values = found.log_q[0][list(ids)]
    assert (values.diff() <= 0).all()


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (lambda: cloze.covered_places(TEXT, [0]), "a covered word must be from 1 to 17; got 0"),
        (lambda: cloze.covered_places(TEXT, [99]), "got 99"),
        (lambda: cloze.cloze_text(GPT, "the cat"), "must be an encoder; got gpt"),
        (lambda: cloze.fill(HEADLESS, TEXT, [(1,)]), "must have a head"),
        (
            lambda: next_sentence.predict_next_sentence(HEADLESS, READER.read("a", "a")),
            "must have a head for pai",
        ),
        (lambda: next_sentence.draw_pair(-1), "the seed must be from 0"),
        (lambda: game.game(-1), "the game number must be from 0"),
        (lambda: game.game(1, 0), "the number of texts must be 1 or more; got 0"),
        (
            lambda: receptive_field.influence(NETWORK, TEXT.reading.ids, 99, 0),
            "the place must be from 0",
        ),
        (lambda: pretraining.run_spec(0, 0.15), "the number of steps must be from 1"),
        (
            lambda: pretraining.run_spec(10, 2.0),
            "the share of words chosen must be above 0 and at .* got 2",
        ),
        (lambda: pretraining.run_spec(10, 0.0), "the share of words chosen must be above 0 and at"),
    ],
)
def test_what_cannot_be_is_refused(asked, reason):
    with pytest.raises(ValueError, match=reason):
        asked()


MODEL, *_ = load_shipped("gpt")
GPT = VocabularyModel("gpt", MODEL.network, MODEL.vocabulary)
HEADLESS = BERT(
    TransformerConfig(len(VOCABULARY), 8, 2, 1, 16, 64, segments=2, causal=False), head=False
)


def test_what_can_move_an_answer_is_what_moves_it_when_another_word_stands_there():
    place, word = 5, int(TEXT.reading.ids[5])
    covered = cloze.cover_places(TEXT, (place,))
    networks = (("bert", NETWORK, covered), ("gpt", MODEL.network, TEXT.reading.ids))
    for name, network, ids in networks:
        found = receptive_field.influence(network, ids, place, word)
        for j in range(len(ids)):
            changed = ids.clone()
            changed[j] = VOCABULARY.ids["king"]
            row = place if name == "bert" else place - 1
            with torch.no_grad():
                before, after = (network(x[None]).logits[0, row] for x in (ids, changed))
            assert (float(found[j]) > 0) == (not torch.equal(before, after)), (name, j)
    assert int((found > 0).sum()) == place


def test_influence_is_the_slope_of_the_log_probability():
    place, word = 5, int(TEXT.reading.ids[5])
    ids = cloze.cover_places(TEXT, (place,))
    network = BERT(TransformerConfig(len(VOCABULARY), 8, 2, 1, 16, 64, segments=2, causal=False))
    network = network.double()
    found = receptive_field.influence(network, ids, place, word)
    h, j = 1e-6, 2
    slopes = []
    for unit in range(8):
        said = []
        for sign in (1, -1):
            with torch.no_grad():
                row = network.embedding.position.weight[j].clone()
                network.embedding.position.weight[j, unit] += sign * h
                said.append(float(network(ids[None]).logits[0, place].log_softmax(-1)[word]))
                network.embedding.position.weight[j] = row
        slopes.append((said[0] - said[1]) / (2 * h))
    assert float(found[j]) == pytest.approx(float(np.linalg.norm(slopes)), rel=1e-4)


def test_a_game_is_of_unseen_documents_with_a_gap_that_is_not_certain():
    items = game.game(3)
    assert len(items) == game.ROUNDS and items[0].ids == game.game(3)[0].ids
    assert items[0].ids != game.game(4)[0].ids
    assert held_out_mask(concatenate([item.ids for item in items])).all()
    for item in items:
        assert item.exact.max() < game.CERTAIN and item.exact.sum() == pytest.approx(1)
        assert item.hidden in item.options and len(set(item.options)) == game.OPTIONS
        words = WORLD.vocabulary.decode(item.options)
        assert words == sorted(words)
        ids = list(item.ids)
        others = [np.exp(WORLD.log_probability([*ids[: item.place], w, *ids[item.place + 1 :]]))
                  for w in range(len(WORLD.vocabulary))]  # fmt: skip
        assert np.allclose(item.exact, np.array(others) / np.sum(others))


def test_only_words_are_offered():
    for seed in range(40, 60):  # seed 54 once offered the end of the text
        for item in game.game(seed):
            assert all(word[0].isalpha() for word in WORLD.vocabulary.decode(item.options))


def test_nobody_has_more_points_than_is_possible_and_the_hidden_word_is_a_hit():
    items = game.game(5)
    best = game.total_score([game.best_answer(item) for item in items])
    model = game.total_score(game.model_answers(NETWORK, items))
    hits = game.total_score([game.score_answer(item, item.hidden) for item in items])
    assert hits.hits == hits.texts == len(items)
    assert model.points <= best.points + 1e-12 and hits.points <= best.points + 1e-12
    assert game.score_answer(items[0], len(VOCABULARY) - 1).points == 0


def test_a_pair_is_judged_by_the_head_for_pairs():
    reading = READER.read(
        "the cow didn't cross the road because it was too icy.",
        "the sun was low.",
    )
    found = next_sentence.predict_next_sentence(NETWORK, reading)
    with torch.no_grad():
        trace = trace_text(NETWORK, reading)
    pooled = torch.tanh(NETWORK.pairs.pooler(trace.hidden[0, 0]))
    logits = NETWORK.pairs.output(pooled).double()
    assert torch.allclose(found.logits, logits, atol=1e-5)
    assert float(found.probabilities.sum()) == pytest.approx(1)
    gap = float(found.logits[0] - found.logits[1])
    assert float(found.probabilities[0]) == pytest.approx(1 / (1 + np.exp(-gap)))
    assert torch.allclose(found.losses, -found.probabilities.log())


def test_drawn_pairs_are_halves_of_one_unseen_document_or_of_two():
    labels = set()
    for seed in range(12):
        pair = next_sentence.draw_pair(seed)
        labels.add(pair.label)
        assert pair == next_sentence.draw_pair(seed)
        whole = [*WORLD.vocabulary.read(f"{pair.first} {pair.second}"), END]
        if pair.label == 0:
            assert np.isfinite(WORLD.log_probability(whole))
            assert held_out_mask(concatenate([whole])).all()
    assert labels == {0, 1}


def test_many_pairs_are_measured_as_one_by_one():
    documents = documents_for_tests(WORLD, 60)
    found = next_sentence.measure_next_sentence(NETWORK, documents, seed=4)
    ids = masked_vocabulary().ids
    rng = np.random.default_rng(4)
    texts = draw_pairs(list(documents), 1.0, rng, stop=ids["."], separator=ids["[SEP]"])
    losses, right = [], []
    for text in (each for each in texts if each.label >= 0):
        given = (torch.from_numpy(part)[None] for part in (text.ids, text.segments))
        with torch.no_grad():
            log_p = NETWORK(next(given), segments=next(given)).next[0].log_softmax(-1)
        losses.append(-float(log_p[text.label]))
        right.append(int(log_p.argmax()) == text.label)
    assert found.pairs == len(losses) > 20
    assert found.accuracy == pytest.approx(np.mean(right))
    assert found.loss == pytest.approx(np.mean(losses), rel=1e-4)


def test_a_pre_trained_run_is_tested_and_starts_from_knowing_nothing():
    spec = pretraining.run_spec(3, 0.15, seed=1)
    events = list(Training(spec))
    assert events[0].loss == pytest.approx(np.log(len(masked_vocabulary())), abs=0.3)
    run_again = Training(spec)
    found = pretraining.measure_progress(run_again.network, 0)
    assert found.pairs.accuracy == pytest.approx(0.5, abs=0.15)
    assert found.pairs.loss == pytest.approx(np.log(2), abs=0.1)
    assert found.fill.accuracy < 0.2 < found.fill.best


def test_from_the_left_a_gpt_and_the_grammar_answer_from_the_words_before():
    gpt = load_shipped("gpt")[0].network
    found = cloze.fill_from_left(gpt, TEXT, 2)
    before = TEXT.reading.ids[:2]
    with torch.no_grad():
        log_q = gpt(before[None]).logits[0, -1].double().log_softmax(-1)
    assert torch.allclose(found.log_q[0], log_q, atol=1e-5)
    exact = WORLD.log_probabilities(before)[-1].exp()
    assert torch.allclose(found.exact[0], exact) and found.exact.sum() == pytest.approx(1)
    own = int(TEXT.reading.ids[2])
    assert found.loss == pytest.approx(-float(log_q[own]), abs=1e-5)
    other = cloze.cloze_text(READER, "the animal was.")
    assert torch.equal(cloze.fill_from_left(gpt, other, 2).log_q, found.log_q)


def test_what_cannot_be_read_from_the_left_is_refused():
    gpt = load_shipped("gpt")[0].network
    typed = cloze.cloze_text(READER, "the [MASK] was old.")
    assert torch.isnan(cloze.fill_from_left(gpt, typed, 2).terms).all()
    with pytest.raises(ValueError, match="must not precede the gap"):
        cloze.fill_from_left(gpt, typed, 3)
    with pytest.raises(ValueError, match="must be a word of a microworld text; got 0"):
        cloze.fill_from_left(gpt, TEXT, 0)
    padded = cloze.cloze_text(READER, "the [PAD] was old.")
    with pytest.raises(ValueError, match="words only"):
        cloze.fill_from_left(gpt, padded, 3)
    nonsense = cloze.cloze_text(READER, "old old old the cat.")
    assert cloze.fill_from_left(gpt, nonsense, 5).exact is None


def test_training_chooses_that_share_of_the_words_and_at_least_one():
    for share in (0.15, 0.5):
        counts = [len(pretraining.chosen_places(TEXT, share, seed)) for seed in range(300)]
        assert np.mean(counts) == pytest.approx(share * len(TEXT.maskable), rel=0.1)
        assert min(counts) >= 1
    assert set(pretraining.chosen_places(TEXT, 1.0, 0)) == set(TEXT.maskable)
