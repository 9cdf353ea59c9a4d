"""WordNet's lines: words, definitions and examples of a made-up folder."""

import pytest

from lmcore.corpora.wordnet import PARTS, read_synsets

HEAD = "  1 This software and database is being provided to you\n"
LINES = {
    "noun": "00001740 03 n 02 dog 0 domestic_dog 1 001 ~ 00001930 n 0000 | a member of the genus "
    'Canis; "the dog barked all night"  \n',
    "verb": "00002000 29 v 01 run 0 000 01 + 02 00 | move fast by using one's feet: as in sport; "
    '"Don\'t run--you\'ll be out of breath"; "The children ran to the store"  \n',
    "adj": "00003000 00 a 01 fit(p) 0 000 | physically and mentally sound  \n",
    "adv": "",
}


@pytest.fixture
def folder(tmp_path):
    for part in PARTS:
        (tmp_path / f"data.{part}").write_text(HEAD + LINES[part], "utf-8")
    return tmp_path


def test_a_line_is_a_set_with_its_definition_and_examples(folder):
    noun, verb, adjective = read_synsets(folder)
    assert noun.key == "noun00001740"
    assert noun.words == ("dog", "domestic dog")
    assert noun.definition == "a member of the genus Canis"
    assert noun.examples == ("the dog barked all night",)
    assert verb.definition == "move fast by using one's feet: as in sport"
    assert verb.examples == ("Don't run--you'll be out of breath", "The children ran to the store")
    assert (adjective.words, adjective.examples) == (("fit",), ())


def test_about_one_set_in_twenty_is_held_out_and_always_the_same(folder):
    made = "".join(f"{n:08d} 03 n 01 w{n} 0 000 | a thing  \n" for n in range(2000))
    (folder / "data.noun").write_text(made, "utf-8")
    first, again = ([each.held_out for each in read_synsets(folder)] for _ in range(2))
    assert first == again
    assert 60 <= sum(first) <= 140  # of 2,000; the standard deviation is 10


def test_what_is_no_wordnet_says_so(folder):
    (folder / "data.adv").write_text("00004000 02 r 01 well 0 000\n", "utf-8")
    with pytest.raises(ValueError, match=r"a line of data.adv must hold a gloss after \|; got"):
        list(read_synsets(folder))
    (folder / "data.noun").unlink()
    with pytest.raises(ValueError, match=r"WordNet's folder must hold data\.noun"):
        list(read_synsets(folder))
