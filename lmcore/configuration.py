"""The configuration of a server: read from environment variables and checked at start."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo

PREFIX = "LMCORE_"
SHORTEST_PASSCODE = 6
BOUNDS = {"ge": "at least {}", "gt": "above {}", "le": "at most {}"}


class Configuration(BaseModel):
    """Every setting of a server: `runs` is the variable `LMCORE_RUNS`, and so on."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    device: str = Field("", description="the device of the models: `cpu`, `cuda`, `cuda:1`, `mps`")
    models: str = Field("", description="a folder whose subfolders are models that may be loaded")
    lectures: str = Field(
        "", description="a folder of lectures as TOML files, listed with the decks"
    )
    model_ids: str = Field(
        "", description="Hugging Face ids of models that may be loaded, separated by commas"
    )
    model_mb: int = Field(4000, ge=1, le=1_000_000, description="MB of the largest of these models")
    weights: int = Field(
        5_000_000, ge=1000, le=100_000_000, description="weights of the largest model to train"
    )
    text_kb: int = Field(1000, ge=1, le=1000, description="kB of a visitor’s own text")
    upload_mb: int = Field(
        16, ge=1, le=100, description="MB of the largest uploaded run or file of slides"
    )
    sessions: int = Field(
        400, ge=1, le=100_000, description="visitors at the same time; others must wait"
    )
    runs: int = Field(1000, ge=1, le=100_000, description="training runs on the server")
    runs_per_session: int = Field(
        6, ge=1, le=1000, description="active or waiting runs of one visitor"
    )
    run_seconds: int = Field(
        1800, ge=1, le=1_000_000, description="seconds of computing after which a run pauses"
    )
    runs_folder: str = Field(
        "",
        description="where runs are saved to survive the server, the same for all its replicas; "
        "empty: they end with it",
    )
    replicas: str = Field(
        "",
        description="hosts and ports of all replicas of this server, such as `app:8501`, separated "
        "by commas; a name may have several addresses",
    )
    runs_mb: int = Field(
        4000, ge=10, le=10_000_000, description="MB on disk for the saved runs of one replica"
    )
    workers: int = Field(
        0, ge=0, le=1024, description="training processes; 0: one for a GPU, else all cores but one"
    )
    computations: int = Field(
        0, ge=0, le=1024, description="heavy computations in parallel; 0: as many as cores"
    )
    queue: int = Field(200, ge=0, le=100_000, description="computations that may wait")
    computation_seconds: float = Field(
        60.0, gt=0, le=3600, description="seconds a computation may take"
    )
    generation_seconds: float = Field(
        20.0, gt=0, le=20, description="seconds a text or a search may take"
    )
    kept: int = Field(512, ge=1, le=10_000, description="cached results of each kind")
    warm_up: bool = Field(
        True,
        description="`true`: after its start the server computes what pages open on, and while a "
        "lecture is presented what its next slides show; `false`: the first visitor of a page "
        "waits for it",
    )
    passcode: SecretStr = Field(
        SecretStr(""), description="the passcode that visitors type once; empty: none"
    )
    login: bool = Field(
        False,
        description="`true`: visitors log in, with the `[auth]` section of Streamlit's secrets",
    )
    streamlit_internals: str = Field(
        "script_scheduler,message_batching",
        description="patches of Streamlit, separated by commas: `script_scheduler`, "
        "`message_batching`, `reconnect`; or `none`",
    )
    ray_address: str = Field("", description="the Ray cluster for training, such as `head:6379`")
    ray_cpus: float = Field(
        1.0, ge=0, le=1024, description="cores of a training process in the cluster"
    )
    ray_gpus: float = Field(
        0.0,
        ge=0,
        le=64,
        description="GPUs of a training process in the cluster; with 0.25, four share one",
    )

    @field_validator("passcode")
    @classmethod
    def long_enough(cls, passcode: SecretStr) -> SecretStr:
        """Raises ValueError for a passcode that is too short."""
        if passcode and len(passcode) < SHORTEST_PASSCODE:
            raise ValueError(f"have at least {SHORTEST_PASSCODE} characters")
        return passcode


def configuration() -> Configuration:
    """The configuration in the current environment.

    Raises:
        ValueError: as `parse_environment`.
    """
    # Called many times per page: only our own variables are read.
    return _read(tuple((name, os.environ[name]) for name in os.environ if name.startswith(PREFIX)))


@lru_cache(maxsize=4)
def _read(said: tuple[tuple[str, str], ...]) -> Configuration:
    return parse_environment(dict(said))


def parse_environment(environment: Mapping[str, str]) -> Configuration:
    """The settings among these variables; one that is empty or blank counts as not set.

    Raises:
        ValueError: naming, a line each, every wrong variable, what it must be and what it is; the
            value of a passcode is left out.
    """
    values = {name: text.strip() for name, text in environment.items() if name.startswith(PREFIX)}
    given = {name.removeprefix(PREFIX).lower(): text for name, text in values.items() if text}
    try:
        return Configuration.model_validate(given)
    except ValidationError as error:
        wrong = {str(one["loc"][0]): one["msg"] for one in error.errors()}
        raise ValueError("\n".join(_refusals(wrong, given))) from None


def _refusals(wrong: Mapping[str, str], given: Mapping[str, str]) -> Iterator[str]:
    for name, message in wrong.items():
        field = Configuration.model_fields.get(name)
        if field is None:
            like = get_close_matches(name, Configuration.model_fields, 1, 0.0)
            other = variable_name(like[0])
            yield f"{variable_name(name)} must be a setting there is, such as {other}"
        elif field.annotation is SecretStr:
            yield f"{variable_name(name)} must {message.removeprefix('Value error, ')}; got fewer"
        else:
            yield f"{variable_name(name)} must be {allowed_values(field)}; got {given[name]!r:.80}"


def variable_name(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def allowed_values(field: FieldInfo) -> str:
    """The allowed values of a setting, in words."""
    kinds: dict[Any, str] = {int: "a whole number", float: "a number", bool: "true or false"}
    bounds = [
        words.format(f"{getattr(each, bound):,}")
        for each in field.metadata
        for bound, words in BOUNDS.items()
        if hasattr(each, bound)
    ]
    return " ".join([kinds.get(field.annotation, "text"), " and ".join(bounds)]).strip()


def markdown_table() -> str:
    """All settings as a Markdown table: the README's."""
    rows = ["| variable | by default | allowed | what it is |", "|---|---|---|---|"]
    for name, field in Configuration.model_fields.items():
        rows.append(
            f"| `{variable_name(name)}` | {format_default(field.default)} | "
            f"{allowed_values(field)} | {field.description} |"
        )
    return "\n".join(rows)


def format_default(default: object) -> str:
    """A default as one would set it; empty where nothing is set."""
    if isinstance(default, bool):
        return str(default).lower()
    return f"{default:g}" if isinstance(default, float) else str(default)
