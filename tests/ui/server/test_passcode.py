"""The passcode: it admits a visitor to the requested page; without it nothing is reached."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ui.server import passcode, passcode_limit
from ui.server.passcode import COOKIE, PasscodeMiddleware, local_path

PASSCODE = "sesame street"
PAGE = {"accept": "text/html"}


async def greet(websocket):
    await websocket.accept()
    await websocket.send_text("welcome")
    await websocket.close()


def inside(request):
    return PlainTextResponse(f"inside {request.url.path}")


@pytest.fixture
def visitor(monkeypatch):
    monkeypatch.setattr(passcode, "WRONG_ANSWER_SECONDS", 0.0)
    paths = (
        "/",
        "/attention",
        "/live/runs",
        "/media/a.csv",
        "/healthz",
        "/_stcore/upload_file/a/b",
    )
    methods = ["GET", "POST", "PUT"]
    routes = [Route(path, inside, methods=methods) for path in paths]
    routes.append(WebSocketRoute("/_stcore/stream", greet))
    return TestClient(
        PasscodeMiddleware(Starlette(routes=routes), PASSCODE), follow_redirects=False
    )


def come_in(visitor, passcode=PASSCODE, onward="/"):
    return visitor.post("/door", data={"passcode": passcode, "next": onward})


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/live/runs"),
        ("GET", "/media/a.csv"),
        ("PUT", "/_stcore/upload_file/a/b"),
        ("POST", "/live/runs"),
    ],
)
def test_nothing_is_reached_without_it(visitor, method, path):
    answer = visitor.request(method, path)
    assert (answer.status_code, answer.text) == (401, "the passcode must be typed first")


def test_no_session_is_opened_without_it(visitor):
    with pytest.raises(WebSocketDisconnect), visitor.websocket_connect("/_stcore/stream"):
        pass


def test_machines_may_ask_how_the_server_is(visitor):
    assert visitor.get("/healthz").text == "inside /healthz"


def test_a_page_shows_the_door_and_remembers_the_way(visitor):
    answer = visitor.get('/attention?d_k=4&x="><script>', headers=PAGE)
    assert answer.status_code == 401
    assert 'value="/attention?d_k=4&amp;x=' in answer.text
    assert "<script>" not in answer.text


def test_who_types_it_comes_in_and_stays_in(visitor):
    answer = come_in(visitor, f" {PASSCODE}\n", "/attention?d_k=4")
    assert (answer.status_code, answer.headers["location"]) == (303, "/attention?d_k=4")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Secure" not in cookie
    assert visitor.get("/attention").text == "inside /attention"
    with visitor.websocket_connect("/_stcore/stream") as stream:
        assert stream.receive_text() == "welcome"


def test_the_cookie_is_secure_behind_tls(visitor):
    headers = {"x-forwarded-proto": "https"}
    answer = visitor.post("/door", data={"passcode": PASSCODE}, headers=headers)
    assert "Secure" in answer.headers["set-cookie"]


def test_a_wrong_one_is_refused(visitor):
    answer = come_in(visitor, "sesame stree")
    assert answer.status_code == 403
    assert "That is not the passcode." in answer.text
    assert "set-cookie" not in answer.headers
    assert visitor.get("/attention").status_code == 401


def test_guesses_wait_and_whoever_knows_it_comes_in_before_them(monkeypatch):
    monkeypatch.setattr(passcode, "WRONG_ANSWER_SECONDS", 0.0)
    monkeypatch.setattr(passcode_limit, "BURST", 2)
    monkeypatch.setattr(passcode_limit, "PER_SECOND", 2.0)
    app = PasscodeMiddleware(Starlette(routes=[Route("/", inside)]), PASSCODE)
    order = []

    def attempt(given, form=""):
        data = {"passcode": given, "form": form}
        order.append(door.post("/door", data=data, follow_redirects=False).status_code)

    with TestClient(app) as door, ThreadPoolExecutor(12) as beside:
        form = door.get("/", headers=PAGE).text.split('name="form" value="')[1].split('"')[0]
        wrong = [beside.submit(attempt, f"a guess {i}") for i in range(10)]
        while len(order) < passcode_limit.BURST:
            time.sleep(0.01)
        attempt(PASSCODE, form)
        for each in wrong:
            each.result()
    assert sorted(order) == [303, *[403] * 10], "every guess is answered in the end"
    assert order[-1] == 403, "and not before whoever knew it"


def test_of_too_many_guesses_some_are_told_to_come_again(visitor, monkeypatch):
    monkeypatch.setattr(passcode_limit, "MOST_WAITING", 0)
    monkeypatch.setattr(passcode_limit, "BURST", 1)
    assert come_in(visitor, "open").status_code == 403
    refused = come_in(visitor, "open", "/attention")
    assert refused.status_code == 429 and passcode.TOO_MANY in refused.text
    assert 'value="/attention"' in refused.text and COOKIE not in refused.cookies


def test_what_is_open_is_that_path_and_no_longer_one(visitor):
    for path in ("/healthzz", "/healthz/x", "/metrics.csv", "/_stcore/healthy"):
        assert visitor.get(path).status_code == 401
    assert visitor.get("/static/js/a.js").status_code == 404, "is let through"


def test_a_long_form_is_not_read(visitor):
    assert come_in(visitor, PASSCODE + " " * passcode.MAX_FORM_BYTES).status_code == 403


@pytest.mark.parametrize(
    "forged", ["in", "in.abc.def", "", "in.awI2Fw.m4y-8mwihaojCHCvddjitzYQ-QU"]
)
def test_a_cookie_of_ones_own_making_opens_nothing(visitor, forged):
    visitor.cookies.set(COOKIE, forged)
    assert visitor.get("/attention").status_code == 401


def test_a_cookie_ends_with_the_day(visitor, monkeypatch):
    come_in(visitor)
    monkeypatch.setattr(passcode, "DAY", -1)
    assert visitor.get("/attention").status_code == 401


def test_another_passcode_makes_all_cookies_void(visitor):
    given = come_in(visitor).headers["set-cookie"].split("=", 1)[1].split(";")[0]
    changed = TestClient(PasscodeMiddleware(Starlette(routes=[Route("/", inside)]), "another one"))
    changed.cookies.set(COOKIE, given)
    assert changed.get("/").status_code == 401


@pytest.mark.parametrize(
    "elsewhere",
    ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", ""],
)
def test_the_way_on_leads_to_no_other_host(visitor, elsewhere):
    assert local_path(elsewhere) == "/"
    assert come_in(visitor, onward=elsewhere).headers["location"] == "/"


def test_the_way_on_is_one_line():
    assert local_path("/a\r\nset-cookie: b") == "/a%0D%0Aset-cookie:%20b"
