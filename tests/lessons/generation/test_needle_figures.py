"""The picture of the random walk agrees with the engine's own steps, line for line."""

import json

import pytest
import torch

import ui
from lessons.generation import generation_questions, needle_lines, needle_picture, needle_text
from lmcore.decoding.stepping import decoding_steps
from lmcore.decoding.token_by_token import SamplingConfig, uniform_draws
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.shipped.models import load_shipped

DEFAULTS = ui.lesson("generation").defaults
GPT, _, _ = load_shipped("gpt")
WRITER = writer_from_vocabulary("gpt", GPT, GPT.vocabulary)
PROMPT = WRITER.read(DEFAULTS["gen_text"])
SEED, LENGTH = int(DEFAULTS["gen_seed"]), 40


def walked(needle=None, prompt=PROMPT, length=LENGTH):
    return needle_lines.walk(WRITER, tuple(prompt.tolist()), SEED, length, needle)


FOUND = walked()


def steps(forced):
    how = SamplingConfig(LENGTH, WRITER.stop, seeds=(SEED,), forced=forced)
    return list(decoding_steps(WRITER.model, PROMPT, how))


def test_each_line_is_a_step_of_the_engine():
    for line, step in zip(FOUND.lines, steps({}), strict=True):
        assert line.drawn.token == step.chosen
        assert line.u == pytest.approx(step.uniform, abs=5e-5)
        ends = {
            t: (low, high)
            for t, low, high in zip(
                step.tokens.tolist(), step.low.tolist(), step.high.tolist(), strict=True
            )
        }
        for token, low, high in line.parts:
            assert (low, high) == pytest.approx(ends[token], abs=1e-12)
        assert line.drawn.low <= line.u < line.drawn.high
        assert line.widest.token == int(step.tokens[0])  # greedy's
        assert [part.low for part in line.parts] == sorted(part.low for part in line.parts)


def test_the_needle_gives_the_word_under_it_at_every_position():
    p = torch.zeros(WRITER.types, dtype=torch.float64)
    (first, *_) = list(
        decoding_steps(WRITER.model, PROMPT, SamplingConfig(1, seeds=(SEED,)), shown=WRITER.types)
    )
    p[first.tokens] = first.probabilities[-1]
    ends = p.cumsum(0) / p.sum()
    for u, token, low, high in zip(*(each.tolist() for each in FOUND[1:5]), strict=True):
        assert token == int((ends <= u).sum()) and low <= u < high
        assert high - low == pytest.approx(float(p[token]), abs=1e-12)


def test_a_needle_that_was_moved_forces_its_word_and_keeps_the_other_numbers():
    moved = walked(0.1)
    assert moved.lines[0].u == 0.1 and moved.lines[0].drawn.low <= 0.1 < moved.lines[0].drawn.high
    forced = steps({0: moved.lines[0].drawn.token})
    assert [line.drawn.token for line in moved.lines] == [step.chosen for step in forced]
    draws = uniform_draws((SEED,), LENGTH)[0].tolist()
    assert [line.u for line in moved.lines[1:]] == draws[1 : len(moved.lines)]


def test_the_numbers_of_the_picture_are_those_of_the_lines():
    live = needle_picture.numbers(FOUND)
    first = FOUND.lines[0]
    assert live["p"] == pytest.approx(first.drawn.high - first.drawn.low)
    shares = [live[f"part {n}"] for n in range(len(first.parts))]
    assert sum(shares) + live["rest"] == pytest.approx(1)
    assert live["top"] == max(shares)
    factors = torch.tensor([line.drawn.high - line.drawn.low for line in FOUND.lines])
    assert live["text"] == pytest.approx(float(factors.prod()), rel=1e-5)
    drawn = needle_picture.picture(FOUND, WRITER, DEFAULTS["gen_text"], "draw")
    json.dumps(drawn)
    assert drawn["words"][int(live["@word"])] == WRITER.shown(first.drawn.token)
    part = drawn["partOf"][int(live["@word"])]
    assert drawn["lines"][0]["drawn"] == part and part >= 0


@pytest.mark.parametrize("shown", ["line", "draw", "text"])
def test_every_number_of_the_texts_is_drawn(shown):
    live = needle_picture.numbers(FOUND)
    texts = needle_text.sentences(FOUND, WRITER, shown)
    rows = needle_text.formulas(FOUND, WRITER, shown)
    assert len(texts) == len(rows)
    for template in (*texts, *(part for row in rows for part in row)):
        assert "{" not in live.fill(template)
    assert "{" not in live.fill(needle_text.describe(FOUND, WRITER, "a prompt", shown))


def test_the_sentence_says_where_greedy_search_agrees():
    said = needle_text.sentences(FOUND, WRITER, "draw")
    under = needle_picture.words_under_needle(FOUND)
    widest = FOUND.lines[0].widest.token
    for token, sentence in zip(under, said, strict=True):
        assert ("too" in sentence) == (token == widest)
        assert f"takes **{WRITER.shown(widest)}**" in sentence or token == widest


def test_a_text_that_does_not_end_says_so():
    short = walked(length=2)
    assert short.end == "length"
    (row,) = needle_text.formulas(short, WRITER, "text")
    assert row[-1].startswith("stopped at the length")
    assert needle_text.sentences(short, WRITER, "text")[0].startswith("2 needles write")


def test_the_questions_are_answered_by_the_line():
    word, often = generation_questions.walk_questions(FOUND, WRITER)
    assert word.answer == WRITER.shown(FOUND.lines[0].drawn.token) and word.answer in word.options
    assert often.answer == pytest.approx(100 * needle_picture.numbers(FOUND)["top"])
    names = set(needle_picture.numbers(FOUND).names)
    assert {*word.hides, *often.hides} <= names
