"""The search: by words, by their beginnings and stems, and by meaning where there is an encoder."""

import numpy as np
import pytest

from lmcore.pretrained import wheel
from ui import contents, glossary
from ui.lectures import finding, lectures, meanings

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


def test_meaning_adds_to_words():
    meaning = np.zeros(len(finding.entries()))
    meaning[7] = 0.9
    assert paths("xyzzy") == []
    assert paths("xyzzy", meaning) == [finding.entries()[7].path]


@ENCODER
def test_another_words_question_is_found_by_meaning():
    asked = "why do recurrent nets fail to learn from far back"
    assert any(
        "lstm" in path or "rnn" in path for path in paths(asked, meanings.cosines(asked))[:3]
    )


def test_without_vectors_of_these_texts_there_is_no_meaning(monkeypatch):
    monkeypatch.setattr(meanings, "digest", lambda: "another")
    meanings.entry_vectors.cache_clear()
    assert meanings.cosines("neuron") is None
    monkeypatch.undo()
    meanings.entry_vectors.cache_clear()
