"""The tasks of transfer: what their texts determine, exact best scores, inputs as they are read."""

import itertools

import numpy as np
import pytest
import torch

from lmcore.corpora import microworld_rules
from lmcore.transfer.inputs import encode_examples, serialise
from lmcore.transfer.tasks import TASKS, Labelled, best_chances, draw_examples, posterior
from lmcore.transfer.tuning import TuneSpec, begin, parts

SINGULAR = {*microworld_rules.ANIMALS["one"]}


@pytest.mark.parametrize("task", TASKS)
def test_drawing_is_a_function_of_the_seed_and_tests_are_apart(task):
    some = draw_examples(task, 60, 3)
    assert some == draw_examples(task, 60, 3) != draw_examples(task, 60, 4)
    held_out = draw_examples(task, 60, 3, test=True)
    texts = [{each[:2] for each in group} for group in (some, held_out)]
    assert not texts[0] & texts[1]


def test_a_sentence_is_right_if_its_verb_agrees_with_its_first_noun():
    for first, _, answer in draw_examples("acceptable", 200, 0):
        be = {"is": True, "are": False}
        last = first[-2] if first[-2] not in ("happy", "young", "strong") else first[-3]
        singular = be.get(last, last.endswith("s"))
        assert answer == (singular == (first[1] in SINGULAR))


def test_the_best_score_of_a_decided_task_is_1():
    for task in ("acceptable", "entailment", "roles", "answer"):
        examples = draw_examples(task, 50, 1)
        assert best_chances(task, examples) == pytest.approx(1.0)


def test_the_posterior_of_a_story_by_hand():
    # Only A never parks and only B is never ill: the first three words decide.
    np.testing.assert_allclose(posterior("person", ("i", "was", "ill")), [1, 0], atol=1e-12)
    np.testing.assert_allclose(posterior("person", ("i", "parked", "there")), [0, 1], atol=1e-12)
    # Both begin a story with this sentence equally often.
    both = posterior("person", ("then", "he", "played", "me"))
    np.testing.assert_allclose(both, [0.5, 0.5], atol=0.02)


def test_labels_are_as_frequent_as_the_posterior_says():
    examples = draw_examples("person", 4000, 9)
    chances = np.array([posterior("person", first)[1] for first, _, _ in examples])
    answers = np.array([answer for _, _, answer in examples])
    for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 1.0)):
        some = (chances >= low) & (chances <= high)
        spread = np.sqrt((chances[some] * (1 - chances[some])).sum()) / some.sum()
        assert some.sum() > 50
        assert abs(answers[some].mean() - chances[some].mean()) < 4 * spread + 1e-9


def test_a_story_that_nobody_tells():
    with pytest.raises(ValueError, match="the text must be one of the task person; got 'the the'"):
        posterior("person", ("the", "the"))


def test_entailment_by_its_adjective():
    for first, second, answer in draw_examples("entailment", 200, 2):
        adjective = first[-2]
        nouns = [
            word for word in first if word in (*microworld_rules.CREATURES, *microworld_rules.WAYS)
        ]
        group = (
            microworld_rules.CREATURES
            if adjective in microworld_rules.CREATURE_ADJECTIVES
            else microworld_rules.WAYS
        )
        (meant,) = [noun for noun in nouns if noun in group]
        assert second[3] == adjective
        expected = 0 if second[1] == meant else 1 if second[1] in nouns else 2
        assert answer == expected


def test_the_words_of_an_answer():
    for first, second, (start, end) in draw_examples("answer", 100, 2):
        assert first[start] == "the"
        assert end == start + 1
        assert (first[end] in microworld_rules.CREATURES) == (
            second[2] in microworld_rules.CREATURE_ADJECTIVES
        )


def test_roles_name_one_verb_for_each_subject():
    for first, _, tags in draw_examples("roles", 200, 5):
        marks = [TASKS["roles"].labels[tag] for tag in tags]
        assert marks.count("S") == marks.count("V") == 1
        assert marks.count("v") >= max(marks.count("s"), marks.count("o"))
        assert len(first) == len(tags)
        subject, verb = first[marks.index("S")], first[marks.index("V")]
        number = "one" if subject in SINGULAR else "many"
        assert verb in microworld_rules.OUTER_VERBS[number]


def test_one_row_of_tokens_for_each_kind_of_model():
    example = Labelled(("a", "dog"), ("it", "runs"), 0)
    assert serialise(example, bert=True) == ["[CLS]", "a", "dog", "[SEP]", "it", "runs", "[SEP]"]
    assert serialise(example, bert=False) == ["<s>", "a", "dog", "</s>", "it", "runs", "</s>"]
    alone = Labelled(("a", "dog"), (), 0)
    assert serialise(alone, bert=False) == ["<s>", "a", "dog", "</s>"]


@pytest.mark.parametrize("network", ["gpt", "encoder"])
def test_a_batch_marks_segments_words_and_what_is_read(network):
    _, vocabulary = begin(TuneSpec(network=network, task="answer"))
    pairs = [
        Labelled(("the", "dog", "runs"), ("which", "was", "old"), (0, 1)),
        Labelled(("the", "old", "dog", "runs", "."), ("which",), (1, 2)),
    ]
    batch = encode_examples(TASKS["answer"], pairs, vocabulary, bert=network == "encoder")
    assert batch.answers.tolist() == [[1, 2], [2, 3]]
    assert batch.first.sum(1).tolist() == [3, 5]
    assert batch.present.sum(1).tolist() == [9, 9]
    assert batch.segments[0].tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert batch.read.tolist() == ([0, 0] if network == "encoder" else [8, 8])
    last = vocabulary.decode(batch.ids[torch.arange(2), batch.read].tolist())
    assert set(last) == ({"[CLS]"} if network == "encoder" else {"</s>"})


def test_an_empty_batch():
    _, vocabulary = begin(TuneSpec())
    with pytest.raises(ValueError, match="a batch must have at least one example; got none"):
        encode_examples(TASKS["roles"], [], vocabulary, bert=True)


def test_parts_are_the_embedding_and_the_blocks():
    assert (parts("gpt"), parts("encoder")) == (3, 4)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"network": "rnn"}, "the network must be one of gpt, encoder, bilm; got 'rnn'"),
        ({"task": "chess"}, "the task must be one of person, acceptable, "),
        ({"labels": 0}, "labels must be from 1 to 10000; got 0"),
        ({"frozen": 9}, "frozen must be from 0 to 4; got 9"),
        ({"auxiliary": 0.5}, "λ must be 0 unless the network is gpt"),
        ({"start": "scratch", "frozen": 1}, "frozen must be 0 from scratch"),
        ({"learning_rate": float("nan")}, "learning_rate must be from 0 to 1; got nan"),
    ],
)
def test_settings_that_are_not_allowed(settings, said):
    with pytest.raises(ValueError, match=said):
        TuneSpec(**settings)


def test_all_words_are_known_to_both_models():
    _, gpt = begin(TuneSpec(network="gpt"))
    _, bert = begin(TuneSpec(network="encoder"))
    for task in TASKS:
        for example in itertools.chain(draw_examples(task, 100, 8)):
            assert all(word in gpt and word in bert for word in (*example.first, *example.second))
