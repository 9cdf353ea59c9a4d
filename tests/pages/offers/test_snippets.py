"""The code of a page runs, and the decimals that it prints are numbers of the page."""

import contextlib
import io
import re

import numpy as np
import pytest
from test_screen import BUILT, fine, numbers_of, opened, put, value

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
EXAMPLES_THAT_PRINT_MORE = {
    "Real head: tired": "z, of 32 numbers",
    "Real head: wide": "z, of 32 numbers",
    "d = 512": "the first numbers of the PE",
    "From the left alone": "the loss from both sides",
}
TRAINS = "training"
"""The page whose code trains a whole run."""


@pytest.mark.parametrize("slug", [each for each in BUILT if each != TRAINS])
def test_the_code_prints_the_numbers_of_the_page(slug, walking):
    every = ui.lesson(slug).presets
    app = opened(slug)
    for example in every if walking else every[:1]:
        put(app, example.settings)
        numbers = [numbers_of(fine(app))]
        put(app, {"see": "Code"})
        numbers.append(numbers_of(fine(app)))
        printed = run(app.code[0].value)
        assert printed, example.label
        if slug not in PRINT_MORE and example.label not in EXAMPLES_THAT_PRINT_MORE:
            assert not_among(np.concatenate(numbers), printed) == [], example.label


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
