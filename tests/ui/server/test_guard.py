"""How many visitors are admitted, which messages pass, and how long a page took."""

from contextlib import suppress

import pytest
from prometheus_client import generate_latest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ui.server import metrics
from ui.server.guard import STREAM, Guard, is_run_end, message_kind
from ui.streamlit_internals.messages import BackMsg, ForwardMsg

RERUN = BackMsg(rerun_script={"query_string": "a=1"}).SerializeToString()


def said(status):
    return ForwardMsg(hash="h", script_finished=status).SerializeToString()


async def stream(websocket):
    """A minimal Streamlit: it answers every message, then reports an early and a normal end."""
    await websocket.accept()
    with suppress(WebSocketDisconnect):
        while True:
            data = await websocket.receive_bytes()
            await websocket.send_text(message_kind(data) or "unreadable")
            await websocket.send_bytes(said(ForwardMsg.FINISHED_EARLY_FOR_RERUN))
            await websocket.send_bytes(said(ForwardMsg.FINISHED_SUCCESSFULLY))


def inside(_):
    return PlainTextResponse("inside")


@pytest.fixture
def visitor():
    methods = ["GET", "POST", "PUT", "DELETE"]
    paths = ("/", "/healthz", "/live/runs")
    routes = [*(Route(path, inside, methods=methods) for path in paths)]
    routes.append(WebSocketRoute(STREAM, stream))
    return TestClient(Guard(Starlette(routes=routes)))


def value(name, **labels):
    return metrics.REGISTRY.get_sample_value(name, labels) or 0


def test_a_rerun_passes_and_its_time_is_counted(visitor):
    before = value("lmlive_rerun_seconds_count")
    with visitor.websocket_connect(STREAM) as open_stream:
        open_stream.send_bytes(RERUN)
        assert open_stream.receive_text() == "rerun_script"
        open_stream.receive_bytes()
        open_stream.receive_bytes()
        assert value("lmlive_sessions") == 1
    assert value("lmlive_rerun_seconds_count") == before + 1
    assert value("lmlive_sessions") == 0


@pytest.mark.parametrize(
    "kind",
    [
        {"clear_cache": True},
        {"set_run_on_save": True},
        {"debug_shutdown_runtime": True},
        {"debug_disconnect_websocket": True},
        {"backend_operation_request": {}},
    ],
)
def test_what_a_browser_does_not_need_goes_no_further(visitor, kind):
    before = value("lmlive_turned_away_total", why="message")
    with visitor.websocket_connect(STREAM) as open_stream:
        open_stream.send_bytes(BackMsg(**kind).SerializeToString())
        open_stream.send_bytes(RERUN)
        assert open_stream.receive_text() == "rerun_script"
    assert value("lmlive_turned_away_total", why="message") == before + 1


def test_what_is_no_message_is_left_to_streamlit(visitor):
    with visitor.websocket_connect(STREAM) as open_stream:
        open_stream.send_bytes(b"\xff\xff\xff")
        assert open_stream.receive_text() == "unreadable"


def test_when_it_is_full_a_page_says_so_and_machines_are_answered(visitor, monkeypatch):
    monkeypatch.setenv("LMCORE_SESSIONS", "1")
    page = {"accept": "text/html"}
    assert visitor.get("/", headers=page).text == "inside"
    with visitor.websocket_connect(STREAM):
        answer = visitor.get("/", headers=page)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "20")
        assert "tries again by itself" in answer.text
        assert visitor.get("/healthz").text == "inside"
        with pytest.raises(WebSocketDisconnect), visitor.websocket_connect(STREAM):
            pass
    assert visitor.get("/", headers=page).text == "inside"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_a_page_of_another_site_changes_nothing(visitor, method):
    foreign = {"origin": "https://evil.example"}
    assert visitor.request(method, "/", headers=foreign).status_code == 403
    assert visitor.request(method, "/", headers={"origin": "null"}).status_code == 403
    assert visitor.request(method, "/", headers={"origin": "http://testserver"}).text == "inside"
    assert visitor.request(method, "/").text == "inside"
    assert visitor.get("/", headers=foreign).text == "inside"


def test_listeners_are_counted_and_not_without_end(visitor, monkeypatch):
    guard = visitor.app
    assert visitor.get("/live/runs").text == "inside"
    guard.listeners = 3
    monkeypatch.setenv("LMCORE_SESSIONS", "1")
    assert visitor.get("/live/runs").status_code == 503
    guard.listeners = 2
    assert visitor.get("/live/runs").text == "inside"
    assert guard.listeners == 2


def test_only_the_end_of_a_script_is_one():
    assert is_run_end(said(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY))
    assert not is_run_end(said(ForwardMsg.FINISHED_EARLY_FOR_RERUN))
    assert not is_run_end(ForwardMsg(hash="h", page_info_changed={}).SerializeToString())


def test_prometheus_reads_all_counts():
    text = generate_latest(metrics.REGISTRY).decode()
    for name in (
        "sessions",
        "rerun_seconds_bucket",
        "errors",
        "refused_events",
        "computations",
        "kept",
        "runs",
    ):
        assert f"lmlive_{name}" in text
    assert "process_resident_memory_bytes" in text


@pytest.mark.parametrize("path", ["/neuron/x/y", "/nowhere", "/neuron/nowhere"])
def test_an_address_without_a_page_says_so_and_leads_home(visitor, path):
    answer = visitor.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "There is no page at this address" in answer.text
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("path", ["/", "/neuron", "/neuron/", "/_stcore/health", "/static/x.js"])
def test_a_page_and_a_service_pass(visitor, path):
    answer = visitor.get(path, headers={"Accept": "text/html"})
    assert "no page at this address" not in answer.text
