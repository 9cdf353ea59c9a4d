"""The inline scripts of pages, and the hashes by which the proxy's policy allows them."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import torch

from drawing import bertviz
from tests.browser.serving import ROOT

INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def inline_scripts() -> list[str]:
    """The inline scripts of Streamlit's index.html, then those of BertViz's two views."""
    found = find_spec("streamlit")
    assert found is not None and found.origin is not None
    index = Path(found.origin).parent / "static" / "index.html"
    pages = [index.read_text("utf-8")]
    for view in ("head", "model"):
        seen = bertviz.BertVizView(view, [torch.ones(1, 1, 1)], ["a"])
        pages.append(bertviz.page(seen, "light"))
    return list(dict.fromkeys(script for page in pages for script in INLINE.findall(page)))


def hashes() -> list[str]:
    """The hashes of the inline scripts, as a Content-Security-Policy writes them."""
    digests = (sha256(script.encode("utf-8")).digest() for script in inline_scripts())
    return [f"'sha256-{b64encode(digest).decode('ascii')}'" for digest in digests]


def headers() -> dict[str, str]:
    """The headers that the proxy sets on every answer: name → value, its variables filled in."""
    text = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8")
    filled = dict(re.findall(r'^ *presetenv (\w+) "(.*)"$', text, re.MULTILINE))
    found = re.findall(r"^ *http-after-response set-header (\S+) (.*)$", text, re.MULTILINE)
    return {
        name: re.sub(r"\$\{(\w+)\}", lambda part: filled[part[1]], value.strip('"'))
        for name, value in found
    }


def directives() -> dict[str, list[str]]:
    """The Content-Security-Policy: directive → its sources."""
    parts = (part.split() for part in headers()["Content-Security-Policy"].split(";"))
    return {name: sources for name, *sources in parts}
