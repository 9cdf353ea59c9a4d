"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import math

import ui
from lessons.language_model import lanes, model_choices
from lessons.language_model.lanes import TRUTHS, Lane, SentenceLanes
from lessons.language_model.text_pairs import TextPairs
from lmcore.numbers import format_number


def questions(shown: SentenceLanes) -> list[ui.Question]:
    """The page's questions: the best model, the p of a count, the perplexity of the best model."""
    models = [lane for lane in shown.lanes if lane.name not in TRUTHS]
    finite = [lane for lane in models if math.isfinite(lane.answer.score.perplexity)]
    best = min(finite, key=lambda lane: lane.answer.score.perplexity, default=None)
    asked = [_count_question(shown)]
    if best and len(models) > 1:
        asked.insert(0, _best_model(best, models, len(shown.words)))
    if best:
        asked.append(_perplexity(best, len(shown.words)))
    return asked


def pair_questions(shown: TextPairs) -> list[ui.Question]:
    """How often the whole past of the chosen word was counted, given its last word."""
    row = shown.contexts[shown.row - 1]
    whole, near = int(row[-1]), int(row[1])
    past, last = " ".join(shown.tokens[: shown.row]), shown.tokens[shown.row - 1]
    return [
        ui.Question(
            "past",
            f"“{last}” was counted {near:,} times. How often “{past}”, the whole past of "
            f"“{shown.target}”?",
            float(whole),
            "Every further word leaves fewer places of the same training text.",
            hint="Each row of the picture has the counts of its context; choose the largest N.",
            hides=(f"c{shown.row}", f"f{shown.row}", "p"),
        )
    ]


def _best_model(best: Lane, models: list[Lane], words: int) -> ui.Question:
    return ui.Question(
        "best",
        "Which model finds this sentence most probable?",
        best.label,
        f"The product of its {words} bars is the largest, so its perplexity is "
        f"the lowest, {format_number(best.answer.score.perplexity)}.",
        hint="The product falls with every low bar, and one 0 makes it 0.",
        options=tuple(lane.label for lane in models),
        hides=tuple(f"{lane.name}.{end}" for lane in models for end in lanes.ENDS),
    )


def _perplexity(best: Lane, words: int) -> ui.Question:
    score = best.answer.score
    return ui.Question(
        "perplexity",
        f"Σ log p of {best.label} over the {words} words is {format_number(score.total)}. What is "
        "its perplexity?",
        score.perplexity,
        "exp(−Σ log p / T): among so many equally probable words a choice would be as hard.",
        hint="Divide by the number of words, change the sign, take exp.",
        hides=(f"{best.name}.perplexity",),
    )


def _count_question(shown: SentenceLanes) -> ui.Question:
    """The question for an unsmoothed trigram's p of the selected word, from its counts."""
    ids, place = shown.question.ids, min(shown.question.place, len(shown.question.ids) - 1)
    words = ("<s>", *shown.words)
    trace = model_choices.ngram(3, "none").explain(ids[:place], ids[place])
    step, word = trace.steps[-1], words[place]
    context = " ".join(words[max(place - 2, 0) : place])
    if trace.seen:
        counted = f"“{context}” came {step.context_count:,} times, {step.count:,} before “{word}”."
        because = f"count / count = {step.count:,} / {step.context_count:,}."
    else:
        counted = f"“{context}” never occurred in the training texts."
        because = "0 / 0 is no estimate: every next word gets 0, and so does the sentence."
    ends = ("count", "of", "trigram.next0", *(f"trigram.{end}" for end in lanes.ENDS))
    return ui.Question(
        "count",
        f"{counted} What p does a trigram give “{word}” without smoothing?",
        trace.probability,
        because,
        hint="A count divided by a count: of all times the context came, how often with this word?",
        hides=(f"trigram.{place}", *ends),
    )
