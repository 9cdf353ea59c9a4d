"""Views on paper: which parts and questions a view has, and what is refused."""

import base64
import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lmcore.neuron.neuron import Neuron, trace_neuron
from lmcore.numbers import format_number
from lmcore.training.pool.copied import CopiedRuns, copy_runs
from lmcore.training.pool.pool import Pool
from lmcore.training.spec import RunSpec
from tests.pages.test_screen import unpacked
from ui import compute, contents
from ui.lectures import handouts, lectures, routes
from ui.lectures.handouts import read_view
from ui.lectures.opening import plain_path

SERVER = TestClient(Starlette(routes=list(routes.ROUTES)))
SATURATED = Neuron((0.3, 0.2, 0.9), (4.0, 4.0, 4.0), 2.0, "sigmoid")


def asked(path):
    return SERVER.post("/live/printed.json", content=json.dumps({"path": path})).json()


def test_a_picture_has_its_numbers_and_the_questions_of_its_page():
    view = read_view("/neuron?w=4%2C+4%2C+4&b=2")
    (picture,) = view["parts"]
    data = unpacked(base64.b64decode(picture["data"]))
    now = dict(zip(data["names"], data["now"], strict=True))
    trace = trace_neuron(SATURATED)
    assert now["y"] == trace.output.item()
    assert (view["see"], view["still"]) == ("", "")
    first = view["questions"][0]
    assert first["answer"] == format_number(trace.pre_activation.item())
    assert {"z", "y"} <= set(first["hides"]) <= set(data["names"])


def test_a_view_of_steps_has_the_picture_and_the_table_and_asks_nothing():
    view = read_view("/neuron?see=Step+by+step")
    assert [part["name"] for part in view["parts"] if part["shown"]] == ["neuron", "steps"]
    assert (view["see"], view["still"]) == ("Step by step", "")
    assert view["questions"] == []


def test_what_a_picture_needs_comes_before_it_and_is_not_shown():
    view = read_view("/heads")
    assert [(part["name"], part["shown"]) for part in view["parts"]] == [
        ("weights", False),
        ("heads", True),
    ]


def test_any_other_view_has_its_small_picture():
    slide = lectures()["stonybrook"].slide(70)
    assert slide.view() == "Heads · BertViz model view"
    view = read_view(plain_path(slide.address()))
    assert view["still"] == slide.still()
    assert view["parts"] == []


@pytest.mark.parametrize("page", [page for page in contents.PAGES if page.built])
def test_every_page_can_be_printed_and_asks_something(page):
    view = read_view(f"/{page.slug}")
    assert any(part["shown"] for part in view["parts"])
    assert view["questions"]
    for question in view["questions"]:
        assert question["answer"]
        assert not set("`*\\") & set(question["ask"])


def test_the_views_of_decks_are_computed_once(monkeypatch):
    handouts._of_decks.clear()
    one = asked("/neuron?deck=cmu&slide=4")
    monkeypatch.setattr(handouts.compute, "call_in_process", None)
    assert asked("/neuron?deck=cmu&slide=5&present=1") == one


def test_what_is_remembered_has_a_limit_in_bytes(monkeypatch):
    made = read_view("/neuron")
    size = sum(len(part["data"]) for part in made["parts"])
    monkeypatch.setattr(handouts, "_of_decks", handouts._bounded(4 * size))
    monkeypatch.setattr(handouts, "_of_visitors", handouts._bounded(3 * size))
    monkeypatch.setattr(handouts.compute, "call_in_process", lambda *_: made)
    deck = "/neuron?deck=cmu&slide=4"
    handouts.printed_view(deck)
    for bias in range(50):
        handouts.printed_view(f"/neuron?b={bias}")
    assert 0 < handouts._of_visitors.currsize <= 3 * size
    assert handouts.remembered_view("/neuron?b=49") and not handouts.remembered_view("/neuron?b=0")
    assert handouts.remembered_view(deck) == made, "the slides stay"
    monkeypatch.setattr(handouts, "LARGEST_KEPT", size - 1)
    handouts.printed_view("/neuron?b=51")
    assert handouts.remembered_view("/neuron?b=51") is None


def test_a_run_is_printed_from_a_copy_and_the_folder_of_runs_stays_closed(tmp_path, monkeypatch):
    monkeypatch.setenv("LMCORE_RUNS_FOLDER", str(tmp_path))
    pool = Pool(workers=1)
    try:
        monkeypatch.setattr(handouts.runs, "_pool", lambda: pool)
        name = pool.start(RunSpec(steps=4, every=2))
        compute.close()  # processes started from now on have the folder in their environment
        view = handouts.printed_view(f"/training?runs={name}")
        assert handouts.remembered_view(f"/training?runs={name}") is None  # it may go on
        assert name in base64.b64decode(view["parts"][-1]["data"]).decode("utf-8", "replace")
        with pytest.raises(ValueError, match="only be read"):
            CopiedRuns(copy_runs(pool, [name])).stop(name)
    finally:
        pool.close()
        compute.close()


@pytest.mark.walk("lectures", alone=True)
def test_own_text_with_quotes_and_lines_of_50_kb_is_data_in_it():
    own = ('say "it\'s" </script> \\ \n' * 4000)[:50_000]
    view = asked(contents.path_of("tokens", {"tokens_source": "own", "tokens_own": own}))
    assert "error" not in view and view["parts"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps({"path": "/nowhere"}), "must be of a page that has views; got '/nowhere'"),
        (json.dumps({"path": "/lectures"}), "must be of a page that has views; got '/lectures'"),
        (
            json.dumps({"path": "/neuron?w=abc"}),
            "weights w must be a number such as 0.4; got 'abc'",
        ),
        (json.dumps({"path": "/neuron?see=Nope"}), "see in the address must be one of Picture,"),
        (json.dumps({"path": 3}), "path: must be text; got '3'"),
        ("{}", "path: must be given"),
        ("no JSON", "Invalid JSON"),
        ('{"path": "a" "b"}', "Invalid JSON"),
    ],
)
def test_what_cannot_be_printed_is_said(content, said):
    assert said in SERVER.post("/live/printed.json", content=content).json()["error"]


@pytest.mark.walk("lectures", alone=True)
def test_a_view_whose_computation_is_refused_is_not_remembered(monkeypatch):
    handouts._of_visitors.clear()
    monkeypatch.setenv("LMCORE_COMPUTATION_SECONDS", "0.001")
    compute.close()  # processes started from now on read the setting
    assert "the time limit of this server" in asked("/networks?nn_seed=71")["error"]
    monkeypatch.undo()
    compute.close()
    assert asked("/networks?nn_seed=71")["parts"]
