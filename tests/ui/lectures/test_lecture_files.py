"""Lectures as TOML files: what is read, and what is refused with which message."""

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui import contents
from ui.lectures import catalogue, files, place, routes

GOOD = """
title = "Week 3"
by = "A. Lecturer"

[[slide]]
heading = "What “saturated” means"
path = "/neuron?w=4%2C+4%2C+4&b=2&deck=cmu&slide=3"
notes = "Ask first.\\nThen drag b."
hide = true

[[slide]]
heading = "Home"
path = "/"
"""
OF_THIS_APP = "must be a page of this app, such as /neuron?w=1"
SERVER = TestClient(Starlette(routes=list(routes.ROUTES)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LMCORE_LECTURES", str(tmp_path))
    files._read_folder.cache_clear()
    yield tmp_path
    files._read_folder.cache_clear()


def slide(**changed):
    row = {"heading": '"A"', "path": '"/neuron"'} | changed
    lines = "\n".join(f"{name} = {value}" for name, value in row.items() if value is not None)
    return f'title = "T"\n\n[[slide]]\n{lines}\n'


def test_a_file_of_the_folder_is_a_lecture_among_the_decks(folder):
    (folder / "week3.toml").write_text(GOOD, "utf-8")
    there = catalogue.lecture("week3")
    assert (there.title, there.by) == ("Week 3", "A. Lecturer")
    first, home = there.slides
    assert first.settings() == {"w": "4, 4, 4", "b": "2"}  # the place is not a setting
    assert first.link() == "/neuron?w=4%2C+4%2C+4&b=2&deck=week3&slide=1"
    assert first.hide and first.notes == "Ask first.\nThen drag b."
    assert home.link() == "/?deck=week3&slide=2"
    assert place.way_to("week3", "2", presenting=True) == "/?deck=week3&slide=2&present=1&beat=0"
    assert [*catalogue.lectures()][: len(contents.DECKS)] == [*contents.DECKS]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "must be TOML; Invalid value (at end of document)"),
        ('title = "T"\ntitle = "U"', "must be TOML; Cannot overwrite a value (at"),
        ('title = "T"', "slide: must be given"),
        ('title = "T"\nslide = []', "slide: must have at least 1 slide"),
        ('title = "T"\nslide = 3', "slide: must be a list of tables; got '3'"),
        (slide() + 'color = "red"', "color of slide 1: must be left out: a lecture has no such"),
        ('title = "T"\nslide = [3]', "slide 1: must be a table; got '3'"),
        (f"a = {'[' * 5000}", "must have fewer tables or lists inside one another"),
        (slide(path='"/neuron}{"'), "path of slide 1: must be a page of this app"),
        (slide(path=None), "path of slide 1: must be given"),
        (slide(heading="3"), "heading of slide 1: must be text; got '3'"),
        (slide(heading=f'"{"x" * 201}"'), "heading of slide 1: must have at most 200 chara"),
        (slide(notes=f'"{"x" * 2001}"'), "notes of slide 1: must have at most 2000 characters"),
        (slide(hide='"yes"'), "hide of slide 1: must be true or false; got 'yes'"),
        *(
            (slide(path=f'"{path}"'), f"path of slide 1: {OF_THIS_APP}; got '{path}'")
            for path in (
                "/nowhere",
                "https://elsewhere.example/neuron",
                "//elsewhere.example/neuron",
                "javascript:alert(1)",
                "neuron",
                "/neuron#x",
                "/../etc/passwd",
            )
        ),
        (slide() + slide(path='"/no"').partition("\n")[2], f"path of slide 2: {OF_THIS_APP}"),
        (
            'title = "T"\n' + '[[slide]]\nheading = "A"\npath = "/neuron"\n' * 10_000,
            "slide: must have at most 500 slides",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_said_with_its_place(text, said):
    with pytest.raises(ValueError) as refused:
        files.read_lecture(text)
    assert str(refused.value).startswith(said)


def test_of_several_faults_the_first_is_said_and_the_others_are_counted():
    with pytest.raises(ValueError, match=r"path of slide 1: .*\(and 1 more\)"):
        files.read_lecture(slide(path='"/no"', hide="3"))


def test_files_that_are_wrong_are_named_and_left_out(folder):
    (folder / "good.toml").write_text(slide(), "utf-8")
    (folder / "mark.toml").write_text(slide(), "utf-8-sig")
    (folder / "deep.toml").write_text(f"a = {'[' * 5000}", "utf-8")
    (folder / "bad.toml").write_text("title = ", "utf-8")
    (folder / "cmu.toml").write_text(slide(), "utf-8")
    (folder / "Big Name.toml").write_text(slide(), "utf-8")
    (folder / "huge.toml").write_text("#" * (files.MOST_BYTES + 1), "utf-8")
    (folder / "bytes.toml").write_bytes(b"\xff\xfe")
    found = files.lectures_of_folder()
    assert list(found.lectures) == ["good", "mark"]
    named = [each.partition(":")[0] for each in found.refused]
    assert named == [
        *("Big Name.toml", "bad.toml", "bytes.toml", "cmu.toml", "deep.toml", "huge.toml")
    ]
    assert "must be 1 to 40 lower-case letters" in found.refused[0]
    assert "at most 2,000,000 bytes; got 2,000,001" in found.refused[-1]


def test_a_slide_of_a_file_may_have_no_view_and_an_address_may_name_its_beats(folder):
    rows = slide(path='""') + slide(path='"/masking?see=Compare&beats=4.2.99.x"').partition("\n")[2]
    (folder / "week.toml").write_text(rows, "utf-8")
    first, second = catalogue.lecture("week").slides
    assert (first.page, first.kind, first.address()) == ("", "other", "")
    assert second.beats == (2, 4) and second.settings() == {"see": "Compare"}


def test_a_folder_that_is_not_there_is_refused_at_start_and_its_path_is_shown_to_nobody(
    monkeypatch,
):
    monkeypatch.setenv("LMCORE_LECTURES", "/nowhere/at/all")
    with pytest.raises(ValueError, match="LMCORE_LECTURES must be a folder; got '/nowhere/at/all'"):
        files.check_folder()
    assert files.lectures_of_folder().refused == (
        "The folder of this server’s lectures is not there.",
    )


def test_a_lecture_of_the_folder_may_show_a_view_of_home(folder):
    (folder / "home.toml").write_text(slide(path='"/?see=Timeline"'), "utf-8")
    assert catalogue.lecture("home").slides[0].view() == "Home · Timeline"


def test_the_quotes_of_a_word_processor_are_read():
    text = "title = “Week 3”\n[[slide]]\u00a0\nheading = “What ‘steep’ means”\npath = “/neuron”\n"
    read = files.read_lecture(text)
    assert (read.title, read.slide[0].heading) == ("Week 3", "What 'steep' means")
    kept = files.read_lecture("title = 'A “week”'\n[[slide]]\nheading = ''\npath = '/neuron'")
    assert kept.title == "A “week”"


def test_a_file_that_would_take_minutes_to_read_is_given_up(monkeypatch):
    monkeypatch.setattr(routes, "READING_SECONDS", 0.3)
    body = ("a." * 200_000 + "a = 1").encode()
    answer = SERVER.post("/live/lecture.json", content=body).json()
    assert answer == {"error": "must be read within 0.3 s; it was not"}


def test_a_file_that_is_opened_comes_back_as_json_or_with_what_is_wrong():
    read = SERVER.post("/live/lecture.json", content=GOOD.encode()).json()
    assert read["title"] == "Week 3"
    assert [each["heading"] for each in read["slides"]] == ["What “saturated” means", "Home"]
    for body, said in (
        (b"title = ", "must be TOML"),
        (b"\xff\xfe", "must be text in UTF-8"),
        (b"#" * (files.MOST_BYTES + 1), "must have at most 2,000,000 bytes"),
    ):
        assert said in SERVER.post("/live/lecture.json", content=body).json()["error"]
