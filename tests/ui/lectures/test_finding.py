"""The search: by words, by prefixes and stems, and by meaning if an encoder is installed."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from lmcore.pretrained import wheel
from ui import contents, glossary
from ui.lectures import finding, lectures, meanings
from ui.lectures.decks import decks

HERE = Path(__file__).parent

ENCODER = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")


def paths(asked, meaning=None):
    return [hit.path for hit in finding.find(asked, meaning)]


def test_everything_can_be_found():
    kinds = {kind: [e for e in finding.entries() if e.kind == kind] for kind in ("page", "word")}
    assert len(kinds["page"]) == 2 + sum(page.built for page in contents.PAGES)
    assert [entry.title for entry in kinds["word"]] == list(glossary.glossary())
    slides = {e.path for e in finding.entries() if e.kind == "slide"}
    for there in lectures().values():
        assert {s.link() for s in there.slides if s.kind == "live" and s.page} <= slides


@pytest.mark.parametrize("page", [page for page in contents.PAGES if page.built])
def test_a_page_is_found_first_by_its_title(page):
    assert paths(page.title)[0] == f"/{page.slug}"


@pytest.mark.parametrize("asked", ["perplex", "Perplexity", "PERPLEXITIES"])
def test_a_word_is_found_by_its_beginning_in_any_case_and_number(asked):
    assert any(hit.title == "perplexity" for hit in finding.find(asked))


def test_the_heading_of_a_slide_finds_its_view_among_the_first():
    late = []
    for there in lectures().values():
        for slide in there.slides:
            if slide.kind == "live" and slide.page:
                views = {e.path: e.view for e in finding.entries()}
                first = [views[path] for path in paths(slide.heading)[:5]]
                if slide.address() not in first:
                    late.append(slide.heading)
    assert len(late) <= 12, late


def test_a_view_is_one_hit():
    views = {(entry.kind, entry.title, entry.path): entry.view for entry in finding.entries()}
    found = [views[hit.kind, hit.title, hit.path] for hit in finding.find("gate")]
    assert len(set(found)) == len(found) > 3


@ENCODER
def test_what_fits_nothing_is_not_said_to_fit():
    for asked in ("xyzzyq", "Homework 2 is due Friday", "Course logistics"):
        assert not finding.is_sure(asked, meanings.cosines(asked))
    for asked in ("LSTMs Address the Vanishing Gradient Problem", "a unit illustrated"):
        assert finding.is_sure(asked, meanings.cosines(asked))


FITTING = {
    "Perplexity": "/language_model",
    "√d": "/attention",
    "No peeking": "/masking",
    "Teacher forcing": "/rnn",
    "Quadratic cost": "/transformer?see=Cost",
    "Vanishing gradients": "/lstm",
    "Byte pair encoding": "/tokens",
    "Residual connections": "/transformer",
}
UNFITTING = (
    "Gradient clipping", "Attention to the rescue", "Questions?", "Homework 3", "Thank you",
    "Office hours", "Final project", "Diffusion models",
    "Verschwindende Gradienten", "注意力机制", "آلية الانتباه", "Механизм внимания",
)  # fmt: skip


@ENCODER
@pytest.mark.parametrize(("title", "path"), FITTING.items())
def test_a_view_that_fits_a_title_is_set(title, path):
    meaning = meanings.cosines(title)
    first = next(hit for hit in finding.find(title, meaning) if hit.kind != "word")
    assert first.path.startswith(path) and finding.fits(title, first, meaning)


@ENCODER
@pytest.mark.parametrize("title", UNFITTING)
def test_a_view_that_does_not_fit_a_title_is_not_set(title):
    meaning = meanings.cosines(title)
    first = next(hit for hit in finding.find(title, meaning) if hit.kind != "word")
    assert not finding.fits(title, first, meaning)


def test_meaning_adds_to_words():
    meaning = np.zeros(len(finding.entries()))
    meaning[7] = 0.9
    assert paths("xyzzy") == []
    assert paths("xyzzy", meaning) == [finding.entries()[7].path]


def found_places(cosines):
    """For each of forty titles, the rank at which the search finds the view of its slide."""
    rows = tomllib.loads((HERE / "forty_titles.toml").read_text("utf-8"))["title"]
    views = {entry.path: entry.view for entry in finding.entries()}
    places = []
    for row, meaning in zip(rows, cosines([row["text"] for row in rows]), strict=True):
        wanted = decks()[row["deck"]].slide(row["slide"]).address()
        found = [views[path] for path in paths(row["text"], meaning)]
        places.append(found.index(wanted) if wanted in found else len(found))
    return places


@pytest.mark.parametrize("encoder", [False, pytest.param(True, marks=ENCODER)])
def test_titles_in_other_words_find_their_views(encoder):
    places = found_places(meanings.cosines_of_all if encoder else lambda rows: [None] * len(rows))
    assert sum(place == 0 for place in places) >= 30
    assert sum(place < 3 for place in places) >= 36


def test_other_titles_are_those_of_slides_with_a_view():
    titles = contents.read_toml("lectures/titles.toml")
    assert titles.keys() == decks().keys()
    for deck, there in decks().items():
        wanted = {str(s.number) for s in there.slides if s.page and s.kind == "live"}
        assert titles[deck].keys() == wanted
        assert all(len(set(each)) >= 8 for each in titles[deck].values())


@ENCODER
def test_another_words_question_is_found_by_meaning():
    asked = "why do recurrent nets fail to learn from far back"
    assert any(
        "lstm" in path or "rnn" in path for path in paths(asked, meanings.cosines(asked))[:3]
    )


@ENCODER
def test_the_first_question_is_answered_by_words_while_the_encoder_is_loaded():
    meanings._loaded.cache_clear()
    meanings._loaders.clear()
    assert meanings.cosines_if_ready("neuron") is None
    (loader,) = meanings._loaders
    loader.join()
    found = meanings.cosines_if_ready("neuron")
    assert found is not None and found.shape == (len(finding.entries()),)


@pytest.fixture
def kept_file(monkeypatch, tmp_path):
    """A path for another file of vectors; afterwards the app's own file is read again."""
    monkeypatch.setattr(meanings, "PATH", tmp_path / "meanings.safetensors")
    meanings.entry_vectors.cache_clear()
    yield meanings.PATH
    meanings.entry_vectors.cache_clear()


def test_without_the_file_there_is_no_meaning(kept_file):
    assert meanings.cosines("neuron") is None
    assert len(meanings.entries_without()) == len(finding.entries())


@ENCODER
def test_only_the_vectors_that_are_missing_are_made(kept_file, monkeypatch):
    few = finding.entries()[:3]
    monkeypatch.setattr(meanings, "entries", lambda: few)
    meanings.main()
    assert kept_file.stat().st_mode & 0o044 == 0o044, "others may read it"
    monkeypatch.setattr(meanings, "make", lambda wanted: asked.extend(wanted) or {})
    asked = []
    meanings.main()
    assert asked == meanings.entries_without() == []


@pytest.fixture
def read_anew():
    """Read the file of vectors again, before and after the test."""
    meanings.entry_vectors.cache_clear()
    yield
    meanings.entry_vectors.cache_clear()


def test_an_entry_that_is_new_is_found_by_its_words_and_the_others_by_their_meaning(
    monkeypatch, read_anew
):
    before, missing = meanings.entry_vectors(), meanings.entries_without()
    place = next(n for n, each in enumerate(finding.entries()) if each not in missing)
    new = finding.entries()[place]._replace(title="A new title")
    changed = (*finding.entries()[:place], new, *finding.entries()[place + 1 :])
    monkeypatch.setattr(meanings, "entries", lambda: changed)
    meanings.entry_vectors.cache_clear()
    assert new in meanings.entries_without()
    vectors = meanings.entry_vectors()
    assert not vectors[place].any()
    assert np.array_equal(np.delete(vectors, place, 0), np.delete(before, place, 0))


def test_nearly_every_entry_has_a_vector_of_its_own_texts():
    """The vectors of new entries are made before a release."""
    missing = meanings.entries_without()
    assert len(missing) <= len(finding.entries()) / 20, "run python -m ui.lectures.meanings"


@ENCODER
def test_a_vector_is_that_of_its_texts():
    kept = meanings.kept_vectors()
    some = [each for each in finding.entries() if meanings.key(each) in kept][::90]
    for name, vector in meanings.make(some).items():
        assert np.abs(vector - kept[name]).max() < 2e-3


def test_a_file_that_cannot_be_read_is_as_none(kept_file):
    kept_file.write_bytes(b"no vectors")
    assert meanings.kept_vectors() == {}
    assert meanings.cosines("neuron") is None
