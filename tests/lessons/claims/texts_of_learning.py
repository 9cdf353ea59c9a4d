"""Claims of examples and beats about gradient descent, word vectors and training runs."""

import math
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
import torch

from lessons.descent import solved_picture
from lessons.descent.surfaces import build_surface
from lessons.training.training_state import described_specs
from lessons.vectors import words_view
from lmcore.corpora import prose
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.counts import cell_places, count_cooccurrences
from lmcore.embeddings.static.english import english_vectors
from lmcore.embeddings.static.fasttext import split_word
from lmcore.embeddings.static.ladders import recorded_ladders
from lmcore.embeddings.static.methods import METHODS, VectorConfig, word_pairs
from lmcore.embeddings.static.neighbours import neighbour_precision, solve_analogy
from lmcore.embeddings.static.quality import recorded_quality
from lmcore.embeddings.static.sentences import split_sentences
from lmcore.embeddings.static.skipgram import train_word2vec
from lmcore.embeddings.static.vectors import WordVectors
from lmcore.networks.landscape import xor_network
from lmcore.optimization.paths import DescentConfig, race
from lmcore.optimization.regression import regression_from_points
from lmcore.optimization.schedules import Schedule
from lmcore.optimization.slide_code import list_faults
from lmcore.optimization.slide_snippet import PLACES, run_demos
from lmcore.pretrained import wheel
from lmcore.shipped.recordings import find_recording

# --- Gradient descent -----------------------------------------------------------------------------


def points_of(opens):
    return tuple(tuple(map(float, pair.split())) for pair in opens["gd_points"].split(";"))


def surface_of(opens):
    return build_surface(opens["gd_surface"], points_of(opens), None)


def curvature(opens):
    """The eigenvalues of a regression's Hessian, the smaller first, and its eigenvectors."""
    X = np.array([[1.0, x] for x, _ in points_of(opens)])
    return np.linalg.eigh(2 / len(X) * X.T @ X)


def largest_rate(opens):
    return 2 / curvature(opens)[0][1]


def descended(opens, **changed):
    """The path of an example: by SGD if its rules include SGD, else by gradient descent."""
    its = {**opens, **changed}
    batch = int(its["gd_batch"]) if "SGD" in its["gd_rules"].split(", ") else 0
    schedule = Schedule(its["gd_schedule"], float(its["gd_eta"]))
    config = DescentConfig("SGD", schedule, batch, int(its["gd_seed"]))
    surface = surface_of(its)
    return race(surface.objective, surface.start, [config], int(its["gd_steps"])).paths[0]


def along(opens):
    """The distance of each state from the minimum, along the flat and the steep direction."""
    X = np.array([[1.0, x] for x, _ in points_of(opens)])
    best = np.linalg.lstsq(X, np.array([y for _, y in points_of(opens)]), rcond=None)[0]
    return (descended(opens).parameters.numpy() - best) @ curvature(opens)[1]


def steps_of(path):
    """The length of each step."""
    return path.parameters.diff(dim=0).norm(dim=-1)


def leaves_the_picture(opens):
    surface, states = surface_of(opens), descended(opens).parameters
    inside = (states - torch.tensor(surface.center, dtype=torch.float64)).abs() <= surface.half
    return bool(inside[0].all()) and not bool(inside[-1].any())


def slope_at_start(opens):
    surface = surface_of(opens)
    return float(surface.objective.gradients(torch.tensor(surface.start).double()).norm())


def saturation_at_start(opens):
    """The largest slope of σ at the points, with the parameters that the run starts from."""
    surface = surface_of(opens)
    w, b = surface.start
    y = [1 / (1 + math.exp(-(w * x + b))) for x in surface.objective.x]
    return max(each * (1 - each) for each in y)


def is_saddle(opens):
    objective, origin = surface_of(opens).objective, torch.zeros(2, dtype=torch.float64)
    beside = objective.losses(torch.tensor([[0.0, 0.1], [0.1, 0.0]], dtype=torch.float64))
    here = float(objective.losses(origin))
    return not objective.gradients(origin).any() and beside[0] < here < beside[1]


def mean_over_batches(opens):
    """How far the mean slope of all possible batches is from the slope, and the batches' slopes."""
    objective, at = surface_of(opens).objective, torch.tensor(surface_of(opens).start).double()
    pairs = list(combinations(range(len(points_of(opens))), int(opens["gd_batch"])))
    weights = torch.zeros(len(pairs), len(points_of(opens)), dtype=torch.float64)
    for row, pair in zip(weights, pairs, strict=True):
        row[list(pair)] = 1 / len(pair)
    slopes = objective.gradients(at.expand(len(pairs), 2), weights)
    return float((slopes.mean(dim=0) - objective.gradients(at)).abs().max()), slopes


def fault_put_back(opens):
    """The chosen fault of the slide's snippet, as it ran, and where it stands."""
    place = PLACES[int(opens["gd_fault"]) - 1]
    faults = list_faults(regression_from_points(points_of(opens)))
    return place, next(each for each in faults if each.slide == place.slide)


DESCENT = {
    "Step **52** is the first within a millionth": lambda opens: (
        solved_picture.solve(points_of(opens), surface_of(opens).start).near
        == 52
        == int(opens["gd_step"])
    ),
    "Descent, after 3 steps, is still on its way": lambda opens: (
        solved_picture.solve(points_of(opens), surface_of(opens).start).off[int(opens["gd_step"])]
        > 1
    ),
    "is missing: the code goes on to *loss.backward()*, and stops only there": lambda opens: (
        fault_put_back(opens)[0].stops == "loss.backward()"
        and fault_put_back(opens)[1].kind == "stops"
    ),
    "Both end at **the same β**: torch.nn has the steps ready": lambda opens: (
        (both := run_demos(regression_from_points(points_of(opens)), (3.0, -1.5), (0, 100)))[
            0
        ].allclose(both[1])
        and not both[0, 0].allclose(both[0, 1])
    ),
    "each ŷ is compared with every y, and the best line is flat": lambda opens: (
        "(8, 8)" in (fault := fault_put_back(opens)[1]).happens and fault.numbers.wrong == 0
    ),
    "β moves against the slope, step after step": lambda opens: torch.allclose(
        (path := descended(opens)).parameters.diff(dim=0),
        -float(opens["gd_eta"]) * path.gradients[:-1],
    ),
    "above 2/λₘₐₓ the path leaves the picture": lambda opens: (
        float(opens["gd_eta"]) > largest_rate(opens) and leaves_the_picture(opens)
    ),
    "x far from 0: κ is 71, and one direction is 71 times as steep as the other": lambda opens: (
        round((found := curvature(opens)[0])[1] / found[0]) == 71
        and min(x for x, _ in points_of(opens)) >= 1
    ),
    "Two points at each step: the slope is noisy": lambda opens: (
        opens["gd_batch"] == "2" and float(mean_over_batches(opens)[1].std(dim=0).max()) > 1
    ),
    "η shrinks to zero along a cosine, and the noise of the batches with it": lambda opens: (
        float((path := descended(opens)).rates[-1]) < 1e-3 * float(path.rates[0])
        and float(steps_of(path)[-20:].mean())
        < 0.2 * float(steps_of(descended(opens, gd_schedule="constant"))[-20:].mean())
    ),
    "Slope 0 in both directions, and yet no minimum": is_saddle,
    "at the start σ is saturated, and the slope is almost 0": lambda opens: (
        saturation_at_start(opens) < 0.01 and slope_at_start(opens) < 0.01
    ),
    "from the same start the slope is large": lambda opens: (
        slope_at_start(opens) > 50 * slope_at_start({**opens, "gd_surface": "plateau"})
        and surface_of(opens).start == surface_of({**opens, "gd_surface": "plateau"}).start
    ),
    "two of the directions of its nine parameters": lambda opens: (
        opens["gd_surface"] == "two-layer network" and xor_network()[0].parameters == 9
    ),
    "Eight points, and a **line**": lambda opens: len(points_of(opens)) == 8,
    "The cross is the best one": lambda opens: (
        float(descended(opens, gd_steps="300").loss[-1])
        >= float(surface_of(opens).objective.losses(torch.tensor(best_line_of(opens)).double()))
        - 1e-12
    ),
    "go **against the slope**, η times its length": lambda opens: math.isclose(
        float(steps_of(path := descended(opens))[0]),
        float(opens["gd_eta"]) * float(path.gradients[0].norm()),
    ),
    "zigzags along the steep direction and goes straight along the flat one": lambda opens: (
        (np.diff(np.sign(along(opens)), axis=0) != 0).mean(axis=0).tolist() == [0, 1]
    ),
    "Above **2/λₘₐₓ** every step lands higher up the other side: the run diverges": lambda opens: (
        float(opens["gd_eta"]) > largest_rate(opens)
        and bool((np.diff(np.abs(along(opens)[:, 1])) > 0).all())
        and bool((np.diff(np.sign(along(opens)[:, 1])) != 0).all())
    ),
    "κ is 71. What is safe for the steep direction is **slow** for the flat one": lambda opens: (
        round((found := curvature(opens)[0])[1] / found[0]) == 71
        and float(opens["gd_eta"]) < largest_rate(opens)
        and 1 - float(opens["gd_eta"]) * found[0] > 0.95
    ),
    "Its slope is right on average only, so it never settles": lambda opens: (
        mean_over_batches(opens)[0] < 1e-12
        and float(steps_of(descended(opens))[-20:].mean())
        > 100 * float(steps_of(descended(opens, gd_rules="GD"))[-20:].mean())
    ),
    "at a **saddle** the slope is 0, but it is no minimum": is_saddle,
}


def best_line_of(opens):
    """β of the closed form, by numpy."""
    X = np.array([[1.0, x] for x, _ in points_of(opens)])
    y = np.array([y for _, y in points_of(opens)])
    return np.linalg.lstsq(X, y, rcond=None)[0].tolist()


# --- Word vectors ---------------------------------------------------------------------------------


def sentences_of(opens):
    microworld_text = opens["wv_text"] == "microworld"
    return planted.microworld_sentences() if microworld_text else split_sentences(prose.text())


def config_of(opens):
    return VectorConfig(opens["wv_method"], int(opens["wv_window"]), int(opens["wv_dim"]))


def before_training(opens):
    """The share of similar words among the five nearest of each word, before the first step."""
    pairs, config = word_pairs(sentences_of(opens), int(opens["wv_window"])), config_of(opens)
    first = next(train_word2vec(pairs, config.sampling()))
    vectors = WordVectors(pairs.words, first.vectors)
    return neighbour_precision(vectors, planted.similar_words()).mean


def recorded_precision(opens):
    """The same share after training, for the worst recorded seed; and the recorded methods."""
    runs, here = recorded_quality().of, config_of(opens)
    found = [
        each.group
        for config, each in runs.items()
        if replace(config, seed=here.seed, snapshots=here.snapshots) == here
    ]
    return min(found), {config.method for config in runs}


@cache
def english():
    if wheel.package_folder() is None:
        pytest.skip("the encoder is not installed")
    return english_vectors(wheel.minilm())


def answers(opens, exclude_inputs=True):
    a, b, c = opens["wv_en_analogy"].split(", ")
    return solve_analogy(english(), a, b, c, 1, exclude_inputs=exclude_inputs).words


def subwords(opens, word):
    """For a word that the text lacks: how many of its pieces each word of the text shares."""
    words = word_pairs(sentences_of(opens), int(opens["wv_window"])).words
    assert word not in words
    config = config_of({**opens, "wv_method": "fastText"}).subwords()
    pieces = {*split_word(word, config.shortest, config.longest)}
    of_words = {each: {*split_word(each, config.shortest, config.longest)} for each in words}
    return {each: len(pieces & its) for each, its in of_words.items() if pieces & its}


def counted_in(opens):
    """X of the chosen cell, and how many of the cell's sentences contain both words."""
    word, context = opens["wv_cell"].split(", ")
    counts = count_cooccurrences(word_pairs(sentences_of(opens), int(opens["wv_window"])))
    at = [counts.words.index(each) for each in (word, context)]
    found = [sentences_of(opens)[i] for i in cell_places(counts, word, context).sentences.tolist()]
    return float(counts.counts[at[0], at[1]]), sum({word, context} <= {*row} for row in found)


VECTORS = {
    "words that stand in the same places meet": lambda opens: (
        recorded_precision(opens)[0] > 0.9 > 0.1 > before_training(opens)
    ),
    "A real text of 13,000 words is little": lambda opens: (
        round(sum(map(len, sentences_of(opens))), -3) == 13_000
    ),
    "fastText builds a word from its letters; catlike is misled by them": lambda opens: (
        (found := subwords(opens, "catlike"))["like"] > found["cat"]
    ),
    "Seven senses, one vector": lambda _: len(words_view.SENSES) == 7,
    "Before training every word has a **random** vector: its neighbours are chance": lambda opens: (
        before_training(opens) < 0.1
    ),
    "Words that stand in the **same places** have met": lambda opens: (
        recorded_precision(opens)[0] > 0.9
    ),
    "Any cell of the table opens to the **sentences** it was counted in": lambda opens: (
        (found := counted_in(opens))[0] == found[1] > 0
    ),
    "mark the neighbours of **five methods**: right, or wrong": lambda opens: (
        len(METHODS) == len(recorded_precision(opens)[1]) == 5
        and all(opens["wv_word"] in each for each in recorded_ladders().of)
    ),
    "A word that was never seen still has **letters**": lambda opens: (
        len(subwords(opens, opens["wv_new"])) > 0
    ),
    "**2013** scores the word beside it and five drawn at random, as before": lambda opens: (
        opens["wv_types"] == "10000" and VectorConfig(opens["wv_method"]).negatives == 5
    ),
    "king − man + woman. It works because the question words are **excluded**": lambda opens: (
        answers(opens) == ("queen",) and answers(opens, exclude_inputs=False) == ("king",)
    ),
    "**great** has seven senses in the dictionary": lambda _: len(words_view.SENSES) == 7,
}

# --- Live training --------------------------------------------------------------------------------


def recordings(opens):
    return [find_recording(spec) for spec in described_specs(opens)]


def losses(opens):
    """ln |V|, and the validation losses and batch losses of the first run, by step."""
    run = recordings(opens)[0]
    its = np.array([each[:2] for each in run.evaluations])
    return math.log(run.types), its, np.array(run.batches)


def by_quarters(opens):
    """The mean batch loss in each quarter of the run."""
    batches = losses(opens)[2]
    ends = np.linspace(0, batches[-1, 0], 5)
    return [
        batches[(low < batches[:, 0]) & (batches[:, 0] <= high), 1].mean()
        for low, high in pairwise(ends)
    ]


@cache
def pairs_of_words():
    documents = training_documents(microworld().sample(3000, np.random.default_rng(5)))
    return Counter(pair for each in documents for pair in pairwise(each.tolist()))


def shares_of_pairs(opens):
    """For each text that the model wrote, the share of its word pairs in the training texts."""
    vocabulary = microworld().vocabulary
    found = []
    for _, text in recordings(opens)[0].samples:
        words = text.replace(".", " .").split()
        ids = vocabulary.encode(words)
        found.append(np.mean([pair in pairs_of_words() for pair in pairwise(ids)]))
    return found


TRAINING = {
    "From uniform guessing to almost the grammar's own loss": lambda opens: (
        math.isclose((found := losses(opens))[1][0, 1], found[0], rel_tol=0.01)
        and 1 < found[1][-1, 1] / recordings(opens)[0].truth < 1.07
    ),
    "Feedforward, RNN, GRU and LSTM with the same number of weights, on the same text": (
        lambda opens: (
            [each.spec.model.kind for each in recordings(opens)]
            == ["feedforward", "rnn", "gru", "lstm"]
            and max(sizes := [each.parameters for each in recordings(opens)]) < 1.0005 * min(sizes)
            and len({(each.spec.corpus, each.spec.seed) for each in recordings(opens)}) == 1
        )
    ),
    "Gradient descent with η = 100: the run stops, and says why": lambda opens: (
        (run := recordings(opens)[0]).spec.learning_rate == 100
        and run.step < run.spec.steps
        and "η = 100 is too large" in run.why
    ),
    "read again and again: training and validation loss separate": lambda opens: (
        (found := losses(opens))[1][-1, 1] > 1.05 * found[1][:, 1].min()
        and by_quarters(opens)[-1] < 0.8 * found[1][-1, 1]
    ),
    "An LSTM on text with quotation marks and brackets": lambda opens: (
        recordings(opens)[0].spec.model.kind == "lstm"
        and {*"“”()"} <= {*"".join(text for _, text in recordings(opens)[0].samples)}
    ),
    "every word is equally likely: the loss is **ln |V|**": lambda opens: math.isclose(
        (found := losses(opens))[1][0, 1], found[0], rel_tol=0.01
    ),
    "No model gets below it on a new text": lambda opens: (
        losses(opens)[1][:, 1].min() > recordings(opens)[0].truth
    ),
    "first noise, then words that go together, then sentences": lambda opens: (
        (found := shares_of_pairs(opens))[0] < 0.2 < found[1] < found[2] and found[-1] == 1
    ),
    "in four of them the loss leaps above 1,000 nats, and the run is stopped": lambda opens: (
        losses(opens)[2][3, 1] > 1000 > losses(opens)[2][2, 1] and bool(recordings(opens)[0].why)
    ),
    "2,000 documents, read 48 times: the batches' loss keeps falling, the validation loss does": (
        lambda opens: (
            (spec := recordings(opens)[0].spec).steps * spec.batch == 48 * 2000
            and spec.corpus.documents == 2000
            and by_quarters(opens) == sorted(by_quarters(opens), reverse=True)
            and losses(opens)[1][-1, 1] > losses(opens)[1][:, 1].min()
        )
    ),
}

CLAIMS = {"descent": DESCENT, "vectors": VECTORS, "training": TRAINING}
