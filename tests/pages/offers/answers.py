"""Finds texts on a page that give away the answer to the open question."""

import re
from contextlib import suppress

from test_screen import KINDS, MARKS, unpacked

from benchmarks.offered import Moment, shown_view
from drawing.live import LiveNumbers

SLOT = re.compile(r"\{([^{}:]+)(?::[^{}]*)?\}")
ALIKE = {
    ("neuron", "weight"): "the formula has the input that was asked for, among others",
    ("backprop", "gradient a"): "other numbers of the walk are −2, too",
    ("backprop", "turned"): "a is known, and stays: what is asked is a less the other target",
    ("positions", "plain"): "the indices of PE are small numbers",
    ("positions", "mask"): "the indices of PE are small numbers",
    ("attention", "shift"): "the weight before the shift: that it stays is what is asked",
    ("contextual", "static"): "the share of right answers is 1 at this layer, too",
}
"""Questions whose answer also appears in the picture with another meaning → that meaning."""
TALKED = {"is", "no", "are", "the", "falls", "cup", "BERT"}
"""Answers that a page's texts contain anyway, such as its glossary or its title."""
ERRATA = re.compile(r"\*\*(Correct|Slide):|[Ll]ooked up|^The lecture gives")
"""Marks of the texts about the slides, which are in a folded part."""


def given_away(app, slug, known):
    """Texts that give away an answer, for the questions of this view that are not in `known`."""
    begun, view = Moment.of(app), shown_view(app)
    for question in app.session_state["questions"]:
        if question.key in known:
            continue
        known.add(question.key)
        begun.go_back(app)
        app.session_state["ask"] = question.key
        app.run()
        assert not app.exception and not app.error
        yield from (f"{view}, {question.key}: {text}" for text in answers_to(app, slug, question))


def answers_to(app, slug, question):
    """Texts that give away the answer to the open question."""
    for data in pictures(app):
        said = {MARKS.sub(r"\1", each) for each in data["sentences"]}
        if said - {MARKS.sub(r"\1", question.ask)} or data["moved"] or data["alt"] != question.ask:
            yield f"{said} {data['moved']} {data['alt']}"
        if (slug, question.key) not in ALIKE:
            yield from filter(question.is_answered_by, _formula(data))
    if question.answer in TALKED or _is_whole(question.answer):
        return
    for kind in KINDS:
        for text in (element.value for element in getattr(app, kind)):
            if question.ask not in text and not ERRATA.search(text):
                yield from filter(question.is_answered_by, [text])


def _formula(data):
    """The parts of a picture's formula with numbers filled in, and "?" for hidden numbers."""
    live = LiveNumbers(data["group"], tuple(data["names"]), data["now"])
    hidden = dict.fromkeys(data["hidden"], "?")
    for part in (part for row in data["formula"] for part in row):
        yield live.fill(SLOT.sub(lambda slot: hidden.get(slot[1], slot[0]), part))


def _is_whole(answer):
    """Whether an answer is a whole number, which many other texts contain."""
    return not isinstance(answer, str) and float(answer).is_integer()


def pictures(app):
    """The data of each main picture on the page."""
    found = []
    for each in app.get("bidi_component"):
        with suppress(ValueError):  # some components get data not written by `pack`
            found.append(unpacked(each.proto.bytes))
    return [each for each in found if isinstance(each, dict) and "sentences" in each]
