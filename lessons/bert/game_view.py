"""The picture of the cloze game: you, the small BERT and the grammar fill the same gaps."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

import ui
from lessons.bert import game_text
from lessons.bert.bert_state import LESSON, SETTINGS
from lessons.bert.fill_in_view import Parts
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.masked_lm import game
from lmcore.masked_lm.filling_in import GapQuestion, gap_log_probabilities
from lmcore.masked_lm.game import ROUNDS, GameAnswer, GameItem, GameScore
from lmcore.models.bert import BERT
from lmcore.training.masked_batches import masked_vocabulary
from ui import compute, pretrained

LABEL, BEST = "Small BERT", "Best possible"


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


def show(rows: ui.Rows) -> Parts:
    """Draw the text and its words on the stage; in the rail which game it is, and how it counts."""
    first = str(LESSON.defaults["game_seed"])
    with rows.errors:
        scene = ui.validated_or_previous("game", read_state, lambda: game_state(first, "", "1"))
    with rows.rail:
        controls(rows, scene)
    with rows.picture:
        draw(scene)
    return {"Game code": lambda: source(scene)}


def controls(rows: ui.Rows, scene: GameState) -> None:
    """A field for any word, another game, and how it is scored."""
    if not scene.is_answered:
        st.text_input(
            "Or type a word",
            key="game-typed",
            on_change=submit_typed_word,
            help="Any word of the microworld; press Enter to submit it",
        )
    st.button(
        "Another game",
        on_click=start_next_game,
        args=(scene.seed,),
        icon=":material/casino:",
        width="stretch",
    )
    with st.container(key="notes"):
        st.caption(
            f"{ROUNDS} documents that no model was trained on, each with a gap where the other "
            "words allow several answers. **Points** are the exact probability of your word given "
            "all other words: where two fit equally well, each earns 0.5, whichever was drawn."
        )
    with ui.more(rows):
        SETTINGS.draw("game_seed")
        st.caption("Your answers are kept in the address and nowhere else.")


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
    items = compute.shared_result("games", partial(game.game, number), most=32)
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
    """Start the next game."""
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
        BEST: tuple(map(game.best_answer, items)),
    }


def draw(scene: GameState) -> None:
    """The text with its gap, the words or their bars, and the score."""
    item, tokens = scene.item, microworld().vocabulary.decode(scene.item.ids)
    every = players(scene)
    totals = {name: game.total_score(each) for name, each in every.items()}
    now = {f"points {name}": each.points for name, each in totals.items()}
    shown: list[game_text.OptionPayload] = []
    sentence, marked = ASKED, ""
    formula = ["points = [weight|p(your word | all other words)]"]
    if scene.is_answered:
        answers = {name: each[scene.text_index] for name, each in every.items()}
        row = gap_log_probabilities(network(), [GapQuestion(item.ids, item.place)])[0]
        shown, more = game_text.options(item, answers, row)
        now |= more
        sentence = game_text.finding(item, answers)
        chosen = masked_vocabulary().tokens[answers["You"].word]
        marked = f"p {chosen}"
        formula = [
            f"points = [weight|p({chosen} | all other words)] = **{{{marked}}}**",
            f"your points so far: **{{points You}}** of {{points {BEST}}} possible",
        ]
    text = " ".join("____" if i == item.place else token for i, token in enumerate(tokens))
    alt = f"{text}. " + " ".join(
        f"{each['word']} {{{each['q']}}}, exactly {{{each['p']}}}." for each in shown
    )
    stage_texts = ui.stage_texts(
        LESSON,
        sentences=[sentence],
        formula=[formula],
        alt=alt,
        kind="measured here",
    )
    live = ui.LiveNumbers("game", tuple(now), np.array(list(now.values())))
    ui.main_picture(
        game_text.GAME, live, payload(scene, shown, totals, marked), stage_texts, on_event=pressed
    )


ASKED = "Which word was at the gap? **Press one**: you play against the small BERT and the grammar."


def payload(
    scene: GameState,
    shown: list[game_text.OptionPayload],
    totals: dict[str, GameScore],
    marked: str,
) -> game_text.GamePayload:
    """The data of `lessons/bert/game.js` other than the numbers; it contains nothing hidden."""
    item = scene.item
    tokens = microworld().vocabulary.decode(item.ids)
    hits = [answer == each.hidden for answer, each in zip(scene.answers, scene.items, strict=False)]
    last = scene.text_index + 1 == len(scene.items)
    words = [
        "____" if i == item.place and not scene.is_answered else token
        for i, token in enumerate(tokens)
    ]
    return {
        "title": f"Text {scene.text_index + 1} of {len(scene.items)}"
        + (": the game is over" if last and scene.is_answered else ""),
        "words": words[1:-1],
        "place": item.place - 1,
        "revealed": scene.is_answered,
        "choices": [] if scene.is_answered else microworld().vocabulary.decode(item.options),
        "options": shown,
        "bars": game_text.BARS,
        "marked": marked,
        "here": scene.text_index,
        "reach": min(len(scene.answers), len(scene.items) - 1),
        "states": [
            ("hit" if hits[n] else "miss") if n < len(hits) else "" for n in range(len(scene.items))
        ],
        "next": "" if last or not scene.is_answered else "Next text",
        "players": [
            {
                "name": name,
                "points": f"points {name}",
                "hits": f"{_count(each.hits, 'hit')} in {_count(each.texts, 'text')}",
            }
            for name, each in totals.items()
        ],
    }


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def pressed(event: game_text.GameEvent) -> None:
    """Submit the chosen word, or go to another text. For callbacks."""
    if event[0] == "say":
        submit_answer(event[1])
    else:
        go_to_text(event[1])


def source(scene: GameState) -> None:
    """Show the code that ran, and a snippet that prints this game with all answers."""
    ui.show_code(game.game, game.score_answer, game.model_answers,
            snippet=game_text.snippet(scene.seed), name="cloze-game")  # fmt: skip
