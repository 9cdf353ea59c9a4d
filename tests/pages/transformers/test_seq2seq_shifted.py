"""The view on teacher forcing: the target shifted by one, and what the model writes alone."""

import pytest
import torch
from test_screen import drawn, fine, opened, said

from lessons.seq2seq.translated import translator
from lmcore.vocabulary import END, START

SOURCE = "the cup was hidden by a man and paul was found by kayla"


def shifted(**address):
    return drawn(fine(opened("seq2seq", see="Shifted by one", **address)), "shifted-shifted")


def test_the_probabilities_and_the_loss_are_those_of_the_network():
    data = shifted(s2_model="vector")
    numbers = dict(zip(data["names"], data["now"], strict=True))
    its = translator("seq2seq_vector")
    source = torch.tensor([its.vocabulary.encode([*SOURCE.split(), END])])
    target = its.vocabulary.encode([START, *data["target"]])
    logits = its.network(source, torch.tensor([target[:-1]])).logits[0].detach().double()
    p = logits.softmax(dim=-1)[range(len(target) - 1), target[1:]]
    shown = [numbers[f"p{i}"] for i in range(1, len(p) + 1)]
    assert shown == pytest.approx(p.tolist(), abs=1e-5)
    assert numbers["loss"] == pytest.approx(float(-p.log().mean()), abs=1e-5)


@pytest.mark.parametrize(
    ("model", "step", "says"),
    [
        ("vector", 1, "Step 1 reads the true word **<s>**; for **a** p is =={p1}==."),
        ("vector", 2, " for **man** p is =={p2}==. Alone, it writes **cup**."),
        ("vector", 3, " Alone, it reads its own **cup**."),
        ("attention", 2, "Step 2 reads the true word **a**; for **man** p is =={p2}==."),
    ],
)
def test_the_sentence_says_what_the_model_does_alone(model, step, says):
    assert shifted(s2_model=model)["sentences"][step - 1].endswith(says)


def test_the_questions_are_answered_by_the_rows():
    app = fine(opened("seq2seq", see="Shifted by one", s2_model="vector", s2_step="4"))
    read, parts = app.session_state["questions"][:2]
    data = drawn(app, "shifted-shifted")
    assert read.answer == f"“{data['target'][2]}”"
    pairs = enumerate(zip(data["written"], data["target"], strict=False), start=1)
    assert parts.answer == next(i for i, (own, true) in pairs if own != true)


def test_a_translation_that_is_too_long_is_not_offered():
    long = f"{SOURCE} and the ball was kicked by kayla"
    app = fine(opened("seq2seq", see="Shifted by one", s2_source=long))
    assert "up to 13 words" in said(app) + str([each.help for each in app.caption])
