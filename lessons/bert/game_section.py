"""The Cloze game tab of the BERT page: you, the small BERT and the grammar fill the same gaps."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

import ui
from lessons.bert import game_text
from lessons.bert.state import SETTINGS
from lessons.shared.payload import CHIPS, ChipsPayload
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.masked_lm import game
from lmcore.masked_lm.filling_in import GapQuestion, gap_log_probabilities
from lmcore.masked_lm.game import ROUNDS, GameAnswer, GameItem
from lmcore.models.bert import BERT
from ui import compute, pretrained
from ui.lessons import Lesson

LABEL = "Small BERT"


class GameState(NamedTuple):
    """The texts of a game, the answers so far, and which text is shown, from 0."""

    seed: int
    items: tuple[GameItem, ...]
    answers: tuple[int, ...]
    text_index: int

    @property
    def item(self) -> GameItem:
        """The text on screen."""
        return self.items[self.text_index]

    @property
    def is_answered(self) -> bool:
        """Whether the gap on screen has been answered."""
        return self.text_index < len(self.answers)


def tab(lesson: Lesson) -> None:
    """The score left; the text and the words to choose from right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with right:  # errors are shown beside the controls, not below them
        first = str(lesson.defaults["game_seed"])
        scene = ui.validated_or_previous("game", read_state, lambda: game_state(first, "", "1"))
    with left:
        controls(scene)
    with right:
        text(scene)
        if scene.is_answered:
            reveal(scene)
        else:
            ask(scene)
    if scene.answers:
        scores(scene)
    with st.expander("Code", key="game-code", on_change="rerun") as code:
        if code.open:
            source(scene)
    with top:
        ui.presets(lesson.part("bert_tab", "game", "game_"))


def controls(scene: GameState) -> None:
    """Which game it is, and how it is scored."""
    SETTINGS.draw("game_seed")
    st.button(
        "Another game", on_click=start_next_game, args=(scene.seed,), icon=":material/casino:"
    )
    st.caption(
        f"{ROUNDS} documents that no model was trained on, each with a gap where the other words "
        "allow several answers. A **hit** is the hidden word. **Points** are the exact "
        "probability of your answer, given all other words: where two words fit equally well, "
        "each earns 0.5, whichever one was drawn. Your answers are kept in the address and "
        "nowhere else."
    )


def read_state() -> GameState:
    """The game that the address describes.

    Raises:
        ValueError: naming the setting whose value is invalid.
    """
    state = st.session_state
    return game_state(*(str(state[f"game_{name}"]) for name in ("seed", "said", "at")))


def game_state(seed: str, answers: str, at: str) -> GameState:
    """A game under way.

    Raises:
        ValueError: as `read_state`.
    """
    number = parsing.parse_integer(seed, "the game number")
    items = compute.shared_result("games", number, partial(game.game, number), most=32)
    words = [word for word in answers.split(",") if word]
    if len(words) > len(items):
        raise ValueError(f"a game must have at most {len(items)} answers; got {len(words)}")
    given = tuple(word_id(word) for word in words)
    place = parsing.parse_integer(at, "the text of the game")
    if not 1 <= place <= len(items):
        raise ValueError(f"the text of the game must be from 1 to {len(items)}; got {place}")
    return GameState(number, items, given, min(place - 1, len(given)))


def word_id(word: str) -> int:
    """The id of a word of the microworld.

    Raises:
        ValueError: if there is no such word, with the words near it.
    """
    asked = word.strip().lower()
    if len(asked.split()) != 1:
        raise ValueError(f"an answer must be one word; got {word[:40]!r}")
    (found,) = microworld().vocabulary.encode([asked])
    return found


def text(scene: GameState) -> None:
    """The words around the gap."""
    hidden = game_text.chips(scene.item, scene.text_index, revealed=scene.is_answered)
    nothing = ui.LiveNumbers("game", (), game_text.NONE)
    payload: ChipsPayload = {"views": [[hidden]], "pick": ""}
    ui.picture(CHIPS, nothing, payload)


def ask(scene: GameState) -> None:
    """Draw some words to choose from, and a field for any other word."""
    st.markdown("**Which word was here?**")
    words = microworld().vocabulary.decode(scene.item.options)
    with st.container(horizontal=True):
        for n, word in enumerate(words):
            st.button(
                ui.escape_markdown(word),
                key=f"game-option-{n}",
                on_click=submit_answer,
                args=(word,),
            )
    st.text_input(
        "Or type a word",
        key="game-typed",
        on_change=submit_typed_word,
        help="Any word of the microworld; press Enter to submit it",
        width=260,
    )


def submit_typed_word() -> None:
    """Submit the typed word, or show why it is refused."""
    word = str(st.session_state["game-typed"]).strip()
    if not word:
        return
    try:
        word_id(word)
    except ValueError as error:
        ui.show_error_later(error)
        return
    ui.set_controls({"game-typed": ""})
    submit_answer(word.lower())


def submit_answer(word: str) -> None:
    """Append an answer to those so far."""
    before = str(st.session_state["game_said"])
    ui.set_controls({"game_said": f"{before},{word}".strip(",")})


def go_to_text(to: int) -> None:
    """Show another text of the game."""
    ui.set_controls({"game_at": str(to)})


def start_next_game(seed: int) -> None:
    """The next game."""
    nxt = min(seed + 1, game.LARGEST_SEED)
    ui.set_controls({"game_seed": str(nxt), "game_said": "", "game_at": "1"})


def network() -> BERT:
    """The model that plays."""
    found = pretrained.load("encoder").network
    assert isinstance(found, BERT)
    return found


def players(scene: GameState) -> dict[str, tuple[GameAnswer, ...]]:
    """Each player's answers to the texts answered so far."""
    items = scene.items[: len(scene.answers)]
    you = tuple(
        game.score_answer(item, word) for item, word in zip(items, scene.answers, strict=True)
    )
    return {
        "You": you,
        LABEL: game.model_answers(network(), items),
        "Best possible": tuple(map(game.best_answer, items)),
    }


def reveal(scene: GameState) -> None:
    """Show the hidden word and the points of each answer."""
    item, answers = (
        scene.item,
        {name: each[scene.text_index] for name, each in players(scene).items()},
    )
    row = gap_log_probabilities(network(), [GapQuestion(item.ids, item.place)])[0]
    ui.probability_grid("game", game_text.grid(item, answers, row))
    ui.notice(*game_text.answer_words(item, answers), kind="measured here")
    with st.container(horizontal=True):
        if scene.text_index:
            st.button("Text before", on_click=go_to_text, args=(scene.text_index,))
        if scene.text_index + 1 < len(scene.items):
            st.button("Next text", on_click=go_to_text, args=(scene.text_index + 2,))
        else:
            st.markdown("**The game is over.** The result is in the table below.")


def scores(scene: GameState) -> None:
    """The score of every player so far."""
    totals = {name: game.total_score(each) for name, each in players(scene).items()}
    ui.table(game_text.COLUMNS, game_text.rows(totals), name="game", caption="The score so far")


def source(scene: GameState) -> None:
    """Show the code that ran, and a snippet that prints this game with all answers."""
    ui.show_code(game.game, game.score_answer, game.model_answers,
            snippet=game_text.snippet(scene.seed), name="cloze-game")  # fmt: skip
