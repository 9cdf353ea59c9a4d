"""Labels of the Microworld's words: by hand for sentences, and against the grammar."""

import random

import numpy as np
import pytest

from lmcore.contextual.tasks import (
    NO_LABEL,
    PARTS_OF_SPEECH,
    POS_WORDS,
    SENSES,
    TASKS,
    draw_labelled,
    labelled_texts,
)
from lmcore.corpora.documents import concatenate
from lmcore.corpora.entropy import perplexity
from lmcore.corpora.grammar import parse
from lmcore.corpora.microworld import held_out_mask, microworld, microworld_grammar


@pytest.fixture(scope="module")
def texts():
    return labelled_texts(3000)


def labels_of(text, task):
    found = zip(text.words, text.labels[task], strict=True)
    return [f"{w} {TASKS[task].classes[label]}" for w, label in found if label != NO_LABEL]


def first_with(texts, words):
    return next(text for part in texts for text in part if words in " ".join(text.words))


def test_the_split_is_the_models_own(texts):
    train, test = texts
    vocabulary = microworld().vocabulary
    for part, held_out in ((train, False), (test, True)):
        ids = concatenate([vocabulary.encode(text.words) for text in part])
        assert (held_out_mask(ids) == held_out).all()
    assert len(train) + len(test) == len({text.words for part in texts for text in part}) == 3000


def test_documents_are_drawn_with_the_probabilities_of_the_grammar():
    """Monte Carlo: the mean of −log p of drawn documents estimates their entropy."""
    world, grammar, draw = microworld(), microworld_grammar(), random.Random(5)
    drawn = [world.vocabulary.encode(draw_labelled(grammar, draw).words) for _ in range(3000)]
    losses = np.array([-world.log_probability(ids) for ids in drawn])
    per_token = losses.sum() / sum(len(ids) - 1 for ids in drawn)
    error = losses.std() / np.sqrt(len(losses)) / np.mean([len(ids) - 1 for ids in drawn])
    assert abs(per_token - np.log(perplexity(world))) < 4 * error


def test_number_and_depth_of_nested_clauses_by_hand(texts):
    grammar = parse(
        "DOC -> AGREE\nAGREE -> NP_many_2 V_many\nV_many -> sleep\n"
        "NP_many_2 -> the M_many that CLAUSE_2\nM_many -> cats\n"
        "CLAUSE_2 -> NP_one_1 IN_one\nIN_one -> sees\n"
        "NP_one_1 -> the M_one which was RACED past the barn\nM_one -> dog\nRACED -> led",
        start="DOC",
    )
    text = draw_labelled(grammar, random.Random(0))
    words = "the cats that the dog which was led past the barn sees sleep"
    assert " ".join(text.words[1:-1]) == words
    depths = [0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 0]
    assert list(text.labels["depth"][1:-1]) == depths
    unasked = [NO_LABEL] * 2
    assert list(text.labels["number"][1:-1]) == [*unasked, *[1] * 10, NO_LABEL]


def test_a_sense_is_that_of_the_whole_story(texts):
    for words, sense in (
        ("i parked there . the note said fine .", "fine 2"),
        ("i was ill . the note said fine .", "fine 1"),
        ("i saw her die . then there was a six .", "die 1"),
        ("i saw her die . then there was a grave .", "die 2"),
    ):
        assert sense in [
            label.split(" ", 1)[1] for label in labels_of(first_with(texts, words), "sense")
        ]


def test_it_is_the_noun_that_the_last_sentence_names(texts):
    seen = set()
    for text in texts[0][:600]:
        for place, label in enumerate(text.labels["reference"]):
            if label == NO_LABEL:
                continue
            seen.add(label)
            assert text.words[place] == "it"
            tired = text.words[place + 3] in ("tired", "scared", "hungry", "slow", "weak")
            creature = text.words[text.words.index("the") + 1] in (
                "animal",
                "dog",
                "cat",
                "horse",
                "cow",
                "wolf",
            )
            if "fit" not in text.words and "hold" not in text.words:
                assert label == (0 if tired == creature else 1), text.words
    assert seen == {0, 1}


def test_parts_of_speech_by_hand(texts):
    tagged = labels_of(first_with(texts, "i saw her die . then there was a six"), "part of speech")
    assert {"her determiner", "die noun", "there pronoun", "saw verb"} <= set(tagged)
    tagged = labels_of(
        first_with(texts, "i saw her die . then there was a grave"), "part of speech"
    )
    assert {"her pronoun", "die verb"} <= set(tagged)
    tagged = labels_of(first_with(texts, "he likes to game"), "part of speech")
    assert {"to particle", "game verb"} <= set(tagged)
    tagged = labels_of(first_with(texts, "that the"), "part of speech")
    assert {"that pronoun", "that conjunction"} & set(tagged)


def test_every_word_of_the_lists_is_one_of_the_microworld():
    known = set(microworld().vocabulary.tokens)
    listed = [word for words in POS_WORDS.values() for word in words.split()]
    assert set(listed) <= known
    assert len(listed) == len(set(listed))


def test_every_label_is_a_class_and_every_class_is_drawn(texts):
    for name, task in TASKS.items():
        drawn = {label for text in texts[0] for label in text.labels[name]}
        assert drawn == {NO_LABEL, *range(len(task.classes))}
    assert len(SENSES) == 16
    assert PARTS_OF_SPEECH[-1] == "particle"


def test_no_document_is_refused():
    with pytest.raises(ValueError, match="at least 1; got 0"):
        labelled_texts(0)
