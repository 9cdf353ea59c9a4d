"""Views as notebooks: what they hold, that they run and print the page's numbers, and refusals."""

import json

import nbformat
import pytest
from nbclient import NotebookClient
from starlette.applications import Starlette
from starlette.testclient import TestClient

import ui
from lmcore.neuron.neuron import Neuron, trace_neuron
from tests.sampled import sampled
from ui import contents
from ui.lectures import lectures, routes
from ui.lectures.notebooks import View, make_notebook, read_sources
from ui.lectures.opening import plain_path

SERVER = TestClient(Starlette(routes=list(routes.ROUTES)))
RUN = {
    "neuron": "",
    "backprop": "",
    "descent": "",
    "rnn": "",
    "lstm": "",
    "attention": "",
    "masking": "",
    "tokens": "",
    "bert": "",
    "results": "",
    "transformer": "Encoder and decoder",
    "transfer": "The first GPT",
}
"""Page → the example whose notebook is run, if it is not the first; none needs MiniLM."""
SAMPLE = ("neuron", "masking", "transformer")


def printed(notebook):
    """Run a notebook; what its cells print, and the types of the last cell's outputs."""
    run = NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    cells = [cell for cell in run.cells if cell.cell_type == "code"]
    text = "".join(out.get("text", "") for cell in cells for out in cell.outputs)
    return text, [out.output_type for out in cells[-1].outputs]


@pytest.mark.parametrize("slug", sampled(RUN, SAMPLE))
def test_a_notebook_runs_prints_numbers_and_draws_a_figure(slug):
    there = ui.lesson(slug)
    preset = next(each for each in there.presets if RUN[slug] in ("", each.label))
    path = contents.path_of(slug, there.address(preset))
    made = nbformat.reads(make_notebook("T", [View("One", path)]), as_version=4)
    nbformat.validate(made)
    text, figure = printed(made)
    assert any(character.isdigit() for character in text)
    assert "execute_result" in figure or "display_data" in figure


def test_it_prints_the_numbers_of_the_page():
    made = nbformat.reads(make_notebook("T", [View("One", "/neuron?w=4%2C+4%2C+4&b=2")]), 4)
    text, _ = printed(made)
    trace = trace_neuron(Neuron((0.3, 0.2, 0.9), (4.0, 4.0, 4.0), 2.0, "sigmoid"))
    assert f"y       {trace.output.item()}" in text


@pytest.mark.parametrize("page", [page for page in contents.PAGES if page.built])
def test_every_page_has_a_snippet_and_a_figure(page):
    (source,) = read_sources([f"/{page.slug}"])
    assert "lmcore" in source.code
    compile(source.code, page.slug, "exec")
    compile(source.figure, page.slug, "exec")
    assert "plotly" in source.figure


def test_a_lecture_has_its_slides_in_order_and_equal_views_share_their_code():
    slides = [slide for slide in lectures()["cmu"].slides if slide.page == "neuron"]
    views = [View(slide.heading, slide.link(), slide.notes) for slide in slides]
    made = json.loads(make_notebook("CMU", views))
    headings = [
        "".join(cell["source"]).splitlines()[0].partition(". ")[2]
        for cell in made["cells"][1:]
        if cell["cell_type"] == "markdown"
    ]
    assert headings == [slide.heading for slide in slides]
    code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 2 * len({plain_path(view.path) for view in views})


def test_own_text_with_quotes_and_lines_of_50_kb_is_data_in_it():
    own = ('say "it\'s" \\ \n' * 4000)[:50_000]
    path = contents.path_of("tokens", {"tokens_source": "own", "tokens_own": own})
    (source,) = read_sources([path])
    compile(source.code, "tokens", "exec")


def test_what_cannot_be_a_notebook_is_said():
    for asked, said in (
        ({"title": "T", "slides": []}, "must have at least 1 slide"),
        (
            {"title": "T", "slides": [{"heading": "A", "path": "/nowhere"}]},
            "must be of a page that has views",
        ),
        ({"title": "T", "slides": [{"heading": "A", "path": "/"}] * 121}, "at most 120 slides"),
        (
            {"title": "T", "slides": [{"heading": "A", "path": "/neuron?b=x"}]},
            "/neuron?b=x: bias b",
        ),
        ({"slides": 3}, "title: must be given"),
    ):
        answer = SERVER.post("/live/notebook.json", content=json.dumps(asked)).json()
        assert said in answer["error"], answer
    assert "error" in SERVER.post("/live/notebook.json", content=b"no JSON").json()
