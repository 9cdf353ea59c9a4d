"""What the pictures of the claims ask before they show."""

from __future__ import annotations

from collections.abc import Sequence

import ui
from drawing.live import LiveNumbers
from lessons.transformer.claims.relations_text import CHANCE, TITLES, Relation


def staircase_questions(live: LiveNumbers) -> list[ui.Question]:
    """The words that the RNN has read by now, and what more processors would change."""
    block, steps = int(live["block"]), int(live["n"])
    when = f"After {steps} step{'s' * (steps > 1)}"
    done = f"{when} the block is done." if steps == block else f"{when}:"
    return [
        ui.Question(
            "read",
            f"{done} How many of the {live['T']:.0f} words has the RNN read?",
            live["words"],
            "It reads one word a step: every state is computed from the one before.",
            hint="hₜ needs hₜ₋₁.",
            hides=("words",),
        ),
        ui.Question(
            "processors",
            f"With a thousand processors, how many steps does the RNN need for {live['T']:.0f} "
            "words?",
            live["rnn"],
            "As many as with one: no processor can begin a state before the one before is there.",
            hint="What can be computed before hₜ₋₁ is known?",
            hides=("words", "rnn"),
        ),
    ]


def hop_questions(live: LiveNumbers, distances: Sequence[int]) -> list[ui.Question]:
    """How often each of the two networks knows the first word."""
    words = counted_words(int(live["distance"]))
    rnn, attention = live["rnn"], live["attention"]
    bars = tuple(f"rnn {each}" for each in distances)
    least = min(live[name] for name in bars)
    options = tuple(f"{share:.0f} %" for share in sorted({least, 50.0, rnn, attention, 100.0}))
    return [
        ui.Question(
            "recalled",
            f"Over {words}: how often does the RNN know the first one?",
            f"{rnn:.0f} %",
            f"It is passed on {live['hops']:.0f} times, and so is the gradient that should teach "
            "the network to keep it.",
            hint=f"A guess is right in {live['chance']:g} %.",
            options=options,
            hides=("rnn", *bars),
        ),
        ui.Question(
            "hops",
            f"Over {words}: on how many words does attention stop on its way?",
            0.0,
            "The query of the last word meets the key of every word directly.",
            hint="q·k is computed for every pair of words.",
        ),
    ]


def counted_words(count: int) -> str:
    """A number of words, in words."""
    return f"{count} word{'s' * (count > 1)}"


def relation_questions(found: Sequence[Relation]) -> list[ui.Question]:
    """Which head the last relation misses most, and whether it is one that the first one needs."""
    first, last = found[0], found[-1]
    worst = max(last.heads, key=last.lost)
    bars = tuple(f"{last.name} {head}" for head in last.heads)
    return [
        ui.Question(
            "missed",
            f"Without which head are fewest {TITLES[last.name]} right?",
            worst,
            f"Without it {last.right[worst]} % are right; {TITLES[first.name]} is at "
            f"{first.right[worst]} %.",
            hint=f"It need not be one that {TITLES[first.name]} needs.",
            options=tuple(last.heads),
            hides=bars,
        ),
        ui.Question(
            "chance",
            "Which share would be right if the model only guessed, in percent?",
            float(CHANCE),
            "One of two words is right. A bar at this height has lost the relation altogether.",
            hint="There are two words to choose from.",
        ),
    ]
