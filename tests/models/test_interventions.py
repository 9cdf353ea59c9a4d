"""Each intervention changes what it must, and nothing before it."""

import dataclasses

import pytest
import torch
from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT
from lmcore.models.interventions import Average, ForceWeights, Mute, Patch, ReplaceResidual
from lmcore.models.transformer_config import TransformerConfig
from tests.models.test_blocks import shaken, tokens

CONFIG = TransformerConfig(31, width=12, heads=3, layers=4, hidden=17, longest=23)
LAYER, HEAD, ROW = 2, 1, 1
EARLY = ("query", "key", "value", "scores")


def tensors(trace):
    """Every tensor of a trace and of its parts."""
    for field in dataclasses.fields(trace):
        value = getattr(trace, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Tensor):
                yield part
            elif dataclasses.is_dataclass(part):
                yield from tensors(part)


def same(one, other):
    return all(map(torch.equal, tensors(one), tensors(other)))


@pytest.fixture(params=[GPT, BERT])
def model(request):
    return shaken(request.param(CONFIG))


def given(row):
    generator = torch.Generator().manual_seed(5)
    weights = torch.rand(7, 7, generator=generator, dtype=torch.float64).softmax(-1)
    context = torch.randn(7, 4, generator=generator, dtype=torch.float64)
    return [
        Mute(LAYER, HEAD, row),
        Average(LAYER, HEAD, row),
        Patch(LAYER, HEAD, context, row),
        ForceWeights(LAYER, HEAD, weights, row),
    ]


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("row", [None, ROW])
def test_an_edit_of_a_head_changes_it_and_what_comes_after_and_nothing_else(model, kind, row):
    edit = given(row)[kind]
    before, after = model(tokens(3)), model(tokens(3), edits=[edit])
    for n in range(LAYER):
        assert same(before.blocks[n], after.blocks[n])
    old, new = before.blocks[LAYER].attention, after.blocks[LAYER].attention
    for name in EARLY:
        assert torch.equal(getattr(old, name), getattr(new, name))
    if not isinstance(edit, ForceWeights):
        assert torch.equal(old.weights, new.weights)
    others = [h for h in range(3) if h != HEAD]
    assert torch.equal(old.context[:, others], new.context[:, others])
    rows = range(3) if row is None else [row]
    for n in range(3):
        changed = n in rows
        assert torch.equal(old.context[n, HEAD], new.context[n, HEAD]) != changed
        assert torch.equal(before.logits[n], after.logits[n]) != changed


def test_what_an_edited_head_says(model):
    mute, average, patch, force = given(None)
    old = model(tokens(3)).blocks[LAYER].attention

    def head(edit):
        seen = model(tokens(3), edits=[edit]).blocks[LAYER].attention
        return seen.context[:, HEAD], seen

    said, seen = head(mute)
    assert (said == 0).all()
    assert torch.equal(seen.concatenated[..., 4:8], said)
    said, _ = head(average)
    expected = old.context[:, HEAD].mean(dim=1, keepdim=True).expand(-1, 7, -1)
    torch.testing.assert_close(said, expected)
    said, _ = head(patch)
    assert torch.equal(said, patch.context.expand(3, -1, -1))
    said, seen = head(force)
    assert torch.equal(seen.weights[:, HEAD], force.weights.expand(3, -1, -1))
    torch.testing.assert_close(said, force.weights @ old.value[:, HEAD])


def test_a_heads_own_weights_or_context_put_back_change_nothing(model):
    before = model(tokens(1))
    own = before.blocks[LAYER].attention
    for edit in (
        ForceWeights(LAYER, HEAD, own.weights[0, HEAD]),
        Patch(LAYER, HEAD, own.context[0, HEAD]),
        ReplaceResidual(LAYER, before.blocks[LAYER].residual[0]),
    ):
        torch.testing.assert_close(model(tokens(1), edits=[edit]).logits, before.logits)


def test_muting_is_the_output_matrix_without_the_heads_columns(model):
    muted = model(tokens(3), edits=[Mute(LAYER, HEAD)]).logits
    with torch.no_grad():
        model.blocks[LAYER].attention.output.weight[:, 4:8] = 0
    torch.testing.assert_close(model(tokens(3)).logits, muted)


@pytest.mark.parametrize("layer", [0, LAYER, CONFIG.layers])
def test_a_replaced_residual_is_what_the_layer_is_given(model, layer):
    stream = torch.randn(7, 12, dtype=torch.float64)
    before = model(tokens(3))
    after = model(tokens(3), edits=[ReplaceResidual(layer, stream, place=4, row=ROW)])
    for n in range(layer):
        assert same(before.blocks[n], after.blocks[n])
    if layer < CONFIG.layers:
        old, new = before.blocks[layer].residual, after.blocks[layer].residual
        assert torch.equal(new[ROW, 4], stream[4])
        changed = (old != new).any(dim=-1)
        assert changed.nonzero().tolist() == [[ROW, 4]]
    assert torch.equal(before.logits[0], after.logits[0])
    assert not torch.equal(before.logits[ROW], after.logits[ROW])
    whole = model(tokens(3), edits=[ReplaceResidual(layer, stream)])
    torch.testing.assert_close(whole.logits[0], whole.logits[2])


def test_edits_are_done_in_their_order(model):
    context = torch.randn(7, 4, dtype=torch.float64)
    edits = [Mute(LAYER, HEAD), Patch(LAYER, HEAD, context)]
    said = model(tokens(1), edits=edits).blocks[LAYER].attention.context[0, HEAD]
    assert torch.equal(said, context)


def test_cross_attention_is_edited_by_name():
    model = shaken(Transformer(CONFIG))
    source, target = tokens(1, 5, seed=2), tokens(1)
    before = model(source, target)
    after = model(source, target, edits=[Mute(LAYER, HEAD, where="cross")])
    assert all(map(same, before.encoder, after.encoder))
    assert all(map(same, before.decoder[:LAYER], after.decoder[:LAYER]))
    old, new = before.decoder[LAYER], after.decoder[LAYER]
    assert same(old.attention, new.attention)
    assert (new.cross.context[:, HEAD] == 0).all()
    assert not torch.equal(before.logits, after.logits)
    source_muted = model(source, target, source_edits=[Mute(LAYER, HEAD)])
    assert (source_muted.encoder[LAYER].attention.context[:, HEAD] == 0).all()


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (Mute(4, 0), "the edited layer must be from 0 to 3; got 4"),
        (Mute(0, 3), "the edited head must be from 0 to 2; got 3"),
        (Mute(0, 0, where="cross"), "the edited attention must be self; got 'cross'"),
        (Mute(0, 0, row=3), "the edited row must be from 0 to 2; got 3"),
        (ReplaceResidual(5, torch.zeros(7, 12)), "the edited layer must be from 0 to 4; got 5"),
        (
            ReplaceResidual(0, torch.zeros(7, 12), place=7),
            "the edited place must be from 0 to 6; got 7",
        ),
        (
            ReplaceResidual(0, torch.zeros(6, 12)),
            r"a replaced residual must have shape \(7, 12\); got \(6, 12\)",
        ),
        (
            Patch(0, 0, torch.zeros(7, 5)),
            r"a patched context must have shape \(7, 4\); got \(7, 5\)",
        ),
        (
            ForceWeights(0, 0, torch.zeros(7, 6)),
            r"forced weights must have shape \(7, 7\); got \(7, 6\)",
        ),
    ],
)
def test_an_edit_that_cannot_be_is_refused(model, edit, says):
    with pytest.raises(ValueError, match=says):
        model(tokens(3), edits=[edit])
