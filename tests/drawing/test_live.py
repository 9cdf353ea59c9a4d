"""Live numbers: the grid of a slider, the sweep over it, and the bytes sent to the browser."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from drawing.live import LiveNumbers, Slider, live_numbers, pack, slider_positions
from drawing.steps import StepRow

SIZES = st.floats(-1e100, 1e100).filter(lambda value: value == 0 or abs(value) > 1e-100)


def slider(name="a", value=0.0, positions=(-1.0, 0.0, 1.0)):
    return Slider(name, name, name, value, np.array(positions), help="")


def unpacked(data):
    """As `unpack` of packing.js: four bytes of length, JSON, then numbers."""
    length = int.from_bytes(data[:4], "little")
    assert (4 + length) % 8 == 0
    numbers = np.frombuffer(data, dtype="<f8", offset=4 + length)

    def arrays(found):
        if isinstance(place := found.get("bytes"), list):
            return numbers.tobytes()[place[0] : sum(place)]
        if isinstance(place := found.get("at"), list):
            return numbers[place[0] : sum(place)].tolist()
        return found

    return json.loads(data[4 : 4 + length], object_hook=arrays)


@given(SIZES)
def test_a_grid_holds_the_value_exactly_and_stays_sorted(value):
    positions = slider_positions(value)
    assert value in positions
    assert len(positions) == 81
    assert (np.diff(positions) > 0).all()


@given(st.floats(-3.8, 3.8))
def test_an_ordinary_value_has_the_grid_from_minus_4_to_4(value):
    assert slider_positions(value)[[0, -1]].tolist() == [-4, 4]


@given(SIZES)
def test_a_value_is_well_inside_its_grid(value):
    positions = slider_positions(value)
    assert positions[0] < value < positions[-1]


def test_a_grid_may_be_coarser_and_reach_elsewhere():
    assert slider_positions(0.0, reach=1.0, count=5).tolist() == [-1, -0.5, 0, 0.5, 1]


def followed():
    now = {"a": torch.tensor(2.0), "b": torch.tensor(3.0), "L": torch.tensor(6.0)}
    positions = torch.tensor([-1.0, 0.0, 1.0])
    moved, held = torch.stack([positions, torch.full((3,), 2.0)]), torch.full((2, 3), 3.0)
    held[1] = positions
    swept = {"a": moved, "b": held, "L": moved * held}
    return live_numbers("g", now, [slider("a", 2.0), slider("b", 3.0)], swept)


def test_following_names_the_numbers_and_keeps_their_places():
    live = followed()
    assert live.names == ("a", "b", "L")
    assert live.now.tolist() == [2, 3, 6]
    assert live.table.shape == (2, 3, 3)
    assert live["L"] == 6
    assert live.table[0, 2].tolist() == [1, 3, 3]
    assert live.table[1, 0].tolist() == [2, -1, -2]


def test_only_the_columns_that_a_slider_changes_are_sent():
    first, second = followed().slider_data()["sliders"]
    assert first["columns"] == [0, 2]
    assert second["columns"] == [1, 2]
    assert first["table"].tolist() == [[-1, -3], [0, 0], [1, 3]]


def test_a_column_that_is_nan_everywhere_counts_as_unchanged():
    table = np.array([[[np.nan, 1.0], [np.nan, 2.0]]])
    live = LiveNumbers(
        "g", ("a", "b"), np.array([1.0, 1.0]), (slider(positions=(0.0, 1.0)),), table
    )
    (sent,) = live.slider_data()["sliders"]
    assert sent["columns"] == [1]


def test_a_live_without_sliders_needs_no_table():
    assert LiveNumbers("g", ("a",), np.array([1.0])).slider_data()["sliders"] == []


@pytest.mark.parametrize("shape", [(1, 3, 1), (2, 3, 2), (1, 4, 2), (0, 0, 0), (1, 2, 3)])
def test_a_table_of_another_shape_is_refused(shape):
    with pytest.raises(ValueError, match=r"table must have, .* the shape \[\(3, 2\)\]; got \["):
        LiveNumbers("g", ("a", "b"), np.zeros(2), (slider(),), np.zeros(shape))


def test_each_slider_has_its_own_number_of_positions():
    pair = (slider("a"), slider("b", positions=(0.0, 1.0)))
    live = LiveNumbers("g", ("a", "b"), np.zeros(2), pair, [np.eye(3)[:, :2], np.ones((2, 2))])
    sent = live.slider_data()["sliders"]
    assert [each["table"].shape for each in sent] == [(3, 2), (2, 2)]
    with pytest.raises(ValueError, match="table must have"):
        LiveNumbers("g", ("a", "b"), np.zeros(2), pair, np.zeros((2, 3, 2)))


def test_a_number_for_each_name_is_required():
    with pytest.raises(ValueError, match=r"now must have 2 numbers; got \(3,\)"):
        LiveNumbers("g", ("a", "b"), np.zeros(3))


def test_templates_are_filled_with_parentheses_only_where_asked_for():
    live = LiveNumbers("g", ("z", "l4.1.0"), np.array([-0.5, 1e9]))
    assert live.fill("{z} {z:p} × {l4.1.0} = {l4.1.0:p}") == "−0.5 (−0.5) × 1×10⁹ = 1×10⁹"


def test_a_template_that_names_no_number_is_an_error():
    with pytest.raises(KeyError, match="nothing"):
        LiveNumbers("g", ("z",), np.array([1.0])).fill("{nothing}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=4).filter(lambda key: key not in ("at", "bytes")), inner, max_size=3
        )
    ),
    max_leaves=8,
)
ARRAYS = st.lists(st.floats(allow_nan=False), max_size=5)


@given(
    st.dictionaries(st.sampled_from("abc"), JSON),
    st.dictionaries(st.sampled_from("xyz"), ARRAYS),
    st.dictionaries(st.sampled_from("uvw"), st.binary(max_size=20)),
)
def test_what_is_packed_can_be_unpacked(plain, numbers, raw):
    data = plain | raw | {name: np.array(values) for name, values in numbers.items()}
    assert unpacked(pack(data)) == plain | raw | numbers


def test_a_table_travels_row_by_row_and_a_gap_as_nan():
    data = {"t": np.array([[1.0, 2.0], [3.0, np.nan]]).T}
    travelled = unpacked(pack(data))["t"]
    assert travelled[:3] == [1, 3, 2] and np.isnan(travelled[3])


def test_a_live_packs_whole():
    data = unpacked(pack(followed().slider_data()))
    assert data["names"] == ["a", "b", "L"]
    assert data["sliders"][1]["table"] == [-1, -2, 0, 0, 1, 2]
    assert data["sliders"][1]["positions"] == [-1, 0, 1]


def test_a_step_of_a_walk_is_not_taken_for_an_array():
    assert unpacked(pack({"at": 3})) == {"at": 3}


def test_a_number_outside_an_array_must_be_finite():
    with pytest.raises(ValueError, match="not JSON compliant"):
        pack({"value": float("nan")})


def test_a_dataclass_is_an_object_with_its_fields():
    row = StepRow("sum", "{a} + {b}", "{z}", "z", "score", operands=(("a", "{a}"),))
    assert unpacked(pack({"rows": (row,)})) == {
        "rows": [
            {"name": "sum", "formula": "{a} + {b}", "value": "{z}", "symbol": "z"}
            | {"role": "score", "shape": "scalar", "operands": [["a", "{a}"]]}
        ]
    }
