"""The settings of the switches of a Transformer, and the run that they describe."""

from __future__ import annotations

import streamlit as st

from lmcore import parsing
from lmcore.device import device
from lmcore.shipped.switch_runs import EVERY, STEPS, switched_run
from lmcore.training.precheck import check_runnable
from lmcore.training.spec import RunSpec
from ui.settings import Choice, Setting, Switch, Text

NORMS = {"pre": "before a part", "post": "after", "none": "off"}
MOMENTS = {"0": "0, untrained", str(EVERY): f"{EVERY}", "500": "500", str(STEPS): f"{STEPS:,}"}
"""Step → its name, for the steps at which the gradient can be shown."""
SWITCH_SETTINGS: dict[str, Setting] = {
    "sw_residual": Switch("Residuals"),
    "sw_mlp": Switch("MLP"),
    "sw_positions": Switch("Positions"),
    "sw_heads": Choice({"4": "4", "1": "merged"}, "Heads"),
    "sw_norm": Choice(NORMS, "LayerNorm"),
    "sw_at": Choice(MOMENTS, "Gradient at step"),
    "sw_steps": Text("Steps", "1 to 5,000"),
    "sw_seed": Text("Seed", "Of the weights and of the texts"),
}
SWITCH_DEFAULTS = {"sw_steps": str(STEPS), "sw_seed": "0", "sw_runs": ""}
"""The defaults of the settings that no example changes."""


def read_switches() -> RunSpec:
    """The run that the switches describe.

    Raises:
        ValueError: naming the invalid setting, or why such a run cannot start here.
    """
    state = st.session_state
    spec = switched_run(
        residual=state["sw_residual"] == "true",
        norm=state["sw_norm"],
        positions=state["sw_positions"] == "true",
        split=state["sw_heads"] == "4",
        mlp=state["sw_mlp"] == "true",
        steps=parsing.parse_integer(state["sw_steps"], "the number of steps"),
        seed=parsing.parse_integer(state["sw_seed"], "the seed"),
    )
    check_runnable(spec, device().type)
    return spec
