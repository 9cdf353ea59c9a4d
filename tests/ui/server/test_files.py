"""Streamlit's files: compressed for browsers that accept it; all else is left to Streamlit."""

import gzip

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.server import files
from ui.server.files import CACHE_CONTROL, CompressedFiles
from ui.streamlit_internals.static_files import STATIC_FOLDER

SCRIPT = next((STATIC_FOLDER / "static" / "js").glob("index.*.js"))
STYLE = next((STATIC_FOLDER / "static" / "css").glob("*.css"))


@pytest.fixture
def visitor():
    inside = Route("/{path:path}", lambda _: PlainTextResponse("inside"), methods=["GET", "POST"])
    return TestClient(CompressedFiles(Starlette(routes=[inside])))


@pytest.mark.parametrize("file", [SCRIPT, STYLE], ids=lambda file: file.suffix)
def test_a_file_comes_packed_and_for_good(visitor, file, monkeypatch):
    path = f"/{file.relative_to(STATIC_FOLDER)}"
    answer = visitor.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert answer.content == file.read_bytes()
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < file.stat().st_size / 2
    assert (answer.headers["cache-control"], answer.headers["vary"]) == (
        CACHE_CONTROL,
        "Accept-Encoding",
    )
    assert answer.headers["content-type"].startswith(files.KINDS[file.suffix])
    monkeypatch.setattr(gzip, "compress", lambda *_, **__: 1 / 0)
    assert visitor.get(path, headers={"Accept-Encoding": "gzip"}).content == answer.content


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        (f"/static/js/{SCRIPT.name}", "GET", {"Accept-Encoding": "identity"}),
        (f"/static/js/{SCRIPT.name}", "GET", {"Range": "bytes=0-9", "Accept-Encoding": "gzip"}),
        (f"/static/js/{SCRIPT.name}", "POST", {"Accept-Encoding": "gzip"}),
        (f"/elsewhere/static/js/{SCRIPT.name}", "GET", {"Accept-Encoding": "gzip"}),
        ("/static/js/none.js", "GET", {"Accept-Encoding": "gzip"}),
        ("/static/js/..%2f..%2findex.html", "GET", {"Accept-Encoding": "gzip"}),
        ("/static/js/../../proto/__init__.js", "GET", {"Accept-Encoding": "gzip"}),
        ("/static/../index.html", "GET", {"Accept-Encoding": "gzip"}),
        ("/", "GET", {"Accept-Encoding": "gzip"}),
    ],
)
def test_all_else_is_streamlits(visitor, path, method, headers):
    answer = visitor.request(method, path, headers=headers)
    assert answer.text == "inside"


def test_names_that_nobody_has_fill_no_memory():
    before = files._packed.cache_info().currsize
    for number in range(9):
        assert files.compressed_file(f"static/js/{number}.js") is None
    assert files._packed.cache_info().currsize == before
