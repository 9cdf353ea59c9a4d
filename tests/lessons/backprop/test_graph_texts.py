"""What is written on a graph: every template names a number, and the slide reads as by hand."""

import pytest

from lessons.backprop import picture as pictures
from lessons.backprop import state
from lessons.backprop import text as words
from lmcore.graph import compare_gradients, descend, leaf_entries, parse_program, trace_graph, walk
from ui.lessons import lesson
from ui.live import SLOT, live_numbers

PRESETS = {preset.label: preset.settings["program"] for preset in lesson("backprop").presets}
SLIDE, NETWORK, REGRESSION, TWICE, VANISHING, DEAD, KINK = PRESETS.values()
SHAPES = {
    "matrix times vector": "W = [[1, 2], [3, 4]]\nx = [5, 6]\nL = sum(W @ x)",
    "dot product": "x = [1, 2]\ny = [3, -4]\nL = x @ y",
    "broadcast": "a = 2\nx = [1, -2, 3]\nL = sum(a*x + x)",
    "matrices": "A = [[1, 2], [3, 4]]\nB = [[1, 0], [0, -1]]\nL = sum(A @ B * A)",
    "long vector": "x = [1, 2, 3, 4, 5, 6]\nL = sum(exp(x/10))",
    "max and power": "a = 2\nb = -1\nL = max(a, b) + a^b + log(a)/b",
    "left out": "a = 1\nb = 2\nc = b*b\nL = -a",
    "a name for a name": "a = 2\nb = a\nL = b*b",
    "one leaf": "L = 3",
}
each_program = pytest.mark.parametrize("program", (PRESETS | SHAPES).values(), ids=PRESETS | SHAPES)


def told(program):
    graph = parse_program(program)
    trace = trace_graph(graph)
    now = pictures.by_name(graph, trace)
    return graph, trace, live_numbers("backprop", now, [], {"": trace.values[graph.result]})


def walked(program):
    """Every step of the walk with its numbers."""
    graph, _, live = told(program)
    texts = {"forward": pictures.forward_text, "backward": pictures.backward_text}
    return [live.fill(texts[step.kind](graph, step)) for step in walk(graph)]


def strings(data):
    if isinstance(data, str):
        return [data]
    inside = (
        data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ()
    )
    return [text for each in inside for text in strings(each)]


def test_the_slide_is_walked_as_a_hand_would_write_it():
    assert walked(SLIDE) == [
        "Given: a = 3, b = 1, c = −2",
        "d = 2 × b = 2 × 1 = 2",
        "e = a + d = 3 + 2 = 5",
        "L = c × e = (−2) × 5 = −10",
        "∂L/∂L = 1",
        "∂L/∂e = ∂L/∂L × ∂L/∂e = 1 × (−2) = −2",
        "∂L/∂d = ∂L/∂e × ∂e/∂d = (−2) × 1 = −2",
        "∂L/∂c = ∂L/∂L × ∂L/∂c = 1 × 5 = 5",
        "∂L/∂b = ∂L/∂d × ∂d/∂b = (−2) × 2 = −4",
        "∂L/∂a = ∂L/∂e × ∂e/∂a = (−2) × 1 = −2",
    ]


def test_two_paths_are_written_as_a_sum():
    assert walked(TWICE)[-2:] == [
        "∂L/∂b = ∂L/∂p × ∂p/∂b + ∂L/∂q × ∂q/∂b = 5 × 2 + 6 × 1 = 16",
        "∂L/∂a = ∂L/∂p × ∂p/∂a + ∂L/∂q × ∂q/∂a = 5 × 3 + 6 × 1 = 21",
    ]


def test_a_node_that_the_result_ignores_gets_0_at_the_end_of_the_walk():
    assert walked(SHAPES["left out"])[-2:] == ["∂L/∂c = 0", "∂L/∂b = 0"]


@each_program
def test_every_template_of_the_picture_and_of_the_steps_names_a_number(program):
    graph, _, live = told(program)
    texts = strings(pictures.graph_picture(graph))
    for row in pictures.graph_steps(graph):
        texts += [row.formula, row.value, *(value for _, value in row.operands)]
    used = {name for text in texts for name, _ in SLOT.findall(text)}
    assert used <= set(live.names)
    assert not any("{" in live.fill(text) for text in texts)


@each_program
def test_every_number_of_the_trace_has_one_name(program):
    graph, trace, live = told(program)
    for i in graph.variables:
        count = trace.values[i].numel()
        assert [live[f"v{i}.{k}"] for k in range(count)] == trace.values[i].reshape(-1).tolist()
        assert [live[f"g{i}.{k}"] for k in range(count)] == trace.gradients[i].reshape(-1).tolist()


@each_program
def test_the_step_table_has_a_row_for_every_step_but_the_first(program):
    graph, *_ = told(program)
    rows = pictures.graph_steps(graph)
    assert len(rows) == len(walk(graph)) - 1
    assert all(row.name.startswith(("forward ", "backward ")) for row in rows)


def test_the_step_table_of_the_slide():
    graph, _, live = told(SLIDE)
    rows = {
        row.name: (live.fill(row.formula), live.fill(row.value))
        for row in pictures.graph_steps(graph)
    }
    assert rows["forward d"] == ("2 × b = 2 × 1", "2")
    assert rows["forward L"] == ("c × e = (−2) × 5", "−10")
    assert rows["backward ∂L/∂L"] == ("1", "1")
    assert rows["backward ∂L/∂b"] == ("∂L/∂d × ∂d/∂b = (−2) × 2", "−4")


def test_the_picture_of_the_slide_names_its_result():
    graph, _, live = told(SLIDE)
    picture = pictures.graph_picture(graph)
    assert live.fill(picture["alt"]) == "Computation graph with 6 nodes; L = −10."
    whole = {node["name"]: live.fill(node["whole"]) for node in picture["nodes"]}
    assert whole["b"] == "b = 1; gradient −4"
    locals_ = {(e["from"], e["to"]): live.fill(e["local"]) for e in picture["edges"]}
    assert locals_[graph.index("b"), graph.index("d")] == "2"
    assert locals_[graph.index("c"), graph.index("L")] == "5"


def test_tensors_are_written_as_rows_and_cut_where_they_are_long():
    assert pictures.tensor_template("v3", ()) == "{v3.0}"
    assert pictures.tensor_template("v3", (2,)) == "[{v3.0}, {v3.1}]"
    assert pictures.tensor_template("v3", (2, 2)) == "[[{v3.0}, {v3.1}], [{v3.2}, {v3.3}]]"
    assert pictures.tensor_template("v3", (4,), most=4).count("{") == 4
    assert pictures.tensor_template("v3", (5,), most=4) == "[{v3.0}, {v3.1}, {v3.2}, …]"
    assert pictures.tensor_template("v3", (2, 3), most=4) == "2 × 3"


def test_the_rows_of_the_comparison_are_labelled_by_entry():
    graph, trace, _ = told("W = [[1, 2], [3, 4]]\nL = sum(W)")
    rows = [
        row for c in compare_gradients(graph, trace) for row in pictures.comparison_rows(graph, c)
    ]
    assert [row[0] for row in rows if row[0] != "L"] == ["W[1,1]", "W[1,2]", "W[2,1]", "W[2,2]"]
    assert all(row[1:3] == (1.0, 1.0) for row in rows)


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (SLIDE, ["L moves most with c: ∂L/∂c = 5."]),
        (NETWORK, ["∂L/∂z2 = a − y = 0.4110 − 1 = −0.5890"]),
        (REGRESSION, ["∂L/∂β = −8."]),
        (TWICE, ["a, b are used more than once: contributions add up."]),
        (VANISHING, ["only 3.875×10⁻⁷ arrives at x", "**vanishes**"]),
        (DEAD, ["z is below 0, so the ReLU h is **dead**"]),
        (KINK, ["z is exactly 0", "hand and autograd take 0"]),
    ],
    ids=PRESETS,
)
def test_the_notice_points_at_what_a_preset_shows(program, says):
    graph, trace, _ = told(program)
    said = words.graph_notice(graph, trace)
    assert len(said) <= 2
    assert all(text in " ".join(said) for text in says)


def test_a_plain_graph_has_no_special_sentence():
    graph, trace, _ = told(SLIDE)
    assert len(words.graph_notice(graph, trace)) == 1


def test_one_node_used_twice_is_said_in_the_singular():
    graph, trace, _ = told("a = 3\nL = a*a")
    assert words.graph_notice(graph, trace)[1] == "a is used more than once: contributions add up."


def test_where_nothing_moves_the_result_no_leaf_is_said_to_move_it_most():
    graph, trace, _ = told(KINK)
    assert "moves most" not in " ".join(words.graph_notice(graph, trace))


def test_a_negative_operand_of_a_function_stands_in_one_pair_of_parentheses():
    assert walked("z = -2\nL = sigmoid(z)")[1].startswith("L = σ(z) = σ(−2) = ")


def test_the_gradient_of_an_entry_is_the_traces_own():
    graph, trace, _ = told(SLIDE)
    found = {entry.label: words.gradient_at(graph, trace, entry) for entry in leaf_entries(graph)}
    assert found == {"a": -2, "b": -4, "c": 5}


def test_a_step_is_said_with_its_rule_and_both_losses():
    graph = parse_program(SLIDE)
    path = descend(graph, learning_rate=0.1, names=["a", "b", "c"], steps=1)
    assert words.step_in_words(graph, path, 0.1) == (
        "θ ← θ − η·∂L/∂θ with η = 0.1: one step takes L from **−10** to **−15**."
    )


def test_where_no_step_can_be_made_only_the_start_is_said():
    graph = parse_program("a = -2\nL = exp(exp(a*a))")
    path = descend(graph, learning_rate=100.0, names=["a"], steps=1)
    assert path.stopped
    assert words.step_in_words(graph, path, 100.0).endswith(": L = 5.148×10²³.")


def test_a_tie_is_said_as_it_is_computed():
    graph, trace, _ = told("a = 2; b = 2; L = max(a, b)")
    notice = " ".join(words.graph_notice(graph, trace))
    assert "a and b are equal, where max has no derivative" in notice
    assert "pass ½ of what arrives to each" in notice
    assert "⅛" not in notice
    graph, trace, _ = told("a = 2; b = 2; c = 2; d = 2; L = max(a, b, c, d)")
    notice = " ".join(words.graph_notice(graph, trace))
    assert "the first two get ⅛ each, the third ¼, the last ½" in notice
    slopes = [trace.gradients[graph.index(name)].item() for name in "abcd"]
    assert slopes == [1 / 8, 1 / 8, 1 / 4, 1 / 2]
    assert "max" not in " ".join(words.graph_notice(*told("a = 1; b = 2; L = max(a, b)")[:2]))


def test_where_central_differences_fail_is_said():
    fine = compare_gradients(parse_program("x = 1e-9; L = log(x)"))
    assert fine[0].numeric.item() == pytest.approx(1e9)
    assert words.central_words(fine) == words.CENTRAL
    failed = compare_gradients(parse_program("x = 0; L = 0^x"))
    assert failed[0].numeric.isinf()
    assert "At x it fails" in words.central_words(failed)


def test_the_sliders_of_the_largest_graph_carry_16_megabytes():
    row = f"[{', '.join(['1'] * 8)}]"
    lines = [f"A = [{', '.join([row] * 8)}]", "n0 = tanh(A)"]
    lines += [f"n{i} = {'tanh' if i % 2 else 'sigmoid'}(n{i - 1} @ A)" for i in range(1, 29)]
    graph = parse_program("\n".join([*lines, "L = sum(n28)"]))
    now = pictures.by_name(graph, trace_graph(graph))
    most = state.most_sliders(graph)
    assert 1 <= most < state.MOST_SLIDERS
    assert most * state.POSITIONS * len(now) <= state.MOST_NUMBERS
    assert state.most_sliders(parse_program(SLIDE)) == state.MOST_SLIDERS
