"""The glossary: what is marked in a sentence, and what is not."""

import re

import pytest

from drawing.live import SLOT
from ui.glossary import explain_terms, glossary, meaning, terms_in


def test_a_term_is_marked_once_in_the_spelling_that_stands_there():
    marked = explain_terms("The loss is 2 nats, 1 nat more; perplexity {ppl}.")
    assert marked == "The loss is 2 [term|nats], 1 nat more; [term|perplexity] {ppl}."
    assert terms_in([marked]) == {
        "nats": glossary()["nats"],
        "perplexity": glossary()["perplexity"],
    }


@pytest.mark.parametrize(
    "text", ["{gradient}", "[gradient|dy/dz]", "gradient-free", "irrigate", r"\[KL\|"]
)
def test_a_number_a_role_and_a_part_of_a_word_are_no_terms(text):
    assert explain_terms(text) == text


@pytest.mark.parametrize("name", ["@{}.kept", "{}", "l.{}", "{} 1", "{}<", "1 {}:p", "{} of {}"])
def test_the_braces_of_a_number_are_left_alone_whatever_its_name(name):
    for term in glossary():
        template = f"{{{name.replace('{}', term)}}} of 282 tokens"
        assert SLOT.findall(explain_terms(template)) == SLOT.findall(template)


def test_the_longer_term_is_taken():
    assert explain_terms("KL divergence") == "[term|KL divergence]"
    assert meaning("KL") == meaning("KL divergence")


def test_every_meaning_is_one_or_two_sentences():
    for name, says in glossary().items():
        assert re.fullmatch(r"\S.*[.]", says), name
        assert len(says) <= 130, name
