"""The code of a page runs; it prints numbers of the page, and what it prints is as recorded.

`pytest tests/pages/pictures --record` writes the record anew; look at the difference before you
commit it.
"""

import contextlib
import io
import re

import numpy as np
import pytest
from recording import RECORDED, differences
from setting_values import other_values
from test_screen import BUILT, fine, held, numbers_of, opened, put, value

import ui

PRINTED = re.compile(r"(?<![\w.])[−-]?\d+\.\d+(?:e[-+]?\d+)?")
PRINT_MORE = {
    "contextual": "the scores of all layers",
    "heads": "the head of the view",
    "language_model": "the table of pairs",
    "results": "all results of all papers",
    "transfer": "the loss of each token",
    "transformer": "the view of the parts",
}
"""Pages whose code also prints numbers of their other views, or numbers that are sent packed."""
STATES_THAT_PRINT_MORE = {
    "Real head: tired": "z, of 32 numbers",
    "Real head: wide": "z, of 32 numbers",
    "attention_from = model": "z, of 32 numbers",
    "d = 512": "the first numbers of the PE",
    "From the left alone": "the loss from both sides",
    "fill_reads = left": "the loss from both sides",
}
TRAINS = "training"
"""The page whose code trains a whole run."""


@pytest.mark.parametrize("slug", [each for each in BUILT if each != TRAINS])
def test_the_code_prints_the_numbers_of_the_page(slug, walking, request):
    """In the first example, and wherever another value of a setting changes the code."""
    every = ui.lesson(slug).presets
    first = every[0].settings
    states = {every[0].label: first}
    states |= {f"{name} = {it}": {**first, name: it} for name, it in other_values(slug)}
    recorded = {*states}
    states |= {each.label: each.settings for each in every if walking}
    app, known, parts = opened(slug), set(), []
    shown = {"see": held(app, "see", "")}
    for label, settings in states.items():
        put(app, {**settings, "see": "Code"})
        if app.error or app.warning or (code := app.code[0].value) in known:
            continue
        known.add(code)
        printed = run(code)
        assert printed, label
        if label in recorded:
            parts.append(f"== {label}\n{printed}")
        if slug not in PRINT_MORE and label not in STATES_THAT_PRINT_MORE:
            numbers = [numbers_of(fine(app)), numbers_of(fine(put(app, {**shown, **settings})))]
            assert not_among(np.concatenate(numbers), printed) == [], label
    record = request.config.getoption("--record")
    assert differences(RECORDED / "printed" / f"{slug}.txt", "\n".join(parts), record=record) == []


def test_a_decimal_that_is_no_number_of_the_page_is_seen():
    numbers = np.array([0.36891, 2.9714, 4.1e-7])
    assert not_among(numbers, "0.3689 and −2.971, 4.1e-07") == []
    assert not_among(numbers, "0.3690 and 2.973, 4.3e-07") == ["0.3690", "2.973", "4.3e-07"]


def run(snippet):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(snippet, "snippet", "exec"), {})
    return out.getvalue()


def not_among(numbers, printed):
    """The decimals that no number rounds to; of exact ones, float32's digits count."""
    wrong = []
    for text in PRINTED.findall(printed):
        digits = text.partition("e")[0].split(".")[1]
        power = int(text.partition("e")[2] or 0)
        half = 0.51 * 10.0 ** (power - len(digits))
        if not np.isclose(numbers, abs(value(text)), rtol=1e-5, atol=half).any():
            wrong.append(text)
    return wrong
