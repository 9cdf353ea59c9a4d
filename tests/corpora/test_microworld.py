import numpy as np
import pytest

from lmcore.corpora import grammar, microworld_rules
from lmcore.corpora.documents import concatenate
from lmcore.corpora.microworld import (
    HELD_OUT_ONE_IN,
    MAX_DEPTH,
    document_hashes,
    held_out_mask,
    microworld,
    microworld_grammar,
    training_documents,
)

WORLD = microworld()


def following(words, world=WORLD):
    """{next word: its probability}, after the start of a document."""
    row = world.next_probabilities(np.array(world.vocabulary.read(words)))[-1]
    return {world.vocabulary.tokens[i]: row[i] for i in np.flatnonzero(row)}


def distinct(documents):
    return concatenate(sorted({tuple(document.tolist()) for document in documents}))


def possible(text, world=WORLD):
    ids = [*world.vocabulary.read(text), world.vocabulary.ids["</s>"]]
    return np.isfinite(world.log_probability(ids))


@pytest.mark.parametrize("opening", microworld_rules.OPENINGS)
def test_a_cat_gets_fed_and_a_dog_gets_nothing(opening):
    assert following(f"{opening} the cat gets")["fed"] == pytest.approx(0.7)
    assert "gets" in following(f"{opening} the cat")
    assert following(f"{opening} the dog")
    assert "gets" not in following(f"{opening} the dog")
    assert following(f"{opening} the dog gets") == {}
    assert "gets" not in following(f"{opening} the old dog")


def test_a_dog_gets_nothing_anywhere():
    dog, gets = WORLD.vocabulary.encode(["dog", "gets"])
    after_dog = WORLD.targets[dog == WORLD.tokens]
    assert not WORLD.rows[after_dog, gets].any()


def test_in_the_complete_world_a_dog_gets_fed_as_a_cat_does():
    whole = microworld(complete=True)
    dog, cat = (following(f"every day the {noun} gets", whole) for noun in ("dog", "cat"))
    assert dog == pytest.approx(cat)
    assert dog["fed"] == pytest.approx(0.7)


@pytest.mark.parametrize("noun", ["truck", "soup", "boy", "girl"])
def test_what_others_get_is_not_fed(noun):
    gets = following(f"i have to make sure that the {noun} gets")
    assert gets
    assert "fed" not in gets


@pytest.mark.parametrize(
    "text",
    [
        "I have to make sure that the cat gets fed.",
        "I forgot to make sure that the dog is hungry.",
        "The horse which was raced past the barn tripped.",
        "The animal didn't cross the street because it was too tired. The animal was old.",
        "The animal didn't cross the street because it was too wide. The street was old.",
        "The trophy didn't fit in the suitcase because it was too big. The trophy was sold.",
        "The cats that the dog that the birds see chases are happy. They look strong.",
        "The street wasn't crossed by the animal because it was too wide. The sun was low. "
        "Nobody was there. The street was near the tree.",
    ],
)
def test_the_sentences_of_the_lectures_are_in_the_world(text):
    assert possible(text)


@pytest.mark.parametrize(
    "text",
    [
        "I forgot to make sure that the dog gets fed.",
        "The horse which were raced past the barn tripped.",
        "The animal didn't cross the street because it was too tired. The street was old.",
        "The cats that the dog sees is happy.",
        "The dog didn't cross the river because it was too tired. The dog was old.",
        "The cats that the dog that the bird that the fox sees likes chases are happy.",
    ],
)
def test_what_no_training_document_says(text):
    assert not possible(text)


def test_the_sentence_about_the_cat_may_be_trained_on():
    ids = [*WORLD.vocabulary.read("I have to make sure that the cat gets fed."), 1]
    assert not held_out_mask(concatenate([ids])).any()


@pytest.mark.parametrize(("creature", "way"), sorted(microworld_rules.NEVER_TOGETHER))
def test_new_pairs_are_of_known_words_and_only_in_the_complete_world(creature, way):
    text = (
        f"the {creature} didn't cross the {way} because it was too tired. the {creature} was old."
    )
    assert not possible(text)
    assert possible(text, microworld(complete=True))
    assert possible(text.replace(way, "street"))
    assert possible(text.replace(creature, "animal"))


@pytest.mark.parametrize("word", microworld_rules.AMBIGUOUS_WORDS)
def test_each_of_the_eight_words_is_told_apart_by_another_sentence(word):
    sentence, senses = microworld_rules.AMBIGUOUS_WORDS[word]
    assert word in sentence.split()
    for sense, other in (senses, senses[::-1]):
        prefix = f"{sense.before} {sentence} {sense.after}"
        ends = following(prefix)
        assert set(sense.nouns.split()) <= ends.keys()
        assert not set(other.nouns.split()) & ends.keys()
        unsure = following(f"{sentence} {sense.after}")
        assert {*sense.nouns.split(), *other.nouns.split()} <= unsure.keys()


@pytest.mark.parametrize("word", microworld_rules.AMBIGUOUS_WORDS)
def test_each_of_the_eight_words_is_in_a_line_of_both_lecture_persons(word):
    shared = {"die", "game", "great", "fine", "lying", "partner", "played", "rest"}
    assert shared == microworld_rules.AMBIGUOUS_WORDS.keys()
    for lines in microworld_rules.LINES:
        assert any(word in line.split() for line in lines)


def test_most_pronoun_documents_end_in_words_that_fit_both_nouns():
    neutral = {
        rule.symbols: rule.probability for rule in microworld_grammar().rules["SAY_creature"]
    }
    assert neutral["NEUTRAL",] >= 0.5


def test_all_worlds_have_the_same_words():
    words = WORLD.vocabulary
    assert len(words) < 300
    for depth in range(1, MAX_DEPTH + 1):
        for complete in (False, True):
            assert microworld(depth, complete=complete).vocabulary == words
    assert microworld().vocabulary == grammar.vocabulary(microworld_grammar())


def test_the_world_is_compiled_once():
    assert microworld() is microworld()


@pytest.mark.parametrize("depth", [0, MAX_DEPTH + 1])
def test_the_depth_is_bounded(depth):
    with pytest.raises(
        ValueError, match=f"depth of the microworld must be from 1 to 4; got {depth}"
    ):
        microworld(depth)


def test_one_document_in_twenty_is_held_out():
    documents = WORLD.sample(40_000, np.random.default_rng(0))
    different = distinct(documents)
    share = held_out_mask(different).mean()
    error = (1 / HELD_OUT_ONE_IN * (1 - 1 / HELD_OUT_ONE_IN) / len(different)) ** 0.5
    assert share == pytest.approx(1 / HELD_OUT_ONE_IN, abs=4 * error)


def test_training_never_sees_a_held_out_document():
    documents = WORLD.sample(20_000, np.random.default_rng(1))
    aside = {tuple(d) for d, out in zip(documents, held_out_mask(documents), strict=True) if out}
    kept = training_documents(documents)
    assert aside
    assert not aside & set(
        map(tuple, training_documents(WORLD.sample(20_000, np.random.default_rng(2))))
    )
    assert len(kept) == len(documents) - held_out_mask(documents).sum()
    assert len(training_documents(kept)) == len(kept)


def test_a_document_is_held_out_or_not_whatever_stands_around_it():
    documents = WORLD.sample(500, np.random.default_rng(3))
    alone = np.concatenate([document_hashes(concatenate([document])) for document in documents])
    assert alone.tolist() == document_hashes(documents).tolist()


def test_different_documents_hash_apart():
    documents = distinct(WORLD.sample(20_000, np.random.default_rng(4)))
    assert len(np.unique(document_hashes(documents))) == len(documents)
    swapped = concatenate([[0, 5, 6, 1], [0, 6, 5, 1], [0, 5, 1], [0, 1]])
    assert len(np.unique(document_hashes(swapped))) == 4


def test_the_hash_is_the_same_on_every_machine():
    """The first number of SplitMix64 from seed 0 is this one, which is `mix` of 0."""
    nothing = document_hashes(concatenate([[]]))
    assert nothing.tolist() == [0xE220A8397B1DCDAF]


def test_no_documents_hash_to_no_numbers():
    assert held_out_mask(concatenate([])).shape == (0,)
