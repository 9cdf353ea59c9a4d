"""BertViz's original head view and model view, as one page that makes no requests.

BertViz's two scripts are read as data from its installed package, which is never imported: it
would pull in IPython, boto3 and transformers. Its three files from a CDN are left out: d3 comes out
of mpld3, jQuery out of XStatic-jQuery, and one line takes the place of require.js. The weights are
written once, rounded to ten-thousandths; BertViz itself writes them twice, with all digits.

Source: Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model"; bertviz 1.4.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal

from jaxtyping import Float
from torch import Tensor

from drawing import theme
from drawing.theme import Mode
from lmcore.checks import check_between

BertVizMode = Literal["head", "model"]

FILES = {
    "d3": ("mpld3", "mpld3/js/d3.v5.min.js"),
    "jquery": ("XStatic-jQuery", "xstatic/pkg/jquery/data/jquery.min.js"),
    "head": ("bertviz", "bertviz/head_view.js"),
    "model": ("bertviz", "bertviz/model_view.js"),
}
DIGITS = 4
MOST_LINES = 300_000
"""BertViz draws a line for every weight; with more of them a browser freezes."""
FROM_A_CDN = re.compile(r"require\.config\(\{.*?\}\);\n", re.DOTALL)
MARKER = "PYTHON_PARAMS"
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
"""The page may run its own scripts, and load nothing."""
SHIM = """const requirejs = (_, run) => run(jQuery, d3);
function given() {
  const { scale, weights, left, right, parts, ...rest } = JSON.parse(payload.textContent);
  const cut = (rows, columns) => weights.map((layer) => layer.map((head) =>
    head.slice(...rows).map((row) => row.slice(...columns).map((weight) => weight / scale))));
  const part = ({ name, rows, columns }) => ({
    name,
    left_text: left.slice(...rows),
    right_text: right.slice(...columns),
    get attn() { return (this.kept ??= cut(rows, columns)); },
  });
  return { ...rest, attention: parts.map(part) };
}"""


@dataclass(frozen=True, slots=True)
class BertVizView:
    """The content of a view: each layer's weights, and the tokens on either side.

    `keys` are the tokens attended to, if they differ from the queries: cross-attention.
    `sentence_b` is the position at which a second sentence begins; each sentence can then be viewed
    alone. The head view opens on `layer` and `heads`, counted from 0; without `heads`, on all.

    Raises:
        ValueError: if the weights do not fit each other or the tokens, a position, layer or head
            does not exist, or there are more weights than BertViz can draw in reasonable time.
    """

    kind: BertVizMode
    attentions: Sequence[Float[Tensor, "head query key"]]
    tokens: Sequence[str]
    keys: Sequence[str] | None = None
    sentence_b: int | None = None
    layer: int = 0
    heads: Sequence[int] = ()

    def __post_init__(self) -> None:
        shapes = {tuple(layer.shape) for layer in self.attentions}
        if len(shapes) != 1 or 0 in (shape := next(iter(shapes))):
            raise ValueError(
                f"all layers must have one shape (head, query, key); got {sorted(shapes)}"
            )
        if shape[1:] != (len(self.tokens), len(self.looked_at)):
            raise ValueError(
                f"weights must be for {len(self.tokens)} tokens that look at "
                f"{len(self.looked_at)}; got {shape[1]} × {shape[2]}"
            )
        if self.sentence_b is not None:
            check_between("the start of sentence B", self.sentence_b, 1, len(self.tokens) - 1)
        check_between("the layer", self.layer, 0, len(self.attentions) - 1)
        for head in self.heads:
            check_between("a head", head, 0, shape[0] - 1)
        if self.lines > MOST_LINES:
            raise ValueError(
                f"BertViz draws a line for every weight: at most {MOST_LINES:,} here; "
                f"got {self.lines:,}, in {shape[1]} × {shape[2]} tokens. Take a shorter text"
            )

    @property
    def looked_at(self) -> Sequence[str]:
        """The tokens on the right."""
        return self.tokens if self.keys is None else self.keys

    @property
    def lines(self) -> int:
        """Lines on screen: of one layer in the head view, of all in the model view."""
        drawn = self.attentions if self.kind == "model" else self.attentions[:1]
        return sum(layer.numel() for layer in drawn)

    @property
    def height(self) -> int:
        """The height of the whole view in pixels, including its row of choices."""
        most = max(len(self.tokens), len(self.looked_at))
        if self.kind == "head":
            return round(90 + 22.5 * most)
        grid = 41 + len(self.attentions) * (most * 84 / len(self.attentions[0]) + 10)
        return round(70 + max(grid, 55 + 18 * most))


def is_installed() -> bool:
    """Whether the packages that contain BertViz's files are installed."""
    return all(_file(name) is not None for name in FILES)


def _file(name: str) -> Path | None:
    package, path = FILES[name]
    try:
        found = Path(str(distribution(package).locate_file(path)))
    except PackageNotFoundError:
        return None
    return found if found.is_file() else None


@lru_cache(maxsize=len(FILES))
def script(name: str) -> str:
    """One of the four scripts, without the code that would fetch another.

    Raises:
        ValueError: if its package is not installed.
    """
    found = _file(name)
    if found is None:
        raise ValueError(f"BertViz needs the package {FILES[name][0]}, which must be installed")
    return FROM_A_CDN.sub("", found.read_text("utf-8"))


def page(view: BertVizView, mode: Mode) -> str:
    """The whole page, as HTML in ASCII; no token of a text can become a tag or a script in it.

    Raises:
        ValueError: if a package is not installed.
    """
    scripts = (
        script("jquery"),
        script("d3"),
        SHIM,
        script(view.kind).replace(MARKER, "given()", 1),
    )
    written = "\n".join(f"<script>{each}</script>" for each in scripts)
    # Within a <script>, only < can begin the end tag or a comment.
    data = json.dumps(payload(view, mode), separators=(",", ":")).replace("<", r"\u003c")
    text = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>BertViz, {view.kind} view</title>
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<style>{style(mode)}</style></head>
<body><main id="bertviz"><h1>BertViz, {view.kind} view</h1>
{choices(view)}<div id="vis"></div></main>
<script type="application/json" id="payload">{data}</script>
{written}
</body></html>
"""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def payload(view: BertVizView, mode: Mode) -> dict[str, object]:
    """The input of BertViz's script; weights are whole numbers, to be divided by `scale`."""
    scale = 10**DIGITS
    layers, heads = len(view.attentions), len(view.attentions[0])
    return {
        "scale": scale,
        "weights": [(layer.detach() * scale).round().int().tolist() for layer in view.attentions],
        "left": list(view.tokens),
        "right": list(view.looked_at),
        "parts": parts(view),
        "default_filter": "0",
        "display_mode": mode,
        "root_div_id": "bertviz",
        "layer": view.layer,
        "heads": list(view.heads) or None,
        "include_layers": list(range(layers)),
        "include_heads": list(range(heads)),
        "total_heads": heads,
    } | ({"heads": None} if view.kind == "model" else {})


def parts(view: BertVizView) -> list[dict[str, object]]:
    """The selectable parts: all tokens, or one sentence's attention to itself or the other."""
    looking, looked_at = (0, len(view.tokens)), (0, len(view.looked_at))
    found: list[dict[str, object]] = [{"name": "All", "rows": looking, "columns": looked_at}]
    if view.sentence_b is None:
        return found
    spans = {"A": (0, view.sentence_b), "B": (view.sentence_b, len(view.tokens))}
    for one, other in ("AA", "BB", "AB", "BA"):
        name = f"Sentence {one} -> Sentence {other}"
        found.append({"name": name, "rows": spans[one], "columns": spans[other]})
    return found


def choices(view: BertVizView) -> str:
    """BertViz's lists of layers and of sentences, each only if there is something to choose."""
    layer = '<label>Layer: <select id="layer"></select></label>\n' if view.kind == "head" else ""
    if view.sentence_b is None:
        return layer
    options = "".join(
        f'<option value="{i}">{str(part["name"]).replace(">", "&gt;")}</option>'
        for i, part in enumerate(parts(view))
    )
    return f'{layer}<label>Attention: <select id="filter">{options}</select></label>\n'


def style(mode: Mode) -> str:
    """The theme's colours for what BertViz draws in black or does not colour at all."""
    ink, ground = theme.INK[mode], theme.BACKGROUND[mode]
    shade = theme.SHADE[mode]
    return (
        f":root{{color-scheme:{mode}}}"
        f"body{{margin:0;background:{ground};color:{ink};font:15px Helvetica,Arial,sans-serif}}"
        "h1{position:absolute;clip-path:inset(50%);margin:0}label{margin-right:1em}"
        "#vis{margin-top:.5em;overflow-x:auto}svg{min-width:340px}select{font:inherit}"
        f"svg text{{fill:{ink}}}svg .background{{fill:{shade}}}"
        # The model view's own background is black; the page's background replaces it.
        f"svg[fill=black],rect[fill=black]{{fill:{ground}}}"
    )
