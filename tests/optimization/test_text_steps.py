"""A model that learns word by word, against torch.optim."""

import pytest
import torch
import torch.nn.functional as F

from lmcore.models.feedforward import Feedforward, FeedforwardConfig
from lmcore.optimization.text_steps import trace_text_steps

CONFIG = FeedforwardConfig(7, embedding=3, hidden=4, context=2)
TEXT, RATE = (3, 1, 4, 1, 5, 6, 2, 1), 0.3


def test_each_step_is_one_of_torch_optim_at_the_next_word():
    trace = trace_text_steps(CONFIG, TEXT, RATE, seed=1)
    model = Feedforward(CONFIG, seed=1).double()
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    text = [CONFIG.start] * CONFIG.context + list(TEXT)
    for step, target in enumerate(TEXT):
        window = torch.tensor([text[step : step + CONFIG.context]])

        def loss(window=window, target=target):
            logits, _ = model.logits_and_state(window)
            return F.cross_entropy(logits[0, -1], torch.tensor(target))

        word, unit = trace.places[step].tolist()
        assert float(trace.weight[step]) == pytest.approx(model.output.weight[word, unit].item())
        optimizer.zero_grad()
        before = loss()
        before.backward()
        slopes = model.output.weight.grad
        assert float(trace.gradient[step]) == pytest.approx(float(slopes[word, unit]))
        assert abs(float(slopes[word, unit])) == pytest.approx(float(slopes.abs().max()))
        optimizer.step()
        assert float(trace.loss[step]) == pytest.approx(before.item(), rel=1e-12)
        assert float(trace.loss_after[step]) == pytest.approx(loss().item(), rel=1e-12)
        assert float(trace.weight_after[step]) == pytest.approx(
            model.output.weight[word, unit].item()
        )
    assert trace.targets.tolist() == list(TEXT)


def test_equation_8_holds_at_each_step():
    trace = trace_text_steps(CONFIG, TEXT, RATE)
    torch.testing.assert_close(trace.weight_after, trace.weight - RATE * trace.gradient)


@pytest.mark.parametrize(
    ("text", "rate", "message"),
    [
        ((), 0.1, "the number of words must be from 1 to 500; got 0"),
        ((1,) * 501, 0.1, "the number of words must be from 1 to 500; got 501"),
        (TEXT, 1.5, "the learning rate η must be from 0 to 1; got 1.5"),
        (TEXT, -0.1, "the learning rate η must be from 0 to 1; got -0.1"),
    ],
)
def test_what_is_out_of_bounds_is_refused(text, rate, message):
    with pytest.raises(ValueError, match=message):
        trace_text_steps(CONFIG, text, rate)
