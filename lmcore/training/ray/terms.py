"""The settings of training in a Ray cluster, and what Ray is configured with."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from lmcore.configuration import configuration, variable_name
from lmcore.training.pool.limits import Limits

NAMESPACE = "lmlive"
ACTOR = "runs"
"""The name by which every replica finds the one actor that owns the runs."""
ADDRESS = re.compile(r"auto|[\w.-]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}", re.ASCII)
QUIET_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "0",
}
"""Keeps Ray from contacting other hosts, and from warnings about devices."""


@dataclass(frozen=True, slots=True)
class RaySettings:
    """The settings of the actor of the runs, those of the first replica.

    `response_seconds` is how many seconds a call waits for a worker to respond.
    """

    limits: Limits = field(default_factory=Limits)
    folder: str = ""
    workers: int = 0
    cpus: float = 1.0
    gpus: float = 0.0
    weights: int = 5_000_000
    response_seconds: float = 2.0

    @classmethod
    def configured(cls) -> RaySettings:
        """The settings from the server's configuration."""
        settings = configuration()
        return cls(
            Limits.configured(),
            settings.runs_folder,
            settings.workers,
            settings.ray_cpus,
            settings.ray_gpus,
            settings.weights,
        )


def check_address(address: str) -> str:
    """Check the address of a cluster.

    Raises:
        ValueError: if it is malformed, or Ray is not installed.
    """
    name = variable_name("ray_address")
    if not ADDRESS.fullmatch(address):
        raise ValueError(f"{name} must be auto or a host and port as head:6379; got {address!r}")
    if find_spec("ray") is None:
        raise ValueError(
            f"{name} must be empty where Ray is not installed; got {address!r}: "
            "pip install -r requirements-ray.txt"
        )
    return address


def import_ray() -> Any:
    """The library, imported only here: nothing else needs it."""
    os.environ.update(QUIET_ENVIRONMENT)
    return import_module("ray")
