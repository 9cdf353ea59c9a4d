"""Claims of the pages on next-word models: Language model, Feedforward, RNN, Home."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import numpy as np
import torch
from claim_check import Claim, Page, Scene, at_rows, filled, number, plain
from hypothesis import strategies as st

from drawing.live import LiveNumbers
from lessons.feedforward import feedforward_figures, feedforward_text
from lessons.home import home_picture, home_state
from lessons.language_model import (
    lanes,
    lanes_text,
    language_model_figures,
    language_model_picture,
    language_model_text,
)
from lessons.rnn import rnn_picture, rnn_text
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.embeddings import pipeline
from lmcore.evaluation import sentence
from lmcore.evaluation.contexts import ContextResult
from lmcore.evaluation.costs import ModelCosts
from lmcore.evaluation.sentence import SentenceQuestion
from lmcore.models import ngram
from lmcore.models.feedforward import Feedforward, FeedforwardConfig
from lmcore.models.registry import NeuralModel
from lmcore.models.rnn import RNN, RNNConfig
from lmcore.recurrence import unrolled
from lmcore.vocabulary import Vocabulary

WORLD = microworld()


def close(said, value, rel=2e-3):
    """Whether a printed number is `value`, up to rounding."""
    return math.isclose(number(said), value, rel_tol=rel, abs_tol=1e-9)


def live_of(named, group=""):
    """Live numbers without sliders."""
    return LiveNumbers(group, tuple(named), np.array([float(each) for each in named.values()]))


# --- Language model -------------------------------------------------------------------------------

TRAINED_ON = training_documents(WORLD.sample(150, np.random.default_rng(3)))
COUNTING = ("unigram", "bigram", "trigram", "trigram-add", "trigram-kn")
WORDS = ("the", "cat", "dog", "gets", "fed", "is", "sleeps", "horse", "today", "hungry", ".")


@cache
def counting_models():
    settings = language_model_picture.NGRAM_SETTINGS
    return {
        name: ngram.fit_ngram(ngram.NGramConfig(*settings[name]), WORLD.vocabulary, TRAINED_ON)
        for name in COUNTING
    }


@cache
def network_of(seed):
    """A small network with a peaked softmax."""
    made = RNN(RNNConfig(len(WORLD.vocabulary), 4, 6), seed)
    with torch.no_grad():
        made.output.weight.mul_(9)
    return NeuralModel(made, WORLD.vocabulary)


@st.composite
def sentences_of_words(draw):
    text = draw(st.integers(0, 99) | st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
    others = draw(st.permutations([name for name in (*COUNTING, "network") if name != "trigram"]))
    models = ["trigram", *others[: draw(st.integers(0, 3))]]
    return text, (*models, *draw(st.sampled_from(((), GRAMMARS[:1], GRAMMARS))))


GRAMMARS = (lanes.GRAMMAR, lanes.COMPLETED_GRAMMAR)
LANE_NAMES = {label: name for name, label in lanes.TRUTHS.items()}


@cache
def counted(order):
    """How often the training texts contain each context, and each context with its next word."""
    contexts, pairs = Counter(), Counter()
    for document in TRAINED_ON:
        padded = [int(document[0])] * (order - 2) + document.tolist()
        for at in range(max(order - 1, 1), len(padded)):
            context = tuple(padded[at - order + 1 : at])
            contexts[context] += 1
            pairs[context, padded[at]] += 1
    return contexts, pairs


def language_model_scenes(case):
    """What the page says about a sentence at some of its positions, for each lane."""
    text, names = case
    if isinstance(text, int):  # the seed of a text that the grammar writes
        text = WORLD.vocabulary.decode(
            WORLD.sample(1, np.random.default_rng(text))[0][1:9].tolist()
        )
    every = counting_models() | {
        "network": network_of(1),
        lanes.GRAMMAR: WORLD,
        lanes.COMPLETED_GRAMMAR: microworld(complete=True),
    }
    models = {name: every[name] for name in names}
    ids = sentence.encode_sentence(WORLD.vocabulary, " ".join(text))
    rows = {
        name: every[name].log_probabilities(torch.tensor(ids)).double().exp()
        for name in {*names, lanes.COMPLETED_GRAMMAR}
    }
    for place in sorted({1, (len(ids) + 1) // 2, len(ids) - 1, len(ids)}):
        question = SentenceQuestion(ids, ("trigram",), place)
        answers = sentence.ask_models(models, question)
        facts = {
            "models": [name for name in names if name not in GRAMMARS],
            "p": {name: few(each[place - 1], ids[place:]) for name, each in rows.items()},
            "zeros": {name for name in names if not float(rows[name][place - 1].sum())},
            "words": WORLD.vocabulary.decode(ids[1:]),
            "here": place - 1,
        }
        yield Scene(language_model_picture.expected_words(answers), facts)
        for label, model in models.items():
            each = [float(rows[label][t, ids[t + 1]]) for t in range(len(ids) - 1)]
            its = {**facts, "label": label, "each": each}
            if label in COUNTING:
                its["counts"] = occurrences(ids, place, model.config.order)
            named = {name: (LANE_NAMES.get(name, name), models[name]) for name in names}
            shown = lanes.sentence_lanes(question, named, answers, LANE_NAMES.get(label, label))
            said = live_of(lanes.lane_numbers(shown)).fill(lanes_text.finding(shown))
            yield Scene(plain(said), its)
            if label in COUNTING and place < len(ids):
                trace = model.explain(ids[:place], ids[place])
                yield Scene(plain(language_model_text.explanation(model, trace, label)), its)


def occurrences(ids, place, order):
    """The count of the words before a position, and their count with the word at that position."""
    padded = (ids[0],) * (order - 2) + ids[:place]
    context = padded[len(padded) - order + 1 :]
    contexts, pairs = counted(order)
    return contexts[context], pairs[context, ids[place]] if place < len(ids) else 0


def few(row, after):
    """p of the three likeliest words, and of the word that comes next if there is one."""
    places = {*row.topk(3).indices.tolist(), *after[:1]}
    return {WORLD.vocabulary.tokens[i]: float(row[i]) for i in places}


@st.composite
def measured_costs(draw):
    """Made-up measurements, coarse so that some are equal."""
    share = st.integers(0, 4).map(lambda n: n / 4)
    names = ["2-gram", "5-gram", *("rnn", "lstm")[: draw(st.integers(1, 2))]]
    made = {}
    for name in names[draw(st.integers(0, 1)) :]:
        counts = name.endswith("gram")
        made[name] = ModelCosts(
            "counts" if counts else "network",
            float(name[0]) - 1 if counts else math.inf,
            10.0 + draw(st.integers(0, 6)),
            9.0,
            0.1,
            draw(share) if counts else 0.0,
            draw(share),
            0.5,
            draw(st.integers(1, 4)),
            draw(st.integers(1, 4)),
            draw(st.integers(1, 8)) / 1000,
        )
    floors = sorted((9.0 + draw(st.integers(0, 7)) for _ in range(8)), reverse=True)
    seconds = {name: draw(st.integers(1, 20)) / 4 for name in made}
    return made, floors, seconds


def cost_scenes(case):
    made, floors, seconds = case
    counts = {name: each for name, each in made.items() if each.kind == "counts"}
    networks = {name: each for name, each in made.items() if each.kind == "network"}
    longest = max(int(each.sees) for each in counts.values())
    facts = {
        "below the floor": {n for n, m in networks.items() if m.perplexity < floors[longest]},
        "every count": {n for n, m in networks.items()
                        if m.fed_dog > max(c.fed_dog for c in counts.values())},
        "every table": {n for n, m in networks.items()
                        if m.perplexity < min(c.perplexity for c in counts.values())},
        "networks": set(networks),
        "slower": min(m.query for m in networks.values()) > max(m.query for m in counts.values()),
        "later": min(seconds[n] for n in networks) > max(seconds[n] for n in counts),
        "times": min(seconds[n] for n in networks) / max(seconds[n] for n in counts),
    }  # fmt: skip
    learned = {name: language_model_text.LearningCost(1.0, each) for name, each in seconds.items()}
    for claim in language_model_text.claims(made, learned, floors):
        yield Scene(f"{claim.title}: {claim.verdict}. {claim.why}", facts)
    found = {name: (each.sees, each.perplexity) for name, each in made.items()}
    below = {n for n, (k, x) in found.items() if k < len(floors) and x < floors[int(k)]}
    yield Scene(language_model_figures.below_floor_words(floors, found), {"chance": below})


def names_in(text):
    return set() if text.startswith("none") else set(text.split(", "))


def verdict(said, yes, of):
    return said == ("holds" if yes == of else "holds in part" if yes else "does not hold here")


def words_of(f, p):
    """The words of the sentence that have the probability p."""
    return {w for w, its in zip(f["words"], f["each"], strict=True) if math.isclose(its, p)}


LANGUAGE_MODEL = Page(
    st.tuples(st.just(language_model_scenes), sentences_of_words())
    | st.tuples(st.just(cost_scenes), measured_costs()),
    lambda case: case[0](case[1]),
    (
        Claim(
            "a model expects this next word most",
            r"expects “([^”]+)” most: p = (\S+)\.$",
            lambda m, f: (
                f["p"][f["label"]][m[1]] == max(f["p"][f["label"]].values())
                and close(m[2], f["p"][f["label"]][m[1]])
            ),
        ),
        Claim(
            "a model gives the word so much",
            r"gives “([^”]+)” p = (\S+?)[.,](?: |$)",
            lambda m, f: close(m[2], f["p"][f["label"]][m[1]]),
        ),
        Claim(
            "another model gives the word most, at least twice as much",
            r" (\S+) gives it ([^ ]+)\.$",
            lambda m, f: (
                (here := [f["p"][n][f["words"][f["here"]]] for n in f["models"]])
                and close(m[2], max(here))
                and max(here) >= 2 * f["each"][f["here"]]
            ),
        ),
        Claim(
            "the context came so often, never with the word after it",
            r"” came (\d+) times, never with",
            lambda m, f: (int(m[1]), 0) == f["counts"] and int(m[1]) > 0,
        ),
        Claim(
            "the context never occurred in training",
            r"” never occurred in training",
            lambda m, f: f["counts"][0] == 0,
        ),
        Claim("the product is 0", "so the product is 0", lambda m, f: math.prod(f["each"]) == 0),
        Claim(
            "this is the costliest word: its −log p is the largest",
            r"its costliest word: (\S+) of (\S+) nats",
            lambda m, f: (
                math.isclose(f["each"][f["here"]], min(f["each"]))
                and close(m[1], -math.log(min(f["each"])))
                and close(m[2], -sum(map(math.log, f["each"])))
            ),
        ),
        Claim(
            "another word costs most",
            r"nats; “([^”]+)”(?: as word \d+)? costs most, (\S+)\.$",
            lambda m, f: (
                m[1] in words_of(f, min(f["each"]))
                and close(m[2], -math.log(min(f["each"])))
            ),
        ),
        Claim(
            "the product is 0 by another word",
            r"yet its product is 0: “([^”]+)” has p = 0",
            lambda m, f: m[1] in words_of(f, 0.0),
        ),
        Claim(
            "the grammar never says this word here",
            r"The grammar never says “([^”]+)” here(, on purpose)?",
            lambda m, f: (
                f["p"][f["label"]][m[1]] == 0
                and (not m[2] or f["p"][lanes.COMPLETED_GRAMMAR][m[1]] > 0)
            ),
        ),
        Claim(
            "every word of a row is 0, or each row sums to 1",
            r"^Each model.s three likeliest [^.]+\.(?: 0 for every word: (.+?)\.(?: Over|$))?",
            lambda m, f: (
                {each.partition(", since")[0] for each in m[1].split("; ")} if m[1] else set()
            )
            == f["zeros"],
        ),
        Claim(
            "a context occurred so many times, so many of them before the word",
            r"occurred (\S+) times, (\S+) of them before",
            lambda m, f: (number(m[1]), number(m[2])) == f["counts"],
        ),
        Claim(
            "c / C of an unsmoothed count",
            r"c / C = (\S+) / (\S+) = ",
            lambda m, f: (number(m[2]), number(m[1])) == f["counts"],
        ),
        Claim(
            "these networks are below the floor of the longest window",
            r"A longer context: (.+?)\. .*Below the floor: (.+)\.$",
            lambda m, f: (
                names_in(m[2]) == f["below the floor"]
                and verdict(m[1], len(names_in(m[2])), len(f["networks"]))
            ),
        ),
        Claim(
            "these networks give a dog more than every count",
            r"with the dog: (.+?)\. .*Above every count: (.+?)\. The cat",
            lambda m, f: (
                names_in(m[2]) == f["every count"]
                and verdict(m[1], len(names_in(m[2])), len(f["networks"]))
            ),
        ),
        Claim(
            "these networks predict better than every table",
            r"Better than every table: (.+?); with no more",
            lambda m, f: names_in(m[1]) == f["every table"],
        ),
        Claim(
            "slower to train and to query",
            r"slower to train and to query: (.+?)\. ",
            lambda m, f: verdict(m[1], f["slower"] + f["later"], 2),
        ),
        Claim(
            "so many times as long or more",
            r"(\S+) times as long or more",
            lambda m, f: f["times"] >= number(m[1]) >= 2,
        ),
        Claim(
            "no network learns sooner than a table",
            "no network sooner than a table",
            lambda m, f: f["later"],
        ),
        Claim(
            "not every network learns later than a table",
            "not every network later",
            lambda m, f: not f["later"],
        ),
        Claim(
            "these models are below their floor by chance",
            r"Below the floor by chance: (.+?)\. ",
            lambda m, f: names_in(m[1]) == f["chance"],
        ),
    ),
    often=2,
)  # fmt: skip

# --- Feedforward ----------------------------------------------------------------------------------

LETTERS = Vocabulary(("<s>", "a", "b", "c", "d", "e"), "word")


def feedforward_scenes(case):
    """What the page says at each position; without output weights all words are equally likely."""
    seed, text, sharp = case
    network = Feedforward(FeedforwardConfig(6, 3, 4, context=2), seed)
    with torch.no_grad():
        network.output.weight.mul_(sharp)
        network.output.bias.mul_(sharp)
    model, ids = NeuralModel(network, LETTERS), [0, *text]
    trace = pipeline.trace_pipeline(model, torch.tensor(ids))
    flow = feedforward_text.Flow(model, trace, pipeline.unit_terms(model, trace))
    said = feedforward_text.sentences(flow, asks=False)
    with torch.no_grad():
        chances = network.double()(torch.tensor(ids)[None]).logits[0].softmax(-1)
    for at, live in enumerate(at_rows(feedforward_text.numbers(flow, len(ids) - 1), every=1)):
        place = at - 1 if at else len(ids) - 1  # the current numbers come first
        facts = {"p": dict(zip(LETTERS.tokens, chances[place].tolist(), strict=True))}
        yield Scene(filled(said, live), facts | {"next": LETTERS.decode(ids[place + 1 :][:1])})


def context_scenes(case):
    """Made-up results of three n-grams and the network, on made-up floors."""
    ratios, floors = case
    seen = (1, 2, 3, 3)
    found = [
        ContextResult(name, k, 1.0, ratio, floors[k - 1])
        for name, k, ratio in zip(
            ("2-gram", "3-gram", "4-gram", "network"), seen, ratios, strict=True
        )
    ]
    facts = {"ratio": {each.name: each.ratio for each in found}, "floors": floors}
    facts["above"] = max(each.ratio - each.floor for each in found)
    for said in feedforward_figures.floor_notice(found):
        yield Scene(said, facts)
    yield Scene(feedforward_figures.measured_in_words(found, 10, 10), facts)


FLOORS = st.lists(st.floats(1, 2), min_size=3, max_size=3).map(
    lambda row: sorted(row, reverse=True)
)
FEEDFORWARD = Page(
    st.tuples(
        st.just(feedforward_scenes),
        st.tuples(
            st.integers(0, 50),
            st.lists(st.integers(1, 5), min_size=1, max_size=6),
            st.sampled_from((0.0, 1.0, 20.0)),
        ),
    )
    | st.tuples(
        st.just(context_scenes),
        st.tuples(st.lists(st.floats(1, 3), min_size=4, max_size=4), FLOORS),
    ),
    lambda case: case[0](case[1]),
    (
        Claim(
            "the model gives this word most",
            r"alone the model gives (\S+) (\S+)\. ",
            lambda m, f: (
                math.isclose(f["p"][m[1]], max(f["p"].values())) and close(m[2], f["p"][m[1]])
            ),
        ),
        Claim(
            "the text indeed continues with the word that is given most",
            r"gives (\S+) .*indeed continues with (\S+)\.",
            lambda m, f: m[1] == m[2] == f["next"][0],
        ),
        Claim(
            "the text goes on with a word of this rank",
            r"goes on with (\S+): (\S+), rank (\d+)\.",
            lambda m, f: (
                m[1] == f["next"][0]
                and close(m[2], f["p"][m[1]])
                and int(m[3]) == 1 + sum(p > f["p"][m[1]] + 1e-15 for p in f["p"].values())
            ),
        ),
        Claim("the text ends here", "The text ends here", lambda m, f: not f["next"]),
        Claim(
            "the floor falls from so much to so much, and no model is further above its own",
            r"the floor falls from (\S+) to (\S+), and no model is more than (\S+) above",
            lambda m, f: (
                number(m[1]) >= number(m[2])
                and close(m[2], f["floors"][-1])
                and close(m[3], f["above"])
            ),
        ),
        Claim(
            "with the same words, this one is nearer the floor",
            r"on these texts (\S+) is nearer",
            lambda m, f: f["ratio"][m[1]] == min(f["ratio"]["4-gram"], f["ratio"]["network"]),
        ),
        Claim(
            "the network is better, or not, than the best n-gram",
            r"It is (not )?better here.*best of these n-grams \((\S+)\)",
            lambda m, f: (
                f["ratio"][m[2]] == min(r for n, r in f["ratio"].items() if n != "network")
                and (f["ratio"]["network"] < f["ratio"][m[2]]) == (not m[1])
            ),
        ),
    ),
    often=2,
)

# --- RNN ------------------------------------------------------------------------------------------


def rnn_scenes(case):
    """What the page says about a small network; the grammar's made-up losses are near its own."""
    seed, text, sharp, away = case
    network = RNN(RNNConfig(6, 3, 4), seed)
    with torch.no_grad():
        network.output.weight.mul_(sharp)
    weights, ids = unrolled.RNNMatrices.from_network(network), (0,)
    for word in text:  # 0: take the network's likeliest word
        ids += (word or int(unrolled.unroll(weights, ids).probabilities[-1].argmax()),)
    seen = unrolled.unroll(weights, ids)
    with torch.no_grad():
        p = network.double()(torch.tensor(ids)[None]).logits[0].softmax(-1)
    losses = [-math.log(float(p[t, x])) for t, x in enumerate(ids[1:])]
    truth = torch.tensor(
        [max(loss + off, 0.0) for loss, off in zip(losses, away, strict=False)],
        dtype=torch.float64,
    )
    for phase in ("y", "J"):
        walk = unrolled.UnrolledPosition(ids, 1, phase)
        table = rnn_picture.numbers(walk, seen, unrolled.unit_trace(weights, seen, 1), truth)
        said = rnn_text.sentences(rnn_text.walk_facts(walk, seen, LETTERS, truth))
        for t in range(len(ids)):
            here = live_of({name: each[t] for name, each in table.items()})
            facts = {
                "p": dict(zip(LETTERS.tokens, p[t].tolist(), strict=True)),
                "next": LETTERS.decode(list(ids[t + 1 : t + 2])),
                "losses": losses,
                "loss": losses[t] if t < len(losses) else math.nan,
                "grammar": float(truth[t]) if t < len(losses) else math.nan,
            }
            yield Scene(filled(said, here), facts)


RNN_PAGE = Page(
    st.tuples(
        st.integers(0, 50),
        st.lists(st.integers(0, 5), min_size=1, max_size=5),
        st.sampled_from((1.0, 90.0, 90.0, 90.0)),
        st.lists(st.sampled_from((-0.3, 0.0, 0.001, 0.3, math.inf)), min_size=5, max_size=5),
    ),
    rnn_scenes,
    (
        Claim(
            "the model expects this word most",
            r"the model expects (\S+) most: p = (\S+?)\.(?: |$)",
            lambda m, f: (
                math.isclose(f["p"][m[1]], max(f["p"].values())) and close(m[2], f["p"][m[1]])
            ),
        ),
        Claim(
            "the word that comes gets so much, and is not the one expected",
            r"expects (\S+) most.* “(\S+)” gets (\S+)\.$",
            lambda m, f: m[1] != m[2] == f["next"][0] and close(m[3], f["p"][m[2]]),
        ),
        Claim(
            "the loss is the largest here",
            r"loss (\S+) nats, the largest here",
            lambda m, f: (
                math.isclose(f["loss"], max(f["losses"])) and close(m[1], max(f["losses"]))
            ),
        ),
        Claim(
            "the mean so far, and its perplexity",
            r"Mean so far: (\S+) nats, perplexity (\S+)\.$",
            lambda m, f: (
                close(m[1], np.mean(f["losses"])) and close(m[2], math.exp(np.mean(f["losses"])))
            ),
        ),
        Claim(
            "the grammar never produces this",
            "grammar never produces",
            lambda m, f: math.isinf(f["grammar"]),
        ),
        Claim(
            "the model was nearly certain, and right",
            r"“(\S+)” came next.*nearly certain, and right",
            lambda m, f: f["p"][m[1]] == max(f["p"].values()) > 0.95,
        ),
        Claim(
            "all of the loss is chance: the grammar's is the same",
            "All of it is chance",
            lambda m, f: abs(f["loss"] - f["grammar"]) <= 0.0051,
        ),
        Claim(
            "so many nats are unavoidable, and the model adds some",
            r"nats\b.* (\S+) nats are unavoidable; the model adds (\S+)\.$",
            lambda m, f: (
                f["loss"] > f["grammar"]
                and close(m[1], f["grammar"])
                and close(m[2], f["loss"] - f["grammar"], rel=1e-2)
            ),
        ),
        Claim(
            "the grammar itself expects the word less",
            "The grammar itself expects it less",
            lambda m, f: f["grammar"] > f["loss"],
        ),
    ),
    often=2,
)

# --- Home -----------------------------------------------------------------------------------------

CHOICES = Vocabulary(tuple("abcdefgh"), "word")


def home_scenes(case):
    """The word that the needle is on, in the line of the shipped model's next words."""
    u, heat = case
    opened = home_state.opening()
    at = torch.tensor([u, heat], dtype=torch.float64)
    live = live_of(home_state._numbers(at))
    p = (opened.scores.double() / heat).softmax(-1).sort(descending=True).values
    fell = int((p.cumsum(0) <= u * float(p.sum())).sum())
    said = live.fill(home_picture.sentences(opened)[min(int(live["@word"]), home_state.SHOWN)])
    facts = {"word": opened.words[min(fell, len(p) - 1)], "p": float(p[min(fell, len(p) - 1)])}
    yield Scene(plain(said), facts)


HOME = Page(
    st.tuples(
        st.floats(0, 1) | st.floats(0.99, 1), st.floats(home_state.COLDEST, home_state.HOTTEST)
    ),
    home_scenes,
    (
        Claim(
            "the needle falls on this word, of this probability",
            r"a probability: (\S+) (\S+)\. Drag",
            lambda m, f: m[1] == f["word"] and close(m[2], f["p"]),
        ),
        Claim(
            "the word under the needle has this probability",
            r"under the needle (\S+)\. Drag",
            lambda m, f: close(m[1], f["p"]),
        ),
    ),
    often=2,
)

PAGES = {
    "language_model": LANGUAGE_MODEL,
    "feedforward": FEEDFORWARD,
    "rnn": RNN_PAGE,
    "home": HOME,
}
