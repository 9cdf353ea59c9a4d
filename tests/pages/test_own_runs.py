"""What was trained on one page is asked on the others, by whoever opens the address."""

import pytest
from test_screen import fine, opened, said
from test_training_page import started

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


def test_two_runs_of_one_kind_have_different_names(trained):
    _, (other,) = started(models="rnn", seed="4")
    app = fine(opened("language_model", runs=f"{trained},{other.name}"))
    (choice,) = [each for each in app.get("button_group") if each.key == "lm_models-shown"]
    labels = [str(option) for option in choice.options]
    assert len(set(labels)) == len(labels)
    assert any("step 6, seed 4" in label for label in labels)
