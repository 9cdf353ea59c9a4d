"""The payloads of pictures are declared once, in Python, and scripts are checked against them."""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NotRequired, TypedDict

import pytest
from pydantic import TypeAdapter

from drawing.live import Shown, StageTexts
from drawing.payload import NumberArray, NumberName
from ui.components import COMPONENTS

SPEC = importlib.util.spec_from_file_location(
    "payload_types", Path(__file__).parents[2] / ".ci" / "payload_types.py"
)
payload_types = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(payload_types)


class Inner(TypedDict):
    x: int


@dataclass(frozen=True)
class Record:
    inner: Inner


class Outer(Inner):
    y: NotRequired[list[Inner]]


def test_the_declarations_are_those_of_the_payloads():
    assert payload_types.PATH.read_text("utf-8") == payload_types.declarations(), (
        "run `make payloads`"
    )


def test_every_script_that_the_server_mounts_has_a_payload():
    assert {script.name for script in payload_types.scripts()} == set(COMPONENTS)


def test_what_every_picture_reports_can_be_read():
    """Pydantic reads the typed dictionaries of typing_extensions only."""
    events = [script.event for script in payload_types.scripts() if script.event is not None]
    assert events and all(TypeAdapter(each) for each in events)


def test_the_data_of_a_main_picture_has_no_key_that_the_stage_sets():
    """The texts around the picture and its numbers come with its data, in the same table."""
    taken = {*StageTexts.__annotations__, *Shown.__annotations__}
    for script in payload_types.scripts():
        if "mainPicture(" in COMPONENTS[script.name].read_text("utf-8"):
            keys = {name for name, _, _ in payload_types.fields_of(script.payload)}
            assert keys & taken == set(), script.name


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (str, "string"),
        (int | None, "number | null"),
        (int | float, "number"),
        (list[str], "string[]"),
        (list[str | None], "(string | null)[]"),
        (tuple[int, ...], "number[]"),
        (tuple[int, str], "[number, string]"),
        (Sequence[tuple[str, float]], "[string, number][]"),
        (Mapping[str, bool], "Record<string, boolean>"),
        (dict[Literal["a", "b"], int], 'Record<"a" | "b", number>'),
        (NumberArray, "Float64Array"),
        (bytes, "Uint8Array"),
        (list[Record], "Record[]"),
        (list[NumberName], "NumberName[]"),
        (Annotated[int, "from 0"], "number"),
    ],
)
def test_a_type_is_what_arrives_in_the_script(kind, said):
    assert payload_types.typescript(kind) == said


@pytest.mark.parametrize("kind", [object, set[int], complex])
def test_a_type_that_a_script_cannot_read_is_refused(kind):
    with pytest.raises(TypeError, match="a payload must be of types that a script can read; got"):
        payload_types.typescript(kind)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [("z", '"z"'), ("w#.#", "`w${number}.${number}`"), ("of *", "`of ${string}`")],
)
def test_a_pattern_is_the_type_of_the_names_that_fit_it(pattern, said):
    assert payload_types._name_type(pattern) == said


def test_the_keys_of_an_event_may_be_missing():
    class Pressed(TypedDict, total=False):
        row: int

    assert list(payload_types.fields_of(Pressed)) == [("row", int, True)]


def test_a_payload_has_the_fields_of_those_it_extends():
    assert list(payload_types.fields_of(Outer)) == [("x", int, False), ("y", list[Inner], True)]
