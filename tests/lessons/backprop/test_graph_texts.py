"""The texts of a graph: each template names a number, and the slide reads as if hand-written."""

import re

import pytest

from drawing.live import SLOT, live_numbers
from lessons.backprop import backprop_picture, backprop_state, backprop_text, naming, walk_text
from lmcore.graph import compare_gradients, descend, leaf_entries, parse_program, trace_graph, walk
from ui.lessons import lesson

PRESETS = {
    preset.label: preset.settings["program"]
    for preset in lesson("backprop").presets
    if preset.settings["see"] == "Picture"
}
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
OF_THE_HAND = {"label", "moved"}
"""The slots that the browser fills while a slider is dragged."""
each_program = pytest.mark.parametrize("program", (PRESETS | SHAPES).values(), ids=PRESETS | SHAPES)


def told(program):
    graph = parse_program(program)
    trace = trace_graph(graph)
    now = naming.by_name(graph, trace)
    return graph, trace, live_numbers("backprop", now, [], {"": trace.values[graph.result]})


def live_trace(program):
    return trace_graph(parse_program(program))


def walked(program):
    """The text of each step of the walk, with its numbers filled in."""
    graph, _, live = told(program)
    texts = {"forward": walk_text.forward_text, "backward": walk_text.backward_text}
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
    texts = [
        *strings(backprop_picture.graph_picture(graph)),
        backprop_text.moved_sentence(graph),
    ]
    finding = backprop_text.graph_finding(graph, live_trace(program))
    told_texts = [*walk_text.sentences(graph, finding), *strings(walk_text.formulas(graph))]
    texts += [backprop_text.describe_graph(graph), *told_texts]
    for row in walk_text.graph_steps(graph):
        texts += [row.formula, row.value, *(value for _, value in row.operands)]
    used = {found[1] for text in texts for found in SLOT.finditer(text)} - OF_THE_HAND
    assert used <= set(live.names)
    texts.remove(backprop_text.moved_sentence(graph))
    assert not any("{" in live.fill(text) for text in texts)


@each_program
def test_every_number_of_the_trace_has_one_name(program):
    graph, trace, live = told(program)
    for i in graph.variables:
        count = trace.values[i].numel()
        shape = graph.shapes[i]
        values = naming.names(naming.value_name(graph, i), shape)
        gradients = naming.names(naming.gradient_name(graph, i), shape)
        assert len(values) == len(gradients) == count
        assert [live[name] for name in values] == trace.values[i].reshape(-1).tolist()
        assert [live[name] for name in gradients] == trace.gradients[i].reshape(-1).tolist()


@each_program
def test_the_step_table_has_a_row_for_every_step_but_the_first(program):
    graph, *_ = told(program)
    rows = walk_text.graph_steps(graph)
    assert len(rows) == len(walk(graph)) - 1
    assert all(row.name.startswith(("forward ", "backward ")) for row in rows)


def test_the_step_table_of_the_slide():
    graph, _, live = told(SLIDE)
    rows = {
        row.name: (live.fill(row.formula), live.fill(row.value))
        for row in walk_text.graph_steps(graph)
    }
    assert rows["forward d"] == ("2 × b = 2 × 1", "2")
    assert rows["forward L"] == ("c × e = (−2) × 5", "−10")
    assert rows["backward ∂L/∂L"] == ("1", "1")
    assert rows["backward ∂L/∂b"] == ("∂L/∂d × ∂d/∂b = (−2) × 2", "−4")


def test_the_picture_of_the_slide_names_its_nodes_and_locals():
    graph, _, live = told(SLIDE)
    picture = backprop_picture.graph_picture(graph, {graph.index("b"): "b"})
    alt = "Computation graph with 6 nodes: a, b, c, d = 2 × b, e = a + d, L = c × e."
    assert live.fill(backprop_text.describe_graph(graph)) == alt
    whole = {node["name"]: live.fill(node["whole"]) for node in picture["nodes"]}
    assert whole["b"] == "b = 1; gradient −4"
    assert {node["name"] for node in picture["nodes"] if node["handle"]} == {"b"}
    edges = {(e["from"], e["to"]): e for e in picture["edges"]}
    down = edges[graph.index("b"), graph.index("d")]
    assert [live.fill(down[name]) for name in ("upstream", "local", "passed")] == [
        "−2",
        "× 2",
        "−4",
    ]
    assert live.fill(edges[graph.index("e"), graph.index("L")]["local"]) == "× (−2)"


def test_the_sentences_of_the_slide_say_upstream_times_local_is_downstream():
    graph, _, live = told(SLIDE)
    said = [live.fill(text) for text in walk_text.sentences(graph, "found")]
    assert len(said) == len(walk(graph)) + 2
    assert said[0].startswith("Nothing is computed yet")
    assert said[2] == "**Forward**: **d** is computed from **b**. It is ==2==."
    assert said[3] == "**Forward**: **e** is computed from **a** and **d**. It is ==5==."
    assert said[5].endswith("For L itself: ==1==.")
    at_d = "**Back** to **d**: upstream [gradient|(−2)] × local 1 = downstream ==−2==."
    assert said[7] == at_d
    assert said[-1] == "found"


def test_before_the_way_back_no_gradient_is_printed():
    graph, *_ = told(SLIDE)
    steps = walk(graph)
    forward = sum(step.kind == "forward" for step in steps)
    texts = walk_text.sentences(graph, "")[: forward + 1]
    texts += strings(walk_text.formulas(graph)[: forward + 1])
    assert texts
    assert not any("∂" in text for text in texts)


def test_two_paths_are_added_in_the_sentence():
    graph, _, live = told(TWICE)
    said = live.fill(walk_text.sentences(graph, "")[-2])
    assert said == (
        "**Back** to **a** on 2 paths, which add up: [gradient|5] × 3 + [gradient|6] × 1 = ==21==."
    )


def test_a_long_name_is_cut_in_sentences():
    program = f"{'n' * 900} = 3\nL = {'n' * 900}^2"
    graph, trace, _ = told(program)
    plain = re.compile(r"\{[^{}]*\}")  # a slot, which names its number in full
    for text in walk_text.sentences(graph, backprop_text.graph_finding(graph, trace)):
        assert len(plain.sub("", text)) < 200
    assert naming.short("n" * 900) == "n" * 13 + "…"


def test_tensors_are_written_as_rows_and_cut_where_they_are_long():
    assert naming.tensor_template("x", ()) == "{x}"
    assert naming.tensor_template("x", (2,)) == "[{x(1)}, {x(2)}]"
    assert naming.tensor_template("x", (2, 2)) == "[[{x(1,1)}, {x(1,2)}], [{x(2,1)}, {x(2,2)}]]"
    assert naming.tensor_template("x", (4,), most=4).count("{") == 4
    assert naming.tensor_template("x", (5,), most=4) == "[{x(1)}, {x(2)}, {x(3)}, …]"
    assert naming.tensor_template("x", (2, 3), most=4) == "2 × 3"


def test_the_rows_of_the_comparison_are_labelled_by_entry():
    graph, trace, _ = told("W = [[1, 2], [3, 4]]\nL = sum(W)")
    rows = [
        row
        for c in compare_gradients(graph, trace)
        for row in backprop_picture.comparison_rows(graph, c)
    ]
    assert [row[0] for row in rows if row[0] != "L"] == ["W[1,1]", "W[1,2]", "W[2,1]", "W[2,2]"]
    assert all(row[1:3] == (1.0, 1.0) for row in rows)


def found(program):
    """The finding about a program, with its numbers filled in and without markup."""
    graph, trace, live = told(program)
    return re.sub(r"\*\*|==", "", live.fill(backprop_text.graph_finding(graph, trace)))


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (SLIDE, ["L moves most with c: ∂L/∂c = 5."]),
        (NETWORK, ["∂L/∂z2 = a − y = 0.4110 − 1 = −0.5890"]),
        (REGRESSION, ["∂L/∂β = −8."]),
        (TWICE, ["a and b are used more than once.", "is added: 21 at a."]),
        (VANISHING, ["3.875×10⁻⁷ arrives at x", "10 local derivatives", "vanishes"]),
        (DEAD, ["z is below 0, so the ReLU h is dead"]),
        (KINK, ["z is exactly 0", "by hand it counts as 0", "on the slide as 1"]),
    ],
    ids=PRESETS,
)
def test_the_finding_points_at_what_a_preset_shows(program, says):
    said = found(program)
    assert all(text in said for text in says)
    assert len(said) <= 150


def test_one_node_used_twice_is_said_in_the_singular():
    assert found("a = 3\nL = a*a").startswith("a is used more than once. ")


def test_a_use_that_the_result_ignores_is_not_counted():
    said = found("x = 2\ny = 3\nL = x*y\nM = x")
    assert "more than once" not in said
    assert said.startswith("M moves most with x: ∂M/∂x = 1.")


def test_a_small_gradient_beside_a_large_one_has_not_vanished():
    said = found("a = 3\nc = 1000000\nL = a*c")
    assert "vanish" not in said
    assert said.startswith("L moves most with a: ∂L/∂a = 1×10⁶.")


def test_a_gradient_that_one_derivative_makes_small_has_not_vanished():
    assert "vanish" not in found("a = 0.0001\nc = 2\nL = a*c")
    assert "vanish" not in found("a = 1\nb = 0.01*a\nc = 1000*b\nd = 0.00001*c\nL = -d")


@pytest.mark.parametrize("program", ["x = 2\nL = max(x, 3)", "x = 2\nL = 0*x"])
def test_where_nothing_moves_the_result_it_is_said(program):
    said = found(program)
    assert "moves most" not in said
    assert "Every leaf’s gradient is 0" in said
    assert ("max passes the gradient to the larger value only" in said) == ("max" in program)


def test_a_program_of_one_leaf_says_so():
    assert found("L = 3") == "L is a leaf itself: its gradient is 1."


@pytest.mark.parametrize(
    "program",
    [
        "L = NAME",
        "NAME = 1\nNAME = 2\nL = NAME",
        "NAME = [1, 2]\nL = NAME",
        "NAME = 0\nL = 1/NAME",
        "NAME = 1e90\nL = (NAME + NAME + NAME)^9",
        "NAME = [1, 2]\nb = [1, 2, 3]\nL = sum(NAME + b)",
    ],
)
def test_an_error_quotes_at_most_a_line(program):
    with pytest.raises(ValueError, match="must") as error:
        trace_graph(parse_program(program.replace("NAME", "n" * 400)))
    assert len(str(error.value)) < 260
    assert "\n" not in str(error.value)


def test_a_negative_operand_of_a_function_stands_in_one_pair_of_parentheses():
    assert walked("z = -2\nL = sigmoid(z)")[1].startswith("L = σ(z) = σ(−2) = ")


def test_the_gradient_of_an_entry_is_the_traces_own():
    graph, trace, _ = told(SLIDE)
    found = {
        entry.label: backprop_text.gradient_at(graph, trace, entry) for entry in leaf_entries(graph)
    }
    assert found == {"a": -2, "b": -4, "c": 5}


def test_a_step_is_said_with_its_rule_and_both_losses():
    graph = parse_program(SLIDE)
    path = descend(graph, learning_rate=0.1, names=["a", "b", "c"], steps=1)
    assert backprop_text.step_in_words(graph, path, 0.1) == (
        "θ ← θ − η·∂L/∂θ with η = 0.1: one step takes L from **−10** to **−15**."
    )


def test_a_loss_that_falls_without_end_is_no_loss_to_learn_from():
    endless = descend(parse_program(SLIDE), learning_rate=0.1, names=["a", "b", "c"], steps=20)
    said = backprop_text.step_in_words(parse_program(SLIDE), endless, 0.1)
    assert "keeps falling below 0. A loss to learn from has a smallest value" in said
    graph = parse_program(REGRESSION)
    path = descend(graph, learning_rate=0.1, names=["β"], steps=20)
    assert "keeps falling" not in backprop_text.step_in_words(graph, path, 0.1)


def test_where_no_step_can_be_made_only_the_start_is_said():
    graph = parse_program("a = -2\nL = exp(exp(a*a))")
    path = descend(graph, learning_rate=100.0, names=["a"], steps=1)
    assert path.stopped
    assert backprop_text.step_in_words(graph, path, 100.0).endswith(": L = 5.148×10²³.")


def test_a_tie_is_said_as_it_is_computed():
    two = "a = 2; b = 2; L = max(a, b)"
    graph, trace, _ = told(two)
    assert "a and b are equal, where max has no derivative: each gets ½" in found(two)
    assert backprop_text.tie_words(graph, trace) == ""
    graph, trace, _ = told("a = 2; b = 2; c = 2; d = 2; L = max(a, b, c, d)")
    assert "the first two get ⅛ each, the third ¼, the last ½" in backprop_text.tie_words(
        graph, trace
    )
    slopes = [trace.gradients[graph.index(name)].item() for name in "abcd"]
    assert slopes == [1 / 8, 1 / 8, 1 / 4, 1 / 2]
    assert "max" not in found("a = 1; b = 2; L = max(a, b)")


def test_where_central_differences_fail_is_said():
    fine = compare_gradients(parse_program("x = 1e-9; L = log(x)"))
    assert fine[0].numeric.item() == pytest.approx(1e9)
    assert backprop_text.central_words(fine) == backprop_text.CENTRAL
    failed = compare_gradients(parse_program("x = 0; L = 0^x"))
    assert failed[0].numeric.isinf()
    assert "At x it fails" in backprop_text.central_words(failed)


def test_the_sliders_of_the_largest_graph_carry_16_megabytes():
    row = f"[{', '.join(['1'] * 8)}]"
    lines = [f"A = [{', '.join([row] * 8)}]", "n0 = tanh(A)"]
    lines += [f"n{i} = {'tanh' if i % 2 else 'sigmoid'}(n{i - 1} @ A)" for i in range(1, 29)]
    graph = parse_program("\n".join([*lines, "L = sum(n28)"]))
    now = naming.by_name(graph, trace_graph(graph))
    most = backprop_state.most_sliders(graph)
    assert 1 <= most < backprop_state.MOST_SLIDERS
    assert most * backprop_state.POSITIONS * len(now) <= backprop_state.MOST_NUMBERS
    assert backprop_state.most_sliders(parse_program(SLIDE)) == backprop_state.MOST_SLIDERS
