"""The Training page turns its controls into runs, and shows their results."""

import math
import time
from dataclasses import replace

import pytest
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from lessons.training import own_text_view, training_state
from lmcore.training.loop import Training
from lmcore.training.spec import RunSpec
from tests.patience import PLENTY
from ui import models, runs

LESSON = ui.lesson("training")
PRESETS = {preset.label: preset for preset in LESSON.presets}
TINY = {"run_steps": "6", "hidden": "8", "embedding": "8", "batch": "4"}
SHORTEST = " ".join(str(n % 7) for n in range(200))
"""The shortest text that can be trained on."""


def specs(app):
    """The specs of the runs that the controls describe."""
    return app.session_state["training-good"]


def own_text_given(text):
    """The page with that text pasted."""
    app = choose(opened("training"), "corpus-shown", "own")
    return fine(by_key(app.text_area, "own-pasted").set_value(text).run())


def started(**address):
    """A page whose runs were started, and the views of these runs once they are over."""
    app = opened("training", **TINY, **address)
    app.button(key="start").click().run()
    names = app.session_state["runs"].split(",")
    deadline = time.monotonic() + PLENTY
    while any(runs.pool().view(name).state in ("queued", "running") for name in names):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return fine(app.run()), [runs.pool().view(name) for name in names]


def test_the_page_opens_on_an_lstm_on_the_microworld():
    app = fine(opened("training"))
    assert specs(app) == (RunSpec(steps=1500),)
    data = drawn(app, "training-training")
    assert [each["label"] for each in data["recorded"]] == ["LSTM"]
    assert data["runs"] == [] and data["blocked"] == ""
    assert "A recorded run went from ln |V| = 5.642 to 0.7710" in said(app)
    assert "recorded on " in data["note"][0]


def test_what_start_would_do_without_a_recording_is_said_honestly():
    app = fine(opened("training", run_steps="7", hidden="8", seed="3"))
    data = drawn(app, "training-training")
    assert data["recorded"] == [] and data["note"] == ["no run of these settings is recorded"]
    assert "No run of these settings is recorded. Press Start" in said(app)
    app = fine(opened("training", rate="0.02"))
    assert "No run of these settings is recorded. A run with η 0.008 reached 0.7710" in said(app)


def test_start_in_the_picture_is_the_button_beside_it():
    app = opened("training", **TINY)
    app.session_state["start-pressed"] = True
    fine(app.run())
    assert runs.pool().view(app.session_state["runs"]).spec.steps == 6


def test_another_example_has_the_stage_to_itself_and_the_run_is_there_on_return():
    app = opened("training")
    app.session_state["start-pressed"] = True
    app.run()
    (name,) = app.session_state["runs"].split(",")
    shown = lambda: [run["name"] for run in drawn(app, "training-training")["runs"]]  # noqa: E731
    assert shown() == [name]
    choose(app, "preset-shown", "Race: four models")
    assert shown() == []
    put(app, {"keep": "true"})
    assert shown() == [name]
    put(app, {"keep": "false"})
    choose(app, "preset-shown", "LSTM on the microworld")
    assert shown() == [name]
    put(app, {"rate": "0.5"})
    assert shown() == [name], "a changed setting leaves the run where it is"
    runs.pool().stop(name)


def test_a_race_has_models_of_one_size():
    app = choose(opened("training"), "preset-shown", "Race: four models")
    sizes = [spec.model.config(282).parameters for spec in specs(app)]
    assert [spec.model.kind for spec in specs(app)] == ["feedforward", "rnn", "gru", "lstm"]
    assert max(sizes) / min(sizes) < 1.05
    assert len({spec.learning_rate for spec in specs(app)}) == 1


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"rate": ""}, "Learning rate η must be a number such as 0.4; got nothing"),
        ({"rate": "nan"}, "Learning rate η must be a finite number"),
        ({"rate": "\u200b"}, "Learning rate η must be a number such as 0.4; got characters that"),
        ({"rate": "1e9"}, "the learning rate η must be from 0.000001 to 1,000; got 1,000,000,000"),
        ({"run_steps": "0"}, "the number of steps must be from 1 to 100,000; got 0"),
        ({"run_steps": "1.5"}, "Steps must be a whole number such as 100; got '1.5'"),
        ({"clip": "x"}, "Clip gradient at must be a number such as 0.4; got 'x'"),
        ({"hidden": "5000"}, "the hidden size must be from 2 to 1,024; got 5,000"),
        ({"models": ""}, "the models must be 1 to 4 different ones"),
        ({"models": "lstm, lstm"}, "the models must be 1 to 4 different ones"),
        ({"models": "elman"}, "got elman"),
        ({"optimizer": "magic"}, "optimiser must be one of adam, momentum, sgd; got 'magic'"),
        ({"corpus": "bible"}, "corpus must be one of microworld, quoted, prose, own"),
        ({"unit": "byte"}, "Read by must be one of word, character; got 'byte'"),
        ({"decay": "perhaps"}, "η falls to 0 must be true or false; got 'perhaps'"),
        ({"matched": "1"}, "Same number of weights for all must be true or false; got '1'"),
        ({"batch": "256", "hidden": "256"}, "one step must take at most 0.2 s on this CPU"),
        (
            {"corpus": "prose", "batch": "256", "length": "512"},
            "at least 131,073 tokens to be read 256 places at once, 512 tokens at a time",
        ),
    ],
    ids=str,
)
def test_a_setting_that_is_none_is_refused_and_the_last_good_stays(settings, reason):
    app = fine(put(opened("training", run_steps="7"), settings))
    assert [reason in error.value.replace("\\", "") for error in app.error] == [True], app.error
    assert specs(app) == (RunSpec(steps=7, every=7),)
    assert app.button(key="start").disabled
    assert "e+" not in app.error[0].value
    fine(choose(app, "preset-shown", "LSTM on the microworld"))
    assert not app.button(key="start").disabled


def test_a_value_that_is_wrong_when_start_is_pressed_starts_nothing():
    app = opened("training", **TINY)
    by_key(app.text_input, "rate-shown").set_value("-1")
    app.button(key="start").click().run()
    assert app.session_state["runs"] == ""
    assert [error.value.replace("\\", "")[:21] for error in app.error] == ["the learning rate η m"]


def test_start_trains_what_was_typed_in_the_same_moment():
    app = opened("training", **TINY)
    by_key(app.text_input, "rate-shown").set_value("0.25")
    fine(app.button(key="start").click().run())
    assert runs.pool().view(app.session_state["runs"]).spec.learning_rate == 0.25
    assert app.query_params["runs"] in (app.session_state["runs"], [app.session_state["runs"]])


@pytest.mark.parametrize("source", training_state.TEXTS)
def test_a_text_brings_settings_with_which_it_can_be_learnt(source):
    app = opened("training", documents="2000", dropout="0.1", seed="5")
    if source == "microworld":
        choose(app, "corpus-shown", "quoted")
    app = fine(choose(app, "corpus-shown", source))
    if source == "own":
        by_key(app.text_area, "own-pasted").set_value(SHORTEST).run()
    assert not app.error and not app.info[1:], [each.value for each in app.error]
    fits = training_state.fitting_settings(source)
    followed = ("batch", "length") if source == "own" else ()
    assert {n: app.session_state[n] for n in fits if n not in followed} == {
        n: value for n, value in fits.items() if n not in followed
    }
    (spec,) = specs(app)
    assert (spec.corpus.source, spec.dropout, spec.seed) == (source, 0.1, 5)
    Training(spec)
    for unit in ("word", "character"):
        Training(
            replace(
                spec, corpus=replace(spec.corpus, unit=training_state.ONLY_UNIT.get(source, unit))
            )
        )


def test_a_link_and_a_preset_bring_their_own_settings():
    (spec,) = specs(fine(opened("training", corpus="prose", batch="4", length="16")))
    assert (spec.batch, spec.length, spec.steps) == (4, 16, 1500)
    app = choose(opened("training", corpus="prose"), "preset-shown", "Letter by letter")
    assert specs(app)[0].steps == 14_800


def test_own_text_is_counted_and_trained_on():
    app = own_text_given("The cat sat. " * 60)
    assert not app.error
    assert "780 characters" in said(app)
    (spec,) = specs(app)
    assert spec.corpus.source == "own"
    assert spec.corpus.text.startswith("The cat sat.")
    assert not app.button(key="start").disabled


def test_own_text_by_letter_gives_more_to_read_at_once():
    app = opened("training")
    choose(app, "corpus-shown", "own")
    by_key(app.text_area, "own-pasted").set_value("The cat sat. " * 60).run()
    (words,) = specs(app)
    (letters,) = specs(choose(app, "unit-shown", "character"))
    assert letters.corpus.unit == "character"
    assert letters.batch * letters.length > words.batch * words.length
    Training(letters)


def test_there_is_nothing_to_start_before_own_text_is_given_and_nothing_is_wrong():
    app = fine(choose(opened("training"), "corpus-shown", "own"))
    assert not app.error
    assert own_text_view.ASK in said(app)
    assert drawn(app, "training-training")["blocked"] == own_text_view.ASK
    assert app.button(key="start").disabled
    by_key(app.text_area, "own-pasted").set_value("Too short.").run()
    (error,) = app.error
    assert "at least 200 words; got 3" in error.value.replace("\\", "")


def test_own_text_that_a_reload_has_lost_is_asked_for_in_one_sentence():
    app = fine(opened("training", corpus="own"))
    assert not app.error
    assert own_text_view.AGAIN in said(app)
    assert app.button(key="start").disabled
    by_key(app.text_area, "own-pasted").set_value(SHORTEST).run()
    assert not app.error
    assert not app.button(key="start").disabled


def test_own_text_is_there_on_return_from_another_page_and_from_another_text():
    app = own_text_given(SHORTEST)
    before = specs(app)
    app.switch_page("pages/neuron.py").run()
    app.switch_page("pages/training.py").run()
    assert by_key(app.text_area, "own-pasted").value == SHORTEST
    assert specs(fine(app)) == before
    choose(app, "corpus-shown", "microworld")
    choose(app, "corpus-shown", "own")
    assert specs(fine(app)) == before
    assert not app.error
    assert all(SHORTEST[:20] not in str(value) for value in app.query_params.values())


def test_a_file_is_a_text_too_and_is_kept_as_well():
    app = choose(opened("training"), "corpus-shown", "own")
    upload = app.get("file_uploader")[0]
    assert upload.proto.max_upload_size_mb == 1
    upload.set_value(("mine.txt", SHORTEST.encode(), "text/plain")).run()
    assert specs(fine(app))[0].corpus.text == SHORTEST
    app.switch_page("pages/neuron.py").run()
    app.switch_page("pages/training.py").run()
    assert not app.error
    assert specs(fine(app))[0].corpus.text == SHORTEST
    assert "It begins" in said(app)


@pytest.mark.parametrize(("name", "typed"), [("see", "Nothing"), ("keep", "yes")])
def test_a_view_in_the_address_that_is_none_is_named(name, typed):
    app = fine(opened("training", **{name: typed}))
    assert [f"{name} in the address must be" in each.value for each in app.error] == [True]
    assert not app.button(key="start").disabled


def test_a_run_that_is_over_is_tested_against_the_grammar():
    app, (view,) = started(see="Against the truth")
    assert view.state == "finished"
    table = drawn(app, "table-truth")
    _, perplexity, truth, ratio, divergence, unseen = table["numbers"][:6]
    assert ratio == pytest.approx(perplexity / truth)
    assert ratio > 1 and divergence > 0 and unseen > 1
    assert math.exp(math.log(perplexity)) < view.began.types * 1.5
    constructions = drawn(app, "table-constructions")
    assert ((constructions["numbers"] >= 0) & (constructions["numbers"] <= 1)).all()
    assert "chance is 0.5" in said(app)
    fed = drawn(app, "table-fed")
    assert fed["labels"] == ["LSTM", "The grammar"]
    dog, cat, grammars_dog, grammars_cat = fed["numbers"]
    assert 0 < dog < 1 and 0 < cat < 1
    assert grammars_dog == 0
    assert grammars_cat == pytest.approx(0.7)


def test_a_saved_run_and_its_curve_are_offered():
    app, _ = started(see="Save and load")
    offered = [each.label for each in app.get("download_button")]
    assert "Save LSTM, step 6" in offered
    assert "Save the curve of LSTM" in offered


def test_the_texts_and_the_gradients_of_a_run_can_be_looked_at():
    app, (view,) = started(see="Texts")
    for step, _ in runs.pool().history(view.name).samples:
        assert f"**{step}**" in said(app)
    app = fine(put(app, {"see": "Gradients"}))
    assert "‖∇ embedding‖" in said(app)
    table = drawn(app, "table-norms-lstm")
    assert "‖∇ embedding‖" in table["labels"]
    assert (table["numbers"] > 0).all()
    app = fine(opened("training", see="Texts"))
    assert "LSTM, recorded" in said(app) and "**1,500**" in said(app)


def test_starting_again_stops_the_run_before_and_keeps_it_only_if_told():
    app, (first,) = started()
    app.button(key="start").click().run()
    assert first.name not in app.session_state["runs"]
    put(app, {"keep": "true"})
    before = app.session_state["runs"]
    app.button(key="start").click().run()
    assert app.session_state["runs"].startswith(f"{before},")


def test_start_stops_no_run_that_came_with_a_link():
    teachers = runs.pool().start(RunSpec(steps=100_000, seed=77))
    app = opened("training", **TINY, runs=teachers)
    fine(app.button(key="start").click().run())
    assert runs.pool().view(teachers).state in ("queued", "running")
    assert teachers not in app.session_state["runs"]
    runs.pool().stop(teachers)


def test_an_interrupted_run_that_was_never_saved_is_shown_and_not_asked(monkeypatch):
    app, (view,) = started(see="Against the truth")
    lost = replace(view, state="interrupted", step=1)
    monkeypatch.setattr(type(runs.pool()), "view", lambda pool, name: lost)
    monkeypatch.setattr(type(runs.pool()), "checkpoint", lambda pool, name: None)
    app = fine(app.run())
    assert "is tested here against the grammar" in said(app)
    assert models.session_models() == {}


def test_a_run_is_tested_and_named_by_the_step_at_which_it_was_saved(monkeypatch):
    app, (view,) = started(see="Against the truth")
    later = replace(view, state="interrupted", step=248)
    monkeypatch.setattr(type(runs.pool()), "view", lambda pool, name: later)
    app = fine(app.run())
    assert drawn(app, "table-truth")["numbers"][0] == 6
    app = fine(put(app, {"see": "Save and load"}))
    assert any("Save LSTM, step 6" in each.label for each in app.get("download_button"))


def test_a_file_is_a_run_again_that_other_pages_can_ask():
    app, (view,) = started(see="Save and load")
    saved = runs.pool().checkpoint(view.name)
    app.get("file_uploader")[0].set_value(("mine.safetensors", saved, "")).run()
    names = app.session_state["runs"].split(",")
    assert names[0] == view.name
    assert len(names) == 2
    assert runs.pool().view(names[1]).state == "finished"
    assert runs.pool().checkpoint(names[1]) == saved
    app.get("file_uploader")[0].set_value(("bad.safetensors", saved[:-9], "")).run()
    assert any(
        "must be a whole .safetensors file" in each.value.replace("\\", "") for each in app.error
    )
    assert len(app.session_state["runs"].split(",")) == 2


def test_a_run_that_is_not_there_is_said_to_be_gone():
    app = fine(opened("training", runs="nobody"))
    assert "no longer on the server" in said(app)


def test_the_question_hides_what_it_asks_for():
    app = fine(opened("training", ask="untrained"))
    assert "uniform" in drawn(app, "training-training")["hidden"]
    app.button(key="reveal-untrained").click().run()
    assert "It is **5.642**" in said(fine(app))
    assert "uniform" not in drawn(app, "training-training")["hidden"]


def test_the_code_makes_the_run_that_is_described():
    app = fine(opened("training", see="Code", seed="3"))
    assert "seed=3" in said(app)
    assert "def training_step(" in said(app)
