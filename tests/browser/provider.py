"""An OpenID Connect provider with one user; it answers as a department's own provider would."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.browser.serving import free_port

CLIENT, SECRET = "class", "only the two of them know"
PERSON = {"sub": "17", "email": "ada@example.org", "name": "Ada"}


class Provider:
    """Asks the user to log in, issues a code, and exchanges the code for a signed ID token."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.asked: list[str] = []
        self._key = RSAKey.generate_key(2048, {"kid": "one"})
        self._codes: dict[str, str | None] = {}
        names = ("authorize", "token", "keys")
        routes = [Route(f"/{name}", getattr(self, name), methods=["GET", "POST"]) for name in names]
        self.app = Starlette(
            routes=[Route("/.well-known/openid-configuration", self.known), *routes]
        )

    def known(self, _: Request) -> Response:
        """The discovery document, with the address of every endpoint."""
        return JSONResponse(
            {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "jwks_uri": f"{self.address}/keys",
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    def authorize(self, request: Request) -> Response:
        """The page on which the user accepts or refuses the login."""
        asked = request.query_params
        self.asked.append(asked["client_id"])
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked.get("nonce")
        yes = urlencode({"code": code, "state": asked["state"]})
        no = urlencode({"error": "access_denied", "state": asked["state"]})
        back = asked["redirect_uri"]
        links = f'<a href="{back}?{yes}">Yes, I am Ada</a> <a href="{back}?{no}">No</a>'
        return HTMLResponse(f"<h1>Who are you?</h1>{links}")

    async def token(self, request: Request) -> Response:
        """An ID token for a code, which is valid once."""
        given = await request.form()
        if (code := str(given.get("code"))) not in self._codes:
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
        now = int(time.time())
        said = {"iss": self.address, "aud": CLIENT, "iat": now, "exp": now + 600}
        said |= {**PERSON, "nonce": self._codes.pop(code)}
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, said, self._key)
        return JSONResponse({"access_token": "a", "token_type": "Bearer", "id_token": signed})

    def keys(self, _: Request) -> Response:
        """The public keys with which the ID tokens are verified."""
        return JSONResponse({"keys": [self._key.as_dict(private=False, use="sig", alg="RS256")]})


@contextmanager
def providing() -> Iterator[Provider]:
    """Run a provider on a free port."""
    port = free_port("127.0.0.1")
    made = Provider(port)
    server = uvicorn.Server(uvicorn.Config(made.app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield made
    finally:
        server.should_exit = True
        thread.join(20)
