"""Who may control a run: its owner, and anyone who has its control link; everybody else watches.

A caller shows what it has as proofs: the identity of a visitor, and tokens of control links. No
proofs at all, `None`, are the server's own call, which may do anything.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Collection

NOT_YOURS = (
    "This run belongs to another visitor. You can watch it, and fork a copy that you control."
)
NOT_THE_OWNER = "Only the visitor who started this run can hand out or withdraw its control link."
TITLE = re.compile(r"\w[\w ,=+-]*")
"""The titles of runs: nothing that Markdown could take for a link or a formula."""
TITLE_LENGTH = 30


class ControlRefused(ValueError):
    """The caller may not control the run."""


def holds(proofs: Collection[str] | None, *secret: str) -> bool:
    """Whether one of the proofs is one of these secrets; an empty secret matches no proof."""
    if proofs is None:
        return True
    pairs = [(proof.encode(), each.encode()) for proof in proofs for each in secret if each]
    return any(hmac.compare_digest(*pair) for pair in pairs)


def check_title(title: str) -> str:
    """The title without spaces around it; an empty one means that the run has none.

    Raises:
        ValueError: if it is too long or has other characters.
    """
    title = " ".join(title.split())
    if title and (len(title) > TITLE_LENGTH or not TITLE.fullmatch(title)):
        raise ValueError(
            f"A name must have at most {TITLE_LENGTH} letters, digits, spaces and , = + -, and "
            f"begin with a letter or digit; got {title[:40]!r}"
        )
    return title


def new_token() -> str:
    """An unguessable token: anyone who has it may control the run."""
    return secrets.token_urlsafe(18)
