"""On every page, text in the spelling of phones, word processors and spreadsheets is accepted.

Each typed setting is rewritten in such a spelling; every view must show the same as before.
"""

import re
import unicodedata
from importlib import import_module

import pytest
from test_screen import BUILT, KINDS, fine, in_pictures, opened, put

import ui
from lmcore.typed import fold_numbers
from ui.settings import Choice, Text

NUMBERS = re.compile(r"[-+\d.,;:e \n]*\d[-+\d.,;:e \n]*")
NO_DECIMALS = {"heads_together", "masking_painted"}
"""Settings of numbers in which a point is not a decimal point."""
ADDRESS = re.compile(r"\S+\?\S+=")
"""A link, which repeats typed text unchanged."""
ELSE = {"Code", "This server", "Bench", "Fewest pieces?"}
"""Views that repeat typed text unchanged, or that change each time they are drawn."""
FOR_MINILM = {"rt_question", "sn_text"}
"""Texts that only a real tokenizer reads: it gets them as they were typed."""
READABLE = {
    "tokens": {"tokens_first": "the animal didn't cross", "tokens_second": "it was tired"},
    "positions": {"positions_text": "the animal didn't cross the"},
}
"""Texts whose words our own models know, for pages whose examples are in general English."""
OWN = ("encoder", "gpt", "small", "bilm")
"""Our own models, chosen here because a real tokenizer gets a text as it was typed."""


def written(value, decimals):
    """The value as other programs write it, with the same meaning."""
    if NUMBERS.fullmatch(value):
        if decimals and "." in value:
            value = value.replace(",", ";").replace(".", ",")
        return value.replace("-", "–").translate({48 + n: chr(0x0660 + n) for n in range(10)})
    value = unicodedata.normalize("NFD", value.replace("'", "’").replace("fi", "ﬁ"))
    value = re.sub(r"(?<=[A-Za-z]{2})(?=[a-z])", "\u00ad", value, count=1)
    value = re.sub(r"(?<![A-Za-z])t(?=[a-z])", "\uff54", value, count=1)
    return "\u200e" + value.replace(" ", "\u00a0", 1).replace("-", "\u2011") + "\u200b"


def typed_settings(slug):
    """The typed settings of a page that have a value, and settings that choose our own models."""
    lesson, table = ui.lesson(slug), import_module(f"lessons.{slug}.{slug}_state").SETTINGS.table
    ours = {}
    for name, setting in table.items():
        known = setting.labels() if isinstance(setting, Choice) else {}
        own = [each for each in OWN if each in known]
        if {"minilm", "english"} & set(known) and own and not setting.many:
            ours[name] = own[0]
    examples = [preset.settings for preset in lesson.presets if not ours.keys() & preset.settings]
    values = {
        name: next((str(each[name]) for each in (lesson.defaults, *examples) if each.get(name)), "")
        for name, setting in table.items()
        if isinstance(setting, Text) and name not in FOR_MINILM
    }
    values |= READABLE.get(slug, {})
    return {name: value for name, value in values.items() if value}, ours


def shown(app, left_out):
    """The texts of a page, without code and links, which repeat typed text unchanged."""
    kinds = [kind for kind in KINDS if kind != "code"]
    texts = [*(each.value for kind in kinds for each in getattr(app, kind)), *in_pictures(app)]
    plain = [fold_numbers(text.replace("\\", "")) for text in texts]
    return [text for text in plain if text not in left_out and not ADDRESS.match(text)]


@pytest.mark.parametrize("slug", BUILT)
def test_every_typed_setting_is_read_as_other_programs_write_it(slug, walking):
    """The sample is the page's first view."""
    plain, ours = typed_settings(slug)
    other = {name: written(value, name not in NO_DECIMALS) for name, value in plain.items()}
    app = fine(opened(slug, **ours))
    bars = [each for each in app.button_group if (each.key or "").startswith("see-shown")]
    helps = ["Your own settings", *(preset.help for preset in ui.lesson(slug).presets)]
    examples = {fold_numbers(line) for line in helps}  # respelt settings match no example
    fields = set[str]()
    views = [each for bar in bars for each in bar.options if each not in ELSE] or [""]
    for view in views if walking else views[:1]:
        before = shown(fine(put(app, {**ours, **plain, "see": view})), examples)
        assert not app.error, f"{slug}, {view}: {app.error[0].value}"
        drawn = {(each.key or "").partition("-")[0] for each in (*app.text_input, *app.text_area)}
        if fields and drawn <= fields:  # all its typed settings were checked before
            continue
        fields |= drawn
        after = shown(fine(put(app, other)), examples)
        assert after == before, f"{slug}, {view}"
