"""The numbers shown for a head are those that the model computes under that mask."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.masking import autoregressive_or_autoencoding, mask_pairs, under_mask
from lmcore.masking.mask_choice import MaskChoice
from lmcore.masking.mask_pairs import HeadIndex, PaddedBatch
from lmcore.models import masks
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.shipped.models import load_shipped
from lmcore.vocabulary import Vocabulary

GPT = under_mask.untrained_gpt()
TRAINED = load_shipped("gpt")[0]
WORDS = under_mask.encode_text("one two three two four")


@given(st.integers(0, 2**31), st.integers(0, 1), st.integers(0, 3))
@settings(max_examples=20, deadline=None)
def test_a_look_is_what_torch_computes_for_that_head_and_mask(seed, layer, head):
    mask = torch.rand(3, 6, 6, generator=torch.Generator().manual_seed(seed)) < 0.4
    mask[0, 2] = False
    ids = torch.tensor([WORDS.ids])
    seen = under_mask.trace_masked_head(GPT, ids, mask, layer=layer, head=head)
    with torch.no_grad():
        for row in range(3):
            trace = GPT(ids, mask=mask[row])
            at = trace.blocks[layer].attention
            q, k, v = (part[0, head] for part in (at.query, at.key, at.value))
            torch.testing.assert_close(seen.scaled[row], q @ k.T / math.sqrt(q.shape[-1]))
            z = F.scaled_dot_product_attention(q, k, v, mask[row])
            torch.testing.assert_close(seen.context[row], z)
            torch.testing.assert_close(seen.logits[row], trace.logits[0])
            torch.testing.assert_close(seen.output[row], trace.normed[0])
    assert torch.equal(seen.masked == -math.inf, ~mask)
    assert (seen.weights[~mask] == 0).all()
    assert (seen.context[0, 2] == 0).all() and seen.weights.isfinite().all()


@torch.no_grad()
@pytest.mark.parametrize("network", [GPT, TRAINED.network], ids=["untrained", "trained"])
def test_the_weights_shown_are_the_weights_of_the_models_own_forward(network):
    ids, mask = torch.tensor([[3, 1, 4, 1, 5, 9]]), masks.causal(6)[None]
    trace = network(ids, mask=mask)
    for layer, block in enumerate(trace.blocks):
        for head in range(network.config.heads):
            shown = under_mask.trace_masked_head(network, ids, mask, layer=layer, head=head)
            for part in ("scaled", "masked", "weights", "context"):
                own = getattr(block.attention, part)[:, head]
                torch.testing.assert_close(getattr(shown, part), own, atol=1e-6, rtol=1e-6)


def test_two_masks_of_a_text_are_two_runs_of_the_model():
    pair = mask_pairs.text_pair(
        GPT, WORDS, MaskChoice("bidirectional"), MaskChoice("prefix", known=2), HeadIndex(1, 3)
    )
    ids = torch.tensor([WORDS.ids])
    for shown, mask in ((pair.other, masks.bidirectional(6)), (pair.chosen, masks.prefix(6, 2))):
        alone = under_mask.trace_masked_head(GPT, ids, mask[None], layer=1, head=3)
        torch.testing.assert_close(shown.now.weights, alone.weights)
    assert pair.chosen.values == tuple(range(7)) and pair.chosen.at == 2
    found = mask_pairs.exchange(pair)
    assert found.given.shape == (7, 6) and not found.kept.any()
    hidden = pair.other.now.weights[0, 0, 2:].sum()
    assert float(found.given[2, 0]) == pytest.approx(float(hidden))
    assert not found.given[6].any()  # a prefix of the whole text hides nothing
    assert list(found.to_frame()["given"]) == found.given.flatten().tolist()
    moved = mask_pairs.differences(pair)
    one, other = pair.chosen.now.output[0], pair.other.now.output[0]
    assert float(moved[3]) == pytest.approx(
        float((one[3] - other[3]).norm() / other[3].norm()), rel=1e-6
    )


def test_the_steps_of_a_row_end_in_its_weights():
    pair = mask_pairs.text_pair(GPT, WORDS, MaskChoice("bidirectional"), MaskChoice(), HeadIndex())
    steps = mask_pairs.softmax_steps(pair.chosen, 3)
    assert steps.masked[4:].tolist() == [-math.inf] * 2 and steps.powers[4:].tolist() == [0, 0]
    torch.testing.assert_close(steps.powers / steps.powers.sum(), steps.weights)


def test_padding_is_hidden_and_a_text_comes_out_as_if_it_were_alone():
    texts = under_mask.encode_batch("a b c d | e f | a")
    tokens, ids = under_mask.pad_batch(texts, 1)
    assert tokens[1] == ("<s>", "e", "f", "[PAD]", "[PAD]")
    assert ids[2].tolist() == [*texts[2].ids, 1, 1, 1]
    for causal in (False, True):
        batch = PaddedBatch(texts, 1, causal)
        pair = mask_pairs.padding_pair(GPT, batch, 1, HeadIndex(1, 2))
        expected = masks.causal(5) if causal else masks.bidirectional(5)
        assert pair.other.now.mask[0].equal(expected)
        assert pair.chosen.now.mask[0].equal(expected & (torch.arange(5) < 3))
        effect = mask_pairs.padding_effect(GPT, batch, 1, pair)
        assert effect.masked < 1e-12
        # A causal mask already hides a [PAD] that follows the text.
        assert (effect.without > 1e-3) is not causal


def test_a_decoder_looks_at_its_own_past_and_at_all_of_its_source():
    network = under_mask.untrained_transformer()
    source, target = under_mask.number_words(
        [under_mask.encode_text("der hund", start=False), under_mask.encode_text("the dog barks")]
    )
    pair = mask_pairs.cross_attention_pair(network, source, target, HeadIndex(1, 0))
    assert pair.other.now.mask[0].equal(masks.causal(4))
    assert pair.chosen.now.mask[0].equal(masks.bidirectional(4, 2))
    with torch.no_grad():
        trace = network(torch.tensor([source.ids]), torch.tensor([target.ids]))
    torch.testing.assert_close(pair.chosen.now.weights[0], trace.decoder[1].cross.weights[0, 0])
    with pytest.raises(ValueError, match="the masks must have the same keys"):
        mask_pairs.exchange(pair)


def test_the_weight_of_a_row_is_divided_between_what_is_watched_and_the_rest():
    painted = MaskChoice("painted", painted="111111.000000.111000.111100.111110.111111")
    pair = mask_pairs.text_pair(GPT, WORDS, MaskChoice(), painted, HeadIndex())
    trace = pair.chosen.now
    found = mask_pairs.row_shares(trace, mask_pairs.later_keys(6))
    assert found.sees[0].tolist() == [6, 0, 3, 4, 5, 6]
    assert (found.sees + found.hidden == 6).all()
    assert float(found.watched[0, 0]) == pytest.approx(float(trace.weights[0, 0, 1:].sum()))
    assert not found.watched[0, 1:].any()
    rows = found.to_frame()
    assert list(rows["watched"]) == found.watched.flatten().tolist()
    assert list(rows["sees"]) == found.sees.flatten().tolist()
    total = (found.watched + found.others)[0].tolist()
    assert total == pytest.approx([1, 0, 1, 1, 1, 1])


def test_a_word_has_one_id_in_all_texts():
    one, two = under_mask.encode_batch("dog cat | cat dog dog")
    assert one.ids[1:] == two.ids[2:0:-1] and two.ids[2] == two.ids[3]


def test_a_text_is_read_as_far_as_there_is_room_and_it_is_said():
    words = under_mask.encode_text("w " * 40)
    assert len(words.tokens) == 12 and words.cut
    words = under_mask.encode_text("the dog " * 20, TRAINED.vocabulary)
    assert len(words.tokens) == 12 and words.cut
    assert not under_mask.encode_text("<s> the dog", TRAINED.vocabulary).cut


def test_any_word_is_shown_as_it_is_typed_but_for_its_length():
    tokens = under_mask.encode_text("<b>x</b> שלום 🙂 " + "y" * 99).tokens
    assert tokens[1:4] == ("<b>x</b>", "שלום", "🙂")
    assert tokens[4] == "y" * 19 + "…"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: under_mask.encode_text("  "), r"the text must have 1 word or more.*got none"),
        (
            lambda: under_mask.encode_text("", TRAINED.vocabulary),
            r"the text must have 1 word or more",
        ),
        (
            lambda: under_mask.encode_text("the hrse", TRAINED.vocabulary),
            r"got 'hrse'; similar words: horse",
        ),
        (lambda: under_mask.encode_batch("a"), r"a batch must hold 2 or 3 texts .*; got 1"),
        (lambda: under_mask.encode_batch("a|b|c|d"), r"a batch must hold 2 or 3 texts .*; got 4"),
        (
            lambda: under_mask.encode_batch("the dog | the hrse", TRAINED.vocabulary),
            r"text 2 of the batch: word 2 must be one of",
        ),
        (
            lambda: under_mask.trace_masked_head(
                GPT, torch.tensor([[1]]), masks.causal(1)[None], layer=2
            ),
            r"the layer must be from 0 to 1; got 2",
        ),
        (
            lambda: under_mask.trace_masked_head(
                GPT, torch.tensor([[1]]), masks.causal(1)[None], head=4
            ),
            r"the head must be from 0 to 3; got 4",
        ),
        (
            lambda: mask_pairs.padding_pair(GPT, PaddedBatch((WORDS, WORDS), 1), 2, HeadIndex()),
            r"the text must be from 1 to 2; got 3",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_what_follows_has_its_chance_under_both_masks():
    found = under_mask.compare_next_tokens(
        torch.tensor([0.0, 2.0, 1.0]), torch.tensor([3.0, 0.0, 0.0]), 2
    )
    assert found.ids == (1, 2)
    e = math.e
    assert found.one.tolist() == pytest.approx([e**2 / (1 + e + e**2), e / (1 + e + e**2)])
    assert found.other.tolist() == pytest.approx([1 / (2 + e**3)] * 2)


def test_one_reader_sees_the_left_and_one_both_sides():
    ids = under_mask.encode_text("the dog gets fed", TRAINED.vocabulary).ids
    left = autoregressive_or_autoencoding.left_to_right_probabilities(TRAINED, ids)
    with torch.no_grad():
        rows = TRAINED.network(torch.tensor([ids])).logits[0].double().softmax(-1)
    assert left.tolist() == pytest.approx([float(rows[t, x]) for t, x in enumerate(ids[1:])])

    vocabulary = Vocabulary(("<s>", "a", "b", "[MASK]"))
    network = BERT(TransformerConfig(4, width=8, heads=2, hidden=16, longest=8)).double()
    both = autoregressive_or_autoencoding.masked_probabilities(network, vocabulary, (0, 1, 2, 2))
    for place, token in ((1, 1), (2, 2), (3, 2)):
        row = torch.tensor([[0, 1, 2, 2]])
        row[0, place] = 3
        with torch.no_grad():
            chance = network(row).logits[0, place].softmax(-1)[token]
        assert float(both[place - 1]) == pytest.approx(float(chance))


def test_a_reader_of_both_sides_needs_a_mask_and_a_head():
    config = TransformerConfig(2, width=8, heads=2, hidden=16, longest=8)
    with pytest.raises(ValueError, match=r"the model must have a \[MASK\]"):
        autoregressive_or_autoencoding.masked_probabilities(
            BERT(config), Vocabulary(("a", "b")), (0, 1)
        )
    with pytest.raises(ValueError, match="must have a head that fills in masked tokens"):
        autoregressive_or_autoencoding.masked_probabilities(
            BERT(config, head=False), Vocabulary(("a", "[MASK]")), (0, 0)
        )
