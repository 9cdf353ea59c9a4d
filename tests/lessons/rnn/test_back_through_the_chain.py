"""The picture of the gradient back through the chain: its band is autograd's, its cut a share."""

import pytest
import torch
import torch.nn.functional as F

from lessons.rnn import back_picture, back_text, rnn_views
from lessons.rnn.back_picture import Back
from lessons.rnn.rnn_questions import back_questions
from lmcore.recurrence.unrolled import rnn_network
from ui import models

MODEL = models.shipped_network("rnn").model
TOKENS = tuple(MODEL.vocabulary.read("i forgot to make sure that the dog gets fed ."))
FOUND = Back(tuple(MODEL.vocabulary.decode(TOKENS)), rnn_views.gradient_norms(MODEL, TOKENS))


def norms_by_hand(t):
    """‖∂J(t)/∂h(k)‖ of each state, from a chain that is unrolled here."""
    network = rnn_network(MODEL)
    ids = torch.tensor(TOKENS)
    cell = dict(network.recurrent.named_parameters())
    h, states = torch.zeros(network.config.hidden), []
    for e in network.embedding(ids[:t]):
        h = torch.tanh(
            cell["weight_ih_l0"] @ e
            + cell["bias_ih_l0"]
            + cell["weight_hh_l0"] @ h
            + cell["bias_hh_l0"]
        )
        h.retain_grad()
        states.append(h)
    F.cross_entropy(network.output(h), ids[t]).backward()
    return [float(each.grad.norm()) for each in states]


@pytest.mark.parametrize("t", [1, 4, 10])
def test_the_band_is_the_gradient_by_each_state(t):
    live = back_picture.numbers(FOUND, t, 3)
    shown = [live[f"n {k}"] for k in range(t)]
    assert shown == pytest.approx(norms_by_hand(t), rel=1e-3)
    assert live["kept"] == pytest.approx(sum(shown[-3:]) / sum(shown))
    assert live["terms"] == min(3, t) and live["@say"] == (
        t - 1 if t <= 3 else FOUND.losses + t - 1
    )
    assert all(live[f"n {k}"] == 0 for k in range(t, FOUND.losses))


def test_a_cut_after_all_steps_keeps_everything():
    live = back_picture.numbers(FOUND, 10, 11)
    assert live["kept"] == 1
    by_cut, by_loss = live.table
    kept = by_cut[:, live.names.index("kept")]
    assert (kept[1:] >= kept[:-1]).all() and len(by_loss) == FOUND.losses


def test_the_sentence_says_whether_it_shrinks_and_the_question_what_is_kept():
    said = back_text.sentences(FOUND)
    assert "shrinks" in said[9] and "“fed”" in said[9]
    for cut, kept in ((11, False), (3, True)):
        live = back_picture.numbers(FOUND, 10, cut)
        assert ("kept" in said[int(live["@say"])]) == kept
    growing = Back(("a", "b", "c"), torch.tensor([[1.0, 0.0], [2.0, 1.0]]))
    assert "grows" in back_text.sentences(growing)[1]
    live = back_picture.numbers(FOUND, 10, 3)
    (question,) = back_questions(FOUND, live)
    assert question.answer == f"{live['kept']:.0%}" and question.answer in question.options
    assert not back_questions(FOUND, back_picture.numbers(FOUND, 10, 11))
