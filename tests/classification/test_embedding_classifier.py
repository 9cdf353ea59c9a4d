import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from lmcore.classification.embedding_classifier import (
    EmbeddingClassifier,
    EmbeddingConfig,
    collect_vocabulary,
    encode_reviews,
    train_embeddings,
)
from lmcore.classification.lexicons import tokenize_review
from lmcore.classification.reviews import LabelledReviews, ReviewConfig, draw_reviews

POOLINGS = ("pad", "mean", "max")
VOCABULARY = ("a", "b", "c", "d", "!")
ORDER = draw_reviews(ReviewConfig("order"))
TRAINED = {p: train_embeddings(ORDER, EmbeddingConfig(p)) for p in POOLINGS}
words = st.lists(st.sampled_from([*VOCABULARY, "unheard"]), min_size=1, max_size=9)
SMALL_TEXTS = [["a", "b", "b", "!"], ["c"], ["d", "a", "b", "c", "c", "a"]]


def small(pooling, **changed):
    config = EmbeddingConfig(pooling, width=3, hidden=5, **changed)
    return EmbeddingClassifier(config, len(VOCABULARY))


def slots(encoded, length=3):
    """The ids of the first words, padded by hand with the id of the zero row."""
    rows, start = [], 0
    for count in encoded.lengths.tolist():
        ids = encoded.ids[start : start + count].tolist()[:length]
        rows.append(ids + [len(VOCABULARY)] * (length - len(ids)))
        start += count
    return torch.tensor(rows)


def pooled_by_torch(E, encoded, pooling):
    table = torch.cat([E, torch.zeros(1, E.shape[1], dtype=E.dtype)])
    if pooling == "pad":
        lookup = torch.nn.Embedding.from_pretrained(table, freeze=False)
        return lookup(slots(encoded)).flatten(1)
    bag = torch.nn.EmbeddingBag.from_pretrained(table, mode=pooling, freeze=False)
    return bag(encoded.ids, encoded.lengths.cumsum(0) - encoded.lengths)


@given(st.lists(words, min_size=1, max_size=6), st.sampled_from(POOLINGS))
def test_the_forward_pass_is_that_of_torchs_own_layers(texts, pooling):
    network = small(pooling)
    encoded = encode_reviews(texts, VOCABULARY)
    first = torch.nn.Linear(network.config.inputs, 5).double()
    second = torch.nn.Linear(5, 1).double()
    with torch.no_grad():
        first.weight.copy_(network.W_1)
        network.b_1.fill_(0.3)
        second.weight.copy_(network.w_2[None])
        network.b_2.fill_(0.2)
        first.bias.fill_(0.3)
        second.bias.fill_(0.2)
        trace = network(encoded)
        x = pooled_by_torch(network.E, encoded, pooling)
        z = first(x)
        y = second(z.tanh()).sigmoid()[:, 0]
    torch.testing.assert_close(trace.pooled, x)
    torch.testing.assert_close(trace.pre_activation, z)
    torch.testing.assert_close(trace.hidden, z.tanh())
    torch.testing.assert_close(trace.probability, y)
    torch.testing.assert_close(trace.logit.sigmoid(), y)


@pytest.mark.parametrize("pooling", POOLINGS)
def test_the_gradients_are_those_of_finite_differences(pooling):
    network = small(pooling)
    encoded = encode_reviews(SMALL_TEXTS, VOCABULARY)
    labels = torch.tensor([1.0, 0.0, 1.0], dtype=torch.float64)

    def loss():
        return F.binary_cross_entropy_with_logits(network(encoded).logit, labels)

    for parameter in network.parameters():
        (gradient,) = torch.autograd.grad(loss(), [parameter])
        flat = parameter.data.view(-1)
        for i in range(flat.numel()):
            flat[i] += 1e-6
            above = loss().item()
            flat[i] -= 2e-6
            below = loss().item()
            flat[i] += 1e-6
            slope = (above - below) / 2e-6
            assert float(gradient.reshape(-1)[i]) == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("pooling", POOLINGS)
def test_training_is_that_of_torchs_adam(pooling):
    reviews = draw_reviews(ReviewConfig(count=40))
    config = EmbeddingConfig(pooling, width=4, hidden=3, steps=15)
    trained = train_embeddings(reviews, config)
    tokens = [[token.text for token in tokenize_review(text)] for text in reviews.texts]
    seen = [each for each, held in zip(tokens, reviews.held_out.tolist(), strict=True) if not held]
    network = EmbeddingClassifier(config, len(trained.vocabulary))
    adam = torch.optim.Adam(network.parameters(), lr=config.learning_rate)
    encoded = encode_reviews(seen, trained.vocabulary)
    wanted = reviews.labels[~reviews.held_out].double()
    losses = []
    for _ in range(config.steps + 1):
        loss = F.binary_cross_entropy_with_logits(network(encoded).logit, wanted)
        losses.append(loss.item())
        adam.zero_grad()
        loss.backward()
        if len(losses) <= config.steps:
            adam.step()
    assert trained.loss.tolist() == pytest.approx(losses, abs=1e-9)
    torch.testing.assert_close(trained.network.E, network.E, rtol=1e-6, atol=1e-8)


@given(words, st.randoms(use_true_random=False), st.sampled_from(["mean", "max"]))
def test_mean_and_max_of_permuted_words_are_equal_to_the_last_bit(tokens, random, pooling):
    network = small(pooling)
    shuffled = random.sample(tokens, len(tokens))
    both = network(encode_reviews([tokens, shuffled], VOCABULARY)).pooled
    assert torch.equal(both[0], both[1])
    alone = network(encode_reviews([shuffled], VOCABULARY)).pooled
    assert torch.equal(both[0], alone[0])


def test_concatenation_depends_on_the_order_of_the_words():
    trained = TRAINED["pad"]
    one, other = trained.classify("not good but great"), trained.classify("good but not great")
    assert not torch.equal(one.network.pooled, other.network.pooled)
    assert (one.label, other.label) == (1, 0)


@pytest.mark.parametrize("pooling", ["mean", "max"])
def test_mean_and_max_give_reviews_in_two_orders_the_same_probability(pooling):
    trained = TRAINED[pooling]
    one, other = trained.classify("not good but great"), trained.classify("good but not great")
    assert torch.equal(one.network.pooled, other.network.pooled)
    assert one.network.probability == other.network.probability


def test_three_words_solve_the_order_reviews_and_mean_and_max_do_not():
    assert TRAINED["pad"].held_out_accuracy.share == 1
    for pooling in ("mean", "max"):
        _, low, high = TRAINED[pooling].held_out_accuracy.interval
        assert low < 0.5 < high


def test_the_mean_and_the_max_of_two_words_by_hand():
    encoded = encode_reviews([["a", "b", "b"], ["unheard", "a"]], VOCABULARY)
    for pooling in ("mean", "max"):
        network = small(pooling)
        with torch.no_grad():
            network.E[:2] = torch.tensor([[1.0, -2.0, 3.0], [4.0, -5.0, 0.0]])
            pooled = network(encoded).pooled.tolist()
        if pooling == "mean":
            assert pooled == [[3, -4, 1], [0.5, -1, 1.5]]
        else:
            assert pooled == [[4, -2, 3], [1, 0, 3]]


def test_padding_is_zero_and_truncation_leaves_the_rest_out():
    network = small("pad")
    texts = [["a"], ["a", "b", "c", "d"], ["a", "b", "c"]]
    pooled = network(encode_reviews(texts, VOCABULARY)).pooled.detach()
    assert torch.equal(pooled[0], torch.cat([network.E[0].detach(), torch.zeros(6).double()]))
    assert torch.equal(pooled[1], pooled[2])
    assert torch.equal(pooled[2], network.E[:3].detach().flatten())


@pytest.mark.parametrize("pooling", POOLINGS)
def test_an_unknown_word_has_a_zero_embedding_and_is_named(pooling):
    text = "not Xylophone good, xylophone zebra"
    trace = TRAINED[pooling].classify(text)
    assert trace.unknown == ("xylophone", "zebra")
    zero = [not row.any() for row in trace.network.embeddings]
    assert zero == [False, True, False, True, True]
    assert [text[slice(*span)].lower() for span in trace.spans] == list(trace.tokens)


def test_a_text_of_unknown_words_alone_has_a_zero_vector():
    for trained in TRAINED.values():
        assert not trained.classify("xylophone").network.pooled.any()


def test_the_winner_of_a_dimension_has_the_pooled_value():
    trace = TRAINED["max"].classify("not good but great")
    rows = trace.network.embeddings
    assert trace.winners is not None
    torch.testing.assert_close(rows[trace.winners, torch.arange(8)], trace.network.pooled)
    assert TRAINED["mean"].classify("good").winners is None


@pytest.mark.parametrize("pooling", POOLINGS)
def test_the_accuracies_are_those_of_the_traces(pooling):
    trained = TRAINED[pooling]
    for held, accuracy in ((True, trained.held_out_accuracy), (False, trained.train_accuracy)):
        places = (ORDER.held_out == held).nonzero().flatten().tolist()
        right = [trained.classify(ORDER.texts[i]).label == int(ORDER.labels[i]) for i in places]
        assert (accuracy.correct, accuracy.total) == (sum(right), len(right))


@pytest.mark.parametrize("pooling", POOLINGS)
def test_the_loss_falls_from_that_of_a_coin_and_the_same_seed_repeats_it(pooling):
    trained = TRAINED[pooling]
    assert trained.loss.shape == (trained.config.steps + 1,)
    assert abs(float(trained.loss[0]) - math.log(2)) < 0.3
    assert trained.loss[-1] < trained.loss[0]
    assert torch.equal(train_embeddings(ORDER, trained.config).loss, trained.loss)
    other = train_embeddings(ORDER, EmbeddingConfig(pooling, seed=1, steps=1))
    assert other.loss[0] != trained.loss[0]


def test_the_vocabulary_is_that_of_the_training_reviews_most_frequent_first():
    assert collect_vocabulary([["b", "a", "b"], ["c", "!"]]) == ("b", "!", "a", "c")
    reviews = LabelledReviews(
        ("good film", "bad film", "secret"),
        torch.tensor([1, 0, 1]),
        torch.tensor([False, False, True]),
    )
    trained = train_embeddings(reviews, EmbeddingConfig(steps=1))
    assert trained.vocabulary == ("film", "bad", "good")


def test_the_frames_hold_the_numbers():
    assert TRAINED["max"].to_frame()["L"].tolist() == TRAINED["max"].loss.tolist()
    trace = TRAINED["max"].classify("not good but great")
    numbers = trace.to_frame().set_index("quantity")["value"]
    assert numbers["network.pooled"].tolist() == trace.network.pooled.tolist()
    assert numbers["network.probability"] == float(trace.network.probability)
    assert numbers["winners"].tolist() == trace.winners.tolist()
    encoded = encode_reviews(SMALL_TEXTS, VOCABULARY)
    assert len(encoded.to_frame()) == 11 + 11 + 3
    batch = small("mean")(encoded).to_frame()
    assert set(batch[batch["quantity"] == "hidden"]["review"]) == {0, 1, 2}


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"width": 0}, "the width of the embeddings must be from 1 to 32; got 0"),
        ({"hidden": 33}, "the number of hidden units must be from 1 to 32; got 33"),
        ({"length": 13}, "the number of words to pad to must be from 1 to 12; got 13"),
        ({"steps": 0}, "steps must be from 1 to 1000; got 0"),
        ({"learning_rate": 0.0}, "the learning rate η must be above 0 and at most 1; got 0"),
    ],
)
def test_settings_out_of_bounds_are_refused(changed, error):
    with pytest.raises(ValueError, match=error):
        EmbeddingConfig(**changed)


def test_an_empty_text_is_refused():
    with pytest.raises(ValueError, match="must have at least one word; got an empty text"):
        TRAINED["mean"].classify(" ")


def test_reviews_that_are_all_held_out_are_refused():
    held = LabelledReviews(("a", "b"), torch.tensor([0, 1]), torch.tensor([True, True]))
    with pytest.raises(ValueError, match="some that are not held out; got none"):
        train_embeddings(held, EmbeddingConfig())
