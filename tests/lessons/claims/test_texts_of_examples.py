"""Claims in the help of examples and in the sentences of beats, against the numbers they speak of.

These texts are written, not computed: a model or a recording that is made again may refute them.
"""

import math
from functools import cache

import pytest
import torch

from lessons.seq2seq.translated import translator
from lmcore.attention.matrices import parse_matrix
from lmcore.attention.translation_steps import one_place, trace_translation
from lmcore.corpora.translation import parse_source, translate_aligned
from lmcore.graph import parse_program, trace_graph
from lmcore.models.positions import wavelengths
from lmcore.shipped.models import load_shipped
from lmcore.transfer import curves, prompts
from ui.lessons import lesson


def preset(page, label):
    (found,) = (each for each in lesson(page).presets if each.label == label)
    return found.settings


@cache
def next_words(name, text):
    """The shipped model's next words after a text, the likeliest first, with their p."""
    model, _, _ = load_shipped(name)
    p = model.log_probabilities(model.vocabulary.read(text))[-1].exp().sort(descending=True)
    return dict(zip(model.vocabulary.decode(p.indices.tolist()), p.values.tolist(), strict=True))


def likeliest(name, text, count=1):
    return list(next_words(name, text))[:count]


@cache
def translations(label, forced=()):
    """What attention and one vector write for an example, and the true target."""
    source = parse_source(preset("seq2seq", label)["s2_source"], "mixture")
    found = []
    for name in ("seq2seq_attention", "seq2seq_vector"):
        model = translator(name)
        alphas = {i: one_place(j, len(source) + 1) for i, j in forced if "attention" in name}
        steps = trace_translation(model.network, model.vocabulary, source, forced=alphas or None)
        found.append(model.vocabulary.decode(steps.written.tolist())[:-1])
    return *found, list(translate_aligned(source, "mixture").target)


def gradients(label):
    graph = parse_program(preset("backprop", label)["program"])
    trace = trace_graph(graph)
    return {node.name: (trace.values[i], trace.gradients[i]) for i, node in enumerate(graph.nodes)}


def fewer_with_examples():
    """Whether solved examples make each model clearly worse, as far as its intervals tell."""
    found = [
        prompts.recorded_shots(model, task)
        for task, models in prompts.MODELS.items()
        for model in models
    ]
    return all(each[float(max(prompts.SHOTS))].high < each[0.0].low for each in found)


def hundred_labels():
    """Accuracy of the network that opens the page with 100 labels, and from scratch."""
    tuned = curves.frozen_curve("encoder", "acceptable", 0)[100]
    return tuned, curves.recorded_curve("encoder", "acceptable", "scratch")[100]


def swapped(words, one, other):
    return [other if word == one else one if word == other else word for word in words]


def weights(divisor):
    """The scores of the page's first example, and its weights when divided by that."""
    opens = lesson("attention").defaults
    x, w_q, w_k = (parse_matrix(opens[f"attention_{name}"], name) for name in ("X", "WQ", "WK"))
    scores = (x @ w_q)[0] @ (x @ w_k).T
    return scores.tolist(), (scores / divisor).softmax(0).tolist()


def regression(slope):
    """L and its gradient by the slope, in the example of linear regression."""
    error = 3 - slope * 2
    return error**2, -4 * error


CLAIMS = {
    ("attention", "112 and 96, ÷ 8, softmax: 0.88 and 0.12"): lambda: (
        (found := weights(8))[0] == [112, 96] and [round(w, 2) for w in found[1]] == [0.88, 0.12]
    ),
    ("attention", "one key gets nearly all the weight, and the slope is almost 0"): lambda: (
        (w := weights(1)[1][0]) > 0.999 and w * (1 - w) < 1e-6
    ),
    ("attention", "dividing by √3 does not give its 0.88"): lambda: (
        round(weights(math.sqrt(3))[1][0], 2) != 0.88
    ),
    ("backprop", "Each sigmoid passes on at most a quarter"): lambda: all(
        float(out * (1 - out)) <= 0.25
        for name, (out, _) in gradients("Ten sigmoids").items()
        if name != "x"
    ),
    ("backprop", "∂L/∂β = −8"): lambda: (
        float(gradients("Linear regression")["β"][1]) == regression(0.5)[1] == -8
    ),
    ("backprop", "0.5 − 0.1 · (−8) = 1.3. One step, and L falls from 4 to **0.16**"): lambda: (
        float(gradients("Linear regression")["L"][0]) == regression(0.5)[0] == 4
        and math.isclose(regression(0.5 - 0.1 * -8)[0], 0.16)
    ),
    ("backprop", "d = 2, e = 5, L = −10; gradients −2, −4, 5"): lambda: (
        [float(gradients(FIRST)[name][0]) for name in "deL"] == [2, 5, -10]
        and [float(gradients(FIRST)[name][1]) for name in "abc"] == [-2, -4, 5]
    ),
    ("feedforward", "fed is among the likeliest words"): lambda: (
        "fed" in likeliest("feedforward", DOG, 3)
    ),
    ("feedforward", "it still expects **washed** or **fed**"): lambda: (
        set(likeliest("feedforward", DOG, 2)) == {"washed", "fed"}
    ),
    ("feedforward", "**fed** wins"): lambda: likeliest("feedforward", CAT) == ["fed"],
    ("rnn", "the model expects “fed” most, and it comes"): lambda: likeliest("rnn", CAT) == ["fed"],
    ("rnn", "“which” comes, and was not the likeliest"): lambda: (
        likeliest("rnn", "the horse") != ["which"]
    ),
    ("rnn", "the loss **jumps** to 12 nats"): lambda: (
        round(-math.log(next_words("rnn", "the horse")["raced"])) == 12
    ),
    ("positions", "256 pairs of waves, from 6.283 to 60,611 positions long"): lambda: (
        torch.allclose(
            wavelengths(512, torch.tensor(10_000.0).double())[[0, -1]],
            torch.tensor([6.283, 60_611]).double(),
            rtol=1e-4,
        )
    ),
    ("positions", "one turns in 6.283 positions, the other in 628.3"): lambda: torch.allclose(
        wavelengths(4, torch.tensor(10_000.0).double()),
        torch.tensor([6.283, 628.3]).double(),
        rtol=1e-4,
    ),
    ("seq2seq", "One vector swaps two nouns; attention finds each"): lambda: (
        (found := translations("Man and cup"))[0] == found[2]
        and found[1] == swapped(found[2], "man", "cup")
    ),
    ("seq2seq", "*a cup hid the man*"): lambda: (
        translations("Man and cup")[1][:5] == ["a", "cup", "hid", "the", "man"]
    ),
    ("seq2seq", "Short enough for one vector: both are right"): lambda: (
        (found := translations("The ball"))[0] == found[1] == found[2]
    ),
    ("seq2seq", "17 words in one vector of 128 numbers"): lambda: (
        len(parse_source(preset("seq2seq", "Too much")["s2_source"], "mixture")) == 17
        and translator("seq2seq_vector").network.config.hidden == 128
    ),
    ("seq2seq", "25 words, trained on 20 at most: attention ends too early"): lambda: (
        len((found := translations("Longer than trained"))[0]) < len(found[2])
        and found[0] == found[2][: len(found[0])]
        and translator("seq2seq_attention").spec.corpus.longest == 20
    ),
    ("seq2seq", "All of α₂ on the cup: the decoder writes cup"): lambda: (
        translations("Force α", ((1, 1),))[0][1] == "cup"
    ),
    ("transfer", "the pre-trained network knows the grammar; from scratch it guesses"): lambda: (
        (both := hundred_labels())[0].low > 0.9 and both[1].low <= 0.5 <= both[1].high
    ),
    ("transfer", "with solved examples in front ours are right less often"): fewer_with_examples,
}
"""The page and what a text of it says → whether the numbers bear it out."""
FIRST = lesson("backprop").presets[0].label
DOG = "i forgot to make sure that the dog gets"
CAT = "i forgot to make sure that the cat gets"


@pytest.mark.parametrize(("page", "claim"), CLAIMS)
def test_a_written_claim_is_borne_out(page, claim):
    texts = [each.help for each in lesson(page).presets]
    texts += [each.say for each in lesson(page).beats]
    assert any(claim in text for text in texts), "the text says something else now"
    assert CLAIMS[page, claim]()
