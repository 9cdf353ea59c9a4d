"""The sentences, the formula and the description of the gradient back through the chain."""

from __future__ import annotations

from drawing.live import quoted
from lessons.rnn.back_picture import Back

FORMULA = [
    "∂J({t})/∂Wₕ = Σₖ ∂J({t})/∂h(k) · ∂h(k)/∂Wₕ",
    "{terms} of {t} terms: **{kept}** of the sum of the norms",
]
READING = (
    "Each state has a part in the loss, and Wₕ is the same at every step: the parts are summed. "
    "The width of the band is the norm of the gradient at that state. Truncated backpropagation "
    "leaves out what is before the cut. The map of all losses: Gradient through time."
)


def sentences(found: Back) -> list[str]:
    """How the norm of each loss changes on the way back; then the same with what a cut keeps."""
    steps = range(1, found.losses + 1)
    return [_sentence(found, t, cut=cut) for cut in (False, True) for t in steps]


def _sentence(found: Back, t: int, *, cut: bool) -> str:
    word = quoted(found.words[t])
    if t == 1:
        return f"The loss of **{word}** has one step only: its gradient is {{last}}."
    grows = float(found.norms[t - 1, 0]) > float(found.norms[t - 1, t - 1])
    verb = "grows" if grows else "shrinks"
    way = f"**Back through {t} steps** the gradient of “{word}” {verb} from {{last}} to"
    if not cut:
        return f"{way} =={{first}}==."
    return f"{way} {{first}}; cut after {{cut}}, =={{kept}}== of the sum is kept."


def describe(found: Back) -> str:
    """The alt text, as a template."""
    words = quoted(" ".join(found.words))
    return (
        f"The chain of states over “{words}”. From the loss J({{t}}) a band flows back, as wide as "
        "the gradient’s norm at each state: {last} at the last, {first} at the first. A cut after "
        "{cut} steps keeps {kept} of the sum of the norms. All states’ parts go into one Wₕ."
    )
