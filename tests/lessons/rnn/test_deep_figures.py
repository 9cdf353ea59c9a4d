"""The picture of depth and of two directions says what the biLM and the grammar say."""

import json
import math

import pytest
import torch

from lessons.rnn import deep_picture, deep_text, rnn_questions
from lmcore.contextual.bilm import load_bilm
from lmcore.contextual.reach import bilm_reach
from lmcore.corpora.microworld import microworld
from lmcore.recurrence.receptive_field import ContextProbabilities, RecurrentStack

TEXT = "the horse which was raced past the barn tripped ."
WORDS = tuple(TEXT.split())
READING = deep_picture.read_deep(WORDS)
STACKS = [RecurrentStack(layers, both) for layers in (1, 2) for both in (False, True)]


def made(left, both):
    """A reading with other probabilities of the covered words."""
    exact = ContextProbabilities(torch.tensor([left] * 11), torch.tensor([both] * 11))
    return READING._replace(exact=exact)


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("k", [1, 3, 10])
def test_the_words_read_are_those_that_move_the_states_of_the_bilm(stack, k):
    network, vocabulary = load_bilm()
    left, right = bilm_reach(network, torch.tensor(vocabulary.encode(("<s>", *WORDS, "</s>"))))
    reach = (left + right if stack.bidirectional else left)[k, 1:-1]
    live = deep_picture.numbers(READING, stack, k)
    assert live["seen"] == int((reach > 0).sum())
    assert live["seen"] + live["rest"] == len(WORDS)


def test_the_states_are_those_of_each_direction_alone():
    network, vocabulary = load_bilm()
    ids = vocabulary.encode(WORDS)
    drawn = deep_picture.picture(READING, RecurrentStack(1))
    json.dumps([{**chain, "states": None} for chain in drawn["chains"]])
    first = network.left_to_right[0](network.embedding(torch.tensor([[0, *ids]])))[0][0, 1:]
    assert vocabulary.encode(("<s>",)) == [0]
    torch.testing.assert_close(torch.as_tensor(drawn["chains"][0]["states"]).float(), first)
    assert [chain["shown"] for chain in drawn["chains"]] == [True, False, False, False]


def test_the_probabilities_are_those_of_texts_with_another_word():
    world, k = microworld(), 3
    words = [word for word in world.vocabulary.tokens if not word.startswith("<")]
    texts = [" ".join((*WORDS[: k - 1], word, *WORDS[k:])) for word in words]

    def p(text):
        try:
            return math.exp(world.log_probability(world.vocabulary.read(text)))
        except ValueError:
            return 0.0

    live = deep_picture.numbers(READING, RecurrentStack(2, True), k)
    assert live["both"] == pytest.approx(p(TEXT) / sum(map(p, texts)))


@pytest.mark.parametrize(
    ("left", "both", "says"), [(0.1, 0.4, "rises"), (0.4, 0.1, "falls"), (0.4, 0.4, "stays")]
)
def test_the_sentence_and_the_question_say_what_both_sides_do(left, both, says):
    reading, stack = made(left, both), RecurrentStack(2, True)
    live = deep_picture.numbers(reading, stack, 3)
    assert f"its p {says}" in deep_text.sentences(reading, stack)[int(live["@say"])]
    (asked,) = rnn_questions.deep_questions(reading, stack, 3)
    assert asked.answer == f"it {says}" and asked.answer in asked.options


def test_a_text_that_the_grammar_cannot_produce_has_no_p():
    reading = deep_picture.read_deep(("the", "horse", "raced"))
    stack = RecurrentStack(2, True)
    (question,) = rnn_questions.deep_questions(reading, stack, 1)
    assert reading.exact is None and question.answer == 3, "both chains together read every word"
    assert "no exact value" in deep_text.sentences(reading, stack)[0]
    assert len(deep_text.formulas(reading, stack)[0]) == 1


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("k", [1, 10])
def test_every_number_of_the_texts_has_a_name(stack, k):
    live = deep_picture.numbers(READING, stack, k)
    formula = deep_text.formulas(READING, stack)[int(live["@formula"])]
    sentence = deep_text.sentences(READING, stack)[int(live["@say"])]
    for template in (sentence, *formula, deep_text.describe(READING, stack)):
        assert "{" not in live.fill(template)
    for asked in rnn_questions.deep_questions(READING, stack, k):
        assert set(asked.hides) <= set(live.names)
    if not stack.bidirectional:
        assert ("the last word" in sentence) == (k == 10)


@pytest.mark.parametrize("k", [1, 4])
def test_a_layer_more_reads_no_words_more(k):
    one, two = (rnn_questions.deep_questions(READING, RecurrentStack(n), k)[0] for n in (1, 2))
    assert (one.answer, two.answer) == (k, "the same words")
