"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

import ui
from lessons.networks.networks_state import NetworkState, Run, parameters_now
from lessons.networks.networks_views import best_line
from lessons.networks.seen_review import CLASSIFIERS, SeenReview
from lmcore.networks import network
from lmcore.networks.network import forward
from lmcore.networks.softmax import trace_softmax
from lmcore.numbers import format_number

if TYPE_CHECKING:
    from lessons.networks.pooled_view import Pooled


def questions(now: NetworkState, run: Run) -> list[ui.Question]:
    """The page's questions: sizes, the class of the input, and what one line can do."""
    config = now.config
    sizes = " → ".join(str(each) for each in config.sizes)
    asked = [
        ui.Question(
            "parameters",
            f"Sizes {sizes}: how many parameters does this network have?",
            float(config.parameters),
            "Each unit has one weight for each of its inputs, and one bias.",
            hint="Weights and biases; the input has none.",
        ),
        _class_question(now, run),
        ui.Question(
            "layers",
            "How many layers does this network have?",
            float(config.layers),
            "The input layer is not counted: it computes nothing and has no parameters.",
            hint="Count only what computes a sum and a function of it.",
        ),
    ]
    if now.which.kind == "XOR" and now.which.noise == 0:
        best = best_line(now.which)
        asked.append(
            ui.Question(
                "line",
                "How many of the 4 corners of XOR can one line put on the right side, at most?",
                float(best.right.sum()),
                "Three: the corners of class 1 lie across from each other. See *One line*.",
                hint="Draw a line and count; turn it.",
            )
        )
    return asked


def _class_question(now: NetworkState, run: Run) -> ui.Question:
    """Which class the network gives the input; its output and the map are hidden."""
    x, y = now.input
    point = torch.tensor([[x, y]], dtype=torch.float64)
    trace = forward(now.config, parameters_now(now, run), point)
    found = int(network.predictions(now.config, trace)[0])
    outputs = [f"{letter}{k}" for letter in "zp" for k in range(1, now.config.outputs + 1)]
    return ui.Question(
        "class",
        f"Which class does the network give the input ({x:g}, {y:g})?",
        f"class {found}",
        "The likelier one: two classes change where ŷ = ½.",
        hint="Follow the values from left to right: positive weights raise the next sum.",
        options=tuple(f"class {k}" for k in range(now.config.classes)),
        hides=(*outputs, "map"),
    )


def review_questions(seen: SeenReview) -> list[ui.Question]:
    """The questions about a review: which classifier notices “no”, and what its flag is."""
    flag = ui.Question(
        "flag",
        "What is x₃, the feature for “no”?",
        float(seen.features.values[2]),
        "1 if “no” is in the review, however often, else 0.",
        hint="It is a flag, not a count.",
        hides=("x3",),
    )
    if not seen.has_negation:
        return [flag]
    turned = [
        name
        for name, (before, after) in zip(CLASSIFIERS, seen.decisions(), strict=True)
        if before != after
    ]
    options = (*CLASSIFIERS, "both", "neither")
    answer = {0: "neither", 2: "both"}.get(len(turned)) or turned[0]
    return [
        ui.Question(
            "notices",
            "Put “no” into the review: which classifier changes its mind?",
            answer,
            "One layer gives “no” one weight, whatever the other words are; a hidden layer can ask "
            "for “no” and a good word together.",
            hint="Is “no” good or bad news by itself?",
            options=options,
            hides=("one", "two", "one right", "two right"),
        ),
        flag,
    ]


def pooled_questions(pooled: Pooled, shows: str) -> list[ui.Question]:
    """How many numbers the classifier gets, or how many differ when the words change places."""
    config = pooled.trained[0].config
    if shows == "joined":
        return [
            ui.Question(
                "inputs",
                f"A word has {config.width} numbers, and {config.length} words are joined. How "
                "many inputs does each hidden unit get?",
                float(config.inputs),
                f"The rows stand end to end: {config.length}·{config.width}.",
                hint="Each word keeps its own place.",
                hides=("inputs",),
            )
        ]
    return [
        ui.Question(
            "differ",
            f"After the mean, how many of the {config.width} numbers differ between the two "
            "reviews?",
            float(pooled.differ[1]),
            "A sum does not know the order of its terms, and neither does the largest of them.",
            hint="The mean adds the same numbers. In which order?",
            hides=("differ 1", "differ 2", "p 1 1", "p 2 1"),
        )
    ]


def share_questions(scores: tuple[float, ...]) -> list[ui.Question]:
    """What a class loses when the score of another one rises."""
    raised = (*scores[:-1], scores[-1] + 2)
    before, after = (
        float(trace_softmax(torch.tensor(z, dtype=torch.float64), 1.0, "float64").probabilities[0])
        for z in (scores, raised)
    )
    return [
        ui.Question(
            "other",
            "z₃ rises by 2, and z₁ stays where it is. What happens to the share of class 1?",
            "it falls" if after < before else "it stays",
            f"From {format_number(before)} to {format_number(after)}: all are divided by the sum, "
            "and that has grown.",
            hint="By what is e to the power z₁ divided?",
            options=("it falls", "it stays", "it rises"),
        )
    ]
