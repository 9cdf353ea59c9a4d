"""Every traced head equals that head in the network's forward pass; statistics show its pattern."""

import math

import pytest
import torch

from lmcore.attention import heads
from lmcore.attention.heads import Head
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import TokenizedText

TIME, WIDTH, HEADS, LAYERS = 11, 24, 3, 2
SIZES = {"vocabulary": 31, "width": WIDTH, "heads": HEADS, "layers": LAYERS}
SIZES |= {"hidden": 40, "longest": 17}
NETWORKS = {
    "BERT": BERT(TransformerConfig(**SIZES, segments=2, norm="post"), seed=1),
    "BERT, pre": BERT(TransformerConfig(**SIZES, norm="pre"), seed=2),
    "BERT, padded": BERT(TransformerConfig(**SIZES, norm="post", padding=0), seed=3),
    "no head": BERT(TransformerConfig(**SIZES, segments=2, norm="post"), seed=1, head=False),
    "GPT": GPT(TransformerConfig(**SIZES), seed=4),
    "GPT, not causal": GPT(TransformerConfig(**SIZES, causal=False), seed=4),
}
every_network = pytest.mark.parametrize("name", NETWORKS)


def words(tokens="[CLS] the cat [SEP] a cat [SEP]", ids=None):
    spelled = tuple(tokens.split())
    return TokenizedText(
        torch.arange(1, len(spelled) + 1) if ids is None else ids,
        spelled,
        torch.tensor([int(n > spelled.index("[SEP]")) for n in range(len(spelled))]),
        torch.tensor([token.startswith("[") for token in spelled]),
        False,
    )


def text(seed=0):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, 31, (TIME,), generator=generator)
    return words(" ".join(["[CLS]", *"abcdefghi", "[SEP]"]), ids)


def forward(network, text):
    with torch.no_grad():
        if isinstance(network, BERT) and network.config.segments:
            return network(text.ids[None], segments=text.segments[None])
        return network(text.ids[None])


@every_network
def test_every_head_is_that_of_the_forward(name):
    network, given = NETWORKS[name], text()
    seen, trace = heads.trace_heads(network, given), forward(network, given)
    assert seen.shape == (LAYERS, HEADS)
    for n, block in enumerate(trace.blocks):
        for part in ("query", "key", "weights", "context"):
            assert torch.equal(getattr(seen, part)[n], getattr(block.attention, part)[0]), part
        assert torch.equal(seen.residual[n], block.residual[0])
    hidden = network.final_hidden(seen.residual[-1:])
    assert torch.equal(hidden, trace.normed if isinstance(network, GPT) else trace.hidden)
    scores = network.unembed(hidden)
    if trace.logits is None:
        assert scores is None
    else:
        assert torch.equal(scores, trace.logits)


@every_network
def test_a_row_of_weights_comes_about_by_q_k_and_softmax(name):
    seen = heads.trace_heads(NETWORKS[name], text())
    head = Head(1, 2)
    for place in range(TIME):
        met = heads.query_scores(seen, head, place)
        torch.testing.assert_close(met.products.sum(-1), met.scores)
        expected = seen.query[head][place].double() @ seen.key[head].double().T
        torch.testing.assert_close(met.scores, expected)
        visible = ~torch.isinf(met.scaled)
        torch.testing.assert_close(met.scaled[visible], expected[visible] / math.sqrt(8))
        torch.testing.assert_close(met.weights.float(), seen.weights[head][place])


@every_network
def test_the_row_of_a_query_in_every_head_is_that_of_each_head(name):
    seen = heads.trace_heads(NETWORKS[name], text())
    for place in range(TIME):
        row = heads.row_scores(seen, place)
        for layer in range(LAYERS):
            for head in range(HEADS):
                met = heads.query_scores(seen, Head(layer, head), place)
                torch.testing.assert_close(row.scores[layer, head], met.scores)
                torch.testing.assert_close(row.scaled[layer, head], met.scaled)
        assert heads.visible_keys(seen, place) == int((~torch.isinf(row.scaled[0, 0])).sum())


def test_a_row_of_another_text_stands_under_the_same_occurrence_of_each_token():
    weights = torch.arange(4.0).expand(2, 3, 4)
    row = heads.matching_row(weights, ("a", "b", "a", "c"), ("b", "a", "d", "a"))
    assert row[0, 0].tolist() == [1, 0, 3, 3]  # the other text lacks c: its own place
    row = heads.matching_row(weights, ("a", "x"), ("b", "a", "d", "a"))
    assert row.shape == (2, 3, 2) and row[1, 2, 0] == 1 and bool(row[..., 1].isnan().all())


def test_the_one_token_in_which_two_texts_differ():
    assert heads.changed_token(("a", "b", "c"), ("a", "x", "c")) == 1
    assert heads.changed_token(("a", "b"), ("a", "b")) is None
    assert heads.changed_token(("a", "b"), ("x", "y")) is None
    assert heads.changed_token(("a",), ("a", "b")) is None


@pytest.mark.parametrize("threshold", [0.0, 0.1, 1.0])
def test_weights_of_at_least_a_threshold_are_counted(threshold):
    seen = heads.trace_heads(NETWORKS["BERT"], text())
    found = heads.count_at_least(seen.weights, threshold)
    assert torch.equal(found, (seen.weights >= threshold).sum((-1, -2)).double())
    limits = torch.tensor([0.0, threshold, 0.5, 1.0])
    each = heads.count_at_each(seen.weights[1, 2], limits)
    assert each.tolist() == [int((seen.weights[1, 2] >= limit).sum()) for limit in limits]


def test_what_the_mask_hides_has_no_score():
    seen = heads.trace_heads(NETWORKS["GPT"], text())
    met = heads.query_scores(seen, Head(0, 0), 3)
    assert torch.isinf(met.scaled).tolist() == [False] * 4 + [True] * (TIME - 4)
    padded = text()
    padded.ids[-1] = 0
    met = heads.query_scores(heads.trace_heads(NETWORKS["BERT, padded"], padded), Head(0, 0), 3)
    assert bool(torch.isinf(met.scaled[-1]))


def test_statistics_of_heads_with_one_habit_each():
    given = words()
    time = len(given.tokens)
    before = torch.eye(time).roll(-1, 1)
    before[0] = torch.eye(time)[0]
    after = torch.eye(time).roll(1, 1)
    broad = torch.full((time, time), 1 / time)
    first = torch.zeros(time, time)
    first[:, 0] = 1
    weights = torch.stack([before, after, torch.eye(time), broad, first])[None]
    found = heads.head_statistics(weights, given)
    assert found.previous[0, 0] == 1 and found.following[0, 1] == 1 and found.itself[0, 2] == 1
    assert found.entropy[0].tolist() == pytest.approx([0, 0, 0, math.log(time), 0])
    assert found.first[0, 4] == 1 and found.first[0, 3] == pytest.approx(1 / time)
    assert found.special[0, 3] == pytest.approx(3 / 7) and found.special[0, 4] == 1
    assert found.separator[0, 3] == pytest.approx(2 / 7)
    assert found.distance[0, 4] == pytest.approx(sum(range(time)) / time)
    # Of seven places, four (two cats, two [SEP]s) have one other place with the same token.
    assert found.same[0, 3] == pytest.approx(4 / 7 / 7)
    assert found.same[0, 2] == 0


def test_one_token_has_no_neighbour():
    found = heads.head_statistics(torch.ones(1, 1, 1, 1), words("[SEP]"))
    assert found.previous.item() == found.following.item() == 0
    assert found.itself.item() == 1


def test_heads_are_ranked_and_the_first_of_equals_comes_first():
    ranked = heads.rank_heads(torch.tensor([[0.1, 0.7], [0.7, 0.2]]))
    assert [str(head) for head, _ in ranked] == ["0.1", "1.0", "1.1", "0.0"]
    assert ranked[0][1] == pytest.approx(0.7)


@pytest.mark.parametrize("wrong", ["", "1", "2.0", "0.3", "a.b", "0.-1", "1.1.1", "²,1", "0.9999"])
def test_a_head_that_is_not_there_is_refused(wrong):
    with pytest.raises(ValueError, match=r"a head must be layer\.head from 0\.0 to 1\.2; got"):
        Head.parse(wrong, (2, 3))
    assert Head.parse(" 1.2 ", (2, 3)) == Head(1, 2)


def test_places_are_found_by_number_or_by_token():
    tokens = words().tokens
    assert heads.find_place(tokens, "3") == 3
    assert heads.find_place(tokens, "7") is None
    assert heads.find_place(tokens, "Cat") == 2
    assert heads.find_place(("Hi", "␣there"), "there") == 1
    assert heads.find_place(tokens, "") is heads.find_place(tokens, "dog") is None
    assert heads.matching_place(5, tokens, ("cat", "x", "cat")) == 2
    assert heads.matching_place(5, tokens, ("cat", "x")) is None


def test_the_shift_of_a_pair_is_the_difference_of_its_weights():
    one, other = (heads.trace_heads(NETWORKS["BERT"], text(seed)) for seed in (1, 2))
    shifts = heads.weight_shifts(one, other, (3, 4), (5, 6))
    assert shifts[1, 2] == one.weights[1, 2, 3, 4] - other.weights[1, 2, 5, 6]
    wider = BERT(TransformerConfig(**{**SIZES, "heads": 4}, norm="post", segments=2))
    with pytest.raises(ValueError, match=r"as many layers and heads; got \(2, 3\) and \(2, 4\)"):
        heads.weight_shifts(one, heads.trace_heads(wider, text()), (0, 0), (0, 0))


def test_between_words_neither_special_tokens_nor_the_token_itself_count():
    seen = heads.trace_heads(NETWORKS["BERT"], text())
    found = heads.largest_word_weights(seen)
    for layer in range(LAYERS):
        for head in range(HEADS):
            inner = seen.weights[layer, head, 1:-1, 1:-1].clone().fill_diagonal_(0)
            assert found[layer, head] == inner.max()
