"""Parses a small typed program into its computation graph.

    a = 3
    b = 1
    c = -2
    d = 2*b
    e = a + d
    L = c*e

A line of numbers gives a leaf, any other line gives computed nodes, and the last line is the
result. The text is parsed, checked against a short list of what is allowed, and never executed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from lmcore.graph.build import MAX_MAGNITUDE, Builder, Operand
from lmcore.graph.source import (
    ALLOWED,
    MAX_NESTING,
    ProgramSource,
    parse_source,
    shorten,
    tidy_program,
)
from lmcore.graph.structure import Graph

FUNCTIONS: dict[str, str] = {
    "exp": "exp",
    "log": "log",
    "sigmoid": "sigmoid",
    "σ": "sigmoid",
    "tanh": "tanh",
    "relu": "relu",
    "ReLU": "relu",
    "max": "max",
    "sum": "sum",
}
"""Function names of a program → operations."""

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
    ast.MatMult: "matmul",
}

_REFUSED: dict[type[ast.expr], str] = {
    ast.Attribute: "a dot after a name",
    ast.BoolOp: "and / or",
    ast.Compare: "a comparison",
    ast.IfExp: "a condition",
    ast.List: "a list inside an expression",
    ast.Subscript: "an index in brackets",
    ast.Tuple: "a comma outside a function or list",
}


def parse_program(program: str) -> Graph:
    """The computation graph of a program.

    Raises:
        ValueError: with line and column, if it holds what a program may not, or is not text.
    """
    if not isinstance(program, str):
        raise ValueError(f"a program must be text; got {program!r:.60}")
    source = tidy_program(program)
    statements = parse_source(source).body
    if not statements:
        raise ValueError("a program must have at least one line, such as L = 3*2; got none")
    last = statements[-1]
    names = [_target(source, statement, last=statement is last) for statement in statements]
    reader = _Reader(source, Builder(source, set(names)))
    for name, statement in zip(names, statements, strict=True):
        result = reader.line(name, statement)
    return reader.builder.graph(result)


def _target(source: ProgramSource, statement: ast.stmt, *, last: bool) -> str:
    """The name a line gives its value."""
    start, got = source.span(statement)[0], source.excerpt(statement)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) if name not in FUNCTIONS:
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            raise source.error(start, f"a name must not be a function's; got {name}")
        case ast.Expr() if last:
            return "L"
        case ast.Expr():
            text = "every line but the last must give its value a name, such as d = 2*b"
            raise source.error(start, f"{text}; got '{got}'")
    raise source.error(start, f"a line must read like d = 2*b; got '{got}'")


@dataclass(frozen=True, slots=True)
class _Reader:
    """Walks the syntax tree; the builder makes the nodes of all that is allowed."""

    source: ProgramSource
    builder: Builder
    given: dict[str, int] = field(default_factory=dict)
    """The nodes that lines have named so far."""
    spellings: dict[str, str] = field(default_factory=dict)
    """Each of those names as it was typed."""

    def line(self, name: str, statement: ast.stmt) -> int:
        """Read one line; the index of its node."""
        assert isinstance(statement, ast.Assign | ast.Expr)  # no other kind has a target
        expression = statement.value
        if isinstance(statement, ast.Expr) and isinstance(expression, ast.Name):
            return self.named(expression)  # a last line "L" points at a node and adds none
        if name in self.given:
            raise self.error(statement, self.given_twice(name, statement))
        self.given[name] = self.assigned(name, expression)
        self.spellings[name] = self.spelling(name, statement)
        return self.given[name]

    def spelling(self, name: str, statement: ast.Assign | ast.Expr) -> str:
        """A name as it was typed: Python maps compatible Unicode letters, as ϵ and ε, to one."""
        return (
            self.source.excerpt(statement.targets[0]) if isinstance(statement, ast.Assign) else name
        )

    def given_twice(self, name: str, statement: ast.Assign | ast.Expr) -> str:
        """The error for a second line that assigns the same name."""
        first, typed = self.spellings[name], self.spelling(name, statement)
        line = self.builder.nodes[self.given[name]].line
        name = shorten(name)
        same = "" if first == typed else f" ({first} and {typed} are read as one name, {name})"
        return f"a name must be given once; got {typed} again, after line {line}{same}"

    def assigned(self, name: str, expression: ast.expr) -> int:
        """Read the right-hand side: numbers make a leaf, all else computed nodes."""
        if isinstance(expression, ast.List):
            return self.builder.leaf(name, self.rows(expression), self.source.span(expression))
        value = self.expression(expression, 0, name)
        if isinstance(value, int):
            return value
        return self.builder.leaf(name, value, self.source.span(expression))

    def expression(self, expression: ast.expr, depth: int, name: str | None = None) -> Operand:
        """Read an expression; its outermost node gets `name`."""
        if depth > MAX_NESTING:
            raise self.error(
                expression, f"an expression must nest at most {MAX_NESTING} deep; got more"
            )
        match expression:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return self.number(expression, number)
            case ast.Name():
                index = self.named(expression)
                return self.apply("copy", [index], expression, name) if name else index
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                value = self.expression(inner, depth + 1)
                return self.apply("negate", [value], expression, name)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.expression(inner, depth + 1, name)
            case ast.BinOp():
                return self.chain(expression, depth, name)
            case ast.Call():
                return self.call(expression, depth, name)
        raise self.refusal(expression, _REFUSED.get(type(expression)))

    def chain(self, expression: ast.BinOp, depth: int, name: str | None) -> Operand:
        """Read a + b + c + …, which the parser nests to the left, as one level of nesting."""
        links = []
        inner: ast.expr = expression
        while isinstance(inner, ast.BinOp):
            links.append(inner)
            inner = inner.left
        value = self.expression(inner, depth + 1)
        for link in reversed(links):
            if type(link.op) not in _OPERATORS:
                raise self.refusal(link, "another operator")
            right = self.expression(link.right, depth + 1)
            operation = _OPERATORS[type(link.op)]
            value = self.apply(
                operation, [value, right], link, name if link is expression else None
            )
        return value

    def call(self, call: ast.Call, depth: int, name: str | None) -> Operand:
        """Read a function of its arguments; max of several is a chain of max of two."""
        if not isinstance(call.func, ast.Name) or call.func.id not in FUNCTIONS or call.keywords:
            raise self.refusal(call, f"a call, '{self.source.excerpt(call)}'")
        operation, count = FUNCTIONS[call.func.id], len(call.args)
        fits = count >= 2 if operation == "max" else count == 1
        if not fits:
            wanted = "two values or more" if operation == "max" else "one value"
            raise self.error(call, f"{call.func.id} must be given {wanted}; got {count}")
        first, *others = [self.expression(argument, depth + 1) for argument in call.args]
        if operation != "max":
            return self.apply(operation, [first], call, name)
        for position, other in enumerate(others, 2):
            first = self.apply("max", [first, other], call, name if position == count else None)
        return first

    def rows(self, expression: ast.List) -> list[float] | list[list[float]]:
        """Read a list of numbers, or a list of such lists of one length."""
        if not expression.elts:
            raise self.error(expression, "a list must hold at least one number; got []")
        inner = [entry for entry in expression.elts if isinstance(entry, ast.List)]
        if not inner:
            return [self.entry(entry) for entry in expression.elts]
        rows = [[self.entry(entry) for entry in row.elts] for row in inner]
        lengths = [len(row) for row in rows]
        if len(inner) != len(expression.elts) or not all(lengths) or len(set(lengths)) > 1:
            got = self.source.excerpt(expression)
            raise self.error(expression, f"the rows of a matrix must have one length; got {got}")
        return rows

    def entry(self, expression: ast.expr) -> float:
        """Read one number of a list."""
        if isinstance(expression, ast.List):
            raise self.error(expression, "a list must have at most two axes; got a list in a row")
        value = self.expression(expression, 1)
        if isinstance(value, float):
            return value
        raise self.error(
            expression, f"a list must hold numbers only; got {self.source.excerpt(expression)}"
        )

    def number(self, expression: ast.expr, number: int | float) -> float:
        """A number as typed, if it is in range."""
        if abs(number) <= MAX_MAGNITUDE:  # compared before float(…), which a long integer overflows
            return float(number)
        got = self.source.excerpt(expression)
        raise self.error(expression, f"a number must lie between −1e100 and 1e100; got {got}")

    def named(self, name: ast.Name) -> int:
        """The node a name stands for."""
        if name.id in self.given:
            return self.given[name.id]
        if name.id in FUNCTIONS:
            raise self.error(name, f"{name.id} must be followed by its values in ( ); got none")
        typed = shorten(name.id)
        text = f"a name must have a value on a line of its own above, such as {typed} = 1"
        raise self.error(name, f"{text}; got {typed} without one")

    def apply(
        self, operation: str, operands: Sequence[Operand], at: ast.expr, name: str | None
    ) -> Operand:
        """Combine `operands` into a node of the builder."""
        return self.builder.apply(operation, operands, self.source.span(at)[0], name)

    def refusal(self, expression: ast.expr, what: str | None) -> ValueError:
        """The error for something a program may not hold."""
        got = what or f"'{self.source.excerpt(expression)}'"
        return self.error(expression, f"a line must hold only {ALLOWED}; got {got}")

    def error(self, at: ast.expr | ast.stmt, text: str) -> ValueError:
        """An error that names the line and column of `at`."""
        return self.source.error(self.source.span(at)[0], text)
