"""Loss and perplexity express the same number; the figure marks the models on their curve."""

import math

import pytest
import torch

from drawing.live import LiveNumbers
from lessons.language_model import language_model_figures
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import perplexity
from lmcore.evaluation.sentence import SentenceQuestion, ask_models, encode_sentence
from lmcore.models import scoring

WORLD = microworld()


@pytest.mark.parametrize("loss", [0.0, 0.5, math.log(282), 20.0])
def test_perplexity_is_the_exponential_and_p_its_inverse(loss):
    found = perplexity.perplexity_trace(torch.tensor(loss, dtype=torch.float64))
    assert float(found.perplexity) == pytest.approx(scoring.perplexity_of_loss(loss))
    assert float(found.perplexity * found.probability) == pytest.approx(1)
    assert perplexity.loss_from("perplexity", float(found.perplexity)) == pytest.approx(loss)
    assert perplexity.loss_from("loss", loss) == loss


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("loss", -0.1, "the loss must be from 0 to 20; got -0.1"),
        ("loss", 21.0, "got 21"),
        ("perplexity", 0.9, "the perplexity must be from 1 to 485,165,195; got 0.9"),
    ],
)
def test_what_is_no_loss_is_refused(name, value, reason):
    with pytest.raises(ValueError, match=reason):
        perplexity.loss_from(name, value)


@pytest.mark.parametrize("loss", [0.0, 1.2345678, 5.6, 12.0])
def test_the_loss_is_among_the_positions_and_they_rise(loss):
    losses, perplexities = perplexity.slider_positions(loss, 5.6)
    assert (
        perplexity.round_for_slider(loss) in losses.tolist() and len(losses) == perplexity.POSITIONS
    )
    assert (losses[1:] > losses[:-1]).all() and (perplexities[1:] > perplexities[:-1]).all()
    assert losses[-1] == max(loss, 5.6)
    assert torch.allclose(perplexities, losses.exp(), rtol=2e-3)


def test_the_steps_ask_only_for_numbers_that_there_are():
    now = perplexity.perplexity_trace(torch.tensor(1.0, dtype=torch.float64)).by_name()
    live = LiveNumbers("s", tuple(now), torch.stack(list(now.values())).numpy())
    filled = [
        live.fill(step.formula + " " + step.value)
        for step in language_model_figures.PERPLEXITY_STEPS
    ]
    assert filled[1] == "exp(1) 2.718" and "{" not in "".join(filled)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_models_stand_on_the_curve_and_those_that_exclude_the_sentence_do_not(mode):
    text = "i forgot to make sure that the dog gets fed"
    question = SentenceQuestion(encode_sentence(WORLD.vocabulary, text), ("trigram",))
    full = microworld(complete=True)
    answers = ask_models({"Grammar": WORLD, "full": full}, question)
    (best,) = found = language_model_figures.model_losses(answers)
    assert best.label == "full"
    assert best.loss == pytest.approx(-answers["full"].score.total / 10)
    line, model, ring = language_model_figures.perplexity_curve(found, 2.0, mode).data
    assert model.x[0] == pytest.approx(math.exp(-model.y[0]))
    assert (ring.x[0], ring.y[0]) == (pytest.approx(math.exp(-2)), 2.0)
    assert line.y[0] > line.y[-1] == pytest.approx(0)
    assert "full has the lowest loss" in language_model_figures.loss_words(found, 282)
    assert "J is infinite" in language_model_figures.loss_words(
        [], 282
    ) and "No model" in language_model_figures.describe_perplexity_curve([], 1.0)
