"""What is served beside the pages: links to slides, pictures, the search, QR codes, the speaker."""

import asyncio
import re
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.lectures import finding, lectures, meanings, routes

SERVER = TestClient(Starlette(routes=list(routes.ROUTES)), follow_redirects=False)


def way(query):
    answer = SERVER.get(f"/lecture?{query}")
    assert answer.status_code == 307
    return answer.headers["location"]


@pytest.mark.parametrize("deck", lectures())
def test_every_slide_is_led_to_its_view_or_to_the_next_that_has_one(deck):
    there = lectures()[deck]
    for slide in there.slides:
        served = slide if slide.page else there.onward(slide.number)
        wanted = served.link() if served else f"/lectures?deck={deck}&at={slide.number}"
        assert way(f"deck={deck}&at={slide.number}") == wanted


def test_in_presenter_mode_it_opens_before_its_first_beat():
    parts = urlsplit(way("deck=cmu&at=7&present=1"))
    assert parts.path == "/neuron"
    assert dict(parse_qsl(parts.query)) == {
        "see": "Formula",
        "formula_to": "symbols",
        "deck": "cmu",
        "slide": "7",
        "present": "1",
        "beat": "0",
    }


@pytest.mark.parametrize(
    "query", ["", "deck=nobody", "deck=cmu&at=0", "deck=cmu&at=95", "deck=cmu&at=%E5%8D%81", "at=3"]
)
def test_what_is_not_there_is_said_by_the_index(query):
    assert way(query).startswith("/lectures")


def test_a_picture_is_sent_for_a_day_and_nothing_else_of_the_disk():
    name = lectures()["cmu"].slide(5).still()
    answer = SERVER.get(f"/live/stills/{name}.webp")
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["cache-control"] == "public, max-age=86400"
    for bad in ("nothing", "..%2f..%2ficon", "%00", "a" * 200):
        assert SERVER.get(f"/live/stills/{bad}.webp").status_code == 404


def test_a_search_answers_in_one_message_and_says_so_if_nothing_fits():
    found = SERVER.get("/live/find?words=saturated%20neuron").json()
    assert found["said"] == "" and 0 < len(found["hits"]) <= 8
    assert {"kind", "title", "about", "path"} == set(found["hits"][0])
    empty = SERVER.get("/live/find?words=").json()
    assert empty["hits"] == [] and "another word" in empty["said"]


@pytest.mark.parametrize(
    "typed", ['"', "NEAR(", "a AND", "*", "title:x", "'; drop table entry", "😀"]
)
def test_what_is_typed_is_no_query_language(typed):
    assert SERVER.get(f"/live/find?words={quote(typed)}").status_code == 200
    assert finding.find("neuron")


ODD = ("\u200b", "\u202e", "\ufffd", "\x00", "\x1b", "\x7f", "\u00ad", "\ue000", "\u0301", "\u3000")
"""An invisible space, a mark that reverses the line, a character that could not be read, …"""


@pytest.mark.parametrize("typed", ODD, ids=lambda each: f"U+{ord(each):04X}")
def test_a_character_that_nobody_sees_finds_nothing_and_hides_nothing(typed):
    """Also with the encoder, which reads no token in some of these characters."""
    encoder = meanings.cosines("neuron") is not None
    assert encoder == meanings.is_available()
    answer = SERVER.get(f"/live/find?words={quote(typed)}")
    assert answer.status_code == 200 and answer.json()["hits"] == []
    among = SERVER.get(f"/live/find?words={quote(f'saturated {typed} neuron')}").json()
    assert among["hits"] == SERVER.get("/live/find?words=saturated%20neuron").json()["hits"]
    alone, other = meanings.cosines_of_all([typed, "neuron"])
    assert alone is None and (other is not None) == encoder, "a title beside it has its meaning"


def test_a_very_long_question_is_cut():
    asked = "neuron " * 2000
    found = SERVER.get(f"/live/find?words={quote(asked)}").json()
    assert found == SERVER.get(f"/live/find?words={quote(asked[: finding.LONGEST])}").json()
    assert found["hits"]


def test_those_who_ask_wait_for_their_turn_and_too_many_are_refused():
    turns, order = routes.Turns(1, 1, "views to print"), []

    async def ask(name):
        async with turns.turn():
            order.append(name)
            await asyncio.sleep(0.01)

    async def three():
        return await asyncio.gather(ask("a"), ask("b"), ask("c"), return_exceptions=True)

    *served, refused = asyncio.run(three())
    assert (served, order) == ([None, None], ["a", "b"])
    assert str(refused) == "the server has too many views to print just now; try again in a minute"
    asyncio.run(ask("d"))
    assert order == ["a", "b", "d"]


def test_a_code_is_an_svg_of_the_address_and_too_long_a_one_is_refused():
    drawn = SERVER.get(f"/live/code.svg?of={quote('http://here/neuron?w=1&b=2')}")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "<path" in drawn.text
    for of in ("", "x" * 1201, "😀" * 301):
        refused = SERVER.get(f"/live/code.svg?of={quote(of)}")
        assert refused.status_code == 400
        assert refused.text == f"of must have from 1 to 1200 bytes; got {len(of.encode())}"


@pytest.mark.parametrize("name", ["speaker", "handout"])
def test_a_page_of_its_own_has_its_script_in_a_file_and_asks_for_nothing_from_elsewhere(name):
    page = SERVER.get(f"/live/{name}").text
    (address,) = re.findall(r'<script type="module" src="([^"]*)"></script>', page)
    assert page.count("<script") == 1, "the proxy forbids any that stands in the page"
    script = SERVER.get(f"/live/{address}")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    # XML namespaces are addresses that are never fetched.
    found = set(re.findall(r"https?://[^\"'`\s]*", page + script.text))
    assert {each for each in found if "www.w3.org" not in each} == set()
    assert ("BroadcastChannel" if name == "speaker" else "sessionStorage") in script.text
