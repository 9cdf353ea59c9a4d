"""Which view each slide and each beat opens is as it was recorded, beside what they say.

`pytest tests/ui/lectures --record` writes slides.txt and beats.txt anew; read heading or sentence
and view side by side in the difference before you commit it.
"""

from pathlib import Path

import ui
from ui import contents
from ui.lectures.decks import HOME, decks

RECORDED = Path(__file__).parent


def slide_lines(slide):
    """The slide's heading, its view, and the sentence of each of its beats."""
    view = slide.address() or f"no view: {slide.kind}"
    yield f"{slide.deck} {slide.number} {slide.heading}: {view}"
    for beat in slide.beats if slide.page != HOME else ():
        yield f"    {beat} {ui.lesson(slide.page).beats[beat - 1].say}"


def beat_lines(slug):
    """Each beat of a page: what it says, what it hides, and the settings in which it opens."""
    here = ui.lesson(slug)
    for number, beat in enumerate(here.beats, 1):
        hides = f" hides {', '.join(beat.hide)};" if beat.hide else ""
        changed = (f"{name}={value!r}" for name, value in here.differs(beat.settings).items())
        yield f"{slug} {number} {beat.say}{hides}"
        yield f"    {' '.join(changed)}"


def check_recorded(name, now, request):
    path = RECORDED / name
    if request.config.getoption("--record"):
        path.write_text("\n".join(now) + "\n", "utf-8")
    assert now == path.read_text("utf-8").splitlines()


def test_each_slide_opens_the_view_that_was_recorded(request):
    slides = [slide for deck in decks().values() for slide in deck.slides]
    check_recorded("slides.txt", [line for slide in slides for line in slide_lines(slide)], request)


def test_each_beat_opens_the_view_that_was_recorded(request):
    every = [line for page in contents.PAGES if page.built for line in beat_lines(page.slug)]
    check_recorded("beats.txt", every, request)
