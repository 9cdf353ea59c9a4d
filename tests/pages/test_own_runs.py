"""A model trained on one page can be used on the others, by every visitor who has its address.

Such a visitor only watches: the visitor who started a run controls it.
"""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from test_screen import by_key, drawn, fine, opened, put, said
from test_training_page import started

from lmcore.training.pool.backend import RunUnreachable
from lmcore.training.pool.limits import Limits
from tests.patience import PLENTY
from ui import runs


@pytest.fixture(scope="module")
def trained():
    _, (view,) = started(models="rnn")
    return view.name


def test_a_link_to_a_run_on_another_page_shows_it_to_whoever_opens_it(trained):
    app = fine(opened("rnn", runs=trained, rnn_model=trained))
    assert not app.error
    assert "RNN, trained here, step 6: a small model" in said(app)
    models = f"trigram, {trained}"
    app = fine(opened("language_model", runs=trained, lm_models=models))
    assert not app.error
    (choice,) = [each for each in app.get("button_group") if each.key == "lm_models-shown"]
    assert any("RNN, trained here, step 6" in str(option) for option in choice.options)


def test_the_address_of_a_page_that_asks_a_run_names_it(trained):
    app = fine(opened("language_model", runs=trained))
    assert app.query_params["runs"] == trained
    assert runs.pool().view(trained).state == "finished"


def test_what_a_run_writes_is_written_once(trained):
    app = fine(opened("generation", runs=trained, gen_model=trained))
    assert not app.error
    written = {**app.session_state["gen-made"]}
    kept = fine(app.run()).session_state["gen-made"]
    assert written and {key: id(each) for key, each in kept.items()} == {
        key: id(each) for key, each in written.items()
    }


def test_two_runs_of_one_kind_have_different_names(trained):
    _, (other,) = started(models="rnn", seed="4")
    app = fine(opened("language_model", runs=f"{trained},{other.name}"))
    (choice,) = [each for each in app.get("button_group") if each.key == "lm_models-shown"]
    labels = [str(option) for option in choice.options]
    assert len(set(labels)) == len(labels)
    assert any("step 6, seed 4" in label for label in labels)


# --- who controls a run --------------------------------------------------------------------------


@pytest.fixture
def endless():
    """The page of the visitor who started a long run, and the run's name."""
    app = fine(put(opened("training"), {"hidden": "8", "embedding": "8", "run_steps": "100000"}))
    app = fine(app.button(key="start").click().run())
    name = app.session_state["runs"]
    yield app, name
    for each in (name, *app.session_state["runs"].split(",")):
        if each in runs.pool():
            runs.pool().delete(each)


def wait_until_stopped(name):
    """Wait for the worker: on a busy machine its step may last longer than a call's time limit."""
    deadline = time.monotonic() + PLENTY
    while runs.pool().view(name).state != "stopped":
        assert time.monotonic() < deadline
        time.sleep(0.05)


def posted(app, name, verb):
    """The server's answer to a press of a button in the picture of that page."""
    sent = {"run-key": app.session_state["visitor-key"]}
    return TestClient(Starlette(routes=runs.ROUTES)).post(f"/live/runs/{name}/{verb}", headers=sent)


def test_who_opens_the_address_of_a_run_watches_it(endless):
    owner, name = endless
    watcher = fine(opened("training", runs=name))
    assert drawn(owner, "training-training")["runs"][0]["mine"] is True
    assert drawn(watcher, "training-training")["runs"][0]["mine"] is False
    assert "You are watching this run" in said(watcher)
    assert "You are watching" not in said(owner)
    assert posted(watcher, name, "stop").status_code == 403
    assert posted(owner, name, "pause").status_code == 200
    keys = [button.key for button in watcher.button]
    assert not [key for key in keys if "delete" in key or "link" in key]


def test_who_watches_forks_a_run_of_their_own_which_their_address_names(endless):
    _, name = endless
    watcher = fine(opened("training", runs=name))
    watcher = fine(watcher.button(key="runs-fork").click().run())
    own = watcher.session_state["runs"]
    assert own != name
    assert watcher.query_params["runs"] == own
    assert drawn(watcher, "training-training")["runs"][0]["mine"] is True
    assert posted(watcher, own, "stop").status_code == 200
    assert runs.pool().view(name).state in ("queued", "running")
    runs.pool().delete(own)


def test_a_control_link_is_made_shown_and_withdrawn_by_whoever_started_the_run(endless):
    owner, name = endless
    assert not owner.code or "control=" not in owner.code[0].value
    owner = fine(owner.button(key="runs-link").click().run())
    token = runs.pool().view(name).link
    shown = [code.value for code in owner.code if "control=" in code.value]
    assert len(shown) == 1
    asked = parse_qs(urlsplit(shown[0]).query)
    assert (asked["control"], asked["runs"]) == ([token], [name])
    owner = fine(owner.button(key="runs-withdraw").click().run())
    assert runs.pool().view(name).link == ""
    assert "control=" not in said(owner)


def test_a_run_is_renamed_and_deleted_by_whoever_controls_it(endless):
    owner, name = endless
    field = by_key(owner.text_input, f"runs-title-{name}")
    owner = fine(field.set_value("small steps").run())
    assert drawn(owner, "training-training")["runs"][0]["label"] == "small steps"
    owner = fine(by_key(owner.text_input, f"runs-title-{name}").set_value("[a](b)").run())
    assert any("A name must have at most 30" in error.value for error in owner.error)
    assert runs.pool().view(name).title == "small steps"
    owner = fine(owner.button(key=f"runs-delete-{name}").click().run())
    assert name not in runs.pool()
    assert owner.session_state["runs"] == ""


def test_start_replaces_the_visitors_own_run_after_a_reload_too(endless):
    owner, name = endless
    owner.session_state["runs-begun"] = []  # only the session holds it: lost by a reload
    fine(owner.button(key="start").click().run())
    wait_until_stopped(name)
    assert owner.session_state["runs"] != name


def test_a_visitor_with_too_many_runs_elsewhere_can_stop_them(endless, monkeypatch):
    owner, name = endless
    monkeypatch.setenv("LMCORE_RUNS_PER_SESSION", "1")
    monkeypatch.setattr(runs.pool(), "limits", Limits(each=1))
    owner.session_state["runs"] = ""  # as on a newly opened page
    owner.session_state["runs-begun"] = []
    owner = owner.button(key="start").click().run()
    assert any("at most 1 running or waiting" in error.value for error in owner.error)
    fine(owner.button(key="runs-make-room").click().run())
    wait_until_stopped(name)
    owner = fine(owner.button(key="start").click().run())
    assert owner.session_state["runs"] not in ("", name)


# --- a link to a run that no longer exists -------------------------------------------------------

LOST = {
    "training": ("runs", 1, {"run_steps": "7", "hidden": "8", "embedding": "8"}),
    "masking": ("masking_runs", 2, {"see": "Train without it", "masking_steps": "7"}),
    "bert": ("pretrain_runs", 1, {"see": "Train one", "pretrain_steps": "7"}),
    "seq2seq": ("s2_runs", 2, {"see": "Train it here", "s2t_steps": "7"}),
    "transformer": ("sw_runs", 1, {"see": "Switches", "sw_steps": "7"}),
}


@pytest.mark.parametrize("slug", LOST)
def test_a_run_that_is_gone_is_started_again_with_the_settings_of_its_address(slug):
    setting, count, settings = LOST[slug]
    link = {setting: ",".join(("gone-12chars", "gone-11chars")[:count]), **settings}
    app = fine(opened(slug, **link))
    some = "The run in this link is" if count == 1 else "2 runs in this link are"
    gone = f"{some} no longer on the server."
    assert [each.value for each in app.info] == [gone]
    again = by_key(app.button, f"{setting}-again")
    assert again.label == ("Start it again" if count == 1 else "Start them again")
    app = fine(again.click().run())
    assert not app.info and not app.error
    begun = app.session_state[setting].split(",")
    assert len(begun) == count and not set(begun) & set(link[setting].split(","))
    for name in begun:
        assert runs.pool().view(name).spec.steps == 7
        runs.pool().delete(name)


def test_of_a_run_whose_server_does_not_answer_it_is_not_said_that_it_is_gone(monkeypatch):
    def silent(name):
        raise RunUnreachable("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(runs.pool(), "view", silent)
        app = fine(opened("training", runs="away-12chars"))
        text = "The run in this link cannot be reached now: a server does not answer."
        assert [each.value for each in app.info] == [text]
        assert not [each for each in app.button if each.key == "runs-again"]
    app = fine(by_key(app.button, "runs-look").click().run())
    assert ["no longer on the server" in each.value for each in app.info] == [True]
