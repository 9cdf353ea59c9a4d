"""BertViz's page: complete, with its data written once, and safe for any text in a token."""

import json
import re
import sys
from html import unescape
from importlib.metadata import PackageNotFoundError

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from drawing import bertviz
from drawing.bertviz import BertVizView, page
from ui.bertviz_frame import sandboxed_frame

HOSTILE = ["</script><script>alert(1)</script>", "<!--<script>", "<img src=x onerror=alert(1)>"]


def weights(layers=2, heads=3, queries=5, keys=None, seed=0):
    """Random attention weights: rows that sum to 1."""
    generator = torch.Generator().manual_seed(seed)
    shape = (heads, queries, keys or queries)
    return [torch.randn(shape, generator=generator).softmax(-1) for _ in range(layers)]


def written(text):
    """The payload of a page."""
    (data,) = re.findall(r'<script type="application/json" id="payload">(.*?)</script>', text, re.S)
    return json.loads(data)


@pytest.mark.parametrize("view", ["head", "model"])
def test_the_payload_is_written_once_and_the_marker_is_left_in_no_code(view):
    text = page(BertVizView(view, weights(), list("abcde")), "light")
    assert text.count('"weights":') == 1
    assert text.count('"left":["a","b","c","d","e"]') == 1
    assert "const params = given();" in text and "= PYTHON_PARAMS" not in text


@pytest.mark.parametrize("view", ["head", "model"])
def test_nothing_is_fetched_from_anywhere(view):
    text = page(BertVizView(view, weights(), list("abcde")), "light")
    assert "cdnjs" not in text and "require.config" not in text
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", text)
    assert "default-src 'none'" in text
    hosts = set(re.findall(r"https?://([\w.-]+)", text))
    assert hosts <= {"d3js.org", "www.w3.org", "github.com", "jquery.org", "jquery.com"}, hosts


def test_the_weights_are_the_tensors_own_to_four_decimals():
    given_weights = weights()
    found = written(page(BertVizView("head", given_weights, list("abcde")), "light"))
    shown = torch.tensor(found["weights"]) / found["scale"]
    assert torch.allclose(shown, torch.stack(given_weights), atol=0.5e-4 + 1e-9)
    assert shown.shape == (2, 3, 5, 5)


@pytest.mark.parametrize("token", [*HOSTILE, "\ud800", "שלום", "👩‍🚀", "\u2028", "&lt;"])
def test_a_token_stays_text(token):
    text = page(BertVizView("head", weights(queries=2), [token, "b"]), "light")
    assert text.isascii()
    assert written(text)["left"] == [token, "b"]
    plain = page(BertVizView("head", weights(queries=2), ["a", "b"]), "light")
    tags = [len(re.findall("<[a-z/!]", each)) for each in (text, plain)]
    assert tags[0] == tags[1]


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_inner_frame_is_an_attribute_that_no_text_can_leave(inside, title):
    outer = sandboxed_frame(inside, title)
    assert outer.count('srcdoc="') == 1 and outer.count('"></iframe>') == 1
    assert unescape(outer.split('srcdoc="')[1].split('"')[0]) == inside
    assert outer.count("sandbox=") - title.count("sandbox=") - inside.count("sandbox=") == 1
    assert "allow-same-origin" not in outer.replace(inside, "").replace(title, "")


def test_two_sentences_are_cut_into_five_views_that_bertviz_names():
    parts = written(page(BertVizView("head", weights(), list("abcde"), sentence_b=3), "light"))[
        "parts"
    ]
    assert [(part["name"], part["rows"], part["columns"]) for part in parts] == [
        ("All", [0, 5], [0, 5]),
        ("Sentence A -> Sentence A", [0, 3], [0, 3]),
        ("Sentence B -> Sentence B", [3, 5], [3, 5]),
        ("Sentence A -> Sentence B", [0, 3], [3, 5]),
        ("Sentence B -> Sentence A", [3, 5], [0, 3]),
    ]


def test_cross_attention_has_tokens_of_its_own_on_the_right():
    found = written(
        page(BertVizView("head", weights(queries=2, keys=3), list("ab"), list("xyz")), "dark")
    )
    assert (found["left"], found["right"]) == (["a", "b"], ["x", "y", "z"])
    assert found["display_mode"] == "dark"


def test_the_head_view_opens_on_what_is_asked_for_and_the_model_view_has_all_heads():
    asked = {"layer": 1, "heads": (0, 2)}
    head = written(page(BertVizView("head", weights(), list("abcde"), **asked), "light"))
    assert (head["layer"], head["heads"]) == (1, [0, 2])
    model = written(page(BertVizView("model", weights(), list("abcde"), **asked), "light"))
    assert (model["heads"], model["include_heads"], model["total_heads"]) == (None, [0, 1, 2], 3)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"attentions": []}, "must have one shape (head, query, key); got []"),
        ({"attentions": [*weights(1), *weights(1, heads=2)]}, "one shape"),
        ({"tokens": list("abcd")}, "for 4 tokens that look at 4; got 5 × 5"),
        ({"keys": list("ab")}, "for 5 tokens that look at 2; got 5 × 5"),
        ({"tokens": [], "attentions": [torch.ones(2, 0, 0)]}, "must have one shape"),
        ({"sentence_b": 0}, "the start of sentence B must be from 1 to 4; got 0"),
        ({"sentence_b": 5}, "the start of sentence B must be from 1 to 4; got 5"),
        ({"layer": 2}, "the layer must be from 0 to 1; got 2"),
        ({"heads": [3]}, "a head must be from 0 to 2; got 3"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(changed, reason):
    asked = {"kind": "head", "attentions": weights(), "tokens": list("abcde")} | changed
    with pytest.raises(ValueError, match=re.escape(reason)):
        BertVizView(**asked)


def test_more_lines_than_a_browser_can_draw_are_refused():
    head = [torch.zeros(12, 128, 128)] * 12
    assert BertVizView("head", head, ["x"] * 128).lines == 12 * 128 * 128
    with pytest.raises(ValueError, match=r"at most 300,000 here; got 2,359,296, in 128 × 128"):
        BertVizView("model", head, ["x"] * 128)


def test_a_package_that_is_not_there_is_named(monkeypatch):
    def gone(name):
        raise PackageNotFoundError(name)

    assert bertviz.is_installed()
    monkeypatch.setattr(bertviz, "distribution", gone)
    assert not bertviz.is_installed()
    bertviz.script.cache_clear()
    with pytest.raises(ValueError, match="XStatic-jQuery, which must be installed"):
        page(BertVizView("head", weights(), list("abcde")), "light")
    bertviz.script.cache_clear()


def test_bertviz_is_never_imported(monkeypatch):
    for name in ("bertviz", "IPython", "boto3"):
        monkeypatch.setitem(sys.modules, name, None)  # an import of it fails
    bertviz.script.cache_clear()
    page(BertVizView("model", weights(), list("abcde")), "light")
