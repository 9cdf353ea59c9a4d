"""The Cloze game tab of the BERT page: you, the small BERT and the grammar fill the same gaps."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

import ui
from lessons.bert import game_text as figures
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.masked_lm import game
from lmcore.masked_lm.filling_in import Question, answers
from lmcore.masked_lm.game import ROUNDS, Answer, Item
from lmcore.models.bert import BERT
from ui import pretrained, settings
from ui.compute import shared_results
from ui.lessons import Lesson

LABEL = "Small BERT"


class Scene(NamedTuple):
    """The texts of a game, what was said so far, and which text is looked at, from 0."""

    seed: int
    items: tuple[Item, ...]
    said: tuple[int, ...]
    at: int

    @property
    def item(self) -> Item:
        """The text that is looked at."""
        return self.items[self.at]

    @property
    def answered(self) -> bool:
        """Whether the gap that is looked at has been filled."""
        return self.at < len(self.said)


def tab(lesson: Lesson) -> None:
    """The score left; the text and the words to choose from right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # what is refused is said beside the controls, not below them
        first = str(lesson.defaults["game_seed"])
        scene = ui.last_good("game", read, lambda: of(first, "", "1"))
    with left:
        controls(scene)
    with right:
        text(scene)
        if scene.answered:
            reveal(scene)
        else:
            ask(scene)
    if scene.said:
        scores(scene)
    with st.expander("Code", key="game-code", on_change="rerun") as code:
        if code.open:
            source(scene)
    with top:
        ui.presets(lesson.part("bert_tab", "game", "game_"))


def controls(scene: Scene) -> None:
    """Which game it is, and how it is scored."""
    settings.typed("game_seed", "Game number", "Same number, same texts and gaps")
    st.button("Another game", on_click=another, args=(scene.seed,), icon=":material/casino:")
    st.caption(
        f"{ROUNDS} documents that no model was trained on, each with a gap at a word that is not "
        "certain. A **hit** is the hidden word. **Points** are the exact probability of what you "
        "said, given all other words: where two words fit equally well, either earns 0.5, "
        "whichever chance had put there. Your answers are in the address and nowhere else."
    )


def read() -> Scene:
    """The game that the address tells.

    Raises:
        ValueError: naming what cannot be.
    """
    state = st.session_state
    return of(*(str(state[f"game_{name}"]) for name in ("seed", "said", "at")))


def of(seed: str, said: str, at: str) -> Scene:
    """A game under way.

    Raises:
        ValueError: as `read`.
    """
    number = parsing.whole(seed, "the game number")
    items = shared_results.kept("games", number, partial(game.game, number), most=32)
    words = [word for word in said.split(",") if word]
    if len(words) > len(items):
        raise ValueError(f"a game must have at most {len(items)} answers; got {len(words)}")
    found = tuple(id_of(word) for word in words)
    place = parsing.whole(at, "the text of the game")
    if not 1 <= place <= len(items):
        raise ValueError(f"the text of the game must be from 1 to {len(items)}; got {place}")
    return Scene(number, items, found, min(place - 1, len(found)))


def id_of(word: str) -> int:
    """The id of a word of the microworld.

    Raises:
        ValueError: if it is none, with the words near it.
    """
    asked = word.strip().lower()
    if len(asked.split()) != 1:
        raise ValueError(f"an answer must be one word; got {word[:40]!r}")
    (found,) = microworld().vocabulary.encode([asked])
    return found


def text(scene: Scene) -> None:
    """The words around the gap."""
    hidden = figures.chips(scene.item, scene.at, shown=scene.answered)
    ui.picture("chips", ui.Live("game", (), figures.NONE), {"views": [[hidden]]})


def ask(scene: Scene) -> None:
    """Some words to choose from, or one's own."""
    st.markdown("**Which word was here?**")
    words = microworld().vocabulary.decode(scene.item.options)
    with st.container(horizontal=True):
        for n, word in enumerate(words):
            st.button(ui.plain(word), key=f"game-option-{n}", on_click=say, args=(word,))
    st.text_input(
        "Or type a word",
        key="game-typed",
        on_change=typed,
        help="Any word of the microworld; Enter says it",
        width=260,
    )


def typed() -> None:
    """A word was typed; one that nobody knows is refused."""
    word = str(st.session_state["game-typed"]).strip()
    if not word:
        return
    try:
        id_of(word)
    except ValueError as error:
        ui.refuse_later(error)
        return
    ui.put({"game-typed": ""})
    say(word.lower())


def say(word: str) -> None:
    """Put an answer behind those so far."""
    before = str(st.session_state["game_said"])
    ui.put({"game_said": f"{before},{word}".strip(",")})


def go(to: int) -> None:
    """Look at another text of the game."""
    ui.put({"game_at": str(to)})


def another(seed: int) -> None:
    """The next game."""
    nxt = min(seed + 1, game.LARGEST_SEED)
    ui.put({"game_seed": str(nxt), "game_said": "", "game_at": "1"})


def network() -> BERT:
    """The model that plays."""
    found = pretrained.load("encoder").network
    assert isinstance(found, BERT)
    return found


def players(scene: Scene) -> dict[str, tuple[Answer, ...]]:
    """What each has said of the texts that were answered."""
    items = scene.items[: len(scene.said)]
    you = tuple(game.answer(item, word) for item, word in zip(items, scene.said, strict=True))
    return {
        "You": you,
        LABEL: game.of_model(network(), items),
        "Best possible": tuple(map(game.best, items)),
    }


def reveal(scene: Scene) -> None:
    """What stood there, and what each answer was worth."""
    item, said = scene.item, {name: each[scene.at] for name, each in players(scene).items()}
    row = answers(network(), [Question(item.ids, item.place)])[0]
    ui.cells("game", figures.grid(item, said, row))
    ui.notice(*figures.said(item, said), kind="measured here")
    with st.container(horizontal=True):
        if scene.at:
            st.button("Text before", on_click=go, args=(scene.at,))
        if scene.at + 1 < len(scene.items):
            st.button("Next text", on_click=go, args=(scene.at + 2,))
        else:
            st.markdown("**The game is over.** The table below has the result.")


def scores(scene: Scene) -> None:
    """All players so far."""
    found = {name: game.score(each) for name, each in players(scene).items()}
    ui.table(figures.COLUMNS, figures.rows(found), name="game", caption="The score so far")


def source(scene: Scene) -> None:
    ui.code(game.game, game.answer, game.of_model,
            snippet=figures.snippet(scene.seed), name="cloze-game")  # fmt: skip
