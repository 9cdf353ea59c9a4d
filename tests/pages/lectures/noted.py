"""The decimals of a speaker's notes, looked for among the numbers of the view of their slide."""

import re
from collections.abc import Sequence

import numpy as np
from streamlit.testing.v1 import AppTest
from test_screen import said, unpacked

from ui import contents, lectures
from ui.lectures import Slide

DECIMAL = re.compile(r"(?<![\w.,−-])[−-]?\d[\d,]*\.\d+(?![\d.])")
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?(?:e[−-]?\d+)?")
SLIDES = [
    slide
    for deck in contents.DECKS
    for slide in lectures.lecture(deck).slides
    if DECIMAL.search(slide.notes)
]


def unseen(app: AppTest, slides: Sequence[Slide]) -> list[str]:
    """The decimals of these slides' notes that the page shows at no place, to their precision."""
    asked = [(slide, text) for slide in slides for text in DECIMAL.findall(slide.notes)]
    if not asked:
        return []
    numbers = _shown(app)
    return [
        f"{slide.deck} {slide.number}: {text}"
        for slide, text in asked
        if not np.isclose(numbers, abs(_value(text)), rtol=0, atol=0.501 * _place(text)).any()
    ]


def _shown(app: AppTest) -> np.ndarray:
    """Every number that the page has: written anywhere, or in what its components get."""
    found = [np.array([_value(text) for text in NUMBER.findall(said(app))])]
    for element in app.get("bidi_component"):
        found += _numbers(unpacked(element.proto.bytes) if element.proto.bytes else {})
    return np.abs(np.concatenate(found))


def _numbers(data: object) -> list[np.ndarray]:
    """Every number of a component's data, at any depth."""
    if isinstance(data, np.ndarray):
        return [data.astype(float)]
    if isinstance(data, (int, float)):
        return [np.array([float(data)])]
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [each for part in inside for each in _numbers(part)]


def _value(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def _place(text: str) -> float:
    """What one of the last digit is worth."""
    return 10.0 ** -len(text.split(".")[1])
