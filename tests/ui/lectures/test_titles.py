"""The titles of a visitor's slides, from text, PowerPoint and PDF; and files that are refused."""

import io
import json
import zipfile

import pytest
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Pt
from pypdf import PdfWriter
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.lectures import lectures, routes, titles

FOOTER = PP_PLACEHOLDER.FOOTER
SERVER = TestClient(Starlette(routes=list(routes.ROUTES)))


def powerpoint(names):
    deck = Presentation()
    for name in names:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = name
    deck.slides.add_slide(deck.slide_layouts[6])  # it has no title
    saved = io.BytesIO()
    deck.save(saved)
    return saved.getvalue()


def pdf(*pages, labels=""):
    """A PDF whose pages have these lines: a text, its font size, and its height on the page.

    A line given as text alone has 12 points, and is placed below the line before.
    """
    count = len(pages)
    kids = " ".join(f"{3 + 2 * n} 0 R" for n in range(count))
    numbered = f"/PageLabels << /Nums [{labels}] >> " if labels else ""
    parts = [
        f"<< /Type /Catalog /Pages 2 0 R {numbered}>>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
    ]
    font = f"{3 + 2 * count} 0 R"
    for n, lines in enumerate(pages):
        placed = [
            (line, 12, 700 - 20 * at) if isinstance(line, str) else line
            for at, line in enumerate(lines)
        ]
        text = " ".join(
            f"BT /F1 {size} Tf 1 0 0 1 50 {y} Tm ({line}) Tj ET" for line, size, y in placed
        )
        parts += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents "
            f"{4 + 2 * n} 0 R /Resources << /Font << /F1 {font} >> >> >>",
            f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        ]
    parts.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    body, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{part}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size, start = len(parts) + 1, len(body)
    body += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n"
    return f"{body}<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode()


def zipped(parts):
    """A ZIP file with these parts."""
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in parts.items():
            packed.writestr(name, data)
    return saved.getvalue()


def parts_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def damaged(deck):
    """The deck, with wrong bytes in the middle of its first slide."""
    with zipfile.ZipFile(io.BytesIO(deck)) as packed:
        slide = packed.getinfo("ppt/slides/slide1.xml")
    middle = slide.header_offset + 30 + len(slide.filename) + slide.compress_size // 2
    return deck[:middle] + b"\xff" * 20 + deck[middle + 20 :]


def locked_pdf():
    saved, writer = io.BytesIO(), PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(saved)
    return saved.getvalue()


def saved(deck):
    """The bytes of a presentation."""
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def blank(deck):
    """A new slide without placeholders."""
    return deck.slides.add_slide(deck.slide_layouts[6])


def write(shapes, text, points, top, left=0):
    """A text box with that font size."""
    box = shapes.add_textbox(Pt(left), Pt(top), Pt(400), Pt(1.5 * points))
    box.text_frame.text = text
    for paragraph in box.text_frame.paragraphs:
        paragraph.runs[0].font.size = Pt(points)
    return box


def test_a_text_has_a_title_a_line():
    assert titles.titles_of("\ufeffOne\n\n  Two  σ \n".encode(), ".txt").titles == ["One", "Two σ"]


def test_a_powerpoint_file_has_the_titles_of_its_slides_and_a_row_for_one_without():
    named = ["What is attention?", "Two\nlines, “quoted”"]
    found = titles.titles_of(powerpoint(named), ".pptx")
    assert found == (["What is attention?", "Two lines, “quoted”", ""], 0)


def test_the_title_of_a_powerpoint_slide_is_the_largest_then_the_topmost_line():
    deck = Presentation()
    first = blank(deck).shapes
    write(first, "The author, 2026", 12, top=500)
    write(first, "k = 3 hypotheses", 20, top=200)
    write(first, "Beam search", 40, top=60)
    second = blank(deck).shapes
    write(second, "below", 20, top=300)
    write(second, "above", 20, top=100)
    third = blank(deck).shapes.add_textbox(0, 0, Pt(300), Pt(100)).text_frame
    third.text = "\nMasks\nand more"
    assert titles.titles_of(saved(deck), ".pptx").titles == ["Beam search", "above", "Masks"]


def test_the_title_of_a_powerpoint_slide_may_be_in_a_group_or_a_table():
    deck = Presentation()
    outer = blank(deck).shapes.add_group_shape()
    inner = outer.shapes.add_group_shape()
    write(inner.shapes, "Gradient clipping", 32, top=40)
    write(outer.shapes, "if it explodes", 18, top=200)
    table = blank(deck).shapes.add_table(2, 2, 0, 0, Pt(400), Pt(200)).table
    table.cell(0, 0).text_frame.text = "Perplexity"
    table.cell(1, 1).text_frame.text = "3.2"
    assert titles.titles_of(saved(deck), ".pptx").titles == ["Gradient clipping", "Perplexity"]


def test_a_group_is_as_high_as_it_is_drawn():
    deck = Presentation()
    shapes = blank(deck).shapes
    group = shapes.add_group_shape()
    write(group.shapes, "moved down", 20, top=10)
    group.top = Pt(400)
    write(shapes, "at the top", 20, top=100)
    assert titles.titles_of(saved(deck), ".pptx").titles == ["at the top"]


def test_a_footer_of_a_powerpoint_slide_is_no_title():
    deck = Presentation()
    slide = blank(deck)
    place = next(
        p for p in deck.slide_layouts[6].placeholders if p.placeholder_format.type == FOOTER
    )
    slide.shapes.clone_placeholder(place)
    slide.placeholders[place.placeholder_format.idx].text_frame.text = "NLP, lecture 3"
    assert titles.titles_of(powerpoint_of(deck, "Attention"), ".pptx").titles == ["", "Attention"]


def powerpoint_of(deck, title):
    """The same deck with one more slide of that title."""
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title
    return saved(deck)


def test_hidden_slides_are_left_out_and_counted():
    deck = Presentation()
    for name in ("Shown", "Not shown", "Shown, too"):
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = name
    deck.slides[1].element.set("show", "0")
    found = titles.titles_of(saved(deck), ".pptx")
    assert found == (["Shown", "Shown, too"], 1)
    answer = SERVER.post("/live/match?name=a.pptx", content=saved(deck)).json()
    assert len(answer["rows"]) == 2 and answer["said"].startswith("1 hidden slide is left out")


def test_a_pdf_has_the_largest_line_of_each_page():
    page = ["Vanishing gradients", "and more"]
    assert titles.titles_of(pdf(page), ".pdf").titles == ["Vanishing gradients"]
    small = [
        ("The author", 8, 780),
        ("Two lines of", 24, 700),
        ("one title", 24, 672),
        ("x", 12, 600),
    ]
    assert titles.titles_of(pdf(small, []), ".pdf").titles == ["Two lines of one title", ""]


NAMES = [f"Title {letter}" for letter in "ABCDEFGHIJKLMN"]


def test_running_headers_footers_and_navigation_of_a_pdf_are_no_titles():
    pages = [
        [("Introduction Model Results", 12, 780), (name, 12, 740), ("text", 12, 600),
         (f"{n} / 14", 12, 20)]
        for n, name in enumerate(NAMES, start=1)
    ]  # fmt: skip
    assert titles.titles_of(pdf(*pages), ".pdf").titles == NAMES


def test_the_overlays_of_a_frame_are_one_row():
    frame = [("Attention", 20, 700), ("first", 12, 600), ("second", 12, 560)]
    other = [("Masks", 20, 700), ("first", 12, 600)]
    by_text = pdf(frame[:2], frame, other)
    assert titles.titles_of(by_text, ".pdf").titles == ["Attention", "Masks"]
    # Beamer gives all pages of a frame the same number, also where a line is replaced.
    labels = "0 << /S /D /St 1 >> 1 << /S /D /St 1 >> 2 << /S /D /St 2 >>"
    replaced = [frame[0], ("instead", 12, 600)]
    numbered = pdf(frame[:2], replaced, other, labels=labels)
    assert titles.titles_of(numbered, ".pdf").titles == ["Attention", "Masks"]


def test_two_slides_of_one_title_are_two_rows():
    one, two = [("Attention", 20, 700), ("a", 12, 600)], [("Attention", 20, 700), ("b", 12, 600)]
    assert titles.titles_of(pdf(one, two), ".pdf").titles == ["Attention", "Attention"]


MARKDOWN = """---
title: Week 3
theme: default
---
# Week 3

- a bullet
- another

## **Perplexity** of a `bigram` {.big}

```python
# a comment
```

Teacher forcing
---------------
text

### too deep

# [Masks](https://example.org) #
"""


def test_markdown_has_its_headings_alone():
    assert titles.titles_of(MARKDOWN.encode(), ".md").titles == [
        *("Week 3", "Perplexity of a bigram", "Teacher forcing", "Masks")
    ]


def test_slides_of_markdown_that_rules_part_have_a_row_each():
    text = "---\nmarp: true\n---\n# One\n\n---\n\n![](picture.png)\n\n---\n\n### Three\n- a\n"
    assert titles.titles_of(text.encode(), ".md").titles == ["One", "", "Three"]
    windows = text.replace("\n", "\r\n").encode()
    assert titles.titles_of(windows, ".md").titles == ["One", "", "Three"]


TONGUES = ["Verschwindende Gradienten", "注意力机制", "آلية الانتباه", "Механизм внимания"]


@pytest.mark.parametrize("kind", [".pptx", ".md", ".txt"])
def test_titles_may_be_in_any_language(kind):
    data = {
        ".pptx": powerpoint(TONGUES),
        ".md": "".join(f"# {title}\n\n" for title in TONGUES).encode(),
        ".txt": "\n".join(TONGUES).encode(),
    }[kind]
    assert [title for title in titles.titles_of(data, kind).titles if title] == TONGUES


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (b"", ".txt", "must have slides with titles; none was found"),
        (b"\xff\xfe\x00", ".txt", "the text must be UTF-8"),
        (b"no zip", ".pptx", "cannot be read as .pptx: it may be damaged, protected by a password"),
        (b"no pdf", ".pdf", "cannot be read as .pdf"),
        (zipped({"hello.txt": b"no deck"}), ".pptx", "cannot be read as .pptx"),
        (damaged(powerpoint(["A"])), ".pptx", "cannot be read as .pptx"),
        (locked_pdf(), ".pdf", "cannot be read as .pdf"),
        (b"x\n" * 501, ".txt", "at most 500 slides; got 501"),
        (b"# x\n" * 10_000, ".md", "at most 500 slides; got 10000"),
        (b"- a bullet\n", ".md", "must have slides with titles; none was found"),
    ],
)
def test_a_file_that_is_none_is_refused(data, kind, said):
    with pytest.raises(ValueError, match=said):
        titles.titles_of(data, kind)


def test_a_powerpoint_file_that_unpacks_to_too_much_is_never_unpacked(monkeypatch):
    monkeypatch.setattr(titles, "MOST_UNPACKED", 1_000_000)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("ppt/media/image1.png", bytes(2_000_000))
    assert len(bomb.getvalue()) < 10_000
    with pytest.raises(ValueError, match="unpack to at most 1,000,000 bytes; got 2,000,000"):
        titles.titles_of(bomb.getvalue(), ".pptx")


@pytest.mark.walk("lectures", alone=True)
def test_a_small_file_that_takes_too_much_memory_is_refused_and_the_next_is_read(monkeypatch):
    monkeypatch.setattr(titles, "SECONDS", 120.0)
    deck = parts_of(powerpoint(["A"]))
    slide = "ppt/slides/slide1.xml"
    deck[slide] = deck[slide].replace(b"</p:spTree>", b"<a/>" * 25_000_000 + b"</p:spTree>")
    bomb = zipped(deck)
    assert len(bomb) < 200_000
    with pytest.raises(ValueError, match=r"cannot be read as .pptx: .* too large"):
        titles.read_titles(bomb, "bomb.pptx")
    assert titles.read_titles(powerpoint(["A"]), "a.pptx").titles == ["A", ""]


@pytest.mark.parametrize("name", ["deck.exe", "deck", "", "../../x.tex"])
def test_another_kind_of_file_is_refused_by_its_name(name):
    with pytest.raises(ValueError, match=r"must end in .txt, .md, .pptx, .pdf"):
        titles.read_titles(b"x", name)


def test_what_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(titles, "SECONDS", -1.0)
    with pytest.raises(ValueError, match="must be read within -1 s"):
        titles.read_titles(powerpoint(["A"]), "a.pptx")


def test_a_deck_is_matched_with_views():
    there = lectures()["cmu"]
    named = [there.slide(number).heading for number in (5, 62)]
    answer = SERVER.post("/live/match?name=deck.pptx", content=powerpoint(named)).json()
    assert [row["title"] for row in answer["rows"]] == [*named, ""]
    for row, number in zip(answer["rows"], (5, 62), strict=False):
        assert 1 <= len(row["hits"]) <= 3
        views = [hit["path"].partition("deck=")[0].rstrip("?&") for hit in row["hits"]]
        assert there.slide(number).address() in views
    assert answer["rows"][2] == {"title": "", "hits": [], "sure": False}
    assert answer["said"] == ""


def test_a_proposed_slide_brings_its_notes_and_beats():
    slide = lectures()["cmu"].slide(38)
    body = f"Homework\n{slide.heading}\n".encode()
    _, row = SERVER.post("/live/match?name=a.txt", content=body).json()["rows"]
    hit = next(hit for hit in row["hits"] if hit["path"].endswith("slide=38"))
    assert (hit["notes"], tuple(hit["beats"])) == (slide.notes, slide.beats)
    assert slide.beats and row["sure"]


def test_a_file_that_is_larger_than_the_server_takes_is_refused(monkeypatch):
    monkeypatch.setenv("LMCORE_UPLOAD_MB", "1")
    answer = SERVER.post("/live/match?name=a.pptx", content=bytes(2**20 + 1)).json()
    assert answer == {"error": "what is sent must have at most 1,048,576 bytes"}


def test_a_refusal_comes_back_as_a_sentence():
    answer = SERVER.post("/live/match?name=deck.exe", content=b"x")
    assert "must end in" in json.loads(answer.text)["error"]
