"""Whose runs a picture shows: their owner shares control, renames and deletes; others fork."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from lmcore.training.pool.control import TITLE_LENGTH
from lmcore.training.pool.runs import RunView
from ui import runs
from ui.visitors import current_visitor, joined
from ui.widgets import set_controls, show_error_later

SHARED = (
    "Whoever opens this link can pause, resume, stop, rename and delete what it shows, as you can. "
    "The page’s own address only lets others watch."
)


def access_row(setting: str, views: Sequence[RunView], labels: Sequence[str]) -> None:
    """What a visitor may do with the runs of a picture, other than control them.

    They may share, rename and delete their own runs; they may watch and fork those of others.
    """
    identity = current_visitor().identity
    mine = [(view, label) for view, label in zip(views, labels, strict=True) if view.mine]
    owned = [view for view, _ in mine if view.owner == identity]
    others = len(views) - len(mine)
    with st.container(horizontal=True, vertical_alignment="center", key=f"{setting}-access"):
        if others:
            whose = "these runs" if others > 1 else "this run"
            st.caption(f"You are watching {whose}: only who started a run controls it.")
            st.button(
                "Fork a copy",
                icon=":material/fork_right:",
                key=f"{setting}-fork",
                on_click=_fork,
                args=(setting,),
                help="A run of your own that goes on from here",
            )
        if owned:
            with st.popover("Copy a control link", icon=":material/key:"):
                _link(setting, owned)
        if mine:
            with st.popover("Rename or delete", icon=":material/edit:"):
                for view, label in mine:
                    _manage(setting, view, label)


def _link(setting: str, owned: Sequence[RunView]) -> None:
    names = [view.name for view in owned]
    st.caption(SHARED)
    if not all(view.link for view in owned):
        st.button("Make the link", key=f"{setting}-link", on_click=_hand_out, args=(names,))
        return
    shown = {**st.query_params.to_dict(), setting: ",".join(names)}
    control = joined(view.link for view in owned)
    address = st.context.url or ""
    st.code(f"{address}?{urlencode({**shown, 'control': control})}", language=None, wrap_lines=True)
    st.button(
        "Withdraw it",
        key=f"{setting}-withdraw",
        on_click=_withdraw,
        args=(names,),
        help="Whoever has opened the link then watches again",
    )


def _manage(setting: str, view: RunView, label: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = f"{setting}-title-{view.name}"
        st.text_input(
            "Name",
            view.title,
            key=key,
            placeholder=label,
            max_chars=TITLE_LENGTH,
            on_change=_rename,
            args=(view.name, key),
        )
        st.button(
            "Delete",
            icon=":material/delete:",
            key=f"{setting}-delete-{view.name}",
            on_click=_delete,
            args=(setting, view.name),
            help="The run and what was saved of it, for everybody who watches",
        )


def _fork(setting: str) -> None:
    visitor, names = current_visitor(), runs.names_in(setting)
    pool = runs.pool()
    try:
        for i, name in enumerate(names):
            if name in pool and not pool.view(name).controlled_by(visitor.proofs):
                names[i] = pool.fork(name, owner=visitor.identity)
    except ValueError as error:
        show_error_later(error)
    set_controls({setting: ",".join(names)})


def _hand_out(names: Sequence[str]) -> None:
    proofs = current_visitor().proofs
    try:
        for name in names:
            runs.pool().control_link(name, by=proofs)
    except ValueError as error:
        show_error_later(error)


def _withdraw(names: Sequence[str]) -> None:
    proofs = current_visitor().proofs
    try:
        for name in names:
            runs.pool().withdraw_link(name, by=proofs)
    except ValueError as error:
        show_error_later(error)


def _rename(name: str, key: str) -> None:
    try:
        runs.pool().rename(name, st.session_state[key], by=current_visitor().proofs)
    except ValueError as error:
        show_error_later(error)


def _delete(setting: str, name: str) -> None:
    try:
        runs.pool().delete(name, by=current_visitor().proofs)
    except ValueError as error:
        show_error_later(error)
        return
    set_controls({setting: ",".join(each for each in runs.names_in(setting) if each != name)})
