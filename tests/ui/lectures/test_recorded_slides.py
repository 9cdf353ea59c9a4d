"""Which view each slide opens and what its beats say, beside its heading, is as it was recorded.

`pytest tests/ui/lectures --record` writes slides.txt anew; read heading and view side by side in
the difference before you commit it.
"""

from pathlib import Path

import ui
from ui.lectures.decks import HOME, decks

RECORDED = Path(__file__).parent / "slides.txt"


def slide_lines(slide):
    """The slide's heading, its view, and the sentence of each of its beats."""
    view = slide.address() or f"no view: {slide.kind}"
    yield f"{slide.deck} {slide.number} {slide.heading}: {view}"
    for beat in slide.beats if slide.page != HOME else ():
        yield f"    {beat} {ui.lesson(slide.page).beats[beat - 1].say}"


def test_each_slide_opens_the_view_that_was_recorded(request):
    slides = [slide for deck in decks().values() for slide in deck.slides]
    now = [line for slide in slides for line in slide_lines(slide)]
    if request.config.getoption("--record"):
        RECORDED.write_text("\n".join(now) + "\n", "utf-8")
    assert now == RECORDED.read_text("utf-8").splitlines()
