"""The content security policy allows no more than the pages need; its hashes fit their scripts."""

from __future__ import annotations

import yaml

from tests.browser.serving import ROOT
from tests.deploy.policy import directives, hashes, headers

ANYTHING = {"*", "https:", "http:", "'unsafe-eval'"}


def test_a_script_that_stands_in_a_page_runs_by_its_hash_and_no_other_does() -> None:
    said = [source for source in directives()["script-src"] if source.startswith("'sha256-")]
    assert said == hashes(), "put these into deploy/haproxy.cfg and deploy/kubernetes/headers.yaml"


def test_a_page_asks_nothing_of_another_host() -> None:
    allowed = {"'self'", "'none'", "blob:", "data:", "'unsafe-inline'", "'wasm-unsafe-eval'"}
    for name, sources in directives().items():
        others = {each for each in sources if not each.startswith("'sha256-")} - allowed
        assert others == set(), name
    assert directives()["default-src"] == ["'self'"]


def test_no_text_becomes_a_script() -> None:
    assert "'unsafe-inline'" not in directives()["script-src"]
    assert "data:" not in directives()["script-src"]
    for sources in directives().values():
        assert ANYTHING.isdisjoint(sources)
    assert directives()["object-src"] == ["'none'"]


def test_no_other_page_frames_ours() -> None:
    assert directives()["frame-ancestors"] == ["'none'"]
    assert headers()["X-Frame-Options"] == "DENY"


def test_kubernetes_has_the_headers_of_the_proxy() -> None:
    text = (ROOT / "deploy" / "kubernetes" / "headers.yaml").read_text("utf-8")
    # In Kubernetes the ingress controller sets Strict-Transport-Security.
    expected = headers() | yaml.safe_load(text)["data"]
    assert expected == headers()
    assert set(headers()) - set(yaml.safe_load(text)["data"]) == {"Strict-Transport-Security"}
