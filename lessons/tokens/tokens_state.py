"""The state of the Tokens page, read from its settings: a text, a rule, a training, a sentence."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from lessons.tokens.tokens_text import RULE_WORDS
from lmcore import parsing
from lmcore.tokenization import merges, own_text, packing, rules, split, texts, trees
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.split import WordCounts
from lmcore.tokenization.trees import MergeTree
from lmcore.typed import TYPOGRAPHY
from ui import compute, pretrained
from ui.lessons import lesson
from ui.settings import Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value, set_controls

LESSON = lesson("tokens")
OWN = "tokens-own"
"""The key of a user's own text, which is kept only in the session, never in the address."""
MOST_TYPED = 200
"""Maximum length of a typed text, in characters, because it is also part of the address."""
KNOWN_PAIR = {
    "tokens_first": "the dog sees the [MASK]",
    "tokens_second": "the cat follows the dog",
}
"""Two sentences that every model can read."""
MOST_CACHED = 32
"""The number of trainings cached for all sessions; those on a user's own text never are."""


def encoder_models() -> dict[str, str]:
    """The encoders whose embedding tables can be shown."""
    return {name: label for name, label in pretrained.known_models().items() if name != "gpt"}


SETTINGS = SettingsTable(
    LESSON,
    {
        "tokens_text": Choice(texts.LABELS, "Learn from", then=lambda: fit_types()),
        "tokens_rule": Choice(
            {"wordpiece": "WordPiece", "bpe": "BPE", "gain": "Likelihood"},
            "Learn pieces by",
            then=lambda: fit_types(),
            help="\n\n".join(
                f"**{rule.label}**: {RULE_WORDS[name]}" for name, rule in rules.MERGE_RULES.items()
            ),
        ),
        "tokens_types": Text(
            "Vocabulary |V|, at most",
            "The largest number of types, with special tokens and single letters",
        ),
        "tokens_sentence": Text("Split", "Try words that do not occur in the text", MOST_TYPED),
        "tokens_word": Text("Word", "Try one that does not occur in the text", MOST_TYPED),
        "tokens_first": Text("Sentence A", "[MASK] and [SEP] may be typed", MOST_TYPED),
        "tokens_second": Text("Sentence B, or nothing", "Its segment is 1", MOST_TYPED),
        "tokens_length": Text(
            "Length of the row", f"[PAD] fills the rest of the row; at most {packing.MAX_LENGTH}"
        ),
        "tokens_pad": Switch("Pad, as in a batch"),
        "tokens_model": Choice(encoder_models, "Model", may_be_empty=True, then=lambda: fit_pair()),
        "see": Bound(),
    },
)


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


class TokensState(NamedTuple):
    """A training, and words that are split by it."""

    source: str
    trace: MergesTrace
    types: int
    """The largest vocabulary allowed."""
    requested_merges: int
    """The number in the setting; the text may allow fewer."""
    words: tuple[MergeTree, ...]
    """The words of the sentence, each with its pieces after every number of merges."""

    @property
    def merges(self) -> int:
        """The merges on screen."""
        return min(self.requested_merges, len(self.trace.merges))

    @property
    def named(self) -> MergeTree:
        """The word that the sentence on the stage is about: the longest that the text lacks.

        If the text has them all, the longest.
        """
        known = self.trace.words.counts
        return max(self.words, key=lambda tree: (tree.word not in known, len(tree.word)))


def read_state() -> TokensState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the control whose value is invalid.
    """
    state = st.session_state
    source = SETTINGS.choice("tokens_text")
    if source == "own" and not state.get(OWN):
        source = state["tokens-good"].source if "tokens-good" in state else "birds"
        source = "birds" if source == "own" else source
    types = parsing.parse_integer(state["tokens_types"], "the vocabulary")
    asked = parsing.parse_integer(state["tokens_n"], "the number of merges")
    if asked < 0:
        raise ValueError(f"the number of merges must be 0 or more; got {asked}")
    rule = SETTINGS.choice("tokens_rule")
    return tokens_state(
        source, train_merges(source, rule, types), types, asked, state["tokens_sentence"]
    )


def tokens_state(
    source: str, trace: MergesTrace, types: int, asked: int, sentence: str
) -> TokensState:
    """The words of the sentence at every step of the training.

    Raises:
        ValueError: if there is no word in the sentence, or a control character.
    """
    words = tuple(word.text for word in split.split_words(own_text.read_text(sentence)))
    if not words:
        raise ValueError("the sentence must have at least one word; got only punctuation or spaces")
    return TokensState(source, trace, types, asked, trees.merge_trees(words, trace))


def train_merges(source: str, rule: str, types: int) -> MergesTrace:
    """The training; on a text of the app it is computed once for all visitors.

    Raises:
        ValueError: if the text cannot be learned from, or the vocabulary has no such size.
    """
    if source != "own":
        train = partial(_trained, source, rule, types)
        return compute.shared_result("merges", train, most=MOST_CACHED, says="Training", apart=True)
    typed: str = st.session_state[OWN]
    trained_text, traces = st.session_state.get("tokens-own-trained", (None, {}))
    if trained_text != typed:
        traces = {}
    if (rule, types) not in traces:
        words, chosen = own_words(), rules.merge_rule(rule)
        made = compute.unshared_result(
            partial(merges.train, words, chosen, types),
            of=(typed, rule, types),
            says="Training",
            apart=True,
        )
        traces = {**traces, (rule, types): made}
        # The page compares three rules at one size; older trainings are dropped.
        st.session_state["tokens-own-trained"] = typed, dict(list(traces.items())[-4:])
    trace: MergesTrace = traces[rule, types]
    return trace


def read_pair() -> tuple[str, str]:
    """Sentence A, and B, which may be empty.

    Raises:
        ValueError: if there is no word in A, or a control character in either.
    """
    first, second = (str(st.session_state[f"tokens_{each}"]) for each in ("first", "second"))
    if not second.strip():
        return own_text.read_text(first, TYPOGRAPHY), ""
    return own_text.read_text(first, TYPOGRAPHY), own_text.read_text(second, TYPOGRAPHY)


def fit_types() -> None:
    """Make room in the vocabulary for the letters of the text. For callbacks."""
    source, rule = SETTINGS.choice("tokens_text"), rules.merge_rule(SETTINGS.choice("tokens_rule"))
    if source == "own" and not st.session_state.get(OWN):
        return
    try:
        types = parsing.parse_integer(st.session_state["tokens_types"], "the vocabulary")
        words = own_words() if source == "own" else texts.shipped_word_counts(source)
    except ValueError:
        return  # the page shows the error when it is drawn
    if types < (fewest := merges.fewest_types(words, rule)):
        usual = int(LESSON.defaults["tokens_types"])
        set_controls({"tokens_types": str(max(usual, 2 * fewest))})


def fit_pair() -> None:
    """Replace the sentences if the model cannot read them. For callbacks."""
    pretrained.fit_texts(SETTINGS.choice("tokens_model"), KNOWN_PAIR)


def own_words() -> WordCounts:
    """The words of the user's own text.

    Raises:
        ValueError: as `texts.own_word_counts`.
    """
    return texts.own_word_counts(st.session_state[OWN])


def _trained(source: str, rule: str, types: int) -> MergesTrace:
    return merges.train(texts.shipped_word_counts(source), rules.merge_rule(rule), types)


def default_state() -> TokensState:
    """The state that the page opens with."""
    given = LESSON.defaults
    types, asked = int(given["tokens_types"]), int(given["tokens_n"])
    trace = train_merges(given["tokens_text"], given["tokens_rule"], types)
    return tokens_state(given["tokens_text"], trace, types, asked, given["tokens_sentence"])
