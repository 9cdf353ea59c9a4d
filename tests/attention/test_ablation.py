"""Ablation that resumes at a layer equals the network's own forward pass with the same edits."""

from dataclasses import replace

import pytest
import torch
from test_heads import HEADS, LAYERS, NETWORKS, TIME, every_network, text

from lmcore.attention import ablation, heads
from lmcore.attention.ablation import ABLATION_KINDS
from lmcore.attention.heads import Head
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.interventions import Average, Mute, Patch

PLACE = 4


def whole(network, given, edits):
    """The final vector and the log-probabilities at PLACE, by the network's own forward pass."""
    more = {}
    if isinstance(network, BERT) and network.config.segments:
        more["segments"] = given.segments[None]
    with torch.no_grad():
        trace = network(given.ids[None], edits=edits, **more)
    hidden = (trace.normed if isinstance(network, GPT) else trace.hidden)[0, PLACE]
    return hidden, None if trace.logits is None else trace.logits[0, PLACE].log_softmax(-1)


def edits_of(cut, head, other):
    if cut == "mute":
        return Mute(*head)
    return Average(*head) if cut == "average" else Patch(*head, other.context[head])


@every_network
@pytest.mark.parametrize("cut", ABLATION_KINDS)
def test_each_effect_is_that_of_a_whole_forward_with_the_same_edit(name, cut):
    network, given = NETWORKS[name], text()
    seen, other = heads.trace_heads(network, given), heads.trace_heads(network, text(1))
    before, predicted = whole(network, given, [])
    tried = ablation.ablation_effects(network, seen, PLACE, cut, other=other, token=5)
    found = [each for layer in tried for each in layer]
    assert [each.head for each in found] == [
        Head(layer, head) for layer in range(LAYERS) for head in range(HEADS)
    ]
    for each in found:
        after, now = whole(network, given, [edits_of(cut, each.head, other)])
        cosine = torch.cosine_similarity(after.double(), before.double(), dim=0)
        assert each.turned == pytest.approx(float(1 - cosine), abs=1e-6)
        share = (after - before).norm() / before.norm()
        assert each.moved == pytest.approx(float(share), abs=1e-5)
        if predicted is None:
            assert each.gained is None
        else:
            assert each.gained == pytest.approx(float(now[5] - predicted[5]), abs=1e-5)


def test_without_a_token_the_most_probable_one_is_watched():
    network = NETWORKS["GPT"]
    seen = heads.trace_heads(network, text())
    best = int(whole(network, text(), [])[1].argmax())
    by_itself = list(ablation.ablation_effects(network, seen, PLACE, "mute"))
    assert by_itself == list(ablation.ablation_effects(network, seen, PLACE, "mute", token=best))


def test_surgery_goes_on_from_the_layer_where_it_stopped():
    network = NETWORKS["BERT"]
    seen = heads.trace_heads(network, text())
    every = list(ablation.ablation_effects(network, seen, PLACE, "mute"))
    assert list(ablation.ablation_effects(network, seen, PLACE, "mute", first=1)) == every[1:]


def test_a_patch_from_the_same_text_changes_nothing():
    network = NETWORKS["BERT"]
    seen = heads.trace_heads(network, text())
    for layer in ablation.ablation_effects(network, seen, PLACE, "patch", other=seen):
        assert all(each.turned < 1e-6 and each.moved < 1e-6 for each in layer)


def test_in_a_causal_network_a_later_place_is_no_concern_of_an_earlier_one():
    network, given, other = NETWORKS["GPT"], text(), text()
    other.ids[PLACE + 1] = (other.ids[PLACE + 1] + 1) % 31
    seen, there = (heads.trace_heads(network, each) for each in (given, other))
    for layer in ablation.ablation_effects(network, seen, PLACE, "patch", other=there):
        assert all(each.moved < 1e-6 for each in layer)


def test_several_heads_at_once_are_one_forward_with_all_their_edits():
    network, given = NETWORKS["BERT"], text()
    seen = heads.trace_heads(network, given)
    edits = [Mute(0, 1), Mute(1, 0), Mute(1, 2)]
    after, _ = whole(network, given, edits)
    torch.testing.assert_close(ablation.predict_token(network, seen, PLACE, edits).hidden[0], after)


def test_no_edit_gives_what_the_network_gives():
    network, given = NETWORKS["BERT"], text()
    seen = heads.trace_heads(network, given)
    assert torch.equal(
        ablation.predict_token(network, seen, PLACE).hidden[0], whole(network, given, [])[0]
    )


def test_what_cannot_be_done_is_refused():
    network = NETWORKS["BERT"]
    seen = heads.trace_heads(network, text())
    long = text()
    cut = {name: getattr(long, name)[:-3] for name in ("ids", "segments", "special", "tokens")}
    short = replace(long, **cut)
    with pytest.raises(ValueError, match=f"must have {TIME} tokens, in the same model; got 8"):
        ablation.check_patch("patch", seen, heads.trace_heads(network, short))
    with pytest.raises(ValueError, match="must be one of mute, average, patch; got 'cut'"):
        ablation.check_patch("cut", seen, None)
    with pytest.raises(ValueError, match="must have another text to come from; got none"):
        ablation.head_edit("patch", Head(0, 0), None, layer=0, row=None)
