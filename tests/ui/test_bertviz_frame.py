"""BertViz on a page: in a frame with a title, or a message on why it is missing."""

import re
from html import unescape

from streamlit.testing.v1 import AppTest

from drawing import bertviz


def page(view="head", length=3, sentence_b=None):
    import torch

    import ui

    weights = [torch.eye(length).expand(2, length, length)] * 2
    words = [f"w{place}" for place in range(length)]
    ui.bertviz(view, weights, words, alt='Two layers of "two" heads', sentence_b=sentence_b)


def run(**settings):
    app = AppTest.from_function(page, kwargs=settings).run()
    assert not app.exception
    return app


def test_the_view_stands_in_a_frame_that_says_what_is_drawn():
    (frame,) = run().get("iframe")
    assert frame.proto.alt == 'Two layers of "two" heads'
    (inner,) = re.findall(
        r'<iframe title="([^"]*)" sandbox="allow-scripts" srcdoc', frame.proto.srcdoc
    )
    assert unescape(inner) == frame.proto.alt
    assert '"left":["w0","w1","w2"]' in unescape(frame.proto.srcdoc)


def test_what_bertviz_cannot_show_is_said_and_there_is_no_frame():
    app = run(sentence_b=3)
    assert "sentence B must be from 1 to 2; got 3" in app.error[0].value
    assert not app.get("iframe")
    assert "Take a shorter text" in run(view="model", length=400).error[0].value


def test_without_its_packages_the_page_goes_on(monkeypatch):
    monkeypatch.setattr(bertviz, "is_installed", lambda: False)
    app = run()
    assert "BertViz is not installed here" in app.info[0].value
    assert not app.get("iframe")
