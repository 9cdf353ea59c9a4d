"""Claims of examples and beats about networks used for another task."""

import math

from lessons.transfer.uses import snippet_view
from lessons.transfer.uses.roles_view import USES
from lmcore.transfer import curves, prompts, tuning
from lmcore.transfer.inputs import encode_examples
from lmcore.transfer.tasks import draw_examples


def fewer_with_examples():
    """Whether solved examples make each model clearly worse: the intervals do not overlap."""
    found = [
        prompts.recorded_shots(model, task)
        for task, models in prompts.MODELS.items()
        for model in models
    ]
    return all(each[float(max(prompts.SHOTS))].high < each[0.0].low for each in found)


def fine_tuned(opens, network=None):
    """The score of the example's network, or of another, fine-tuned with the example's labels."""
    network = network or opens["tr_network"]
    found = curves.frozen_curve(network, opens["tr_task"], int(opens["tr_frozen"]))
    return found[int(opens["tr_labels"])]


def both_ways(opens):
    """The score of the fine-tuned network, and the score of new weights."""
    scratch = curves.recorded_curve(opens["tr_network"], opens["tr_task"], "scratch")
    return fine_tuned(opens), scratch[int(opens["tr_labels"])]


def guesses_from_scratch(opens):
    tuned, scratch = both_ways(opens)
    return tuned.low > 0.9 and scratch.low <= 0.5 <= scratch.high


def begun(opens):
    """A run before its first step: its loss on some texts, and the parts that get a gradient."""
    network, task = opens["tr_network"], opens["tr_task"]
    spec = tuning.TuneSpec(network, task, frozen=int(opens["tr_frozen"]))
    tuned, vocabulary = tuning.begin(spec)
    batch = encode_examples(
        tuned.task, draw_examples(task, 64, seed=1), vocabulary, bert=network == "encoder"
    )
    loss = tuned.loss(batch)
    loss.backward()
    learning = {name for name, part in tuned.named_parameters() if part.grad is not None}
    return loss.item(), {name.partition(".")[0] for name in learning}


def in_order(first):
    return curves.recorded_score(curves.order_spec("gpt", "answer", question_first=first))


def of_every_weight(opens):
    """The score with each recorded λ."""
    return [
        curves.recorded_score(tuning.TuneSpec("gpt", opens["lm_task"], 100, auxiliary=weight))
        for weight in curves.AUXILIARY
    ]


def with_frozen(opens, frozen=None):
    """The score with so many parts frozen, by default those of the text."""
    frozen = int(opens["tr_frozen"]) if frozen is None else frozen
    labels = curves.FROZEN_LABELS[0]
    spec = curves.frozen_spec(opens["tr_network"], opens["tr_task"], labels, frozen)
    return curves.recorded_score(spec)


TRANSFER = {
    "is the first word’s: one row a token, the marks included": lambda opens: (
        (read := snippet_view._embedded(opens["sn_text"]).tokens)[0] != read[int(opens["sn_row"])]
        and opens["sn_text"].lower().startswith(read[int(opens["sn_row"])])
    ),
    "three bars; the loss begins near ln 3": lambda opens: math.isclose(
        begun(opens)[0], math.log(3), rel_tol=0.1
    ),
    "a mixture of its layers and a head learn": lambda opens: (
        begun(opens)[1] == {"mixture", "head"}
    ),
    "everything is frozen, only a mixture of the layers and the head learn": lambda opens: (
        begun(opens)[1] == {"mixture", "head"}
    ),
    "A left-to-right network with a new head, all weights fine-tuned": lambda opens: (
        begun(opens)[1] == {"network", "head"}
    ),
    "the pre-trained network knows the grammar; from scratch it guesses": guesses_from_scratch,
    "a GPT cannot know it before the question": lambda opens: (
        fine_tuned(opens).high < 0.5 < 0.9 < fine_tuned(opens, "encoder").low
    ),
    "with solved examples in front ours are right less often": lambda _: fewer_with_examples(),
    "From scratch it **guesses**: a hundred labels do not teach a grammar": guesses_from_scratch,
    "here the **words** tell the answer, and new weights learn it, too": lambda opens: (
        (found := both_ways(opens))[1].low > 0.9 and found[1].high > found[0].low
    ),
    "the words of the text **have not seen the question** that follows": lambda opens: (
        fine_tuned(opens).high < 0.5
    ),
    "So put the **question first**": lambda _: in_order(True).low > in_order(False).high,
    "Let the final **few** blocks learn, too: drag the freeze line down. More answers are right": (
        lambda opens: with_frozen(opens).mean > with_frozen(opens, 4).mean
    ),
    "Let **all** weights learn: here that is better than the head alone": (
        lambda opens: with_frozen(opens).low > with_frozen(opens, 4).high
    ),
    "**Six uses** of one network": lambda _: len(USES) == 6,
    "The intervals of all five overlap: with 100 labels of our small task": lambda opens: (
        max(each.low for each in of_every_weight(opens))
        < min(each.high for each in of_every_weight(opens))
    ),
    "A large model learns from them what is asked; ours is right **less often**": lambda _: (
        fewer_with_examples()
    ),
    "with solved examples in front they are right **less often**": lambda _: fewer_with_examples(),
}


CLAIMS = {"transfer": TRANSFER}
