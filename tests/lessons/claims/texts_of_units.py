"""Claims of examples and beats about units, small networks, and how they learn."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import torch

from lessons.networks.networks_views import STARTS
from lmcore.classification import embedding_classifier
from lmcore.classification.hand_features import HandConfig, train_hand_features
from lmcore.classification.reviews import ReviewConfig, draw_reviews
from lmcore.graph import compare_gradients, parse_program, trace_graph
from lmcore.networks.lines import best_line
from lmcore.networks.network import NetworkConfig, forward, random_parameters
from lmcore.networks.points import PointSet, draw_points
from lmcore.networks.seeds import solve_from_seeds
from lmcore.networks.softmax import trace_softmax
from lmcore.networks.training import TrainingConfig, train_network
from lmcore.neuron.neuron import CORNERS, GATES

# --- Backprop -------------------------------------------------------------------------------------


def traced(opens):
    """The value and the gradient of each name in a program."""
    graph = parse_program(opens["program"])
    trace = trace_graph(graph)
    return {node.name: (trace.values[i], trace.gradients[i]) for i, node in enumerate(graph.nodes)}


def gradients(opens, names):
    return [float(traced(opens)[name][1]) for name in names]


def leaves_moved(opens, leaf):
    """The leaves whose gradients change when `leaf` changes."""
    moved = opens["program"].replace(f"{leaf} = ", f"{leaf} = 1 + ")
    return {
        name for name in "abc" if gradients(opens, [name]) != gradients({"program": moved}, [name])
    }


def answers_at_zero(opens):
    """The number of methods, and the number of different values that they give for ∂L/∂z."""
    (z,) = (each for each in compare_gradients(parse_program(opens["program"])) if each.name == "z")
    found = [float(each) for each in (z.hand, z.autograd, z.numeric)]
    return len(found), len({round(each, 6) for each in found})


def regression_loss(slope):
    """L and its gradient with respect to the slope, in the example of linear regression."""
    error = 3 - slope * 2
    return error**2, -4 * error


def of_the_output(opens):
    """∂L/∂z2, and a − y."""
    found = traced(opens)
    return float(found["z2"][1]), float(found["a"][0] - found["y"][0])


def shares_of_sigmoids(opens):
    """The share of the arriving gradient that each of the ten sigmoids passes on."""
    found = traced(opens)
    names = ["x", *(f"h{i}" for i in range(1, 10)), "L"]
    arrives = [float(found[name][1]) for name in names]
    return [before / after for before, after in pairwise(arrives)]


def is_sum(opens):
    """Whether the gradient of a node that is used twice is the sum over the paths by p and q."""
    a, b, p, q = (float(traced(opens)[name][0]) for name in "abpq")
    return gradients(opens, "ab") == [q * b + p, q * a + p]


BACKPROP = {
    "d = 2, e = 5, L = −10; gradients −2, −4, 5": lambda opens: (
        [float(traced(opens)[name][0]) for name in "deL"] == [2, 5, -10]
        and gradients(opens, "abc") == [-2, -4, 5]
    ),
    "ReLU, sigmoid and binary cross-entropy: ∂L/∂z2 = a − y": lambda opens: math.isclose(
        *of_the_output(opens)
    ),
    "One data point, one slope to learn": lambda opens: (
        all(each.numel() == 1 for each, _ in traced(opens).values()) and opens["update"] == "β"
    ),
    "a and b reach L on two paths: their gradients are sums": is_sum,
    "Each sigmoid passes on at most a quarter": lambda opens: (
        max(shares_of_sigmoids(opens)) <= 0.25
    ),
    "Below 0 nothing goes through, so nothing is learned": lambda opens: (
        float(traced(opens)["z"][0]) < 0 and gradients(opens, opens["update"].split(", ")) == [0, 0]
    ),
    "Three methods, two answers": lambda opens: answers_at_zero(opens) == (3, 2),
    "how much does L move if this node moves? For L itself: 1": lambda opens: (
        gradients(opens, "L") == [1]
    ),
    "1 × (−2) = −2 at e. From there on it is the same again: −2 × 1 = −2 at d": lambda opens: (
        gradients(opens, "Led") == [1, -2, -2] and float(traced(opens)["c"][0]) == -2
    ),
    "Down to the leaves: −2, −4 and 5. Drag c: the gradients of a and b change": lambda opens: (
        gradients(opens, "abc") == [-2, -4, 5] and leaves_moved(opens, "c") == {"a", "b"}
    ),
    "∂L/∂β = −8": lambda opens: gradients(opens, "β") == [regression_loss(0.5)[1]] == [-8],
    "0.5 − 0.1 · (−8) = 1.3. One step, and L falls from 4 to **0.16**": lambda opens: (
        regression_loss(0.5)[0] == 4
        and math.isclose(float(traced(opens)["β"][0]), 0.5 - 0.1 * -8)
        and math.isclose(float(traced(opens)["L"][0]), 0.16)
        and math.isclose(regression_loss(1.3)[0], 0.16)
    ),
    "A node that is used twice gets two contributions. They are **added**": is_sum,
    "at every one the gradient shrinks to a quarter or less. It **vanishes**": lambda opens: (
        len(found := shares_of_sigmoids(opens)) == 10
        and max(found) <= 0.25
        and math.prod(found) < 1e-5
    ),
    "At its end, ∂L/∂z2 is simply a − y": lambda opens: math.isclose(*of_the_output(opens)),
}

# --- Neuron ---------------------------------------------------------------------------------------

G = {
    "sigmoid": lambda z: 1 / (1 + math.exp(-z)),
    "GELU": lambda z: z * (1 + math.erf(z / math.sqrt(2))) / 2,
}


def numbers(text):
    return [float(each) for each in text.split(",")]


def z_of(opens, raised=0.0):
    """z of the unit, with every weight raised by `raised`."""
    terms = zip(numbers(opens["x"]), numbers(opens["w"]), strict=True)
    return sum(x * (w + raised) for x, w in terms) + float(opens["b"])


def slope(opens):
    y = G["sigmoid"](z_of(opens))
    return y * (1 - y)


def bent_slope(opens, name):
    """The slope of an activation at the z of the view of slopes, by a central difference."""
    z, step = float(opens["slope_z"]), 1e-5
    functions = {**G, "tanh": math.tanh, "ReLU": lambda value: max(0.0, value)}
    return round((functions[name](z + step) - functions[name](z - step)) / (2 * step), 8)


def right_corners(opens):
    """How many corners of the square the unit classifies as its gate does."""
    w, b = numbers(opens["w"]), float(opens["b"])
    wanted = GATES[opens["gate"]]
    return sum(
        (w[0] * x1 + w[1] * x2 + b > 0) == bool(y)
        for (x1, x2), y in zip(CORNERS, wanted, strict=True)
    )


def ones(gate):
    """The corners where the gate gives 1."""
    return {f"{x1:g}{x2:g}" for (x1, x2), y in zip(CORNERS, GATES[gate], strict=True) if y}


def most_right(gate):
    """The most corners that one line can classify as the gate does."""
    corners = torch.tensor(CORNERS, dtype=torch.float64)
    return int(best_line(corners, torch.tensor(GATES[gate])).right.sum())


def moves_up(opens, to):
    """Whether raising a weight from −`to` to `to` raises its term, z and y."""
    x = numbers(opens["x"])[0]
    rest = z_of(opens) - x * numbers(opens["w"])[0]
    terms = [x * w for w in np.linspace(-to, to, 20)]
    ys = [G["sigmoid"](rest + term) for term in terms]
    return terms == sorted(terms) and ys == sorted(ys)


NEURON = {
    "z = 0.69; the slide rounds y to 0.67": lambda opens: (
        math.isclose(z := z_of(opens), 0.69) and round(G["sigmoid"](z), 2) == 0.67
    ),
    "So far to the right that the slope is almost 0": lambda opens: (
        z_of(opens) > 0 and slope(opens) < 0.01 * 0.25
    ),
    "1 · Φ(1) = 0.8413": lambda opens: (
        round(G["GELU"](z_of(opens)), 4) == 0.8413 and z_of(opens) == 1
    ),
    "One line separates 11 from the rest": lambda opens: (
        right_corners(opens) == 4 and ones(opens["gate"]) == {"11"}
    ),
    "One line separates 00 from the rest": lambda opens: (
        right_corners(opens) == 4 and ones(opens["gate"]) == {"01", "10", "11"}
    ),
    "AND turned around: the weights are negative": lambda opens: (
        right_corners(opens) == 4
        and max(numbers(opens["w"])) < 0
        and ones(opens["gate"]) == {"00", "01", "10", "11"} - ones("AND")
    ),
    "No line separates 01 and 10 from 00 and 11": lambda opens: (
        ones(opens["gate"]) == {"01", "10"} and right_corners(opens) < 4 and most_right("XOR") == 3
    ),
    "bends z = 0.69 into a number between 0 and 1": lambda opens: (
        math.isclose(z := z_of(opens), 0.69) and 0 < G["sigmoid"](z) < 1
    ),
    "Drag a weight: its term grows, the sum moves, the point climbs the curve": lambda opens: (
        moves_up(opens, 5)
    ),
    "Every weight is 4 now, and y nearly 1. Raise one more: the point hardly moves": lambda opens: (
        set(numbers(opens["w"])) == {4}
        and G["sigmoid"](z_of(opens)) > 0.999
        and G["sigmoid"](z_of(opens, 1)) - G["sigmoid"](z_of(opens)) < 1e-3
    ),
    "**AND** needs one line": lambda opens: right_corners(opens) == 4 == most_right("AND"),
    "**XOR** needs two lines. No weights can do this": lambda opens: (
        opens["gate"] == "XOR" and most_right("XOR") == 3
    ),
    "The bias: 0.4 of z = 0.69. The terms, laid end to end, **are** z": lambda opens: (
        math.isclose(z_of(opens), 0.69)
        and float(opens["b"])
        == 0.4
        > max(x * w for x, w in zip(numbers(opens["x"]), numbers(opens["w"]), strict=True))
    ),
    "bends z = 0.69 into y = 0.6660, which the slide rounds to 0.67": lambda opens: (
        math.isclose(z := z_of(opens), 0.69) and round(G["sigmoid"](z), 4) == 0.6660
    ),
    "0.25 of a gradient passes; ten in a row leave about a millionth": lambda opens: (
        bent_slope(opens, "sigmoid") == 0.25 and 0.9e-6 < 0.25**10 < 1.1e-6
    ),
    "at z = 4 its slope is 0.01766": lambda opens: (
        round(bent_slope(opens, "sigmoid"), 5) == 0.01766 and opens["slope_z"] == "4"
    ),
    "ReLU passes all of it. Sigmoid passes 0.1050 and tanh 0.07065": lambda opens: (
        [round(bent_slope(opens, name), 5) for name in ("ReLU", "sigmoid", "tanh")]
        == [1, 0.10499, 0.07065]
    ),
    "ReLU is **dead**: nothing passes. Sigmoid still passes 0.1050": lambda opens: (
        bent_slope(opens, "ReLU") == 0 and round(bent_slope(opens, "sigmoid"), 4) == 0.1050
    ),
}

# --- Networks -------------------------------------------------------------------------------------

REVIEWS = draw_reviews(ReviewConfig("negation"))


def described(opens):
    """The network of an example, its points, and its training settings."""
    which = PointSet(opens["nn_data"], int(opens["nn_count"]), float(opens["nn_noise"]))
    hidden = tuple(int(each) for each in opens["nn_units"].split(",") if each.strip())
    how = TrainingConfig(
        opens["nn_optimizer"],
        float(opens["nn_eta"]),
        int(opens["nn_steps"]),
        seed=int(opens["nn_seed"]),
    )
    config = NetworkConfig(hidden, (opens["nn_g"],) * len(hidden), classes=which.classes)
    return config, draw_points(which), how


@cache
def trained(data, units, *rest):
    return train_network(*described(dict(zip(RUN, (data, units, *rest), strict=True))))


RUN = (
    *("nn_data", "nn_units", "nn_g", "nn_optimizer", "nn_eta", "nn_steps", "nn_seed"),
    *("nn_noise", "nn_count"),
)


def run_of(opens):
    """The run of an example, and how many points are wrong at its end."""
    path = trained(*(opens[name] for name in RUN))
    return path, int(path.wrong[-1])


def outputs(opens, points):
    config = described(opens)[0]
    if set(config.activations) == {"identity"}:  # the claims about it hold for any weights
        return forward(config, random_parameters(config, int(opens["nn_seed"])), points).output
    return forward(config, run_of(opens)[0].parameters[-1], points).output


def classes(opens, points):
    output = outputs(opens, points)
    return output.argmax(dim=-1) if output.shape[-1] > 1 else (output[:, 0] > 0.5).long()


def is_bent(opens):
    """Whether a point halfway between two points of one class is of another class."""
    ends = torch.rand(2000, 2, 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    window = described(opens)[1].x
    low, high = window.amin(dim=0), window.amax(dim=0)
    ends = low + (high - low) * ends
    one, other, middle = (
        classes(opens, each) for each in (ends[:, 0], ends[:, 1], ends.mean(dim=1))
    )
    return bool(((one == other) & (middle != one)).any())


def is_one_layer(opens):
    """Whether the logit of a stack of two hidden layers is an affine function of the input."""
    x = torch.randn(50, 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    design = torch.cat([x, torch.ones(50, 1, dtype=torch.float64)], dim=1)
    logits = outputs(opens, x).logit()
    fitted = design @ torch.linalg.lstsq(design, logits).solution
    return len(described(opens)[0].hidden) == 2 and torch.allclose(fitted, logits, atol=1e-9)


def half_of_the_starts(opens):
    config, points, how = described(opens)
    share, low, high = solve_from_seeds(config, points, how, 200).interval
    return STARTS == 200 and low < 0.5 < high and abs(share - 0.5) < 0.1


def keeps_the_order(opens, pool):
    """Whether the pooled vector changes when the words of the text are reversed."""
    words = opens["em_text"].split()
    vocabulary = embedding_classifier.collect_vocabulary([words])
    generator = torch.Generator().manual_seed(1)
    E = torch.randn(len(vocabulary), 3, generator=generator, dtype=torch.float64)
    config = embedding_classifier.EmbeddingConfig(pooling=pool)
    pooled = [
        embedding_classifier.pool_embeddings(
            config, embedding_classifier.look_up(E, encoded.ids), encoded
        )
        for encoded in (
            embedding_classifier.encode_reviews([row], vocabulary) for row in (words, words[::-1])
        )
    ]
    return not torch.equal(*pooled)


@cache
def reviewers():
    return train_hand_features(REVIEWS, HandConfig())


def said_of_review(opens):
    """p(positive) by one layer and by the hidden layer, of the review as it is shown."""
    words = opens["rv_text"].replace(",", "").replace("!", " !").split()
    left = [word for word in words if opens["rv_no"] == "true" or word != "no"]
    both = reviewers().logistic, reviewers().one_hidden_layer
    return [float(each.classify(" ".join(left)).probability) for each in both]


NETWORKS = {
    "Ten words of a review become six numbers": lambda opens: (
        len([word for word in opens["rv_text"].replace("!", "").split() if word]) == 10
    ),
    "Press a “no”: one layer hardly changes, a hidden layer turns around": lambda opens: (
        abs(
            (now := said_of_review(opens))[0]
            - (then := said_of_review({**opens, "rv_no": "true"}))[0]
        )
        < 0.02
        and now[1] > 0.99
        and then[1] < 0.01
    ),
    "both call the review **positive**: one layer with 0.8507, a hidden layer with 0.9993": (
        lambda opens: [round(p, 4) for p in said_of_review(opens)] == [0.8507, 0.9993]
    ),
    "One layer stays at 0.8409; the **hidden layer** turns around, from 0.9993 to 0.001254": (
        lambda opens: (
            [round(p, 6) for p in said_of_review(opens)] == [0.840916, 0.001254]
            and round(said_of_review({**opens, "rv_no": "false"})[1], 4) == 0.9993
        )
    ),
    "Two hidden units, two lines": lambda opens: (
        run_of(opens)[1] == 0 and described(opens)[0].hidden == (2,)
    ),
    "No hidden layer: one line, and at least one corner is wrong": lambda opens: (
        run_of({**opens, "nn_steps": opens["nn_step"]})[1] >= 1 == 4 - most_right("XOR")
        and not described(opens)[0].hidden
    ),
    "AND needs one line": lambda opens: run_of(opens)[1] == 0 and not described(opens)[0].hidden,
    "Softmax draws straight borders": lambda opens: (
        not is_bent(opens) and len(set(classes(opens, described(opens)[1].x).tolist())) == 3
    ),
    "Without a nonlinearity, three layers are one": is_one_layer,
    "Four units bend the border; hollow points are held out": lambda opens: (
        described(opens)[0].hidden == (4,)
        and is_bent(opens)
        and bool(described(opens)[1].held_out.any())
    ),
    "Two hidden layers of eight units, trained with Adam": lambda opens: (
        described(opens)[0].hidden == (8, 8) and described(opens)[2].optimizer == "Adam"
    ),
    "Pad, mean or max; two of them lose the order": lambda opens: (
        [keeps_the_order(opens, pool) for pool in ("pad", "mean", "max")] == [True, False, False]
    ),
    "The naive form overflows": lambda opens: (
        not (found := trace_softmax(numbers(opens["soft_z"]), 1.0, opens["soft_bits"]))
        .naive.isfinite()
        .any()
        and bool(found.probabilities.isfinite().all())
    ),
    "01 and 10 are class 1, 00 and 11 class 0": lambda opens: (
        opens["nn_data"] == "XOR" and ones("XOR") == {"01", "10"}
    ),
    "Three of four at most, whatever the line": lambda opens: most_right(opens["nn_data"]) == 3,
    "the loss falls when the two lines find their places": lambda opens: (
        (path := run_of(opens)[0]).loss[-1] < 0.05 * path.loss[0]
        and bool((path.loss.diff() < 0).all())
        and (path.wrong[[0, -1]] > 0).tolist() == [True, False]
    ),
    "Solved: each hidden unit draws **one line**": lambda opens: (
        run_of(opens)[1] == 0 and described(opens)[0].hidden == (2,)
    ),
    "The same training from 200 random starts: two hidden units solve XOR in about **half**": (
        half_of_the_starts
    ),
    "still one line. The matrices multiply to one": lambda opens: (
        is_one_layer(opens) and not is_bent(opens)
    ),
    "with straight borders between neighbours": lambda opens: not is_bent(opens),
    "Two layers of eight units wind a border around a **spiral**": lambda opens: (
        described(opens)[0].hidden == (8, 8) and is_bent(opens) and run_of(opens)[1] == 0
    ),
}

CLAIMS = {"backprop": BACKPROP, "neuron": NEURON, "networks": NETWORKS}
