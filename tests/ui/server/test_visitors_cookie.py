"""The cookie that identifies the owner of runs, and the handling of a control link."""

from http.cookies import SimpleCookie

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.server.middleware import middleware_stack
from ui.server.visitors import WEEK, VisitorCookies
from ui.visitors import COOKIE, LINKS, MOST_LINKS, OVER_TLS, SECRET

PAGE = {"accept": "text/html,application/xhtml+xml"}
TLS = {**PAGE, "x-forwarded-proto": "https"}
TOKEN, OTHER = "t" * 24, "o" * 24


def page(_):
    return HTMLResponse("<html><body></body></html>", headers={"ETag": "x"})


def unchanged(_):
    return PlainTextResponse("", 304)


def broken(_):
    return PlainTextResponse("no", 500)


@pytest.fixture
def browser():
    routes = [
        Route("/", page),
        Route("/training", page, methods=["GET", "POST"]),
        Route("/unchanged", unchanged),
        Route("/broken", broken),
    ]
    return TestClient(VisitorCookies(Starlette(routes=routes)), follow_redirects=False)


def cookies(answer):
    """The cookies that an answer sets, by name."""
    found = {}
    for each in answer.headers.get_list("set-cookie"):
        found.update(SimpleCookie(each))
    return found


def test_a_page_brings_a_secret_that_no_script_reads(browser):
    answer = browser.get("/training", headers=PAGE)
    (cookie,) = cookies(answer).values()
    assert (cookie.key, bool(SECRET.fullmatch(cookie.value))) == (COOKIE, True)
    assert cookie["httponly"] is True
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("lax", "/", "")
    assert int(cookie["max-age"]) == WEEK
    assert not cookie["secure"]


def test_by_tls_the_cookie_is_this_hosts_alone(browser):
    (cookie,) = cookies(browser.get("/", headers=TLS)).values()
    assert (cookie.key, cookie["secure"], cookie["path"]) == (OVER_TLS + COOKIE, True, "/")
    planted = browser.get("/", headers={**TLS, "cookie": f"{COOKIE}={'p' * 32}"})
    assert cookies(planted)[OVER_TLS + COOKIE].value != "p" * 32


def test_a_secret_stays_and_lasts_longer_with_each_page(browser):
    first = cookies(browser.get("/", headers=PAGE))[COOKIE].value
    again = cookies(browser.get("/training", headers=PAGE))[COOKIE]
    assert (again.value, int(again["max-age"])) == (first, WEEK)
    assert cookies(browser.get("/unchanged", headers=PAGE))[COOKIE].value == first


@pytest.mark.parametrize("held", ["", "short", "x" * 500, "a b"])
def test_what_is_no_secret_is_replaced(browser, held):
    answer = browser.get("/", headers={**PAGE, "cookie": f"{COOKIE}={held}"})
    assert SECRET.fullmatch(cookies(answer)[COOKIE].value)


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/", {"accept": "*/*"}),
        ("POST", "/training", PAGE),
        ("GET", "/broken", PAGE),
        ("GET", "/nowhere", PAGE),
    ],
)
def test_what_is_no_page_sets_no_cookie(browser, method, path, headers):
    assert cookies(browser.request(method, path, headers=headers)) == {}


def test_a_control_link_leads_to_the_page_without_its_token(browser):
    answer = browser.get(f"/training?runs=a%2Cb&control={TOKEN}&see=", headers=PAGE)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/training?runs=a%2Cb&see="
    assert answer.headers["cache-control"] == "no-store"
    cookie = cookies(answer)[LINKS]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == (TOKEN, True, "lax")
    after = cookies(browser.get("/training?runs=a%2Cb&see=", headers=PAGE))
    assert after[LINKS].value == TOKEN
    both = cookies(browser.get(f"/training?control={OTHER}.{TOKEN}.junk", headers=PAGE))
    assert both[LINKS].value == f"{OTHER}.{TOKEN}"
    assert (
        browser.get(f"/training?control={TOKEN}", headers=PAGE).headers["location"] == "/training"
    )


def test_a_browser_keeps_the_latest_control_links_and_no_more(browser):
    for n in range(MOST_LINKS + 3):
        answer = browser.get(f"/?control={n:024}", headers=PAGE)
    kept = cookies(answer)[LINKS].value.split(".")
    assert kept == [f"{n:024}" for n in range(3, MOST_LINKS + 3)]


@pytest.mark.parametrize("path", ["//elsewhere.example/", "/\\elsewhere.example/"])
def test_a_control_link_leads_to_no_other_host(browser, path):
    answer = browser.get(f"http://testserver{path}?control={TOKEN}", headers=PAGE)
    location = answer.headers["location"]
    assert location.startswith("/") and location[1] not in "/\\"


def test_the_cookie_is_set_behind_the_passcode_and_the_guard():
    from lmcore.configuration import Configuration

    stack = [each.cls.__name__ for each in middleware_stack(Configuration(passcode="sesame"))]
    assert stack.index("PasscodeMiddleware") < stack.index("Guard") < stack.index("VisitorCookies")
