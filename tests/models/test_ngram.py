"""n-gram models against counting by hand: dictionaries, and the equations as papers print them."""

import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.corpora.documents import concatenate
from lmcore.models.ngram import NGramConfig, fit_ngram
from lmcore.vocabulary import Vocabulary, build_vocabulary, split_text

WORDS = Vocabulary(("<s>", "</s>", "a", "b", "c"))
LETTERS = Vocabulary(("<unk>", "a", "b", "c"), "character")
FED = """I have to make sure that the cat gets fed . the cat sleeps . the dog sleeps .
I have to make sure that the dog eats . the boy gets paid ."""

sentences = st.lists(st.lists(st.integers(2, 4), max_size=6), min_size=1, max_size=5)
orders = st.integers(1, 5)
smoothings = st.sampled_from(["none", "add-k", "kneser-ney"])


def documents_of(bodies):
    return concatenate([[0, *body, 1] for body in bodies])


def in_words(text, sentence_ends=(".",)):
    """One document per sentence of a text, and the vocabulary of the documents."""
    sentences, words = [], ["<s>"]
    for word in split_text(text, "word"):
        words.append(word)
        if word in sentence_ends:
            sentences.append([*words, "</s>"])
            words = ["<s>"]
    vocabulary = build_vocabulary((word for sentence in sentences for word in sentence), "word")
    return concatenate([vocabulary.encode(sentence) for sentence in sentences]), vocabulary


class ByHand:
    """An n-gram model with tuples of tokens in dictionaries, without packing or arrays."""

    def __init__(self, texts, order, padded, types):
        self.order, self.padded = order, padded
        self.types = types - 1 if padded else types
        self.occurrences = defaultdict(int)
        self.before = defaultdict(set)
        for text in texts:
            full = [0] * (order - 1) + text[1:] if padded else text
            for end in range(order - 1 if padded else 0, len(full)):
                for n in range(1, min(order, end + 1) + 1):
                    gram = tuple(full[end - n + 1 : end + 1])
                    self.occurrences[gram] += 1
                    self.before[gram[1:]].add(gram[0])

    def context(self, history):
        if self.padded and history[0] == 0:
            history = [0] * (self.order - 1) + history[1:]
        return tuple(history[max(len(history) - self.order + 1, 0) :])

    def following(self, count, context):
        return {gram[-1]: count(gram) for gram in list(self.occurrences) if gram[:-1] == context}

    def probability(self, word, history, config):
        context = self.context(history)
        if config.smoothing == "kneser-ney":
            return self.kneser_ney(word, context, config.discount)
        row = self.following(self.occurrences.__getitem__, context)
        if config.smoothing == "add-k":
            return (row.get(word, 0) + config.k) / (sum(row.values()) + config.k * self.types)
        return row.get(word, 0) / sum(row.values()) if row else 0.0

    def kneser_ney(self, word, context, discount):
        lower = self.kneser_ney(word, context[1:], discount) if context else 1 / self.types
        whole = len(context) + 1 == self.order
        counted = self.following(
            self.occurrences.__getitem__ if whole else lambda gram: len(self.before[gram]), context
        )
        row = {w: c for w, c in counted.items() if c > 0}
        if not row:
            return lower
        gamma = discount / sum(row.values()) * len(row)
        return max(row.get(word, 0) - discount, 0) / sum(row.values()) + gamma * lower


def agree(model, hand, history, first):
    rows = model.log_probabilities(torch.tensor(history)).exp()
    for t, row in enumerate(rows, start=1):
        for word in range(first, len(model.vocabulary)):
            wanted = hand.probability(word, history[:t], model.config)
            assert float(row[word]) == pytest.approx(wanted, abs=1e-12, rel=1e-12)


@given(sentences, st.lists(st.integers(2, 4), max_size=4), orders, smoothings)
def test_documents_give_what_dictionaries_give(bodies, body, order, smoothing):
    config = NGramConfig(order, smoothing, k=0.3, discount=0.6)
    documents = documents_of(bodies)
    model = fit_ngram(config, WORDS, documents)
    hand = ByHand([d.tolist() for d in documents], order, padded=True, types=len(WORDS))
    agree(model, hand, [0, *body], first=1)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=25), orders, smoothings)
def test_a_running_text_gives_what_dictionaries_give(text, order, smoothing):
    config = NGramConfig(order, smoothing, k=0.3, discount=0.6)
    model = fit_ngram(config, LETTERS, np.array(text))
    hand = ByHand([text], order, padded=False, types=len(LETTERS))
    agree(model, hand, [3, 1, 2, *text[:3]], first=0)


@given(sentences, sentences, orders, smoothings)
def test_many_documents_at_once_get_the_numbers_of_the_rows(bodies, others, order, smoothing):
    model = fit_ngram(NGramConfig(order, smoothing), WORDS, documents_of(bodies))
    test = documents_of(others)
    one_by_one = [
        model.log_probabilities(torch.from_numpy(d))[range(len(d) - 1), d[1:]].numpy() for d in test
    ]
    np.testing.assert_allclose(
        model.batch_log_probability(test), np.concatenate(one_by_one), rtol=1e-12, atol=1e-15
    )


@given(st.lists(st.integers(0, 3), min_size=1, max_size=25), orders, smoothings)
def test_a_running_text_in_one_go_gets_the_numbers_of_the_rows(text, order, smoothing):
    model = fit_ngram(NGramConfig(order, smoothing), LETTERS, np.array(text))
    rows = model.log_probabilities(torch.tensor(text))[range(len(text) - 1), text[1:]]
    np.testing.assert_allclose(
        model.batch_log_probability(concatenate([text])), rows.numpy(), rtol=1e-12, atol=1e-15
    )


@given(sentences, st.lists(st.integers(1, 4), max_size=4), orders, smoothings)
def test_every_row_sums_to_1_and_a_smoothed_one_leaves_only_the_start_out(
    bodies, body, order, smoothing
):
    model = fit_ngram(NGramConfig(order, smoothing), WORDS, documents_of(bodies))
    rows = model.log_probabilities(torch.tensor([0, *body])).exp()
    assert not rows[:, 0].any()
    for t, row in enumerate(rows):
        seen = model.explain([0, *body][: t + 1], 2).seen
        if smoothing == "none" and not seen:
            assert not row.any()
        else:
            assert float(row.sum()) == pytest.approx(1, abs=1e-12)
        assert smoothing == "none" or (row[1:] > 0).all()


@given(sentences, st.lists(st.integers(2, 4), max_size=4), st.integers(1, 4), orders, smoothings)
def test_the_explanation_makes_the_number(bodies, body, token, order, smoothing):
    model = fit_ngram(NGramConfig(order, smoothing), WORDS, documents_of(bodies))
    trace = model.explain([0, *body], token)
    row = model.log_probabilities(torch.tensor([0, *body]))[-1].exp()
    assert trace.probability == pytest.approx(float(row[token]), abs=1e-15)
    for below, step in zip([None, *trace.steps], trace.steps, strict=False):
        assert step.probability == step.kept + step.weight * step.lower
        assert below is None or step.lower == below.probability
    last = trace.steps[-1]
    assert last.context == tuple(([0] * order + body)[len(body) + 1 :])
    assert trace.seen == (last.context_count > 0)
    assert not last.continuation


def test_the_first_kneser_ney_bigram_by_hand():
    # a b a b a c: after a come b, b, c. Different words before b: a; before c: a; before a: b.
    model = fit_ngram(
        NGramConfig(2, "kneser-ney", discount=0.75), LETTERS, np.array([1, 2, 1, 2, 1, 3])
    )
    below, top = model.explain([1], 2).steps
    assert (below.count, below.context_count, below.kinds) == (1, 3, 3)
    unigram = Fraction(1, 4) / 3 + Fraction(3, 4) * 3 / 3 * Fraction(1, 4)
    assert below.probability == pytest.approx(float(unigram))
    assert (top.count, top.context_count, top.kinds) == (2, 3, 2)
    assert top.weight == pytest.approx(0.5)
    assert top.probability == pytest.approx(float(Fraction(5, 4) / 3 + Fraction(1, 2) * unigram))


def test_the_cat_gets_fed_and_the_dog_never_did():
    documents, vocabulary = in_words(FED)
    question = torch.tensor(vocabulary.read("I have to make sure that the dog gets"))
    fed, ids = vocabulary.ids["fed"], vocabulary.encode
    for order in (3, 4, 5):
        model = fit_ngram(NGramConfig(order, "none"), vocabulary, documents)
        assert model.log_probabilities(question)[-1, fed] == -math.inf
        trace = model.explain(ids(["the", "cat", "gets"]), fed)
        assert (trace.seen, trace.probability) == (True, 1.0)
        trace = model.explain(ids(["that", "the", "dog", "gets"]), fed)
        assert (trace.seen, trace.probability, trace.steps[-1].count) == (False, 0.0, 0)
    bigram = fit_ngram(NGramConfig(2, "none"), vocabulary, documents)
    assert bigram.explain(ids(["dog", "gets"]), fed).probability == 0.5


def test_the_smoothed_model_lets_gets_fed_speak_for_the_dog():
    documents, vocabulary = in_words(FED)
    model = fit_ngram(NGramConfig(3), vocabulary, documents)
    trace = model.explain(vocabulary.encode(["dog", "gets"]), vocabulary.ids["fed"])
    assert not trace.seen
    assert trace.steps[-1].weight == 1
    assert trace.probability == trace.steps[1].probability > 0
    assert [step.continuation for step in trace.steps] == [True, True, False]


def test_the_bigram_table_shows_what_never_occurred():
    documents, vocabulary = in_words(FED)
    rows = fit_ngram(NGramConfig(2, "none"), vocabulary, documents).table(
        ["the", "gets", "<s>"], ["cat", "dog", "boy", "fed", "the"]
    )
    assert rows.contexts == ("the", "gets", "<s>")
    assert rows.words == ("cat", "dog", "boy", "fed", "the")
    assert rows.counts.tolist() == [[2, 2, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 3]]
    np.testing.assert_allclose(rows.probabilities[:, 3], [0, 0.5, 0])
    assert rows.probabilities[2, 4] == pytest.approx(3 / 5)


def test_a_whole_row_of_the_table_sums_to_1_and_may_have_a_longer_context():
    documents, vocabulary = in_words(FED)
    model = fit_ngram(NGramConfig(3), vocabulary, documents)
    rows = model.table(["the cat", "dog gets", "<s>", "the"])
    assert rows.words == vocabulary.tokens
    np.testing.assert_allclose(rows.probabilities.sum(axis=1), 1)
    assert rows.counts[0, vocabulary.ids["gets"]] == 1
    assert not rows.counts[1].any()
    assert rows.counts[2, vocabulary.ids["the"]] == 3


@pytest.mark.parametrize("order", range(1, 6))
@pytest.mark.parametrize("body", [[], [2], [2, 3]])
def test_one_short_document_is_enough_whatever_the_order(order, body):
    model = fit_ngram(NGramConfig(order, "none"), WORDS, documents_of([body]))
    log_p = model.batch_log_probability(documents_of([body]))
    assert len(log_p) == len(body) + 1
    expected = -math.log(len(body) + 1) if order == 1 else 0
    np.testing.assert_allclose(log_p, expected, atol=1e-15)


def test_one_token_of_running_text_has_nothing_to_predict_but_counts():
    model = fit_ngram(NGramConfig(5), LETTERS, np.array([2]))
    assert len(model.batch_log_probability(concatenate([[2]]))) == 0
    row = model.log_probabilities(torch.tensor([2]))[0].exp()
    np.testing.assert_allclose(row.numpy(), 0.25)  # no pair occurred: no token precedes another


def test_strings_of_five_rare_words_out_of_ten_thousand_are_told_apart():
    vocabulary = Vocabulary(("<s>", "</s>", *(f"w{i}" for i in range(9_998))))
    text = np.random.default_rng(0).integers(2, 10_000, 5_000)
    model = fit_ngram(NGramConfig(5, "none"), vocabulary, text)
    rows = model.log_probabilities(torch.from_numpy(text[100:110])).exp()
    np.testing.assert_allclose(rows[3:-1].numpy()[range(6), text[104:110]], 1)


def test_documents_do_not_run_into_each_other():
    model = fit_ngram(NGramConfig(3, "none"), WORDS, documents_of([[2], [3]]))
    assert model.explain([2, 1], 3).probability == 0
    assert not model.explain([1, 0], 3).seen
    assert model.explain([0], 3).probability == 0.5


def test_a_model_is_no_mixture_of_another_smoothing():
    documents = documents_of([[2, 3, 2]])
    with_k = fit_ngram(NGramConfig(1, "add-k", k=2.0), WORDS, documents).explain([], 2)
    assert with_k.probability == pytest.approx((2 + 2) / (4 + 2 * 4))
    assert len(with_k.steps) == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"order": 0}, r"order N must be from 1 to 5; got 0"),
        ({"order": 6}, r"order N must be from 1 to 5; got 6"),
        ({"smoothing": "laplace"}, r"must be one of none, add-k, kneser-ney; got 'laplace'"),
        ({"k": 0.0}, r"k must be above 0 and at most 1000; got 0"),
        ({"k": math.nan}, r"k must be above 0 and at most 1000; got nan"),
        ({"discount": 0.0}, r"discount D must be above 0 and at most 1; got 0"),
        ({"discount": 1.5}, r"discount D must be above 0 and at most 1; got 1.5"),
    ],
)
def test_a_setting_out_of_bounds_is_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        NGramConfig(**settings)


@pytest.mark.parametrize(
    ("bodies", "said"),
    [
        ([[0, 2, 1], [2, 1]], "begin with '<s>' and hold it nowhere else; got document 2 of 2"),
        ([[0, 2, 1], [0, 2, 0, 1], [0]], "nowhere else; got document 2 of 3, which does not"),
        ([[0], [0]], "at least one token to count; got none"),
        ([], "at least one token to count; got none"),
        ([[0, 2, 5]], "token 3 must be an id from 0 to 4; got 5"),
        ([[0, -1]], "token 2 must be an id from 0 to 4; got -1"),
    ],
)
def test_documents_that_cannot_be_counted_are_refused(bodies, said):
    with pytest.raises(ValueError, match=said):
        fit_ngram(NGramConfig(3), WORDS, concatenate(bodies))


def test_an_empty_document_is_refused_by_its_number():
    with pytest.raises(ValueError, match="got document 2 of 3"):
        fit_ngram(NGramConfig(3), WORDS, concatenate([[0, 2, 1], [], [0, 1]]))


def test_a_vocabulary_without_a_start_cannot_read_documents():
    with pytest.raises(ValueError, match="vocabulary must hold '<s>' to read documents"):
        fit_ngram(NGramConfig(2), LETTERS, documents_of([[2]]))


def test_questions_outside_the_vocabulary_are_refused():
    model = fit_ngram(NGramConfig(2), WORDS, documents_of([[2, 3]]))
    with pytest.raises(ValueError, match="tokens must hold at least one id; got none"):
        model.log_probabilities(torch.tensor([], dtype=torch.int64))
    with pytest.raises(ValueError, match="token 2 must be an id from 0 to 4; got 7"):
        model.log_probabilities(torch.tensor([0, 7]))
    with pytest.raises(ValueError, match="token 2 must be an id from 0 to 4; got 7"):
        model.explain([2], 7)
    with pytest.raises(ValueError, match="token 2 must be an id from 0 to 4; got 9"):
        model.batch_log_probability(concatenate([[0, 9, 1]]))
    with pytest.raises(ValueError, match="got document 1 of 1"):
        model.batch_log_probability(concatenate([[2, 1]]))
    with pytest.raises(ValueError, match="contexts must hold at least one; got none"):
        model.table([])
    with pytest.raises(
        ValueError, match="word 1 must be one of the 3 words the model knows; got 'd'"
    ):
        model.table(["d"])
