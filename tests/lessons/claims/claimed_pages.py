"""Claims of the other pages: random settings, what the page says, and facts computed anew."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F
from claim_check import Claim, Page, Scene, at_rows, filled, number, plain
from hypothesis import strategies as st

from drawing.live import LiveNumbers
from lessons.contextual import contextual_picture, contextual_text
from lessons.descent import descent_picture, descent_text
from lessons.descent.numbers import Descent, numbers_at
from lessons.descent.surfaces import build_surface
from lessons.generation import slide_tree_picture, slide_tree_text
from lessons.heads import heads_row, heads_text
from lessons.lstm import lstm_picture, lstm_text
from lessons.masking import leakage_picture, leakage_text
from lessons.networks import networks_state, networks_text
from lessons.neuron import neuron_state, neuron_text
from lessons.results import results_picture, results_plot, results_text
from lessons.tokens import tokens_text
from lessons.transformer import transformer_shown
from lessons.vectors import vectors_picture, vectors_text
from lmcore.attention import heads
from lmcore.contextual.clouds import Occurrence, trace_clouds
from lmcore.decoding import tree_paths
from lmcore.embeddings.static.maps import nearest_through_time
from lmcore.embeddings.static.methods import VectorConfig, train_vectors
from lmcore.masking import leakage
from lmcore.masking.under_mask import encode_text
from lmcore.models import masks
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.networks.network import TRAINABLE, NetworkConfig, forward
from lmcore.networks.points import PointSet, draw_points
from lmcore.networks.training import TrainingConfig, train_network
from lmcore.neuron.activations import ACTIVATIONS, SATURATION_SHARE
from lmcore.neuron.neuron import CORNERS, GATES, Neuron, trace_neuron
from lmcore.optimization.paths import DescentConfig
from lmcore.optimization.sweeps import sweep_rates
from lmcore.pretrained.reading import TokenizedText
from lmcore.recurrence.vanishing import VanishingSpec, gains
from lmcore.tokenization import merges, texts, trees
from lmcore.tokenization.rules import MERGE_RULES
from lmcore.transformer.flow import model_flow

SMALL = st.floats(-3, 3).map(lambda value: round(value, 2))


def steepest(g):
    z = torch.linspace(-8, 8, 4001, dtype=torch.float64)
    return float(ACTIVATIONS[g].derivative(z).abs().max())


# --- Neuron ---------------------------------------------------------------------------------------


@st.composite
def units(draw):
    count = draw(st.sampled_from((2, 1, 2, 3, 4)))
    numbers = st.tuples(*[SMALL] * count)
    gate = draw(st.sampled_from(("none", "AND", "OR", "XOR"))) if count == 2 else "none"
    g = draw(st.sampled_from(sorted(ACTIVATIONS))) if gate == "none" else "sigmoid"
    if gate in ("AND", "OR") and draw(st.booleans()):
        return (draw(numbers), (1.0, 1.0), -1.5 if gate == "AND" else -0.5, g), gate
    return (draw(numbers), draw(numbers), draw(SMALL), g), gate


def neuron_scenes(case):
    unit, gate = Neuron(*case[0]), case[1]
    live = neuron_state.slider_numbers(unit, trace_neuron(unit), 1.0, gate)
    sentences = neuron_text.unit_sentences(unit, gate)
    count = len(unit.inputs)
    for each in at_rows(live):
        w, x = ([each[f"{letter}{i}"] for i in range(1, count + 1)] for letter in "wx")
        terms = [a * b for a, b in zip(w, x, strict=True)]
        z = torch.tensor(sum(terms) + each["b"], dtype=torch.float64, requires_grad=True)
        facts = {"terms": terms}
        if gate == "none":
            if unit.activation != "step":
                (slope,) = torch.autograd.grad(ACTIVATIONS[unit.activation].function(z), z)
                facts["share"] = abs(float(slope)) / steepest(unit.activation)
        else:
            corners = [w[0] * a + w[1] * b + each["b"] for a, b in CORNERS]
            if any(abs(corner) < 1e-9 for corner in corners):
                continue
            facts["right"] = sum(
                (c > 0) == bool(y) for c, y in zip(corners, GATES[gate], strict=True)
            )
        yield Scene(filled(sentences, each), facts)


NEURON = Page(
    units(),
    neuron_scenes,
    (
        Claim(
            "input i moves z most: its term is the largest",
            r"Input (\d) moves z most: its term is (\S+) of",
            lambda m, f: math.isclose(
                abs(f["terms"][int(m[1]) - 1]), max(map(abs, f["terms"])), abs_tol=1e-9
            ),
        ),
        Claim(
            "the unit is saturated: its slope is a small share of the steepest",
            "the unit is saturated",
            lambda m, f: f["share"] <= SATURATION_SHARE + 1e-9,
        ),
        Claim(
            "the point climbs the curve: its slope is no small share",
            "the point climbs the curve",
            lambda m, f: f["share"] > SATURATION_SHARE - 1e-9,
        ),
        Claim(
            "k of 4 corners are right",
            r"decides (\d) of 4 corners",
            lambda m, f: int(m[1]) == f["right"],
        ),
        Claim(
            "one line separates: all 4 are right",
            "one line separates",
            lambda m, f: f["right"] == 4,
        ),
    ),
)

# --- Networks -------------------------------------------------------------------------------------


@st.composite
def trained(draw):
    kind = draw(st.sampled_from(("XOR", "AND", "moons", "circles", "three classes")))
    hidden = tuple(draw(st.lists(st.integers(1, 4), max_size=2)))
    g = draw(st.sampled_from(sorted(TRAINABLE)))
    rate = draw(st.sampled_from((0.1, 1.0, 10.0, 100.0)))
    if rate == 100:
        hidden, g = (4, 4), "identity"  # the run overflows at so large a rate
    return kind, hidden, g, rate, draw(st.integers(0, 9))


def networks_scenes(case):
    kind, hidden, g, rate, seed = case
    which = PointSet(kind, count=40)
    config = NetworkConfig(hidden, (g,) * len(hidden), classes=which.classes)
    how = TrainingConfig(learning_rate=rate, steps=40, seed=seed)
    now = networks_state.NetworkState(config, which, how, 0)
    points = draw_points(now.which)
    path = train_network(now.config, points, now.how)
    run = networks_state.Run(points, path)
    seen = ~points.held_out
    total = int(seen.sum())
    sentences = networks_text.run_sentences(
        now.config, total, now.which.kind, now.how.learning_rate, path.stopped
    )
    live = networks_state.live_numbers(now, run)
    rows = path.parameters
    steps = range(0, len(rows), 13)
    table = live.table[[slider.name for slider in live.sliders].index("step")]
    for step in {*steps, len(rows) - 1}:
        here = LiveNumbers(live.group, live.names, table[step])
        output = forward(now.config, rows[step], points.x[seen]).output
        given = output[:, 0] > 0.5 if now.config.classes == 2 else output.argmax(-1)
        wrong = int((given.long() != points.labels[seen]).sum())
        facts = {"wrong": wrong, "total": total, "loss": here["loss"], "stopped": path.stopped}
        linear = not now.config.hidden or set(now.config.activations) == {"identity"}
        yield Scene(filled(sentences, here), facts | {"linear": linear, "step": step})


NETWORKS = Page(
    trained(),
    networks_scenes,
    (
        Claim(
            "so many of the points are wrong",
            r"(\d+) of (\d+) points (?:are )?on the wrong side",
            lambda m, f: (int(m[1]), int(m[2])) == (f["wrong"], f["total"]),
        ),
        Claim(
            "one line, or straight borders: nothing bends the border",
            "draws? (?:one line|straight borders)",
            lambda m, f: f["linear"] and f["wrong"] > 0,
        ),
        Claim("it is enough: none is wrong", "enough", lambda m, f: f["wrong"] == 0),
        Claim(
            "η is too large: the run has stopped",
            "too large",
            lambda m, f: f["stopped"] == f["step"],
        ),
        Claim(
            "after so many steps: the loss is finite",
            r"After \d+ steps",
            lambda m, f: math.isfinite(f["loss"]) and f["stopped"] != f["step"],
        ),
    ),
)

# --- Gradient descent -----------------------------------------------------------------------------

RULES = (DescentConfig(), DescentConfig(batch=2), DescentConfig("momentum"), DescentConfig("Adam"))


@st.composite
def descents(draw):
    xs = draw(st.lists(st.integers(-8, 8), min_size=3, max_size=6, unique=True))
    points = [(x / 4, draw(SMALL)) for x in xs]
    surfaces = ("regression", "plateau", "plateau, cross-entropy", "saddle")
    name = draw(st.sampled_from(("regression", *surfaces)))
    configs = draw(st.sampled_from((RULES[:1], RULES[:1], RULES[1:2], RULES[::2], RULES)))
    if name != "regression":
        configs = [each for each in configs if not each.batch] or RULES[:1]
    return name, points, configs, draw(st.sampled_from((0.02, 0.1, 0.3, 1.0, 3.0)))


def descent_scenes(case):
    name, points, configs, rate = case
    start = (0.1, 0.001) if name == "saddle" else None  # where both slopes are small
    surface = build_surface(name, tuple(points), start)
    rates = torch.tensor([rate], dtype=torch.float64)
    run = Descent(surface, sweep_rates(surface.objective, surface.start, configs, rates, 40))
    x = np.stack([np.ones(len(points)), [x for x, _ in points]], axis=1)
    largest = float(np.abs(1 - rate * np.linalg.eigvalsh(2 / len(points) * x.T @ x)).max())
    for step in (0, 3, 12, 40):
        named = numbers_at(run, torch.tensor([0]), torch.tensor([step]))
        live = LiveNumbers("", tuple(named), np.array([float(v[0]) for v in named.values()]))
        if not math.isfinite(live["loss"]):
            continue
        theta = torch.tensor([[live["p0"], live["p1"]]], dtype=torch.float64)
        slope = float(surface.objective.gradients(theta).norm())
        losses = {descent_picture.run_label(c): live[f"l{i}"] for i, c in enumerate(configs)}
        facts = {"largest": largest, "slope": slope, "loss": live["loss"], "losses": losses}
        yield Scene(filled(descent_text.run_sentences(run), live), facts)


DESCENT = Page(
    descents(),
    descent_scenes,
    (
        Claim(
            "it converges: every factor is below 1", "leaves at most", lambda m, f: f["largest"] < 1
        ),
        Claim("it diverges: a factor is above 1", "diverges", lambda m, f: f["largest"] > 1),
        Claim(
            "of a race this one is lowest",
            r"one η: (.+) is lowest",
            lambda m, f: f["losses"][m[1]] <= min(f["losses"].values()) + 1e-12,
        ),
        Claim(
            "the slope is almost 0 on a plateau: it is, and L is not",
            "its slope is almost 0",
            lambda m, f: f["slope"] < 0.031 and f["loss"] > 0.09,
        ),
        Claim("there is a slope to follow", "a slope to follow", lambda m, f: f["slope"] > 0.029),
        Claim("little of the loss is left", "little of the loss", lambda m, f: f["loss"] <= 0.11),
        Claim(
            "both slopes are almost 0 at the saddle",
            "at the saddle",
            lambda m, f: abs(f["loss"]) <= 0.06,
        ),
    ),
    often=4,
)

# --- Results --------------------------------------------------------------------------------------


def results_scenes(case):
    """`case` holds the numbers that choose the table, its axes, and the pair."""
    table_of, x_of, y_of, chosen, reference, task = case
    name = chosen_of(sorted(results_plot.OPENINGS), table_of)
    table = results_plot.load_results(name)
    x = chosen_of(sorted(results_plot.axis_labels(table)), x_of)
    if results_plot.TASKS in results_plot.axis_labels(table) and x_of % 2:
        x = results_plot.TASKS
    try:
        plot = results_plot.make_plot(name, x, chosen_of(sorted(table.measures), y_of))
    except ValueError:  # no row has a number on both axes
        return
    known = range(len(plot.names)) if plot.form == "tasks" else plot.order
    place = chosen_of(plot.order, task) if plot.form == "tasks" else 0
    pair = results_picture.Pair(chosen_of(known, chosen), chosen_of(known, reference), place)
    numbers = results_picture.pair_numbers(plot, pair)
    live = LiveNumbers("", tuple(numbers), np.array(list(numbers.values())))
    if plot.form == "tasks":
        before, after = (plot.score(pair.task, i) for i in (pair.reference, pair.chosen))
        across = (math.nan, math.nan)
    else:
        before, after = (plot.values(plot.y)[i] for i in (pair.reference, pair.chosen))
        across = (
            tuple(plot.values(plot.x)[i] for i in (pair.reference, pair.chosen))
            if plot.x
            else (before, after)
        )
    if math.isnan(before) or math.isnan(after):
        return
    facts = {"before": before, "after": after, "across": across}
    yield Scene(filled(results_text.sentences(plot, pair), live), facts)


def chosen_of(options, number):
    """The option at `number`, modulo the number of options."""
    return options[number % len(options)]


RESULTS = Page(
    st.tuples(*[st.integers(0, 999)] * 6),
    results_scenes,
    (
        Claim(
            "so much more, or less, than the other",
            r"(?:: |\. )(\S+) (more|less)(?: than|\.|$)",
            lambda m, f: math.isclose(
                number(m[1]) * (1 if m[2] == "more" else -1),
                f["after"] - f["before"],
                rel_tol=1e-3,
                abs_tol=1e-9,
            ),
        ),
        Claim(
            "as good as, as does: equal",
            "As good as|, as does",
            lambda m, f: f["after"] == f["before"],
        ),
        Claim(
            "so many times the other's",
            r"(?:, |at )(\S+) times ",
            lambda m, f: math.isclose(number(m[1]), f["across"][1] / f["across"][0], rel_tol=2e-3),
        ),
        Claim(
            "so many per cent of the errors are gone",
            r"removes (\S+) % of the errors",
            lambda m, f: math.isclose(
                number(m[1]),
                100 * (f["after"] - f["before"]) / (100 - f["before"]),
                rel_tol=1e-3,
            ),
        ),
    ),
    often=8,
)

# --- Masks ----------------------------------------------------------------------------------------

WORDS = encode_text("the cat sat on")


def leak_scenes(case):
    kind, size, order, at, blank = case
    count = len(WORDS.ids)
    mask = {
        "causal": lambda: masks.causal(count),
        "bidirectional": lambda: masks.bidirectional(count),
        "sliding": lambda: masks.sliding(count, size),
        "prefix": lambda: masks.prefix(count, size),
        "permutation": lambda: masks.permutation(order),
    }[kind]()
    found = leakage.leakage(mask, torch.tensor(WORDS.ids), blank=blank)
    now = leakage_picture.numbers(found, mask, at, blank=blank)
    live = LiveNumbers("", tuple(now), np.array(list(now.values())))
    moved = (found.moved[:, :, at] != 0).any(dim=0).tolist()
    facts = {"before": sum(moved[:at]), "after": sum(moved[at:]), "own": moved[at]}
    yield Scene(filled(leakage_text.sentences(WORDS.tokens, str), live), facts | {"at": at})


MASKING = Page(
    st.tuples(
        st.sampled_from(("causal", "bidirectional", "sliding", "prefix", "permutation")),
        st.integers(1, len(WORDS.ids)),
        st.permutations(range(len(WORDS.ids))),
        st.integers(0, len(WORDS.ids) - 1),
        st.booleans(),
    ),
    leak_scenes,
    (
        Claim(
            "so many outputs before it move",
            r"of (\d+) outputs before it, (\d+) move",
            lambda m, f: (int(m[1]), int(m[2])) == (f["at"], f["before"]),
        ),
        Claim(
            "the future leaks: an output before it moves",
            r"The future leaks: change \S+, and (\d+) of",
            lambda m, f: int(m[1]) == f["before"] > 0,
        ),
        Claim("it sees itself through the others", "sees itself", lambda m, f: f["own"]),
        Claim("it never reaches its place", "never reaches", lambda m, f: not f["own"]),
    ),
)

# --- Generation -----------------------------------------------------------------------------------


@st.composite
def slide_trees(draw):
    rows = [draw(st.lists(st.integers(1, 20), min_size=3, max_size=3)) for _ in tree_paths.NODES]
    edges = torch.tensor(rows, dtype=torch.float64)
    return edges / edges.sum(dim=1, keepdim=True), draw(st.integers(1, 3))


def slide_tree_scenes(case):
    edges, width = case
    p = tree_paths.text_probabilities(edges[None])
    walks = tree_paths.sample_texts(edges[None], tree_paths.uniform_draws(0)[:10])
    shares = tree_paths.sampled_shares(walks, p)
    found = slide_tree_picture.numbers(edges[None], width, torch.tensor([10]), shares)
    live = LiveNumbers("", tuple(found), np.array([float(each[0]) for each in found.values()]))
    first = int(edges[0].argmax())
    after = [] if first == 2 else [int(edges[first + 1].argmax())]
    words = [("yes", "ok", None)[i] for i in (first, *after)]
    greedy = slide_tree_picture.text_label(tuple(word for word in words if word))
    by_text = {
        slide_tree_picture.text_label(t): float(p[0, i]) for i, t in enumerate(tree_paths.TEXTS)
    }
    yield Scene(filled(slide_tree_text.sentences(width), live), {"p": by_text, "greedy": greedy})


GENERATION = Page(
    slide_trees(),
    slide_tree_scenes,
    (
        Claim(
            "no text is more probable than this one",
            r"find (.+?), \S+?; no text is more probable",
            lambda m, f: math.isclose(f["p"][m[1]], max(f["p"].values())),
        ),
        Claim(
            "the most probable text has so much, and the beam has less",
            r"finds? ([a-z() ]+), ([^,]+?)\. The most probable has ([\d.×⁻⁰-⁹]+);",
            lambda m, f: (
                math.isclose(number(m[3]), max(f["p"].values()), rel_tol=1e-3)
                and f["p"][m[1]] < max(f["p"].values())
            ),
        ),
        Claim(
            "greedy search finds this text",
            r"Greedy search finds (.+?), ",
            lambda m, f: m[1] == f["greedy"],
        ),
    ),
)

# --- LSTM -----------------------------------------------------------------------------------------


def vanishing_scenes(case):
    found = gains(VanishingSpec(*case))
    named = found.by_name() | {"@say": lstm_picture.vanishing_say(found)}
    live = LiveNumbers("", tuple(named), np.array([float(each) for each in named.values()]))
    yield Scene(filled(lstm_text.vanishing_sentences(), live), {})


LIMITS = {"vanishes": (0, 0.01), "fades": (0.01, 0.5), "survives": (0.5, 2), "grows": (2, 100)}
LIMITS["explodes"] = (100, math.inf)


def within(said, word):
    low, high = LIMITS[word]
    return low * 0.999 <= number(said) <= high * 1.001


LSTM = Page(
    st.tuples(st.floats(0.1, 2), st.floats(0.05, 1)),
    vanishing_scenes,
    (
        Claim(
            "the RNN's gradient vanishes, fades, survives, grows or explodes",
            r"gradient is (\S+) times as large: it (\w+)",
            lambda m, f: within(m[1], m[2]),
        ),
        Claim(
            "the LSTM's gradient vanishes, fades, survives, grows or explodes",
            r"LSTM's is (\S+) times: it (\w+)",
            lambda m, f: within(m[1], m[2]),
        ),
    ),
)

# --- Contextual vectors ---------------------------------------------------------------------------


class Made:
    """A model of one layer with given vectors, in the shape (layers 0 and 1, texts, width)."""

    depth = 1

    def __init__(self, given):
        self.given = given

    def word_vectors(self, texts):
        return [self.given[:, i : i + 1] for i in range(len(texts))]


def contextual_scenes(case):
    count, apart, seed = case
    generator = torch.Generator().manual_seed(seed)
    senses = [sense for sense in (0, 1) for _ in range(count)]
    vectors_of = torch.randn(2, 2 * count, 24, generator=generator)
    vectors_of[0] = vectors_of[0, :1]
    vectors_of[1, count:] += apart
    texts_of = [("fine",)] * (2 * count)
    clouds = trace_clouds(
        Made(vectors_of), [Occurrence(t, 0, s) for t, s in zip(texts_of, senses, strict=True)]
    )
    numbers = contextual_picture.layer_numbers(clouds)
    unit = F.normalize(vectors_of[1].double(), dim=-1)
    cosines = unit @ unit.T
    labels = np.array(senses)

    def gap(given):
        same = given[:, None] == given[None]
        off = ~np.eye(len(given), dtype=bool)
        return float(cosines[same & off].mean() - cosines[~same].mean())

    draw = np.random.default_rng(7)
    dealt = [gap(draw.permutation(labels)) for _ in range(60)]
    p = (1 + sum(each >= gap(labels) - 1e-9 for each in dealt)) / 61
    for layer in range(2):
        live = LiveNumbers(
            "", tuple(numbers), np.array([float(v[layer]) for v in numbers.values()])
        )
        facts = {"p": p, "gap": gap(labels), "accuracy": float(clouds.accuracy[layer])}
        yield Scene(filled(contextual_text.layer_sentences("fine"), live), facts | {"layer": layer})


CONTEXTUAL = Page(
    st.tuples(st.integers(3, 9), st.sampled_from((0.0, 0.0, 0.2, 2.0, 3.0)), st.integers(0, 99)),
    contextual_scenes,
    (
        Claim(
            "two clouds: shuffled senses are seldom as far apart",
            "falls into two clouds",
            lambda m, f: f["p"] <= 0.12 and f["gap"] > 0 and f["accuracy"] >= 0.8,
        ),
        Claim(
            "the two senses overlap: they are not clearly apart",
            "overlap",
            lambda m, f: f["p"] > 0.02 or f["accuracy"] < 0.8,
        ),
        Claim(
            "every occurrence has the same vector", "the same vector", lambda m, f: f["layer"] == 0
        ),
    ),
)

# --- Word vectors ---------------------------------------------------------------------------------


@st.composite
def texts_of_words(draw):
    words = st.lists(st.sampled_from("abcdef"), min_size=4, max_size=9)
    sentences = draw(st.lists(words, min_size=3, max_size=6))
    method = draw(st.sampled_from(("PPMI-SVD", "GloVe", "skip-gram")))
    return sentences, method, draw(st.sampled_from("abcdef"))


def vectors_scenes(case):
    sentences, method, word = case
    known = {each for sentence in sentences for each in sentence}
    if word not in known or len(known) < 4:
        return
    try:
        run = train_vectors(sentences, VectorConfig(method, dimensions=3, epochs=1))
    except ValueError:
        return
    near = nearest_through_time(run.record, word, 2)
    said = vectors_text.run_sentences(run, near, hidden=False)
    chosen = vectors_picture.chosen_sentences(near)
    at = run.record.words.index(word)
    for step in range(len(near.ids)):
        rows = F.normalize(run.record.vectors[step], dim=-1)
        cosines = dict(zip(run.record.words, (rows @ rows[at]).tolist(), strict=True))
        del cosines[word]
        live = LiveNumbers(
            "", ("step", "c1"), np.array([float(step), float(near.cosines[step, 0])])
        )
        yield Scene(plain(live.fill(said[chosen[step]])), {"cosines": cosines})


VECTORS = Page(
    texts_of_words(),
    vectors_scenes,
    (
        Claim(
            "this word is nearest, and alone",
            r"(\w) is nearest to \w, at cosine",
            lambda m, f: all(
                f["cosines"][m[1]] > c for word, c in f["cosines"].items() if word != m[1]
            ),
        ),
        Claim(
            "no word is nearest: several share the largest cosine",
            "no word is nearest",
            lambda m, f: np.ptp(sorted(f["cosines"].values())[-2:]) < 1e-6,
        ),
    ),
)

# --- Heads ----------------------------------------------------------------------------------------

TEXT = TokenizedText(
    torch.arange(1, 6),
    ("a", "b", "c", "d", "e"),
    torch.zeros(5, dtype=torch.long),
    torch.zeros(5) > 0,
    False,
)


def heads_scenes(case):
    seed, place, key, compared = case
    config = TransformerConfig(9, width=16, heads=2, layers=2, hidden=8, longest=8)
    trace, other = (heads.trace_heads(BERT(config, seed=s), TEXT) for s in (seed, seed + 1))
    there = heads_row.OtherText(other.weights[:, :, place], TEXT.tokens) if compared else None
    row = heads_row.query_row(trace, place, key, there, 0.1)
    said = heads_text.sentences(trace, row, there, str)
    for head in range(4):
        live = LiveNumbers("", row.names, row.table[head])
        weights = trace.weights[head // 2, head % 2, place].tolist()
        facts = {"weights": dict(zip(TEXT.tokens, weights, strict=True))}
        if compared and key is not None:
            facts["change"] = float(other.weights[head // 2, head % 2, place, key]) - weights[key]
        yield Scene(filled(said, live), facts)


HEADS = Page(
    st.tuples(st.integers(0, 50), st.integers(0, 4), st.none() | st.integers(0, 4), st.booleans()),
    heads_scenes,
    (
        Claim(
            "a query attends most to this key",
            r"most to \W*(\w)\W",
            lambda m, f: f["weights"][m[1]] == max(f["weights"].values()),
        ),
        Claim(
            "a key's weight falls, rises or stays in the other text",
            r"the weight of .* (falls|rises|stays) ",
            lambda m, f: {
                "falls": f["change"] < 0,
                "rises": f["change"] > 0,
                "stays": abs(f["change"]) < 0.05,
            }[m[1]],
        ),
    ),
)

# --- Tokens ---------------------------------------------------------------------------------------

COUNTS = texts.shipped_word_counts("birds")


def tokens_scenes(case):
    rule, types, word = case
    trace = merges.train(COUNTS, MERGE_RULES[rule], types)
    (named,) = trees.merge_trees([word], trace)
    said = tokens_text.sentences(trace, named, hidden=False)
    for each, sentence in zip(named.tops, said, strict=True):
        pieces = [named.nodes[i].piece for i in each.nodes]
        live = LiveNumbers("", ("tokens_n",), np.array([float(types)]))
        times = COUNTS.counts.get(word, 0)
        yield Scene(plain(live.fill(sentence)), {"pieces": len(pieces), "times": times})


TOKENS = Page(
    st.tuples(
        st.sampled_from(sorted(MERGE_RULES)),
        st.integers(150, 260),
        st.sampled_from(sorted(COUNTS.counts)[:40]) | st.sampled_from(("the", "zebra", "seagull")),
    ),
    tokens_scenes,
    (
        Claim(
            "after so many merges it is so many pieces",
            r"it is (\d+) pieces?:",
            lambda m, f: int(m[1]) == f["pieces"],
        ),
        Claim("the text has the word", r"^The text has", lambda m, f: f["times"] > 0),
        Claim("the text does not have the word", "does not have", lambda m, f: f["times"] == 0),
    ),
)

# --- Transformer ----------------------------------------------------------------------------------


def transformer_scenes(case):
    kind, positions, segments, ids = case
    config = TransformerConfig(
        9, width=8, heads=2, layers=1, hidden=8, longest=8, positions=positions, segments=segments
    )
    network = (GPT if kind == "GPT" else BERT)(config, seed=1)
    text = torch.tensor(ids)
    flow = model_flow(network, text, network(text[None]))
    parts = {"E[x]": "token", "√d E[x]": "token", "P": "position", "PE": "position", "S": "segment"}
    shown = transformer_shown.Shown(
        kind.lower(), kind, config, flow, (), ("x",) * len(ids), (), list, 0.0
    )
    said = transformer_shown.embedding_sum(shown)
    total = sum(flow[parts[each]].values for each in said.split(" + "))
    yield Scene(said, {"off": float((total - flow["embedding"].values).detach().abs().max())})


TRANSFORMER = Page(
    st.tuples(
        st.sampled_from(("GPT", "BERT")),
        st.sampled_from(("learned", "sinusoidal", "none")),
        st.sampled_from((0, 2)),
        st.lists(st.integers(0, 8), min_size=1, max_size=5),
    ),
    transformer_scenes,
    (Claim("h⁽⁰⁾ is the sum of what is named", ".", lambda m, f: f["off"] < 1e-6),),
)

PAGES = {
    "neuron": NEURON,
    "networks": NETWORKS,
    "descent": DESCENT,
    "results": RESULTS,
    "masking": MASKING,
    "generation": GENERATION,
    "lstm": LSTM,
    "contextual": CONTEXTUAL,
    "vectors": VECTORS,
    "heads": HEADS,
    "tokens": TOKENS,
    "transformer": TRANSFORMER,
}
