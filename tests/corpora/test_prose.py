"""The story for character models: its size, its alphabet, its lines and its marks."""

from collections import Counter
from pathlib import Path

import pytest

from lmcore.corpora.quoted_text import WIDTH, labels, wrap

STORY = Path(__file__).parents[2] / "lmcore" / "corpora" / "prose.txt"


@pytest.fixture(scope="module")
def story() -> str:
    return STORY.read_text(encoding="ascii")


@pytest.fixture(scope="module")
def paragraphs(story: str) -> list[str]:
    return story.removesuffix("\n").split("\n\n")


def test_the_story_is_long_enough_to_learn_from() -> None:
    assert STORY.stat().st_size >= 62_000


def test_the_story_is_printable_ascii_and_line_breaks(story: str) -> None:
    assert all(character == "\n" or " " <= character <= "~" for character in story)
    assert story.endswith(".\n")


def test_every_paragraph_is_wrapped_as_full_as_its_words_allow(paragraphs: list[str]) -> None:
    for paragraph in paragraphs:
        lines = paragraph.split("\n")
        assert all(0 < len(line) <= WIDTH for line in lines)
        assert lines == wrap(" ".join(lines))


def test_single_blanks_stand_between_words(paragraphs: list[str]) -> None:
    assert all(
        paragraph.split() == paragraph.replace("\n", " ").split(" ") for paragraph in paragraphs
    )


def test_every_paragraph_closes_the_marks_it_opens(paragraphs: list[str]) -> None:
    for paragraph in paragraphs:
        assert paragraph.count("(") == paragraph.count(")")
        after = labels(paragraph)
        assert not after.inside_quotes[-1], paragraph
        assert not after.inside_brackets[-1], paragraph


def test_an_opening_mark_follows_a_blank_and_a_closing_one_does_not(paragraphs: list[str]) -> None:
    for paragraph in paragraphs:
        words = " " + paragraph.replace("\n", " ")
        quotes, brackets, _ = labels(words)
        for before, mark, quoted, inside in zip(
            words, words[1:], quotes[1:], brackets[1:], strict=False
        ):
            if mark in '"()':
                opens = quoted if mark == '"' else inside
                assert (before in " (") == opens, paragraph


def test_dialogue_and_asides_occur_throughout(story: str) -> None:
    quotes, brackets, _ = labels(story)
    for start in range(0, len(story) - 8000, 8000):
        assert quotes[start : start + 8000].mean() > 0.1
        assert brackets[start : start + 8000].mean() > 0.01


def test_some_quotations_run_over_a_line_end(story: str) -> None:
    quotes = labels(story).inside_quotes
    assert sum(c == "\n" and bool(q) for c, q in zip(story, quotes, strict=True)) > 100


def test_no_paragraph_is_repeated(paragraphs: list[str]) -> None:
    assert len(set(paragraphs)) == len(paragraphs)


def test_no_twelve_words_occur_more_than_three_times(story: str) -> None:
    words = story.split()
    counts = Counter(zip(*(words[i:] for i in range(12)), strict=False))
    assert max(counts.values()) <= 3
