"""Every page is served with the styles of the desk; other answers are unchanged."""

import pytest
from starlette.applications import Starlette
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.server.page_styles import STYLE, PageStyles

PAGE = "<html><head></head><body><div id='root'></div></body></html>"


@pytest.fixture
def client(tmp_path):
    file = tmp_path / "index.html"
    file.write_text(PAGE)
    routes = [
        Route("/page", lambda _: HTMLResponse(PAGE)),
        Route("/file", lambda _: FileResponse(file)),
        Route("/missing", lambda _: HTMLResponse(PAGE, 404)),
        Route("/text", lambda _: PlainTextResponse(PAGE)),
    ]
    return TestClient(PageStyles(Starlette(routes=routes)))


@pytest.mark.parametrize("path", ["/page", "/file"])
def test_a_page_has_the_styles_at_the_end_of_its_body(client, path):
    answer = client.get(path)
    assert answer.content.endswith(STYLE + b"</body></html>")
    assert int(answer.headers["content-length"]) == len(answer.content)


@pytest.mark.parametrize("path", ["/missing", "/text"])
def test_what_is_no_page_is_as_it_was(client, path):
    assert client.get(path).text == PAGE
