"""The identity of a visitor, from the secret that the browser, or else the session, keeps."""

import pytest

from ui import visitors
from ui.visitors import COOKIE, LINKS, MOST_LINKS, OVER_TLS, Visitor, visitor_of

SECRET, OTHER = "s" * 32, "o" * 32
TOKEN = "t" * 24


def test_a_visitor_is_a_hash_of_the_secret_and_never_the_secret():
    visitor = visitor_of({COOKIE: SECRET})
    assert visitor.identity and visitor.proofs == (visitor.identity,)
    assert SECRET not in repr(visitor)
    assert visitor == visitor_of({COOKIE: SECRET}) != visitor_of({COOKIE: OTHER})


@pytest.mark.parametrize("secret", ["", "short", "s" * 33, "s" * 31 + "é", "s" * 31 + "\n"])
def test_what_is_no_secret_is_nobody(secret):
    assert visitor_of({COOKIE: secret}, secret) == Visitor("", (), secret)
    assert visitors.identity_of(secret) == ""


def test_a_cookie_of_tls_comes_before_one_that_another_host_may_have_planted():
    held = {OVER_TLS + COOKIE: SECRET, COOKIE: OTHER}
    assert visitor_of(held) == visitor_of({COOKIE: SECRET})


def test_a_page_without_a_cookie_sends_its_secret_and_is_the_same_visitor():
    sent, kept = visitor_of({}, SECRET), visitor_of({COOKIE: SECRET})
    assert (sent.identity, sent.key) == (kept.identity, SECRET)
    both = visitor_of({COOKIE: SECRET}, OTHER)
    assert (both.identity, both.key) == (kept.identity, "")
    assert both.proofs == (kept.identity, visitor_of({}, OTHER).identity)


def test_opened_control_links_are_proofs_and_malformed_ones_are_not():
    held = {COOKIE: SECRET, LINKS: f"{TOKEN}.x.{'a' * 25}..{TOKEN}"}
    identity = visitor_of({COOKIE: SECRET}).identity
    assert visitor_of(held).proofs == (identity, TOKEN)
    assert visitor_of({LINKS: TOKEN}) == Visitor("", (TOKEN,), "")
    many = visitors.joined(f"{n:024}" for n in range(99))
    assert visitors.tokens(many) == [f"{n:024}" for n in range(99 - MOST_LINKS, 99)]


def test_new_secrets_and_tokens_are_well_formed():
    assert visitors.SECRET.fullmatch(visitors.new_secret())
    assert visitors.new_secret() != visitors.new_secret()


def test_outside_of_a_session_nobody_visits():
    assert visitors.current_visitor() == Visitor()
