"""Who visits: each browser keeps a secret in a cookie, which identifies its visitor.

`ui.server.visitors` sets the cookie with the page. Where a browser keeps none, the session has a
secret of its own, which lasts until the page is reloaded. Runs store only the secret's hash.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import streamlit as st

from ui.streamlit_internals.script_context import session_id

COOKIE = "lmlive-visitor"
LINKS = "lmlive-control"
"""The cookie with the tokens of the control links that this browser has opened."""
OVER_TLS = "__Host-"
"""The prefix of a cookie's name: a browser accepts such a cookie only over TLS and from this host,
so that no other host of the same domain can plant one."""
SECRET = re.compile(r"[\w-]{32}", re.ASCII)
TOKEN = re.compile(r"[\w-]{24}", re.ASCII)
MOST_LINKS = 24
"""The most tokens that a browser keeps: the latest ones."""
KEY_HEADER = "run-key"
"""The header in which a page sends the secret that no cookie keeps."""


class Visitor(NamedTuple):
    """A visitor: the id that owns runs, and the proofs of which runs may be controlled.

    `key` is the secret that the page must send itself, empty if the browser keeps it in a cookie.
    """

    identity: str = ""
    proofs: tuple[str, ...] = ()
    key: str = ""


def new_secret() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def identity_of(secret: str) -> str:
    """A visitor's public id: a SHA-256 prefix of the secret, which cannot be recovered from it.

    Empty if the secret is not one of ours.
    """
    return hashlib.sha256(secret.encode()).hexdigest()[:32] if SECRET.fullmatch(secret) else ""


def cookie(cookies: Mapping[str, str], name: str) -> str:
    """A cookie of ours, the one set over TLS if there is one; empty if there is none."""
    return cookies.get(OVER_TLS + name) or cookies.get(name, "")


def tokens(text: str) -> list[str]:
    """The well-formed tokens of control links in a text, the latest last."""
    found = dict.fromkeys(each for each in text.split(".") if TOKEN.fullmatch(each))
    return list(found)[-MOST_LINKS:]


def joined(of: Iterable[str]) -> str:
    """Tokens as one text, for a cookie or an address."""
    return ".".join(of)


def visitor_of(cookies: Mapping[str, str], key: str = "") -> Visitor:
    """The visitor with these cookies, or with the secret that a page without any has sent."""
    kept, sent = identity_of(cookie(cookies, COOKIE)), identity_of(key)
    known = [each for each in (kept, sent) if each]
    identity = known[0] if known else ""
    return Visitor(identity, (*known, *tokens(cookie(cookies, LINKS))), "" if kept else key)


def current_visitor() -> Visitor:
    """The visitor whose script runs; nobody outside of a session."""
    if session_id() is None:
        return Visitor()
    cookies, state = st.context.cookies.to_dict(), st.session_state
    if not identity_of(cookie(cookies, COOKIE)):
        state.setdefault("visitor-key", new_secret())
    return visitor_of(cookies, state.get("visitor-key", ""))
