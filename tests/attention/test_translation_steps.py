"""Translation word by word, against a loop that runs the whole forward pass for every word."""

import pytest
import torch

from lmcore.attention.translation_steps import one_place, trace_translation
from lmcore.corpora.translation import held_out_sources, parse_source, translate
from lmcore.models.soft_attention import random_orders
from lmcore.shipped.models import load_translator
from lmcore.training.translation_batches import encode_sources, write_translations

NETWORK, VOCABULARY, _, _ = load_translator("seq2seq_attention")
VECTOR, _, _, _ = load_translator("seq2seq_vector")
SOURCE = parse_source("the cup was hidden by a man and paul was found by kayla", "mixture")
IDS = encode_sources([SOURCE])
PLACES = IDS.shape[1]


def words(steps):
    return tuple(VOCABULARY.decode(steps.written.tolist()))


@torch.no_grad()
def written_by_equations(network, forced):
    """The greedy translation, with the whole forward pass from the start for every word."""
    read = [VOCABULARY.ids["<s>"]]
    for _ in range(30):
        used = {i: alpha for i, alpha in forced.items() if i < len(read)}
        trace = network(IDS, [read], forced=used)
        read.append(int(trace.logits[0, -1].argmax()))
        if read[-1] == VOCABULARY.ids["</s>"]:
            break
    return read[1:]


@pytest.mark.parametrize("network", [NETWORK, VECTOR])
def test_what_is_written_is_the_greedy_translation(network):
    steps = trace_translation(network, VOCABULARY, SOURCE)
    assert steps.written.tolist() == written_by_equations(network, {})
    assert words(steps)[:-1] == write_translations(network, [SOURCE])[0]
    assert (steps.source == IDS[0]).all()


def test_attention_finds_who_did_it_and_one_vector_swaps_two_nouns():
    assert words(trace_translation(NETWORK, VOCABULARY, SOURCE))[:-1] == translate(
        SOURCE, "mixture"
    )
    swapped = words(trace_translation(VECTOR, VOCABULARY, SOURCE))[:5]
    assert swapped == ("a", "cup", "hid", "the", "man")


def test_the_trace_reads_the_words_that_are_written():
    steps = trace_translation(NETWORK, VOCABULARY, SOURCE)
    read = [VOCABULARY.ids["<s>"], *steps.written.tolist()[:-1]]
    with torch.no_grad():
        trace = NETWORK(IDS, [read])
    torch.testing.assert_close(steps.trace.weights, trace.weights)
    torch.testing.assert_close(steps.probabilities, trace.logits[0].double().softmax(-1))
    torch.testing.assert_close(steps.probability, steps.probabilities.max(dim=-1).values)


def test_an_alternative_is_what_is_written_when_its_weights_are_forced():
    free = trace_translation(NETWORK, VOCABULARY, SOURCE)
    for i, j in [(0, 0), (1, 1), (1, 6), (4, 12), (9, 3)]:
        forced = trace_translation(NETWORK, VOCABULARY, SOURCE, forced={i: one_place(j, PLACES)})
        assert forced.written[: i + 1].tolist() == [
            *free.written[:i].tolist(),
            int(free.alternatives[i, j]),
        ]
        torch.testing.assert_close(forced.probability[i], free.alternative_probabilities[i, j])
        torch.testing.assert_close(forced.trace.contexts[0, i], forced.trace.encoder_states[0, j])


def test_what_follows_a_forced_step_is_computed_anew():
    forced = {1: one_place(1, PLACES)}
    steps = trace_translation(NETWORK, VOCABULARY, SOURCE, forced=forced)
    assert words(steps)[:2] == ("a", "cup")
    assert steps.written.tolist() == written_by_equations(NETWORK, forced)


def test_a_step_that_is_not_reached_is_left_out():
    far = trace_translation(NETWORK, VOCABULARY, SOURCE, forced={30: one_place(0, PLACES)})
    assert words(far) == words(trace_translation(NETWORK, VOCABULARY, SOURCE))


def test_permuted_weights_write_what_the_evaluation_writes():
    order = random_orders(torch.ones_like(IDS, dtype=torch.bool), torch.Generator().manual_seed(3))
    steps = trace_translation(NETWORK, VOCABULARY, SOURCE, order=order)
    assert (
        words(steps)[: len(steps.written) - 1]
        == (write_translations(NETWORK, [SOURCE], order=order)[0][: len(steps.written) - 1])
    )
    assert words(steps) != words(trace_translation(NETWORK, VOCABULARY, SOURCE))


def test_a_translation_without_an_end_is_broken_off():
    (source,) = held_out_sources("mixture", 40, 1)
    steps = trace_translation(NETWORK, VOCABULARY, source, longest=5)
    assert len(steps.written) == 5
    assert steps.alternatives.shape == (5, 41)


@pytest.mark.parametrize(
    ("network", "changes", "says"),
    [
        (VECTOR, {"forced": {0: one_place(0, PLACES)}}, "only in a model with attention"),
        (NETWORK, {"forced": {-1: one_place(0, PLACES)}}, "must be 0 or more; got -1"),
        (NETWORK, {"forced": {0: [0.5] * PLACES}}, "with the sum 1; got 7"),
        (NETWORK, {"forced": {0: [1.0]}}, f"must be {PLACES}, one per place"),
    ],
)
def test_what_cannot_be_forced_is_refused(network, changes, says):
    with pytest.raises(ValueError, match=says):
        trace_translation(network, VOCABULARY, SOURCE, **changes)


def test_a_place_must_be_one_of_the_source():
    assert one_place(2, 4).tolist() == [0, 0, 1, 0]
    with pytest.raises(ValueError, match="the place of α must be from 0 to 3; got 4"):
        one_place(4, 4)
