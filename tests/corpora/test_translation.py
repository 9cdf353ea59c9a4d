import random
import re
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.corpora import translation_words
from lmcore.corpora.translation import (
    HELD_OUT_ONE_IN,
    LONGEST,
    PAD,
    SHORTEST,
    TASKS,
    draw_source,
    held_out_sources,
    is_held_out,
    parse_source,
    task_words,
    training_sources,
    translate,
    translate_aligned,
    translation_vocabulary,
)

lengths = st.integers(2, LONGEST)
seeds = st.integers(0, 2**20)


def drawn(task, length, seed):
    return draw_source(task, max(length, SHORTEST[task]), random.Random(seed))


PHRASE = rf"(?:{'|'.join(translation_words.NAMES)}|(?:the|a|some) (?:\w+ )*?(?:{{nouns}}))"
PHRASE = PHRASE.format(nouns="|".join(f for n in translation_words.NOUNS for f in (n.many, n.one)))
ACTIVE = re.compile(
    rf"({PHRASE})(?: that (\w+) ({PHRASE}))? (\w+)(?: ({PHRASE})(?: that (\w+) ({PHRASE}))?)?"
)


def phrase_by_pattern(text):
    """The translation of a phrase, word by word from the tables, without the grammar's parser."""
    if text in translation_words.NAMES:
        return text
    article, *adjectives, noun = text.split()
    (entry,) = (each for each in translation_words.NOUNS if noun in (each.one, each.many))
    end = entry.gender + "n" * (noun == entry.many)
    rest = [entry.stem, *(translation_words.ADJECTIVES[each] for each in adjectives)]
    return " ".join(stem + end for stem in [translation_words.ARTICLES[article], *rest])


def verb_by_pattern(text):
    for verb in (*translation_words.TRANSITIVE, *translation_words.INTRANSITIVE):
        if text in (verb.one, verb.many):
            return verb.stem + ("e" if text == verb.one else "en")
    raise AssertionError(text)


def clause_by_pattern(text):
    """The translation of an active clause, by a regular expression."""
    subject, own, inner, verb, seen, others, last = ACTIVE.fullmatch(text).groups()
    parts = [phrase_by_pattern(subject)]
    if own:
        parts += ["ke", phrase_by_pattern(inner), verb_by_pattern(own)]
    if seen:
        parts += [phrase_by_pattern(seen)]
    if others:
        parts += ["ke", phrase_by_pattern(last), verb_by_pattern(others)]
    return " ".join([*parts, verb_by_pattern(verb)])


def test_the_sentence_of_the_slide():
    source = ("the", "ball", "was", "kicked", "by", "kayla")
    assert translate(source, "passive") == ("kayla", "kicked", "the", "ball")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("kayla sleeps", "kayla dorme"),
        ("the big dogs see a cat", "lon kelon granon una mira viden"),
        ("some small red apples wait", "unan pomman pikan rudan speren"),
        (
            "the man that likes the white bird sings and tom runs",
            "lo dorro ke la pila alba ame kante ya tom salte",
        ),
    ],
)
def test_translations_by_hand(source, target):
    assert " ".join(translate(source.split(), "translation")) == target
    assert " ".join(translate(source.split(), "mixture")) == target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("tom was seen by the dogs", "the dogs saw tom"),
        (
            "the old books were hidden by a fox and anna was taken by ben",
            "a fox hid the old books and ben took anna",
        ),
    ],
)
def test_passives_by_hand(source, target):
    assert " ".join(translate(source.split(), "passive")) == target
    assert " ".join(translate(source.split(), "mixture")) == target


@given(lengths, seeds)
def test_an_active_sentence_is_translated_as_by_a_regular_expression(length, seed):
    source = " ".join(drawn("translation", length, seed))
    expected = " ya ".join(clause_by_pattern(clause) for clause in source.split(" and "))
    assert " ".join(translate(source.split(), "translation")) == expected


@given(lengths, seeds)
def test_a_passive_is_turned_as_by_a_regular_expression(length, seed):
    source = " ".join(drawn("passive", length, seed))

    def turned(clause):
        patient, done, agent = re.fullmatch(r"(.*) (?:was|were) (\w+) by (.*)", clause).groups()
        return f"{agent} {translation_words.PAST[done]} {patient}"

    expected = " and ".join(turned(clause) for clause in source.split(" and "))
    assert " ".join(translate(source.split(), "passive")) == expected


@given(st.integers(1, LONGEST), seeds)
def test_copy_and_reverse_are_what_they_say(length, seed):
    source = drawn("copy", length, seed)
    assert translate(source, "copy") == source
    assert translate(source, "reverse") == source[::-1]


@pytest.mark.parametrize("task", TASKS)
def test_every_length_can_be_drawn_and_is_exact(task):
    known = translation_vocabulary()
    for length in range(SHORTEST[task], LONGEST + 1):
        for seed in range(4):
            source = draw_source(task, length, random.Random(seed))
            assert len(source) == length
            assert set(source) <= task_words(task)
            known.encode(source)
            known.encode(translate(source, task))
            assert parse_source(" ".join(source).capitalize() + ".", task) == source


@given(st.sampled_from(TASKS), lengths, seeds)
def test_each_word_of_the_target_renders_another_word_of_the_source(task, length, seed):
    pair = translate_aligned(drawn(task, length, seed), task)
    assert len(set(pair.alignment)) == len(pair.target)
    stems = {
        **translation_words.ARTICLES,
        **translation_words.ADJECTIVES,
        **translation_words.PAST,
        "that": "ke",
        "and": "ya",
    }
    for entry in (
        *translation_words.NOUNS,
        *translation_words.TRANSITIVE,
        *translation_words.INTRANSITIVE,
    ):
        stems |= {entry.one: entry.stem, entry.many: entry.stem}
    for word, place in zip(pair.target, pair.alignment, strict=True):
        rendered = pair.source[place]
        assert word == rendered or word.startswith(stems[rendered])


def test_the_places_of_a_translation_as_a_frame():
    found = translate_aligned(("the", "big", "dog", "sleeps"), "translation").to_frame()
    assert found["target"].tolist() == ["lo", "kelo", "grano", "dorme"]
    assert found["source place"].tolist() == [0, 2, 1, 3]
    assert found["source"].tolist() == ["the", "dog", "big", "sleeps"]


def test_no_word_of_the_invented_language_has_two_meanings():
    stems = [
        each.stem
        for each in (
            *translation_words.NOUNS,
            *translation_words.TRANSITIVE,
            *translation_words.INTRANSITIVE,
        )
    ]
    stems += [*translation_words.ADJECTIVES.values(), "l", "un", "ke", "ya"]
    assert len(set(stems)) == len(stems)
    invented = (
        set(translation_words.target_words())
        - set(translation_words.source_words())
        - {*translation_words.PAST.values()}
    )
    assert not invented & set(translation_words.source_words())


@pytest.mark.parametrize("task", TASKS)
def test_what_is_held_out_is_never_trained_on(task):
    sources = list(islice(training_sources(task, 12, random.Random(1)), 3000))
    assert not any(is_held_out(source) for source in sources)
    assert {len(source) for source in sources} == set(range(SHORTEST[task], 13))
    kept = held_out_sources(task, 12, 100)
    assert all(map(is_held_out, kept))
    assert len(set(kept)) == 100
    assert held_out_sources(task, 12, 100) == kept != held_out_sources(task, 12, 100, seed=1)


def test_about_one_source_in_ten_is_held_out_and_of_few_all_are_found():
    share = sum(is_held_out(drawn("copy", 9, seed)) for seed in range(3000)) / 3000
    assert share == pytest.approx(1 / HELD_OUT_ONE_IN, abs=0.02)
    possible = [(word,) for word in translation_words.COPIED if is_held_out((word,))]
    assert sorted(held_out_sources("copy", 1, 1000)) == sorted(possible)


def test_the_vocabulary_begins_with_the_marks_and_ends_with_padding():
    types = translation_vocabulary()
    assert types.tokens[:2] == ("<s>", "</s>")
    assert types.tokens[-1] == PAD


@pytest.mark.parametrize(
    ("text", "task", "message"),
    [
        ("the bal was seen by tom", "passive", "word 2 must be .*'ball'; got 'bal'"),
        ("the dog was seen by tom", "translation", "word 3 must be one of .*; got 'was'"),
        ("the balls was kicked by tom", "passive", "word 3 must be 'were', as the subject is plur"),
        ("the ball was kicked", "passive", "word 5 must be 'by'; got the end"),
        ("the ball was tom by tom", "passive", "word 4 must be a participle, .*; got 'tom'"),
        ("a dogs see tom", "translation", "word 2 must be an adjective or a singular noun"),
        ("the dogs sees tom", "translation", "word 3 must be a verb with a plural subject"),
        ("the dog that sleeps runs", "translation", "word 4 must be a verb .*; got 'sleeps'"),
        ("dog sleeps", "translation", "word 1 must be a name or an article, .*; got 'dog'"),
        ("tom sleeps ben", "mixture", "word 3 must be 'and', or the last; got 'ben'"),
        ("tom sees", "copy", "word 2 must be one of the 20 words of this task"),
        ("", "copy", "a source must have 1 to 40 words; got 0"),
        ("tom " * 41, "copy", "a source must have 1 to 40 words; got 41"),
        ("tom", "translate", "the task must be one of passive, .*; got 'translate'"),
    ],
)
def test_a_source_that_is_none_is_refused_by_its_word(text, task, message):
    with pytest.raises(ValueError, match=message):
        parse_source(text, task)


def test_a_word_that_is_not_copied_is_refused_where_it_stands():
    with pytest.raises(ValueError, match=r"word 2 must be one of the 20 words .*; got 'big'"):
        translate(("tom", "big"), "copy")


@pytest.mark.parametrize("length", [4, 41])
def test_a_length_that_a_task_does_not_have_is_refused(length):
    with pytest.raises(ValueError, match=f"the task passive must be from 5 to 40; got {length}"):
        draw_source("passive", length, random.Random(0))
    with pytest.raises(ValueError, match=f"the task passive must be from 5 to 40; got {length}"):
        next(training_sources("passive", length, random.Random(0)))
