"""The route for other replicas, as it is served."""

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lmcore.training.pool.pool import Pool
from lmcore.training.replicas import wire
from lmcore.training.replicas.pool import SharedPool
from ui import runs
from ui.server import replica_route

CALL = json.dumps({"life": "", "verb": "live_runs", "given": ["ann"]}).encode()
SIGNER = wire.Signer("the secret")
CLIENT = TestClient(Starlette(routes=replica_route.ROUTES))


@pytest.fixture
def pool(tmp_path):
    own = Pool(tmp_path)
    yield own
    own.close()


def called(body=CALL, signature=None):
    signature = SIGNER.sign(body) if signature is None else signature
    return CLIENT.post(wire.PATH, content=body, headers={wire.SIGNATURE: signature})


def test_a_replica_is_answered_and_nobody_else(monkeypatch, pool):
    monkeypatch.setattr(runs, "pool", lambda: SharedPool(pool, [], "the secret"))
    answer = called()
    assert answer.json() == ["answered", []]
    assert answer.headers[wire.SIGNATURE] == SIGNER.sign(SIGNER.sign(CALL).encode(), answer.content)
    large = CALL + b" " * wire.LARGEST_CALL
    others = called(signature=""), called(signature=b"\xe9"), called(large), called(b"x")
    for refused in others:
        assert (refused.status_code, refused.text) == (404, "Not Found")


def test_where_there_are_no_other_replicas_nobody_is_answered(monkeypatch, pool):
    monkeypatch.setattr(runs, "pool", lambda: pool)
    assert called().status_code == 404
