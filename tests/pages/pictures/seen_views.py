"""Each view of a page, and what its sliders, widgets, settings and pressable parts change there."""

import json
import re
from collections import defaultdict
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

from changes import Change, change, let_go
from recording import heads
from sending import Components, Drawn, Sent, beside_pictures, drawn_in_turn, presses, sent
from setting_values import other_values
from test_screen import opened, put
from view_lines import view_lines

from benchmarks.offered import LEAVES, Walk, shown_view
from tests.pages.offers.answers import given_away
from tests.ui.streamlit_internals.pressing import (
    Moment,
    offered,
    press,
    send,
    written_by_callbacks,
)

FEW = 3
"""A choice of so many options besides its first is tried whole."""
PRESS = "press "
SET = " := "
END = re.compile(r"^\w+ = ")
"""Begins what is said of a slider at an end."""


class SeenView(NamedTuple):
    """A view: its lines, its changes by sliders and by presses, and the answers it gives away."""

    name: str
    lines: list[str]
    ends: list[Change]
    pressed: list[Change]
    given_away: list[str]
    components: Components
    pictures: list[Sent]


@cache
def views(slug, everything=False):
    """Every view of a page, with the changes that its record names.

    With `everything`, each option, setting and pressable part is tried that no earlier view with
    the same picture had, and what changes something is kept. What `page_states` varies counts as
    tried with the picture of the first example.
    """
    recorded = heads("states", slug)
    varied = {name for name, _ in other_values(slug)}
    tried = defaultdict(set, {"": {*varied}, script_of_first(slug): {*varied}})
    found, asked = [], set()
    for app in Walk(slug).views():
        assert not app.exception and not app.error
        name, pictures = shown_view(app), sent(app)
        lines, beside = view_lines(app), beside_pictures(app)
        known = tried[pictures[0].name if pictures else ""]
        ends = [*let_go(app, slug, known)]
        if everything:
            data = [each.data for each in pictures]
            changes = [
                each
                for each in tries(app, slug, untried(app, slug, known))
                if each.wrong or each.lines != lines or [its.data for its in each.pictures] != data
            ]
        else:
            start = f"{name}: "
            whats = [each.removeprefix(start) for each in recorded if each.startswith(start)]
            changes = [*tries(app, slug, [each for each in whats if not END.search(each)])]
        answered = [*given_away(app, slug, asked)]
        found.append(SeenView(name, lines, ends, changes, answered, beside, pictures))
    return found


@cache
def drawn_views(slug: str, everything: bool = False) -> list[tuple[str, list[Drawn]]]:
    """The main picture of each view of a page, and in each state that changes it, by view."""
    known, asked = set[bytes](), list[tuple[str, str, Sent]]()
    for seen in views(slug, everything):
        for picture in seen.pictures[:1]:
            asked.append((seen.name, "", picture))
            known.add(picture.data)
            for after in (*seen.ends, *seen.pressed):
                for each in after.pictures[:1]:
                    if each.name == picture.name and each.data not in known:
                        known.add(each.data)
                        asked.append((seen.name, after.what, each))
    made = drawn_in_turn([(what, each) for _, what, each in asked])
    by_view = groupby(zip(asked, made, strict=True), lambda each: each[0][0])
    return [(name, [drawn for _, drawn in several]) for name, several in by_view]


def script_of_first(slug):
    """The script of the main picture with which the page opens."""
    return next((each.name for each in sent(opened(slug))), "")


def attempts(app, slug):
    """What can be done in a view, in words, and how: its widgets and its page's other settings."""
    keys = set()
    for each in sides(app):
        keys.add(each.key)
        yield f"{each.key}, {each.option}", partial(press, made=each)
    for name, value in other_values(slug):
        if f"{name}-shown" not in keys and name not in keys:
            yield f"{name}{SET}{value}", partial(put, settings={name: value})


def untried(app, slug, known):
    """What can be done in a view, in words, as far as `known` has not its control; adds these."""
    pictures = sent(app)
    found = [what for what, _ in attempts(app, slug) if control(what) not in known]
    if pictures and PRESS not in known:
        parts = [each for each in presses(pictures[0]) if not begins_a_run(each)]
        found += [PRESS + json.dumps(each) for each in parts]
        known.add(PRESS)
    known |= {control(what) for what in found}
    return found


def begins_a_run(sent):
    """Whether a press starts the training of a model, and says when it was pressed."""
    return isinstance(sent, dict) and "start" in sent


def control(what):
    """The setting, widget or part that something done in a view is about."""
    name = what.split(SET)[0].split(", ")[0]
    return name.removesuffix("-shown")


def tries(app, slug, whats):
    """The changes by what is done in a view; settings that the page refuses are left out."""
    begun, known = Moment.of(app), dict(attempts(app, slug))
    for what in whats:
        begun.go_back(app)
        with written_by_callbacks() as written:
            if what.startswith(PRESS):
                send(app, json.loads(what.removeprefix(PRESS)))
            elif what in known:
                known[what](app)
            else:
                continue
        if not (SET in what and (app.error or app.warning)):
            yield change(app, slug, what, written)
    begun.go_back(app)


def sides(app):
    """Every option of each choice and switch; of more than `FEW` others, the first and the last."""
    for key, several in groupby(offered(app), lambda each: each.key):
        first, *others = [each for each in several if each.option != "pressed"] or [None]
        if key in (*LEAVES, "see-shown"):
            continue
        if first:
            yield from (first, *(others if len(others) <= FEW else others[-1:]))
