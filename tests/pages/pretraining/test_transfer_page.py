"""The Transfer page: recorded curves, heads by hand, inputs as sequences, runs made here."""

import math
import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file
from test_screen import by_key, choose, drawn, fine, held, opened, said

import ui
from lessons.transfer import (
    frozen_view,
    inputs_view,
    transfer_picture,
    transfer_state,
    transfer_text,
    weight_view,
)
from lessons.transfer.use_state import USES
from lessons.transfer.uses import roles_picture
from lmcore.transfer import curves, heads, tuning
from lmcore.transfer.networks import NETWORKS, part_names, part_sizes, pretrained_network
from lmcore.transfer.tasks import TASKS
from tests.sampled import sampled
from tests.ui.streamlit_internals.pressing import send

LESSON = ui.lesson("transfer")
PRESETS = {preset.label: preset for preset in LESSON.presets}


def words(app):
    """The text of the page, without the marks of bold text."""
    return said(app).replace("**", "")


def page(**address):
    return fine(opened("transfer", **address))


def on(label):
    return fine(choose(opened("transfer"), "preset-shown", label))


def numbers(app):
    data = drawn(app, "transfer-transfer")
    return dict(zip(data["names"], data["now"], strict=True))


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("task", TASKS)
def test_the_numbers_are_those_recorded_for_this_many_labels_and_frozen_parts(network, task):
    for frozen in (0, len(part_names(network))):
        labels = transfer_picture.labels_at(network, task, frozen)[-1]
        app = page(tr_network=network, tr_task=task, tr_labels=str(labels), tr_frozen=str(frozen))
        score = curves.recorded_score(curves.frozen_spec(network, task, labels, frozen))
        scratch = curves.recorded_score(curves.spec_of(network, task, "scratch", labels))
        now = numbers(app)
        assert (now["mean"], now["low"], now["high"]) == score[:3]
        assert (now["least"], now["most"]) == score[4:]
        assert now["scratch"] == scratch.mean
        data = drawn(app, "transfer-transfer")
        check_sentence(data["sentences"][int(now["@say"])], score, scratch)
        assert f"at most {tuning.STEPS:,} steps of 16" in data["budget"]
        assert "seeds" in data["formula"][frozen][2]


def check_sentence(sentence, score, scratch):
    """Fail if the two scores do not bear out what the sentence claims."""
    better, worse = score.low > scratch.high, score.high < scratch.low
    assert ("from scratch is better" in sentence) == worse
    assert ("no clear difference" in sentence) == (not better and not worse)
    assert ("the same network" in sentence) == better


SCORES = st.tuples(st.floats(0, 1), st.floats(0, 0.3), st.floats(0, 0.3)).map(
    lambda each: curves.Score(
        each[0], max(each[0] - each[1], 0), min(each[0] + each[2], 1), 5, 60, 90
    )
)


@given(
    st.dictionaries(st.sampled_from(curves.LABELS), SCORES, min_size=1),
    SCORES,
    st.integers(0, 4),
    st.data(),
)
def test_no_sentence_is_refuted_by_its_numbers(scratch, score, frozen, data):
    labels = data.draw(st.sampled_from(sorted(scratch)))
    caught = transfer_picture.caught_up(scratch, labels, score)
    reaching = [n for n, its in scratch.items() if n != labels and its.mean >= score.mean]
    assert caught == min(reaching, default=0)
    chosen = transfer_picture._sentence(score, scratch, labels, frozen, 4)
    sentence = transfer_text.transfer_sentences(4)[chosen]
    check_sentence(sentence, score, scratch[labels])
    better = score.low > scratch[labels].high
    assert ("{caught}" in sentence) == (better and caught > labels)
    assert ("never as many" in sentence) == (better and not caught and max(scratch) > labels)
    assert ("all weights" in sentence) == (frozen == 0)
    assert ("only the head" in sentence) == (frozen == 4)


@given(SCORES, SCORES)
def test_the_order_is_told_as_its_scores_are(after, before):
    told = inputs_view.compare_orders(after, before)
    assert ("question first**" in told) == (before.low > after.high)
    assert ("text first**" in told) == (after.low > before.high)
    assert ("no clear difference" in told) == (
        before.low <= after.high and after.low <= before.high
    )


@given(SCORES, SCORES)
def test_the_best_depth_and_the_best_weight_are_those_of_the_scores(one, other):
    depths = {0: one, 2: other, 4: other}
    told = frozen_view.describe_depths("T", 100, depths, 4)
    best = max(depths, key=lambda depth: depths[depth].mean)
    assert f"**{best} of 4 parts frozen**" in told
    clear = all(its.high < depths[best].low for depth, its in depths.items() if depth != best)
    assert ("No other depth" in told) == clear
    told = weight_view.compare_weights(100, {0.0: one, 0.5: other})
    assert ("helps" in told) == (other.low > one.high)
    assert ("λ = 0 is the best" in told) == (one.mean >= other.mean)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.3, 0.7), st.floats(0.5, 1))
def test_the_reason_for_what_labels_are_worth_is_that_of_the_numbers(scratch, mean, chance, best):
    names = ("scratch", "mean", "chance", "best")
    live = ui.LiveNumbers("t", names, np.array([scratch, mean, chance, best]))
    reason = transfer_text.reason_for_scratch(live)
    assert ("all that there is to learn" in reason) == (scratch >= 0.99 * best)
    assert "hardly" not in reason or scratch <= chance + 0.1


def test_what_examples_and_beats_say_of_the_curves_is_so():
    """Checks the texts of lesson.toml about a single recorded setting."""

    def pair(network, task, labels, way="fine-tuning"):
        specs = (curves.spec_of(network, task, each, labels) for each in (way, "scratch"))
        return tuple(curves.recorded_score(spec) for spec in specs)

    opens = PRESETS["Does the verb agree?"]
    assert "100 labels the pre-trained network knows the grammar" in opens.help
    assert "from scratch it guesses" in opens.help
    assert "From scratch it **guesses**" in LESSON.beats[1].say
    score, scratch = pair("encoder", "acceptable", 100)
    chance = curves.test_set(curves.spec_of("encoder", "acceptable", "scratch", 100)).chance
    assert score.mean > 0.9
    assert scratch.low < chance < scratch.high
    score, scratch = pair("encoder", "person", 1000)
    assert "No gain" in PRESETS
    assert score.low <= scratch.high


def test_the_address_allows_as_many_frozen_parts_as_the_deepest_network_has():
    assert max(len(part_names(network)) for network in NETWORKS) == transfer_state.MOST_FROZEN


def test_the_curves_of_the_picture_are_the_recorded_ones():
    data = drawn(page(tr_network="bilm", tr_task="entailment"), "transfer-transfer")
    for depth, curve in enumerate(data["depths"]):
        recorded = curves.frozen_curve("bilm", "entailment", depth)
        for place, labels in enumerate(curves.LABELS):
            score = recorded.get(labels)
            drawn_here = [curve[name][place] for name in ("mean", "low", "high")]
            np.testing.assert_array_equal(drawn_here, score[:3] if score else [math.nan] * 3)
    assert (data["best"], data["best_low"], data["best_high"]) == (1, 1, 1)


def test_a_gpt_that_reads_the_text_first_has_the_ceiling_of_this_order():
    data = drawn(page(tr_network="gpt", tr_task="answer"), "transfer-transfer")
    assert data["best"] == 0.5
    assert data["best_low"] < 0.5 < data["best_high"]
    assert data["best_name"] == "best possible in this order"
    assert data["formula"][0][2].endswith("at most **{best}**")
    assert drawn(page(tr_task="answer"), "transfer-transfer")["best"] == 1


@pytest.mark.parametrize("network", NETWORKS)
def test_what_learns_and_what_is_kept_are_counted(network):
    parts = len(part_names(network))
    total = sum(part_sizes(network))
    for frozen in range(parts + 1):
        data = drawn(page(tr_network=network, tr_frozen=str(frozen)), "transfer-transfer")
        formula = " ".join(data["formula"][frozen])
        kept = sum(part_sizes(network)[:frozen])
        head = transfer_picture.head_weights(network, "acceptable")
        assert f"learn **[score|{total - kept + head:,}]**" in formula
        assert f"keep [mask|{kept:,}]" in formula


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("task", TASKS)
def test_a_head_answers_as_its_weights_by_hand(network, task):
    app = page(tr_network=network, tr_task=task, see="Four heads")
    example = transfer_picture.shown_example(task)
    trace = heads.trace_head(heads.recorded_head(network, task), network, example)
    kept = load_file(heads.FILE)
    W, b = (kept[f"{network}.{task}.head.{name}"] for name in ("weight", "bias"))
    scores = trace.vectors.numpy().astype(float) @ W.T.astype(float) + b
    axis = 0 if TASKS[task].reads == "span" else 1
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    shares = powers / powers.sum(axis, keepdims=True)
    np.testing.assert_allclose(trace.probabilities, shares, atol=1e-5)
    shown = drawn(app, "head-steps-steps")
    now = dict(zip(shown["names"], shown["now"], strict=True))
    if axis:
        place = next((i for i, row in enumerate(shares) if len(shares) == 1 or row.argmax()), 0)
    else:
        place = int(shares[:, 0].argmax())
    for label in range(len(W)):
        assert now[f"s{label}"] == pytest.approx(scores[place, label], abs=1e-5)
        assert now[f"p{label}"] == pytest.approx(shares[place, label], abs=1e-6)
    assert now["loss"] == pytest.approx(-math.log(now["right"]))


def test_a_typed_text_is_read_and_has_no_right_answer():
    typed = "the dogs near the house is happy ."
    example = transfer_picture.shown_example("acceptable")._replace(first=tuple(typed.split()))
    trace = heads.trace_head(heads.recorded_head("encoder", "acceptable"), "encoder", example)
    app = page(hd_text=typed, see="Four heads")
    assert f"its head answers {trace.answer}." in words(app)
    assert "right is" not in words(app)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"see": "Four heads", "hd_text": "the xylophone"}, "xylophone"),
        ({"see": "Four heads", "hd_text": "the " * 31}, "at most 30 words; got 31"),
        ({"see": "Inputs", "in_second": ""}, "the second text must have a word; it is empty"),
    ],
)
def test_what_cannot_be_is_refused_and_the_example_stays(settings, error):
    app = opened("transfer", **settings)
    assert not app.exception
    assert any(error in each.value.replace("\\", "") for each in app.error)
    assert "Still showing" in said(app)


@pytest.mark.parametrize(
    "address",
    [{"tr_labels": "17"}, {"tr_labels": "100.5"}, {"tr_frozen": "4", "tr_network": "gpt"}],
)
def test_a_setting_that_was_not_recorded_is_refused(address):
    app = opened("transfer", **address)
    assert not app.exception
    assert [each.value for each in (*app.error, *app.warning)]
    assert numbers(app)["labels"] == 100


@pytest.mark.parametrize("network", NETWORKS)
def test_a_refused_number_of_frozen_parts_is_not_among_those_that_are_named(network):
    parts, most = len(part_names(network)), transfer_state.MOST_FROZEN
    for frozen in (-1, *range(parts + 1, most + 2)):
        app = opened("transfer", tr_network=network, tr_frozen=str(frozen))
        told = " ".join(each.value.replace("\\", "") for each in (*app.error, *app.warning))
        low, high, got = re.search(r"from (\d+) to (\d+).*; got '?(-?\d+)", told).groups()
        assert int(got) == frozen
        assert not int(low) <= frozen <= int(high), told
        assert (int(low), int(high)) == (0, parts if parts < frozen <= most else most)


def test_a_network_with_fewer_parts_lowers_the_number_of_frozen_ones():
    app = page(tr_frozen="4")
    app = fine(choose(app, "tr_network-shown", "gpt"))
    assert held(app, "tr_frozen", "0") == "3"


def test_inputs_are_serialised_as_the_papers_do():
    texts = inputs_view.Texts(("a", "b"), ("c",), ("d",))

    def spelled(sequences):
        return [" ".join(token for token, _ in sequence) for sequence in sequences]

    gpt = {
        "single": ["Start a b Extract"],
        "entailment": ["Start a b Delim c Extract"],
        "similarity": ["Start a b Delim c Extract", "Start c Delim a b Extract"],
        "choice": ["Start a b Delim c Extract", "Start a b Delim d Extract"],
        "question": ["Start a b Delim c Extract"],
    }
    bert = {
        "single": ["[CLS] a b [SEP]"],
        "entailment": ["[CLS] a b [SEP] c [SEP]"],
        "similarity": ["[CLS] a b [SEP] c [SEP]"],
        "choice": ["[CLS] a b [SEP] c [SEP]", "[CLS] a b [SEP] d [SEP]"],
        "question": ["[CLS] c [SEP] a b [SEP]"],
    }
    for kind in transfer_state.INPUT_KINDS:
        assert spelled(inputs_view.gpt_sequences(kind, texts)) == gpt[kind]
        assert spelled(inputs_view.bert_sequences(kind, texts)) == bert[kind]


def test_the_order_of_the_texts_is_told_with_its_recorded_scores():
    shown = words(page(see="Inputs"))
    last, first = (
        curves.recorded_score(curves.order_spec("gpt", "answer", question_first=first))
        for first in (False, True)
    )
    told = inputs_view.compare_orders(last, first).replace("**", "")
    assert f"our mini-GPT {told}" in shown
    assert "with the text first no more than 0.50 is to be expected" in shown


def test_another_way_of_reading_clears_both_typed_texts():
    typed = page(
        see="Four heads",
        tr_task="entailment",
        hd_text="the dog was tired .",
        hd_second="the dog was weak .",
    )
    for task in ("acceptable", "answer"):
        app = fine(send(typed, {"task": task}))
        state = app.session_state
        assert [state[each] for each in ("tr_task", "hd_text", "hd_second")] == [task, "", ""]


def test_each_use_keeps_cuts_adds_and_trains_what_it_says():
    table = {name: roles_picture.roles_of(name, 3) for name in USES}
    assert table == {
        "Zero-shot": ["", "kept", "kept", "kept", "kept"],
        "Embeddings": ["", "left out", "left out", "kept", "kept"],
        "Features": ["added", "left out", "kept", "kept", "kept"],
        "Few layers": ["added", "left out", "learns", "kept", "kept"],
        "Fine-tuning": ["added", "left out", "learns", "learns", "learns"],
        "LM fine-tuning": ["", "learns", "learns", "learns", "learns"],
    }
    assert roles_picture.weights_of("gpt", "person")[2:] == list(reversed(part_sizes("gpt")))


def test_frozen_parts_do_not_change_a_bit_and_the_others_do():
    app = page(tr_network="gpt", tr_frozen="2", see="Frozen parts")
    data = drawn(app, "table-changes")
    rows = np.array(data["numbers"]).reshape(-1, 2)
    assert data["labels"] == ["E", "block 1", "block 2", "new head"]
    assert rows[:2, 1].tolist() == [0, 0]
    assert (rows[2:, 1] > 0).all()
    assert rows[:3, 0].tolist() == list(part_sizes("gpt"))


def test_the_losses_are_added_with_their_weight():
    data = drawn(page(see="λ", lm_weight="0.5"), "weight-steps")
    now = dict(zip(data["names"], data["now"], strict=True))
    assert now["product"] == pytest.approx(0.5 * now["language"])
    assert now["total"] == pytest.approx(now["task"] + now["product"])
    assert now["task"] == pytest.approx(math.log(2), abs=0.05)


def test_the_model_of_the_first_gpt_is_told_with_its_tied_matrix():
    network, _ = pretrained_network("gpt")
    shown = words(on("λ"))
    rows, columns = network.embedding.token.weight.shape
    assert f"a second matrix of {rows} × {columns} would be {rows * columns:,} more" in shown
    assert torch.equal(network.unembed(torch.eye(columns)), network.embedding.token.weight.T)


def test_a_run_made_here_ends_as_the_recorded_one():
    app = page(tr_network="bilm", tn_way="features", see="Tune it here")
    app = fine(by_key(app.button, "tune-start").click().run(timeout=60))
    spec = curves.spec_of("bilm", "acceptable", "features", 100)
    score, (right, steps) = curves.recorded_score(spec), curves.recorded_run(spec)
    shown = words(app)
    run = app.session_state["tune-run"]
    made = len(run.losses)
    assert f"of 600 held-out texts are right after {made} steps, measured here" in shown
    assert f"Recorded over 5 seeds: {score.mean:.3f}" in shown
    assert f"after {score.least} to {score.most} steps" in shown
    assert made == pytest.approx(steps, rel=0.1)
    assert run.tests[made] == pytest.approx(right, abs=0.02)


@pytest.mark.parametrize("label", sampled(PRESETS, [*PRESETS][::4], "transfer"))
def test_a_preset_sets_its_view_and_its_settings(label):
    app = on(label)
    for name, value in PRESETS[label].settings.items():
        assert held(app, name, str(LESSON.defaults.get(name, ""))) == value


@pytest.mark.parametrize("key", ["scratch", "learn", "start"])
def test_the_answers_are_those_of_the_page(key):
    app = page(ask=key)
    now = numbers(app)
    answers = {"scratch": now["scratch"], "learn": 258, "start": math.log(3)}
    guess = next(each for each in app.number_input if each.label == "Your prediction")
    app = fine(guess.set_value(float(answers[key])).run())
    assert "is right" in said(app)


def test_a_question_hides_what_it_asks_for():
    data = drawn(page(ask="learn"), "transfer-transfer")
    assert "learn **[score|?]**" in " ".join(data["formula"][0])
    assert "scratch" in drawn(page(ask="scratch"), "transfer-transfer")["hidden"]


def test_the_snippet_prints_what_is_on_screen():
    app = page(tr_network="bilm", tr_labels="100", tr_frozen="3", see="Code")
    snippet = app.code[0].value
    assert "frozen_spec('bilm', 'acceptable', 100, 3)" in snippet
    pretrained_network("bilm")
    exec(compile(snippet, "snippet", "exec"), {})
