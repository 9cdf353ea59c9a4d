"""The titles of a visitor's slides, from text, PowerPoint and PDF; and files that are none."""

import io
import json
import zipfile

import pytest
from pptx import Presentation
from pypdf import PdfWriter
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.lectures import lectures, routes, titles

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


def pdf(lines):
    """A PDF of one page with these lines."""
    text = "BT /F1 12 Tf 50 700 Td " + " ".join(f"({line}) Tj 0 -20 Td" for line in lines) + " ET"
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{part}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(body)
    body += f"xref\n0 6\n0000000000 65535 f \n{table}trailer\n<< /Size 6 /Root 1 0 R >>\n"
    return f"{body}startxref\n{start}\n%%EOF".encode()


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
    """The same, with wrong bytes in the middle of its first slide."""
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


def test_a_text_has_a_title_a_line():
    assert titles.titles_of("\ufeffOne\n\n  Two  σ \n".encode(), ".txt") == ["One", "Two σ"]


def test_a_powerpoint_file_has_the_titles_of_its_slides():
    named = ["What is attention?", "Two\nlines, “quoted”"]
    found = titles.titles_of(powerpoint(named), ".pptx")
    assert found == ["What is attention?", "Two lines, “quoted”"]


def test_a_slide_without_a_title_has_its_first_line_of_text():
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "\nBeam search\nk = 3"
    saved = io.BytesIO()
    deck.save(saved)
    assert titles.titles_of(saved.getvalue(), ".pptx") == ["Beam search"]


def test_a_pdf_has_the_first_line_of_each_page():
    assert titles.titles_of(pdf(["Vanishing gradients", "and more"]), ".pdf") == [
        "Vanishing gradients"
    ]


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
        (b"x\n" * 10_000, ".md", "at most 500 slides; got 10000"),
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


def test_a_small_file_that_takes_too_much_memory_is_refused_and_the_next_is_read(monkeypatch):
    monkeypatch.setattr(titles, "SECONDS", 120.0)
    deck = parts_of(powerpoint(["A"]))
    slide = "ppt/slides/slide1.xml"
    deck[slide] = deck[slide].replace(b"</p:spTree>", b"<a/>" * 25_000_000 + b"</p:spTree>")
    bomb = zipped(deck)
    assert len(bomb) < 200_000
    with pytest.raises(ValueError, match=r"cannot be read as .pptx: .* too large"):
        titles.read_titles(bomb, "bomb.pptx")
    assert titles.read_titles(powerpoint(["A"]), "a.pptx") == ["A"]


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
    assert [row["title"] for row in answer["rows"]] == named
    for row, number in zip(answer["rows"], (5, 62), strict=True):
        assert 1 <= len(row["hits"]) <= 3
        views = [hit["path"].partition("deck=")[0].rstrip("?&") for hit in row["hits"]]
        assert there.slide(number).address() in views


def test_a_file_that_is_larger_than_the_server_takes_is_refused(monkeypatch):
    monkeypatch.setenv("LMCORE_UPLOAD_MB", "1")
    answer = SERVER.post("/live/match?name=a.pptx", content=bytes(2**20 + 1)).json()
    assert answer == {"error": "what is sent must have at most 1,048,576 bytes"}


def test_a_refusal_comes_back_as_a_sentence():
    answer = SERVER.post("/live/match?name=deck.exe", content=b"x")
    assert "must end in" in json.loads(answer.text)["error"]
