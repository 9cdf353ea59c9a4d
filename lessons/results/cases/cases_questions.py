"""What the pictures of three cases ask; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.results.cases.in_use_picture import CLASSIFIES, USES
from lessons.results.cases.languages_picture import languages
from lessons.results.cases.paper_picture import WRITTEN, Answers
from lessons.results.cases.scale_picture import Consumption
from lmcore.numbers import format_number


def paper_questions(found: Answers, paper: str) -> list[ui.Question]:
    """Which label gets most once the paper is on the apple."""
    best = found.best("on")
    shares = dict(zip(found.labels, found.on, strict=True))
    before = found.best("off")
    count = range(len(found.labels))
    shown = [f"p {n}" for n in count] if paper == "on" else []
    return [
        ui.Question(
            "paper-wins",
            f"A paper that reads “{WRITTEN}” is put on the apple. Which label gets most now?",
            best,
            f"{best} gets {format_number(shares[best])} %, {before} "
            f"{format_number(shares[before])} %.",
            hint="Is the word or the fruit the stronger sign?",
            options=found.labels,
            hides=(*(f"on {n}" for n in count), *shown, "rise", "fall"),
        )
    ]


def scale_questions(live: ui.LiveNumbers, beside: Consumption) -> list[ui.Question]:
    """How many times the larger of yours and the row is of the smaller."""
    own = live["own"]
    if not own:
        return []
    low, high = sorted((own, beside.lbs))
    return [
        ui.Question(
            "scale-times",
            f"Yours emits {format_number(own)} lbs of CO₂; {beside.name}: {beside.printed}. "
            "How many times the smaller one is the larger?",
            live["times"],
            f"{format_number(high)} ÷ {format_number(low)}.",
            hint="Each step of the scale is ten times the one before.",
            hides=("times",),
        )
    ]


def use_questions() -> list[ui.Question]:
    """Which of the uses is like finding complaints in a mailbox."""
    use = USES[CLASSIFIES]
    return [
        ui.Question(
            "use-complaints",
            "You want to find all complaints in a mailbox. Which of these uses is the same job?",
            use.name,
            f"Each mail is read whole and gets one of two labels: {use.model}, "
            f"{use.runs[use.model].head}.",
            hint="What must come out for each mail: a text, a score for a question, or a label?",
            options=tuple(each.name for each in USES.values()),
        )
    ]


def language_questions() -> list[ui.Question]:
    """Which language an English vocabulary cuts into most pieces."""
    found = languages()
    most = max(found, key=lambda each: each.rate)
    shown = [each.name for each in found]
    return [
        ui.Question(
            "most-pieces",
            "One sentence in eight languages, cut by a vocabulary that was made from English "
            "texts. Which language gets most pieces a word?",
            most.name,
            f"{format_number(most.rate)} pieces a word: {most.singles} of its {most.pieces} pieces "
            "are single letters.",
            hint="Pieces are made from the letters that the texts have often.",
            options=tuple(shown),
            hides=("rate", "pieces", "singles", *(f"rate {n}" for n in range(len(found)))),
        )
    ]
