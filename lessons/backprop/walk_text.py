"""The steps of the walk through a graph, in words and as formulas; numbers are templates.

Sentences and formulas are of drawing/rich_text.js; the step table's texts have no marks.
"""

from __future__ import annotations

from drawing.steps import StepRow as Row
from lessons.backprop.naming import (
    SHOWN,
    gradient_name,
    gradient_of,
    is_entrywise,
    local_name,
    rich,
    short,
    tensor_template,
    value_name,
    value_of,
)
from lmcore.graph import OPERATIONS, Edge, Graph, Term, WalkStep, describe_shape, walk

MOST_NAMED = 5
"""The most leaves that a formula lists."""
MOST_TERMS = 3
"""The most contributions that a sentence adds up."""
START = "Nothing is computed yet. **Step**: values ride forward first, then gradients ride back."


def sentences(graph: Graph, finding: str) -> list[str]:
    """The sentences before the walk, at each of its steps, and once everything is computed."""
    steps = [
        _forward_sentence(graph, step) if step.kind == "forward" else _back_sentence(graph, step)
        for step in walk(graph)
    ]
    return [START, *steps, finding]


def formulas(graph: Graph) -> list[list[str]]:
    """The formula row at the same places as `sentences`; matrices are not written out."""
    first, *others = walk(graph)
    short_leaves = [i for i in first.nodes if len(graph.shapes[i]) < 2]
    given = [
        f"{short(graph.nodes[i].name)} = **[input|{_cut('value', graph, i)}]**"
        for i in short_leaves
    ]
    loss = short(graph.nodes[graph.result].name)
    gradients = [
        f"∂{loss}/∂{short(graph.nodes[i].name)} = **[gradient|{_cut('gradient', graph, i)}]**"
        for i in short_leaves
    ]
    return [[], _few(given), *([_formula(graph, step)] for step in others), _few(gradients)]


def _few(parts: list[str]) -> list[str]:
    return parts if len(parts) <= MOST_NAMED else [*parts[: MOST_NAMED - 1], "…"]


def _cut(kind: str, graph: Graph, i: int) -> str:
    of = value_of if kind == "value" else gradient_of
    return rich(of(graph, i, most=SHOWN))


def _forward_sentence(graph: Graph, step: WalkStep) -> str:
    if _is_given(graph, step):
        return "The leaves are given. Press **Step**: the next node is computed from them."
    (i,) = step.nodes
    used = [o for o in dict.fromkeys(graph.nodes[i].operands) if o not in graph.constants]
    named = " and ".join(f"**{short(graph.nodes[o].name)}**" for o in used)
    it = (
        f"It is {describe_shape(graph.shapes[i])} numbers."
        if len(graph.shapes[i]) > 1
        else f"It is =={_cut('value', graph, i)}==."
    )
    return f"**Forward**: **{short(graph.nodes[i].name)}** is computed from {named}. {it}"


def _back_sentence(graph: Graph, step: WalkStep) -> str:
    (i,) = step.nodes
    name, loss = short(graph.nodes[i].name), short(graph.nodes[graph.result].name)
    result = f"=={_cut('gradient', graph, i)}=="
    if i == graph.result:
        return (
            f"**Back**: how far does {loss} move if a node moves by 1? For {loss} itself: {result}."
        )
    if not step.terms:
        return f"**Back** to **{name}**: {loss} does not depend on it. Its gradient is {result}."
    numbers = [_numbers(graph, term, i) for term in step.terms]
    if len(step.terms) == 1 and (pair := numbers[0]):
        upstream, local = pair
        return f"**Back** to **{name}**: upstream {upstream} × local {local} = downstream {result}."
    if len(step.terms) == 1:
        above = short(graph.nodes[step.terms[0].target].name)
        return f"**Back** to **{name}**: what arrives at **{above}**, times the local derivative."
    paths = f"**Back** to **{name}** on {len(step.terms)} paths, which add up"
    if len(step.terms) > MOST_TERMS or not all(numbers):
        return f"{paths}: the gradient of each, times its local derivative."
    return f"{paths}: {' + '.join(' × '.join(pair) for pair in numbers if pair)} = {result}."


def _numbers(graph: Graph, term: Term, source: int) -> tuple[str, str] | None:
    """Upstream and local of one path, if both are short."""
    shape, edge = graph.shapes[source], _edge(term, source)
    if not is_entrywise(graph, edge) or len(shape) > 1:
        return None
    upstream, local = gradient_name(graph, term.target), local_name(graph, edge)
    if not shape:
        return f"[gradient|{{{upstream}:p}}]", f"{{{local}:p}}"
    return rich(tensor_template(upstream, shape, most=SHOWN)), rich(
        tensor_template(local, shape, most=SHOWN)
    )


def _formula(graph: Graph, step: WalkStep) -> str:
    (i,) = step.nodes
    forward = step.kind == "forward"
    text = forward_text(graph, step) if forward else backward_text(graph, step)
    result = _whole(step.kind, graph, i)
    before = rich(text.removesuffix(result))
    return f"{before}**[{'activation' if forward else 'gradient'}|{rich(result)}]**"


def _is_given(graph: Graph, step: WalkStep) -> bool:
    return step.kind == "forward" and graph.nodes[step.nodes[0]].operation == "leaf"


def forward_text(graph: Graph, step: WalkStep) -> str:
    """A forward step with its numbers: d = 2 × b = 2 × {b} = {d}."""
    if _is_given(graph, step):
        named = (f"{graph.nodes[i].name} = {value_of(graph, i)}" for i in step.nodes)
        return f"Given: {', '.join(named)}"
    (i,) = step.nodes
    return f"{step.text}{_plugged(graph, i)} = {value_of(graph, i)}"


def _plugged(graph: Graph, i: int) -> str:
    node = graph.nodes[i]
    if any(graph.shapes[operand] for operand in node.operands) or node.operation == "copy":
        return ""
    symbol = OPERATIONS[node.operation].symbol
    slot = "{{{}}}" if symbol.endswith(")") else "{{{}:p}}"  # exp(…) has its parentheses
    numbers = [
        _constant(graph, operand, symbol)
        if operand in graph.constants
        else slot.format(value_name(graph, operand))
        for operand in node.operands
    ]
    return f" = {symbol.format(*numbers)}"


def _constant(graph: Graph, i: int, symbol: str) -> str:
    name = graph.nodes[i].name
    return f"({name})" if name.startswith("−") and not symbol.endswith(")") else name


def backward_text(graph: Graph, step: WalkStep) -> str:
    """A backward step with its numbers: upstream × local, summed over the paths."""
    (i,) = step.nodes
    result = gradient_of(graph, i)
    if not step.terms:
        return step.text if i != graph.result else f"{gradient_name(graph, i)} = {result}"
    shown = [_product(graph, term, i) for term in step.terms]
    middle = f" = {' + '.join(shown)}" if all(shown) else ""
    return f"{step.text}{middle} = {result}"


def _product(graph: Graph, term: Term, source: int) -> str:
    shape, edge = graph.shapes[source], _edge(term, source)
    if not is_entrywise(graph, edge) or len(shape) > 1:
        return ""
    return (
        f"{_braced(gradient_name(graph, term.target), shape)} × "
        f"{_braced(local_name(graph, edge), shape)}"
    )


def _edge(term: Term, source: int) -> Edge:
    return Edge(source, term.target, term.position)


def _braced(name: str, shape: tuple[int, ...]) -> str:
    return tensor_template(name, shape) if shape else f"{{{name}:p}}"


def _whole(kind: str, graph: Graph, i: int) -> str:
    return value_of(graph, i) if kind == "forward" else gradient_of(graph, i)


def graph_steps(graph: Graph) -> tuple[Row, ...]:
    """The walk as a step table: forward, then backward."""
    rows = []
    for step in walk(graph)[1:]:
        (i,) = step.nodes
        forward = step.kind == "forward"
        text = forward_text(graph, step) if forward else backward_text(graph, step)
        rows.append(
            Row(
                name=f"{step.kind} {graph.nodes[i].name if forward else gradient_name(graph, i)}",
                formula=_right(text),
                value=_whole(step.kind, graph, i),
                role="activation" if forward else "gradient",
                shape=describe_shape(graph.shapes[i]),
                operands=_operands(graph, step),
            )
        )
    return tuple(rows)


def _right(text: str) -> str:
    """The part between the first and the last equals sign."""
    parts = text.split(" = ")
    return " = ".join(parts[1:-1] or parts[1:])


def _operands(graph: Graph, step: WalkStep) -> tuple[tuple[str, str], ...]:
    (i,) = step.nodes
    if step.kind == "forward":
        used = [o for o in graph.nodes[i].operands if o not in graph.constants]
        return tuple((graph.nodes[o].name, value_of(graph, o)) for o in used)
    return tuple(
        pair
        for term in step.terms
        for pair in (
            (term.upstream, gradient_of(graph, term.target)),
            (f"{term.local} = {term.formula}", _local_number(graph, _edge(term, i))),
        )
    )


def _local_number(graph: Graph, edge: Edge) -> str:
    if not is_entrywise(graph, edge):
        return "see the formula"
    return tensor_template(local_name(graph, edge), graph.shapes[edge.source])
