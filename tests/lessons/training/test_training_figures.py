"""The texts, the numbers and the figure of training runs."""

import math
from dataclasses import replace

import pytest

from lessons.training import training_figures, training_picture, training_questions, training_text
from lessons.training.training_plan import nearest_recording, read_plan
from lessons.training.training_state import LESSON, described_specs
from lmcore.evaluation.probes import FedProbabilities
from lmcore.shipped.recordings import find_recording
from lmcore.training.events import Evaluated, History
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

PRESETS = {preset.label: preset for preset in LESSON.presets}


def plan_of(label):
    return read_plan(described_specs(PRESETS[label].settings), "")


@pytest.mark.parametrize("label", PRESETS)
def test_every_example_has_a_recorded_run_of_exactly_its_spec(label):
    plan = plan_of(label)
    assert [each.spec for each in plan.recordings] == list(plan.specs)
    assert not plan.differs
    for each in plan.recordings:
        assert each.types == plan.types
        assert each.truth == plan.truth
        assert each.evaluations[0][:2] == (0, pytest.approx(math.log(plan.types), rel=0.01))
        assert each.samples[0][0] == 0 and each.samples[-1][0] == each.step
        assert bool(each.why) == (each.step < each.spec.steps)
    date, device = training_picture.note(plan)
    assert date.startswith("recorded on ") and "seed" in device


def filled(plan, hidden=()):
    numbers = training_picture.numbers(plan)
    template = training_text.sentences(plan, ())[int(numbers["@say"])]
    return template, numbers


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("LSTM on the microworld", "recorded"),
        ("Race: four models", "race"),
        ("Too large a learning rate", "diverged"),
        ("Overfitting", "overfits"),
    ],
)
def test_what_is_recorded_has_the_sentence_that_fits(label, kind):
    plan = plan_of(label)
    template, numbers = filled(plan)
    assert plan.kind == kind
    assert "==[loss|{final}]==" in template
    assert set(numbers) == set(training_picture.NUMBERS)
    assert numbers["perplexity"] == pytest.approx(
        math.exp(min(numbers["final"], 700)), rel=1e-6
    ) or (math.isinf(numbers["perplexity"]))


def test_the_winner_of_the_race_is_named_in_the_sentence():
    plan = plan_of("Race: four models")
    template, numbers = filled(plan)
    losses = [each.final_loss for each in plan.recordings]
    best = losses.index(min(losses))
    assert f"**{plan.labels[best]}** won" in template
    assert numbers["final"] == min(losses)
    assert numbers["second"] == sorted(losses)[1]
    assert [numbers[f"loss{i}"] for i in range(4)] == losses


def test_a_run_that_overfits_rises_after_its_best_step_and_says_how_often_it_read():
    plan = plan_of("Overfitting")
    numbers = training_picture.numbers(plan)
    assert numbers["best"] < numbers["final"]
    assert numbers["best_step"] < plan.specs[0].steps
    assert numbers["passes"] == plan.specs[0].steps * plan.specs[0].batch / 2000


def test_settings_without_a_recording_show_the_nearest_one_and_say_what_differs():
    (spec,) = described_specs(LESSON.defaults)
    changed = read_plan((replace(spec, learning_rate=0.02),), "")
    assert changed.kind == "differs"
    assert changed.differs == "η 0.008"
    assert changed.recordings == (find_recording(spec),)
    assert "η 0.008" in filled(changed)[0]
    assert nearest_recording(replace(spec, batch=8, seed=9, learning_rate=1.0)) is None
    far = read_plan((replace(spec, batch=8, seed=9, learning_rate=1.0),), "")
    assert far.kind == "none" and not far.recordings
    assert training_picture.note(far) == ["no run of these settings is recorded"]


def test_a_blocked_plan_says_why_in_the_sentence():
    (spec,) = described_specs(LESSON.defaults)
    plan = read_plan((replace(spec, batch=8, seed=9, steps=7, every=7),), "Paste a {text}.")
    template, _ = filled(plan)
    assert template == r"Paste a \{text}."


def test_every_sentence_of_the_script_has_its_place():
    plan = plan_of("Race: four models")
    runs = [{"name": f"r{i}", "label": label} for i, label in enumerate(plan.labels)]
    sentences, places = training_text.sentences(plan, runs), training_picture.places(plan, runs)
    assert places["won"] + len(runs) == len(sentences)
    assert all("leads" in each for each in sentences[places["leads"] :][: len(runs)])
    assert all("has won" in each for each in sentences[places["won"] :])
    for name in training_picture.SENTENCES:
        assert sentences[places[name]]


@pytest.mark.parametrize("label", PRESETS)
def test_the_questions_are_answered_from_what_is_on_the_stage(label):
    plan = plan_of(label)
    asked = {each.key: each for each in training_questions.questions(plan)}
    assert 2 <= len(asked) <= 4
    assert asked["untrained"].answer == pytest.approx(math.log(plan.types))
    assert asked["lowest"].answer in asked["lowest"].options
    for each in asked.values():
        assert each.hint and each.because
        assert not each.options or each.answer in each.options
    if label.startswith("Race"):
        losses = {
            name: each.final_loss for name, each in zip(plan.labels, plan.recordings, strict=True)
        }
        assert asked["winner"].answer == min(losses, key=losses.get)


def test_the_figure_of_norms_has_the_whole_and_the_parts():
    (spec,) = described_specs(LESSON.defaults)
    recording = find_recording(spec)
    norms = training_figures.recorded_norms("LSTM", recording)
    assert list(norms.parts) == list(recording.layers)
    assert norms.part_steps[-1] == spec.steps
    figure = training_figures.norm_curves([norms], "light")
    assert len(figure.data) == 1 + len(recording.layers)
    assert "LSTM, recorded: " in training_figures.describe_norms([norms])
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


def test_the_parts_of_a_gradient_make_up_its_norm():
    (spec,) = described_specs(LESSON.defaults)
    recording = find_recording(spec)
    _, _, *parts = recording.evaluations[1]
    step = recording.evaluations[1][0]
    (whole,) = [norm for at, norm in recording.norms if at == step]
    assert math.hypot(*parts) == pytest.approx(whole, rel=1e-3)


def test_the_norms_of_a_run_of_this_server_are_drawn_too():
    history = History(
        losses=[2.0, 1.0], norms=[0.5, 0.25], evaluations=[Evaluated(2, 1.0, (("output", 0.2),))]
    )
    norms = training_figures.run_norms("RNN", history, 0.1)
    assert norms.whole == ((1, 0.5), (2, 0.25))
    assert norms.parts == {"output": [0.2]}


def test_the_dog_stands_beside_the_cat():
    ((label, *numbers),) = training_text.fed_rows([("LSTM", FedProbabilities(0.2, 0.7, 0.0, 0.4))])
    assert (label, numbers) == ("LSTM", [0.2, 0.7])
    assert len(training_text.FED) == 3


SMALL = RunSpec(model=ModelSpec("rnn", 3, 5), batch=2, steps=2, every=1)


def test_the_snippet_makes_every_run_of_a_race(capsys):
    specs = [SMALL, replace(SMALL, model=ModelSpec("gru", 3, 5))]
    found = {}
    exec(training_text.snippet(specs), found)
    assert found["specs"] == specs
    printed = capsys.readouterr().out
    assert "rnn\n" in printed and "gru\n" in printed
    assert printed.count("Finished(step=2)") == 2


def test_the_snippet_of_an_own_text_reads_it_from_a_file(tmp_path, monkeypatch, capsys):
    typed = " ".join(str(n % 7) for n in range(200))
    (tmp_path / "my-text.txt").write_text(typed, "utf-8")
    monkeypatch.chdir(tmp_path)
    spec = replace(SMALL, corpus=CorpusSpec("own", "word", text=typed), length=5)
    written = training_text.snippet([spec])
    assert typed[:20] not in written
    found = {}
    exec(written, found)
    assert found["specs"] == [spec]
    assert "Finished(step=2)" in capsys.readouterr().out
