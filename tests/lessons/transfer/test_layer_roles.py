"""The six uses of a network: the weights that are said to learn are those that get a gradient."""

import re

import pytest

from lessons.transfer.transfer_questions import roles_questions
from lessons.transfer.use_state import USES
from lessons.transfer.uses import roles_picture, roles_text
from lessons.transfer.uses.roles_picture import learning_weights, numbers, picture
from lmcore.transfer import tuning
from lmcore.transfer.inputs import encode_examples
from lmcore.transfer.networks import NETWORKS, part_names, pretrained_network
from lmcore.transfer.tasks import TASKS, draw_examples

EVERY = [(network, task) for network in NETWORKS for task in TASKS]


def moved_by_a_step(network, task, frozen):
    """How many weights of a network and its new head get a gradient."""
    tuned, vocabulary = tuning.begin(tuning.TuneSpec(network, task, frozen=frozen))
    drawn = draw_examples(task, 2, seed=1)
    tuned.loss(encode_examples(tuned.task, drawn, vocabulary, bert=network == "encoder")).backward()
    return sum(weight.numel() for weight in tuned.parameters() if weight.grad is not None)


@pytest.mark.parametrize(("network", "task"), EVERY)
def test_the_weights_that_learn_are_those_with_a_gradient(network, task):
    parts = len(part_names(network))
    live = numbers(network, task, "Features")
    learn = {use: live[f"learn {n}"] for n, use in enumerate(USES)}
    assert learn["Features"] == moved_by_a_step(network, task, parts)
    assert learn["Few layers"] == moved_by_a_step(network, task, parts - 1)
    assert learn["Fine-tuning"] == moved_by_a_step(network, task, 0)
    pretrained, _ = pretrained_network(network)
    assert learn["LM fine-tuning"] == sum(weight.numel() for weight in pretrained.parameters())
    assert learn["Zero-shot"] == learn["Embeddings"] == 0


@pytest.mark.parametrize("network", NETWORKS)
def test_the_sentence_and_the_formula_have_the_number_of_the_bar(network):
    for n, use in enumerate(USES):
        live = numbers(network, "roles", use)
        assert live["use"] == live["@say"] == live["@formula"] == n
        count = f"{live[f'learn {n}']:,.0f}"
        said = roles_text.sentences(network, "roles")[n]
        assert said.startswith(f"**{use}**") and f"=={count}==" in said
        learn, *_ = roles_text.formulas(network, "roles")[n]
        assert learn.endswith(f"**[weight|{count}]**")
        terms = [int(term.replace(",", "")) for term in re.findall(r"[\d,]+(?= [+=])", learn)]
        sizes = [size for _, size in learning_weights(network, "roles", use)]
        printed = sizes if len(sizes) <= 3 else [*sizes[:2], sizes[-1]]
        assert terms == (printed if len(sizes) > 1 else [])


@pytest.mark.parametrize("network", NETWORKS)
def test_each_part_has_its_role_in_each_use(network):
    drawn = picture(network, "person")
    names = part_names(network)
    assert [part["name"] for part in drawn["parts"]][2:] == list(reversed(names))
    for n, use in enumerate(drawn["uses"]):
        column = [part["roles"][n] for part in drawn["parts"]]
        assert column == roles_picture.roles_of(use, len(names))


@pytest.mark.parametrize(("network", "task"), EVERY)
def test_the_question_is_answered_by_the_bar_of_features(network, task):
    (question,) = roles_questions(network, task)
    features = numbers(network, task, "Features")[f"learn {USES.index('Features')}"]
    assert question.answer == f"{features:,.0f}" and question.answer in question.options
    assert len(set(question.options)) == len(question.options) > 2
    hidden = " ".join(roles_text.sentences(network, task, hidden=True))
    assert not re.search(r"\d{3}", hidden) and not roles_text.formulas(network, task, hidden=True)
