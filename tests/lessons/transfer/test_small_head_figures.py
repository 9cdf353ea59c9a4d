"""The picture of one small head: its numbers, its sentences at every step, and its questions."""

import numpy as np
import pytest

from lessons.transfer import heads_view, small_head_picture, small_head_text, transfer_picture
from lessons.transfer.small_head_picture import HeadState
from lessons.transfer.transfer_questions import small_head_questions
from lessons.transfer.transfer_state import TransferState
from lessons.transfer.use_state import HEAD_SHOWN
from lmcore.numbers import format_number
from lmcore.transfer import curves
from lmcore.transfer.networks import NETWORKS, part_sizes
from lmcore.transfer.tasks import TASKS

EVERY = [(network, task) for network in NETWORKS for task in TASKS]


def state_of(network, task, shown, frozen=0):
    now = TransferState(network, task, 100, frozen)
    return HeadState(now, heads_view.read_example(task), shown)


@pytest.mark.parametrize(("network", "task"), EVERY)
def test_the_numbers_are_the_head_times_the_vectors(network, task):
    state = state_of(network, task, "shares")
    live, drawn = small_head_picture.numbers(state), small_head_picture.picture(state)
    labels = len(drawn["labels"])
    weights = np.asarray(drawn["weights"]).reshape(labels, -1)
    vectors = np.asarray(drawn["vectors"]).reshape(-1, weights.shape[1])
    scores = vectors @ weights.T + state.trace.bias.numpy()
    axis = 0 if state.is_span else 1
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    shares = powers / powers.sum(axis, keepdims=True)
    for place in range(len(vectors)):
        for label in range(labels):
            assert live[f"s {place} {label}"] == pytest.approx(scores[place, label], abs=1e-4)
            assert live[f"p {place} {label}"] == pytest.approx(shares[place, label], abs=1e-5)
    assert live["learn"] == drawn["head"] and live["kept"] == sum(part_sizes(network))
    assert len(vectors) == len(drawn["read"]) or TASKS[task].reads in ("text", "pair")


@pytest.mark.parametrize(("network", "task"), EVERY)
def test_the_freeze_line_has_what_was_recorded_at_each_of_its_places(network, task):
    state = state_of(network, task, "freeze")
    live = small_head_picture.numbers(state)
    sizes = part_sizes(network)
    (table,) = live.table
    for depth, row in enumerate(table):
        score = curves.recorded_score(curves.frozen_spec(network, task, 100, depth))
        now = dict(zip(live.names, row, strict=True))
        assert (now["mean"], now[f"low {depth}"], now[f"high {depth}"]) == score[:3]
        assert now["kept"] == sum(sizes[:depth])
        assert now["learn"] + now["kept"] == live["learn"] + live["kept"]
        said = small_head_text.sentences(state)[int(now["@say"])]
        begins = {0: "**All weights** learn", len(sizes): f"**All {len(sizes)} parts** stay"}
        assert said.startswith(begins.get(depth, "**{frozen} of"))
        formula = " ".join(small_head_text.formulas(state)[int(now["@formula"])])
        assert f"{int(now['learn']):,}" in formula and f"{int(now['kept']):,}" in formula


@pytest.mark.parametrize("shown", [each for each in HEAD_SHOWN if each != "freeze"])
@pytest.mark.parametrize(("network", "task"), EVERY)
def test_the_sentence_names_the_likeliest_and_says_whether_it_is_right(network, task, shown):
    state = state_of(network, task, shown)
    live = small_head_picture.numbers(state)
    (template,) = small_head_text.sentences(state)
    said = live.fill(template)
    trace, best = state.trace, state.best
    if shown == "head":
        assert f"=={transfer_picture.head_weights(network, task)}==" in said
        return
    if TASKS[task].reads in ("text", "pair"):
        table = trace.scores if shown == "scores" else trace.probabilities
        assert f"**{trace.labels[best[0]]}**" in said
        assert f"=={format_number(float(table[0, best[0]]))}==" in said
        if shown != "scores":
            right = transfer_picture.describe_answer(task, state.reading.example)
            ends = "and that is right" if trace.answer == right else f"but right is {right}"
            assert ends in said
    elif state.is_span and shown != "scores":
        first, last = (trace.tokens[trace.places[place]] for place in best)
        assert f"begins at “**{first}**”" in said and f"ends at “**{last}**”" in said
    elif TASKS[task].reads == "tags" and shown == "answer":
        right = transfer_picture.describe_answer(task, state.reading.example).split()
        same = sum(a == b for a, b in zip(trace.answer.split(), right, strict=True))
        assert f"=={same}== right" in said


@pytest.mark.parametrize(("network", "task"), EVERY)
def test_the_answers_to_the_questions_are_computed(network, task):
    state = state_of(network, task, "shares")
    weights, answer, depth = small_head_questions(state)
    labels, width = state.trace.weights.shape
    mixture = labels * (width + 1) != transfer_picture.head_weights(network, task)
    assert mixture == (network == "bilm")
    assert weights.answer == f"{transfer_picture.head_weights(network, task):,}"
    assert weights.answer in weights.options and len(set(weights.options)) == 4
    assert answer.answer in answer.options
    means = [
        curves.recorded_score(curves.frozen_spec(network, task, 100, each)).mean
        for each in range(len(part_sizes(network)) + 1)
    ]
    assert means[int(depth.answer)] == max(means)


def test_a_typed_text_has_no_verdict():
    example = transfer_picture.shown_example("roles")
    reading = heads_view.read_with_heads("roles", example, known=False)
    state = HeadState(TransferState(task="roles"), reading, "answer")
    (said,) = small_head_text.sentences(state)
    assert "right" not in said and set(state.right) == {-1}
