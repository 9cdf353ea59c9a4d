"""What pictures send is declared once, in Python; scripts are checked against the same types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

import pytest

from lessons.shared.payload import NumberArray
from ui.components import FURNITURE, PICTURES
from ui.payload_types import FURNITURE as FURNITURE_TYPES
from ui.payload_types import PATH, declarations, fields_of, typescript
from ui.payload_types import PICTURES as PICTURE_TYPES


class Inner(TypedDict):
    x: int


@dataclass(frozen=True)
class Record:
    inner: Inner


class Outer(Inner):
    y: NotRequired[list[Inner]]


def test_the_declarations_are_those_of_the_payloads():
    assert PATH.read_text("utf-8") == declarations(), "run `make payloads`"


def test_every_script_that_the_server_mounts_has_a_payload():
    assert {script.name for script in FURNITURE_TYPES} == set(FURNITURE)
    assert {script.name for script in PICTURE_TYPES} == set(PICTURES)


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
    ],
)
def test_a_type_is_what_arrives_in_the_script(kind, said):
    assert typescript(kind) == said


@pytest.mark.parametrize("kind", [object, set[int], complex])
def test_a_type_that_a_script_cannot_read_is_refused(kind):
    with pytest.raises(TypeError, match="a payload must be of types that a script can read; got"):
        typescript(kind)


def test_a_payload_has_the_fields_of_those_it_extends():
    assert list(fields_of(Outer)) == [("x", int, False), ("y", list[Inner], True)]
