"""A typed sentence is checked, encoded, and scored by every model in the same way."""

import numpy as np
import pytest
import torch

from lmcore.corpora.microworld import microworld, training_documents
from lmcore.evaluation import sentence
from lmcore.evaluation.sentence import SentenceQuestion
from lmcore.models import ngram, scoring

WORLD = microworld()
FED = "i forgot to make sure that the dog gets fed"


@pytest.fixture(scope="module")
def trigram():
    documents = training_documents(WORLD.sample(2000, np.random.default_rng(0)))
    return ngram.fit_ngram(ngram.NGramConfig(3, "none"), WORLD.vocabulary, documents)


def test_a_sentence_is_read_behind_its_start_and_before_its_end():
    ids = sentence.encode_sentence(WORLD.vocabulary, "the dog sleeps", end=True)
    assert WORLD.vocabulary.decode(ids) == ["<s>", "the", "dog", "sleeps", "</s>"]
    assert sentence.encode_sentence(WORLD.vocabulary, "<s> the dog sleeps </s>", end=True) == ids
    assert sentence.encode_sentence(WORLD.vocabulary, "The dog sleeps </s>") == ids


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the sentence must have 1 to 30 words; got 0"),
        ("the " * 31, "the sentence must have 1 to 30 words; got 31"),
        ("the <s> dog", "must stand only at the ends of a sentence; got the <s> dog"),
        ("the </s> dog", "must stand only at the ends of a sentence"),
        (f"the </s> {70 * 'x'}", f"got the </s> {51 * 'x'}…"),
        (
            "the dgo",
            "word 2 must be one of the 279 words the model knows; got 'dgo'; similar words: dog",
        ),
        ("the 42", "got '42'$"),
    ],
)
def test_a_sentence_that_cannot_be_read_is_refused_with_its_place(text, reason):
    with pytest.raises(ValueError, match=reason):
        sentence.encode_sentence(WORLD.vocabulary, text)


def test_an_empty_sentence_with_an_end_is_still_empty():
    with pytest.raises(ValueError, match="got 0"):
        sentence.encode_sentence(WORLD.vocabulary, " ", end=True)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"models": ()}, "the models must be 1 to 6 different ones; got 0: none"),
        ({"models": tuple("abcdefg")}, "got 7: a, b, c, d, e, f, g"),
        ({"models": ("a", "a")}, "must be 1 to 6 different ones; got 2: a, a"),
        ({"place": 0}, "the place of the word must be from 1 to 3; got 0"),
        ({"place": 4}, "must be from 1 to 3; got 4"),
        ({"order": 6}, "the order N must be from 1 to 5; got 6"),
        ({"order": 0}, "must be from 1 to 5; got 0"),
    ],
)
def test_a_question_out_of_bounds_is_refused(given, reason):
    with pytest.raises(ValueError, match=reason):
        SentenceQuestion(**{"ids": (0, 1, 2), "models": ("a",)} | given)


def test_the_place_divides_a_sentence_into_before_and_target():
    question = SentenceQuestion((7, 8, 9), ("a",), 2)
    assert (question.before, question.target) == ((7, 8), 9)
    last = SentenceQuestion((7, 8, 9), ("a",), 3)
    assert (last.before, last.target) == ((7, 8, 9), None)


def test_every_model_answers_with_its_score_and_what_it_expects(trigram):
    ids = sentence.encode_sentence(WORLD.vocabulary, FED)
    answers = sentence.ask_models({"t": trigram, "g": WORLD}, SentenceQuestion(ids, ("t",), 8))
    for name, model in (("t", trigram), ("g", WORLD)):
        own = scoring.score(model, torch.tensor(ids))
        assert torch.equal(answers[name].score.probabilities, own.probabilities)
        assert float(answers[name].expected.sum()) == pytest.approx(1)
        assert float(answers[name].expected[ids[8]]) == float(own.probabilities[7])


def test_counting_and_the_grammar_exclude_what_was_never_said(trigram):
    ids = sentence.encode_sentence(WORLD.vocabulary, FED)
    answers = sentence.ask_models({"t": trigram, "g": WORLD}, SentenceQuestion(ids, ("t",), 10))
    assert answers["t"].score.probabilities[-1] == answers["g"].score.probabilities[-1] == 0
    assert answers["t"].expected.sum() == 0


def test_favourites_are_each_models_best_by_their_mean_and_never_impossible(trigram):
    ids = sentence.encode_sentence(WORLD.vocabulary, "the dog")
    answers = sentence.ask_models({"t": trigram, "g": WORLD}, SentenceQuestion(ids, ("t",), 3))
    found = sentence.likeliest_tokens(answers, each=3)
    mean = (answers["t"].expected + answers["g"].expected) / 2
    assert [float(mean[token]) for token in found] == sorted(mean[found].tolist(), reverse=True)
    for answer in answers.values():
        assert int(answer.expected.argmax()) in found
    assert len(sentence.likeliest_tokens(answers, each=20, most=5)) == 5
    nowhere = sentence.ask_models(
        {"t": trigram},
        SentenceQuestion(sentence.encode_sentence(WORLD.vocabulary, FED), ("t",), 10),
    )
    assert sentence.likeliest_tokens(nowhere) == []
