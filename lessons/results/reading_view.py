"""The views “Reading” and “Code”: cards with a question to discuss, and a snippet."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import streamlit as st

import ui
from lessons.results.quoted_table import draw_quoted, quoted_table
from lessons.results.results_state import SETTINGS, ResultsState
from lmcore.results import comparison, frontier, recomputed, tables
from lmcore.results.tables import load_results
from ui import contents

CARDS = Path(__file__).parent / "cards.toml"


@dataclass(frozen=True, slots=True)
class Card:
    """A paper or a debate in a few sentences; `look` is the page that runs a small version."""

    id: str
    title: str
    source: str
    says: tuple[str, ...]
    check: str
    ask: str
    tables: tuple[str, ...]
    look: str = ""


@lru_cache(maxsize=1)
def load_cards() -> dict[str, Card]:
    """Every card by its id."""
    rows = tomllib.loads(CARDS.read_text("utf-8"))["card"]
    cards = [
        Card(**{**row, "says": tuple(row["says"]), "tables": tuple(row["tables"])}) for row in rows
    ]
    return {card.id: card for card in cards}


def reading_view() -> None:
    """Show one card, with its tables."""
    SETTINGS.draw("re_card")
    card = load_cards()[SETTINGS.choice("re_card")]
    st.markdown(f"#### {card.title}")
    st.caption(f"Quoted and summarised: {card.source}")
    st.markdown("\n".join(f"- {each}" for each in card.says))
    for name in card.tables:
        table = load_results(name)
        st.markdown(f"**{table.title}** ({table.source})")
        draw_quoted({**quoted_table(table), "sorts": False})
    if card.check:
        st.markdown(f"**Slide check.** {card.check}")
    st.markdown(f"**To discuss.** {card.ask}")
    if card.look:
        page = contents.page(card.look)
        st.page_link(page.script, label=f"Try it: {page.title}", icon=page.icon)


def source(now: ResultsState) -> None:
    """Show the code that ran, and a snippet that prints the table and what is recomputed."""
    snippet = f"""from lmcore import load_results
from lmcore.results.comparison import error_reduction
from lmcore.results.costs import GREEN_AI, TRANSFORMER_BIG, doubling_time, footprint
from lmcore.results.recomputed import CHECKS, recompute

table = load_results({now.table!r})
print(table.title, "|", table.source)
print(table.printed_frame().to_string())
print(table.to_frame().to_string())
for kind in CHECKS:
    print(recompute(kind).to_frame().to_string())
print("ELMo on SQuAD removes", error_reduction(81.1, 85.8), "of the errors")
print("months per doubling:", doubling_time(*GREEN_AI))
print("the big Transformer:", footprint(*TRANSFORMER_BIG))
"""
    ui.show_code(
        tables.load_results,
        recomputed.recompute,
        recomputed.check_glue,
        comparison.error_reduction,
        frontier.find_frontier,
        snippet=snippet,
        name="results",
    )
