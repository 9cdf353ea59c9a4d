"""The words of the Microworld: all known, its sentences possible, unknown ones replaced."""

import pytest

from drawing import microworld
from lmcore.corpora.microworld import microworld as world
from lmcore.evaluation.sentence import encode_sentence
from lmcore.models import scoring


@pytest.mark.parametrize("text", microworld.SENTENCES)
def test_every_example_is_a_text_of_the_microworld(text):
    ids = encode_sentence(world().vocabulary, text)
    assert scoring.score(world(), ids).product > 0


def test_the_words_are_those_of_the_models_without_the_ends_of_a_text():
    known = microworld.known_words()
    assert len(known) == len(world().vocabulary) - 2 and list(known) == sorted(known)
    assert f"**{len(known) - 1} words**" in microworld.introduction() and "." in known


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("The dog", ()),
        ("the dgo and the dgo sleps", ("dgo", "sleps")),
        ("", ()),
        ("<s> the", ()),
        ("[CLS] the [MASK]", ()),
    ],
)
def test_unknown_words_are_found_once(text, unknown):
    assert microworld.unknown_words(text) == unknown


def test_an_unknown_word_is_replaced_wherever_it_is_a_word():
    assert "dog" in microworld.similar_words("dgo")
    assert microworld.similar_words("xyzzy") == ()
    assert microworld.replace_word("the Dgo, dgos", "dgo", "dog") == "the dog, dgos"
    assert microworld.replace_word("a $x$", "x", "\\1") == "a $\\1$"


@pytest.mark.parametrize(
    ("place", "text"), [(1, "cat dog sleeps"), (3, "the dog cat"), (4, "the dog sleeps cat")]
)
def test_a_word_takes_a_place_or_comes_last(place, text):
    assert microworld.replace_place("the dog sleeps", place, "cat") == text
