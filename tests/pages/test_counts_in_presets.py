"""Where presets count the words between two words, or the words back to one, they are right."""

import re

import pytest

import ui

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNTED = re.compile(rf"\b({'|'.join(NUMBERS)}) words\b( back)?", re.IGNORECASE)
LESSONS = ("language_model", "feedforward", "rnn", "lstm")
NOUNS = ("horse", "cows")
SAID = [
    (slug, preset, match)
    for slug in LESSONS
    for preset in ui.lesson(slug).presets
    for match in COUNTED.finditer(f"{preset.label}. {preset.help}")
]


def sentence(preset):
    name = next(name for name in preset.settings if name.endswith("_text"))
    return preset.settings[name].split()


def verb(preset, words):
    """The index of the verb that agrees with the noun; the text's length if it is still to come."""
    return next((i for i, word in enumerate(words) if word in ("tripped", "sleeps")), len(words))


def test_there_are_counts_to_check():
    assert len(SAID) == 4
    assert {slug for slug, *_ in SAID} == {"language_model", "feedforward", "rnn"}


@pytest.mark.parametrize(("slug", "preset", "match"), SAID, ids=str)
def test_a_preset_counts_as_its_sentence_does(slug, preset, match):
    words = sentence(preset)
    noun = next(i for i, word in enumerate(words) if word in NOUNS)
    back = verb(preset, words) - noun
    said = NUMBERS.index(match[1].lower()) + 1
    assert said == (back if match[2] else back - 1), f"{slug}: {preset.help}"


def test_the_preset_that_asks_for_the_verb_opens_before_it():
    (preset,) = [each for each in ui.lesson("feedforward").presets if "verb" in each.help]
    words = ["<s>", *sentence(preset)]
    assert words[int(preset.settings["ff_at"]) + 1] == "tripped"
