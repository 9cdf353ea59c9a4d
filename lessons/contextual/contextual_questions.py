"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

import ui
from lessons.contextual.bilm_view import Sentence
from lessons.contextual.contextual_state import ContextualState, Shown
from lessons.contextual.elmo import sums_text
from lessons.contextual.elmo.mixtures_picture import ASKS, MIXTURES, TaskShares
from lessons.contextual.elmo.sums_picture import costs
from lessons.contextual.elmo.tagger_picture import errors_of
from lessons.contextual.fans_picture import Fans
from lessons.contextual.probing import choices_picture, pipeline_picture
from lessons.contextual.probing.choices_picture import Scores
from lessons.contextual.probing.pipeline_picture import Gained
from lessons.contextual.recorded_text import PLACES
from lmcore.contextual.great_senses import GREAT_SENSES, GreatVectors
from lmcore.contextual.persons import WORDS
from lmcore.contextual.record import MODELS, Recorded
from lmcore.models.lstm import layer_parameters
from lmcore.numbers import format_number

ELMO_HIDDEN, ELMO_WIDTH = 4096, 512
"""ELMo's LSTM: its hidden state, and the projection that is also its input."""


def questions(now: ContextualState, seen: Shown) -> list[ui.Question]:
    """What the page asks: a static cosine, the vectors of a word, which model sees what, a size."""
    return [
        ui.Question(
            "static",
            f"At layer 0, what is the cosine between “{now.word}” in two different sentences?",
            1.0,
            "Layer 0 is a table with one row per word: both occurrences are the same row.",
            hint="What has layer 0 read besides the word itself?",
            hides=("between",),
        ),
        ui.Question(
            "vectors",
            "A biLM has L = 2 layers in each direction. How many vectors has a word in Rₖ?",
            5.0,
            "xₖ, and one vector per direction and layer: 2L + 1.",
            hint="Do not forget the embedding xₖ.",
        ),
        ui.Question(
            "sees",
            "“The animal didn’t cross the street because it was too wide.” In which model can the "
            "vector of “it” depend on “wide” and “animal” at once, within one layer?",
            "BERT",
            "A GPT sees nothing to the right. In ELMo one direction sees “animal”, the other "
            "“wide”; they only stand side by side.",
            options=("GPT", "ELMo", "BERT"),
        ),
        ui.Question(
            "size",
            f"An LSTM layer as large as ELMo’s, dₓ = {ELMO_WIDTH} and dₕ = {ELMO_HIDDEN:,}: how "
            "many parameters, with one bias per gate?",
            float(layer_parameters(ELMO_WIDTH, ELMO_HIDDEN, biases=1)),
            "4 (dₕ (dₕ + dₓ) + dₕ), before the projection: one layer, one direction.",
            hint="Four gates, each a matrix over [h; x] and a bias.",
        ),
    ]


def fans_questions(found: Fans, layer: int) -> list[ui.Question]:
    """What the view *Eight words* asks of a layer: the widest fan, and how many are wide."""
    order, angles, same = found.order(), found.angles()[layer], found.same_angles()[layer]
    hides = tuple(f"{name} {n}" for n in range(len(order)) for name in ("angle", "cosine"))
    if not layer:
        return [
            ui.Question(
                "fans-closed",
                "At layer 0, what is the angle between a word by Person A and by Person B?",
                0.0,
                "Layer 0 is a table with one row per word: both say the same row.",
                hint="What has layer 0 read besides the word itself?",
                hides=hides,
            )
        ]
    wider = int((angles > same).sum())
    return [
        ui.Question(
            "fans-widest",
            f"At layer {layer}, which word opens widest?",
            WORDS[int(angles.argmax())],
            f"Its angle is {float(angles.max()):.0f}°, the smallest one "
            f"{float(angles.min()):.0f}°.",
            hint="For which word do the two sentences have least in common?",
            options=WORDS,
            hides=hides,
        ),
        ui.Question(
            "fans-wider",
            f"At layer {layer}, how many of the {len(WORDS)} words open wider than two uses of the "
            "word in one sense?",
            float(wider),
            "Every sentence changes a vector, also within one sense: the grey wedge shows by how "
            "much.",
            hint="Compare each fan with its grey wedge.",
            hides=hides,
        ),
    ]


def senses_questions(found: GreatVectors, layer: int) -> list[ui.Question]:
    """What the view *Seven senses* asks of a layer: one cosine, or the sense that is farthest."""
    if not layer:
        return [
            ui.Question(
                "senses-static",
                "At layer 0, what is the mean cosine of “great” in two of these sentences?",
                1.0,
                "Layer 0 is a table with one row per word: all seven have the same row.",
                hint="How many vectors are there?",
                hides=("mean", *(f"{axis} {n}" for n in range(7) for axis in "xy")),
            )
        ]
    glosses = tuple(each.gloss for each in GREAT_SENSES)
    others = (found.cosines[layer].sum(-1) - 1) / (len(glosses) - 1)
    far = int(others.argmin())
    return [
        ui.Question(
            "senses-far",
            f"At layer {layer}, which sense is farthest from the others?",
            glosses[far],
            f"Its mean cosine with them is {format_number(float(others[far]))}.",
            hint="Which sentence uses the word in the most unusual way?",
            options=glosses,
            hides=(
                *(f"{axis} {n}" for n in range(len(glosses)) for axis in "xy"),
                *(f"cos {n} {m}" for n in range(7) for m in range(7) if n != m),
            ),
        )
    ]


def sums_questions(sentence: Sentence, *, both: bool) -> list[ui.Question]:
    """What the view *Two readers* asks: the word that surprises from the right, or the sum."""
    from_left, from_right = sums_text.largest(sentence)
    left, right = (
        math.fsum(costs(each))
        for each in (sentence.next_probabilities, sentence.previous_probabilities)
    )
    if both:
        ratio = right / left
        size = "half of it or less" if ratio <= 0.5 else "twice as much or more"
        return [
            ui.Question(
                "sums-right",
                f"From the left, the text costs {format_number(left)} nats. From the right?",
                "about as much" if 0.5 < ratio < 2 else size,
                f"It costs {format_number(right)} nats. Of the true p both sums are −ln p of the "
                "same text.",
                hint="Each reader multiplies its p of all tokens. Of what is the product the p?",
                options=("half of it or less", "about as much", "twice as much or more"),
                hides=("right", "rightMean", "total", "down", "apart"),
            )
        ]
    others = dict.fromkeys((from_right, from_left, *sentence.words[::3]))
    return [
        ui.Question(
            "sums-word",
            "A second reader comes from the right. Which token will surprise it most?",
            from_right,
            "It has read all that comes after. Which word that leaves open is another matter than "
            "from the left.",
            hint="Read the sentence backwards: where is there a choice?",
            options=tuple(sorted([*others][:5])),
        )
    ]


def shares_questions(
    record: Recorded, found: Sequence[TaskShares], at: int, mixture: str
) -> list[ui.Question]:
    """What the view *Layers by task* asks of task `at`, or of all of them."""
    tasks = tuple(each.task for each in found)
    if mixture == MIXTURES[0]:
        worst = min(found, key=lambda each: each.accuracy)
        return [
            ui.Question(
                "shares-last",
                "Which task does the last layer alone solve worst?",
                worst.task,
                f"It is right in {format_number(100 * worst.accuracy)}% of the held-out words.",
                hint="Which one needs to know who is meant?",
                options=tasks,
                hides=tuple(f"right {n}" for n in range(len(found))),
            )
        ]
    if mixture == MIXTURES[1]:
        learned = record.mixtures["bilm"][tasks[at]].shares.tolist()
        return [
            ui.Question(
                "shares-top",
                f"Of which layer will the task “{ASKS[tasks[at]]}” learn to take most?",
                f"layer {learned.index(max(learned))}",
                f"It learns the shares {', '.join(f'{share:.2f}' for share in learned)}.",
                hint="Layer 0 is the word alone; the layers above it have read the sentence.",
                options=tuple(f"layer {j}" for j in range(len(learned))),
            )
        ]
    return [
        ui.Question(
            "shares-deepest",
            "Which task takes most of layer 2?",
            max(found, key=lambda each: each.shares[-1]).task,
            "Each task has shares of its own; the biLM is the same for all.",
            hint="Which task needs most of the sentence?",
            options=tasks,
            hides=(
                "share",
                "top",
                *(f"s {n} {j}" for n in range(len(found)) for j in range(len(found[0].shares))),
            ),
        )
    ]


ASKED_TASK = "sense"
"""The task of which the view *In a tagger* asks."""


def tagger_questions(record: Recorded) -> list[ui.Question]:
    """Where ELMo takes away most errors of a task."""
    wrong = {
        said: {each.task: each for each in errors_of(record, place)}[ASKED_TASK]
        for place, said in PLACES.items()
        if place != "none"
    }
    best = min(wrong, key=lambda said: wrong[said].now)
    kinds, tasks = ("now", "gain", "low", "high"), range(len(errors_of(record, "none")))
    return [
        ui.Question(
            "where",
            f"{record.taggers[0].texts} labelled texts. Where does ELMo take away most errors of "
            f"“{ASKED_TASK}”?",
            best,
            f"Of 100 words, {format_number(wrong[best].now)} are still wrong there, "
            f"{format_number(wrong[best].before)} without ELMo.",
            hint="Which place lets the reader use what the sentence says about a word?",
            options=tuple(wrong),
            hides=tuple(f"{kind} {n}" for kind in kinds for n in tasks),
        )
    ]


def order_questions(found: Sequence[Gained], model: str) -> list[ui.Question]:
    """What the view *Order of tasks* asks: the task with the highest expected layer."""
    known = [its for its in found if not math.isnan(its.layer)]
    last = max(known, key=lambda its: its.layer)
    layers = range(len(last.accuracies))
    named = {task: f"{task}: {ASKS[task]}" for task in pipeline_picture.TASKS}
    return [
        ui.Question(
            "order-last",
            f"Which task does {MODELS[model]} gain last, in its highest layers?",
            named[last.task],
            f"Its expected layer is {format_number(last.layer)}.",
            hint="On the slide, coreference is last.",
            options=tuple(named.values()),
            hides=(
                *(f"layer {n}" for n in range(len(found))),
                *(
                    f"{name} {n} {k}"
                    for name in ("gain", "right")
                    for n, _ in enumerate(found)
                    for k in layers
                ),
            ),
        )
    ]


def choices_questions(found: Sequence[Scores]) -> list[ui.Question]:
    """What the view *Sum or end to end* asks: the best way in the BERT paper."""
    bert, _ = found
    return [
        ui.Question(
            "choices-best",
            "Which vector of a word is best for finding named entities, in the BERT paper?",
            choices_picture.WAYS[bert.best],
            f"F1 {bert.values[bert.best]:g}: four vectors side by side, and the task takes from "
            "each what it needs.",
            hint="What does a sum lose?",
            options=choices_picture.WAYS,
            hides=tuple(
                f"{kind} {n}" for kind in ("bert", "ours") for n in range(len(bert.values))
            ),
        )
    ]
