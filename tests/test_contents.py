"""The one table of pages covers the syllabus, and every reference in it resolves."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from tests.ui.streamlit_internals.names import ALL_MATERIAL_ICONS
from ui import contents
from ui.contents import (
    DECKS,
    ERRATA,
    HOME_ERRATA,
    OBJECTIVES,
    PAGES,
    PARTS,
    ROOT,
    TIMELINE,
    Erratum,
    ErratumKind,
    EventKind,
    Page,
    neighbours,
    page,
    pages_serving,
)
from ui.server.guard import LISTS

STARS = ("neuron", "backprop", "training", "attention", "heads", "masking", "generation")
SLUGS = [each.slug for each in PAGES]

each_page = pytest.mark.parametrize("one", PAGES, ids=lambda one: one.slug)
each_erratum = pytest.mark.parametrize("one", ERRATA.values(), ids=lambda one: one.id)


def objectives_from(source: str) -> list[str]:
    return [each.id for each in OBJECTIVES.values() if each.source == source]


def test_the_syllabus_has_nine_deck_objectives_and_seven_of_the_app() -> None:
    assert objectives_from("deck") == [f"LO{n}" for n in range(1, 10)]
    assert objectives_from("app") == [f"TO{n}" for n in range(1, 8)]


@pytest.mark.parametrize("objective", objectives_from("deck"))
def test_a_deck_objective_is_served_by_at_least_two_pages(objective: str) -> None:
    assert len(pages_serving(objective)) >= 2


@pytest.mark.parametrize("objective", objectives_from("app"))
def test_an_app_objective_is_served_by_at_least_one_page(objective: str) -> None:
    assert len(pages_serving(objective)) >= 1


@pytest.mark.parametrize("objective", OBJECTIVES.values(), ids=lambda one: one.id)
def test_an_objective_is_one_short_sentence(objective: contents.Objective) -> None:
    assert len(objective.text.split()) <= 14
    assert objective.text.endswith(".")


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("contents.toml", "deck"),
        ("contents.toml", "objective"),
        ("contents.toml", "part"),
        ("errata.toml", "erratum"),
    ],
)
def test_no_id_is_written_twice(name: str, table: str) -> None:
    # A map keyed by id would hide a second row of the same id, so the file itself is counted.
    rows = tomllib.loads((ROOT / "assets" / name).read_text(encoding="utf-8"))[table]
    ids = [row["id"] for row in rows]
    assert sorted(set(ids)) == sorted(ids)


def test_all_eighty_eight_errata_are_there_in_order() -> None:
    assert list(ERRATA) == [f"X{n:02d}" for n in range(1, 89)]


def test_every_erratum_is_placed_on_a_page_or_on_home() -> None:
    placed = set(HOME_ERRATA).union(*(each.errata for each in PAGES))
    assert set(ERRATA) - placed == set()


def test_neuron_and_backprop_carry_the_errata_of_their_slides() -> None:
    assert {"X09", "X19", "X20", "X27"} <= set(page("neuron").errata)
    assert {"X07", "X08", "X46", "X47", "X48"} <= set(page("backprop").errata)


@each_erratum
def test_an_erratum_says_where_it_stands_and_what_is_right(one: Erratum) -> None:
    assert one.kind in get_args(ErratumKind)
    assert one.decks and set(one.decks) <= set(DECKS)
    assert all(part.strip() for part in (*one.heading.split(" · "), one.says, one.correct))


@each_erratum
def test_an_erratum_is_sound_markdown(one: Erratum) -> None:
    for text in (one.heading, one.says, one.correct, one.note):
        without_code = re.sub(r"`[^`]*`", "", text)
        assert without_code.count("$") % 2 == 0
        assert text.count("`") % 2 == 0
        # Outside code Streamlit drops what looks like a tag, and strikes out text between ~.
        assert not re.search(r"<|(?<!\\)~", without_code)
        assert without_code.count("**") % 2 == 0


@each_erratum
def test_the_formulas_of_an_erratum_close_their_braces(one: Erratum) -> None:
    for text in (one.heading, one.says, one.correct, one.note):
        for formula in re.sub(r"`[^`]*`", "", text).split("$")[1::2]:
            bare = formula.replace(r"\{", "").replace(r"\}", "")
            assert bare.count("{") == bare.count("}")
            assert formula.count(r"\left") == formula.count(r"\right")


def test_slugs_are_unique_and_can_name_a_file_and_a_link() -> None:
    assert len(set(SLUGS)) == len(SLUGS)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(_[a-z]+)?", slug) for slug in SLUGS)


def test_the_seven_stars_are_on_their_pages_once_each() -> None:
    starred = sorted((each.star, each.slug) for each in PAGES if each.star is not None)
    assert starred == list(enumerate(STARS, start=1))


def test_some_pages_keep_the_numbers_that_the_slides_promise() -> None:
    fixed = {2: "neuron", 4: "backprop", 10: "training", 12: "attention", 13: "heads"}
    fixed |= {16: "masking", 21: "generation"}
    assert {number: SLUGS[number - 1] for number in fixed} == fixed


def test_the_parts_are_runs_of_neighbouring_pages_in_order() -> None:
    first_seen = list(dict.fromkeys(each.part for each in PAGES))
    assert first_seen == list(PARTS)
    order = [list(PARTS).index(each.part) for each in PAGES]
    assert order == sorted(order)


@each_page
def test_the_references_of_a_page_resolve(one: Page) -> None:
    assert one.part in PARTS
    assert set(one.objectives) <= set(OBJECTIVES)
    assert set(one.errata) <= set(ERRATA)


@each_page
def test_a_page_needs_only_earlier_pages(one: Page) -> None:
    assert set(one.needs) <= set(SLUGS[: one.number - 1])


@each_page
def test_nothing_is_listed_twice_on_a_page(one: Page) -> None:
    for names in (one.objectives, one.needs, one.errata):
        assert len(set(names)) == len(names)


@each_page
def test_a_page_has_a_plain_title_a_promise_and_an_icon_that_exists(one: Page) -> None:
    assert one.title and "★" not in one.title
    assert re.fullmatch(r"You [^.?!]*\.", one.promise)
    name = one.icon.removeprefix(":material/").removesuffix(":")
    assert one.icon == f":material/{name}:" and name in ALL_MATERIAL_ICONS


def test_the_errata_of_home_resolve() -> None:
    assert HOME_ERRATA and set(HOME_ERRATA) <= set(ERRATA)


def test_every_page_file_is_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "pages").glob("*.py")} - LISTS
    assert files <= set(SLUGS)


def test_the_timeline_runs_forward_from_1913_to_2023() -> None:
    years = [event.year for event in TIMELINE]
    assert years == sorted(years)
    assert (years[0], years[-1]) == (1913, 2023)


def test_every_mark_of_the_timeline_leads_to_a_page() -> None:
    for event in TIMELINE:
        assert event.page in SLUGS, event.label
        assert event.kind in get_args(EventKind), event.label
        assert event.label and event.text.endswith("."), event.label


def test_only_years_that_the_deck_prints_are_called_printed() -> None:
    assert {event.year for event in TIMELINE if event.printed} == {
        1913, 1948, 2003, 2017, 2018, 2022,
    }  # fmt: skip


def test_a_page_is_built_when_its_file_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "ROOT", tmp_path)
    neuron = page("neuron")
    assert neuron.script == "pages/neuron.py"
    assert not neuron.built
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "neuron.py").touch()
    assert neuron.built


def test_neighbours_are_the_nearest_built_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "ROOT", tmp_path)
    (tmp_path / "pages").mkdir()
    for slug in ("neuron", "backprop", "attention"):
        (tmp_path / "pages" / f"{slug}.py").touch()
    assert neighbours("neuron") == (None, page("backprop"))
    assert neighbours("backprop") == (page("neuron"), page("attention"))
    assert neighbours("training") == (page("backprop"), page("attention"))
    assert neighbours("attention") == (page("backprop"), None)


def test_a_page_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"slug must name a page, one of .*neuron.*; got 'brain'"):
        page("brain")
    with pytest.raises(ValueError, match=r"slug must name a page, .*; got 'brain'"):
        neighbours("brain")


def test_an_objective_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"objective_id must be one of LO1, .*TO7; got 'LO10'"):
        pages_serving("LO10")


def test_the_table_can_be_read_without_streamlit() -> None:
    # By its path, because importing its package would import Streamlit.
    code = (
        "import runpy, sys; runpy.run_path('ui/contents.py'); sys.exit('streamlit' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
