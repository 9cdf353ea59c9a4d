"""The views Prompts, Retrieval and Snippet of the Transfer page."""

import numpy as np
import pytest
from test_screen import drawn, fine, opened, said

from lessons.transfer.uses.passages import passages
from lessons.transfer.uses.retrieval_view import rag_prompt
from lmcore.pretrained import wheel
from lmcore.shipped import english
from lmcore.transfer import prompts, retrieval

ENGLISH = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")


def page(**address):
    return fine(opened("transfer", **address))


def words(app):
    return said(app).replace("**", "")


@ENGLISH
def test_a_prompt_stands_with_its_candidates_and_what_was_recorded():
    app = page(see="Prompts", pm_task="feeling", pm_shots="1")
    prompt = prompts.draw_prompts("feeling", 1, 1, 0)[0]
    shares = np.exp(prompts.score_candidates("english", prompt))
    shown = words(app)
    for word in prompt.words:
        assert word in shown
    for share in shares:
        assert f"{share:.4f}"[:5] in shown
    found = prompts.recorded_shots("english", "feeling")
    assert f"zero-shot {found[0.0].mean:.3f}, with 4 solved examples {found[4.0].mean:.3f}" in shown


@pytest.mark.skipif(not english.is_available(), reason="MiniLM is not installed")
def test_a_sentence_of_ones_own_is_judged():
    app = page(see="Prompts", pm_task="feeling", pm_own="the soup was awful")
    assert "soup" in words(app)


@ENGLISH
def test_a_question_finds_passages_by_meaning_and_by_words():
    question = "How does a tokenizer cut unknown words into pieces?"
    app = page(see="Retrieval", rt_question=question)
    assert "Tokens: " in words(app)
    assert f"Question: {question}\nAnswer:" in app.code[0].value


def test_the_prompt_of_a_generator_has_the_passages_then_the_question():
    found = list(passages()[:2])
    text = rag_prompt("why?", found)
    assert text.index(found[0].text) < text.index(found[1].text) < text.index("why?")
    assert text.endswith("Question: why?\nAnswer:")


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"see": "Retrieval", "rt_question": "?!"}, "the question must have a word; it has none"),
        ({"see": "Snippet", "sn_text": ""}, "text"),
    ],
)
def test_what_cannot_be_is_refused_and_the_example_stays(settings, error):
    app = opened("transfer", **settings)
    assert not app.exception
    assert any(error in each.value for each in app.error)


@ENGLISH
def test_the_snippet_prints_the_vectors_of_the_text():
    app = page(see="Snippet", sn_text="The nail hit the beam.")
    model = wheel.minilm()
    reading = model.read("The nail hit the beam.")
    hidden = model.network(reading.ids[None]).hidden[0].detach()
    shown = words(app)
    assert f"1 × {len(reading.ids)} × 384" in shown
    data = drawn(app, "table-embeddings")
    for place in (0, 1):
        assert data["labels"][place] == f"emb[0][{place}]  {reading.tokens[place]}"
        row = data["numbers"][5 * place : 5 * place + 5]
        np.testing.assert_allclose(row, hidden[place, :5], atol=1e-5)


def test_passages_say_where_they_stand():
    slugs = {each.slug for each in passages()}
    assert {"neuron", "bert", "transformer", "transfer"} <= slugs
    assert len(passages()) > 300
    assert retrieval.words_of(passages()[0].text)
