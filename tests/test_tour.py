"""README's tour: from a number on screen to the line that computes it, call by call."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
STOP = re.compile(r"`([\w/]+\.py)` `([\w.]+)`")
CALLS = {
    "the neuron’s output y": 2,
    "a gradient of the graph": 4,
    "a masked probability": 4,
    "a head’s weight": 6,
    "a beam’s score": 5,
}
CALLED_AS = {
    "Block.forward": "block",
    "MultiHead.forward": "attention",
}
"""A module of PyTorch is called as what it is stored under, not by its `forward`."""


def tours():
    """Each number of the table, with the functions on the way to it."""
    table = README.split("## The tour")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in table.splitlines() if STOP.search(line)]
    return {number.strip("| "): STOP.findall(way) for number, _, way in rows}


def function(path, name):
    """The function or method of that name in a file."""
    body = ast.parse((ROOT / path).read_text("utf-8")).body
    for part in name.split("."):
        body = next(node for node in body if getattr(node, "name", None) == part)
        found, body = body, getattr(body, "body", [])
    return found


def names(node):
    """Everything that is called or passed on in a function."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr


def imports(path):
    """The dotted names that a file imports."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_every_number_has_its_way():
    assert tours().keys() == CALLS.keys()


@pytest.mark.parametrize("number", CALLS)
def test_each_function_calls_the_next_and_the_way_has_so_many_calls(number):
    way = tours()[number]
    assert len(way) - 1 == CALLS[number]
    for (path, name), (there, following) in pairwise(way):
        spoken = CALLED_AS.get(following, following)
        assert spoken in set(names(function(path, name))), (name, following)
        assert function(there, following)
        module = there.removesuffix(".py").replace("/", ".")
        package = module.rpartition(".")[0]  # it may pass on what its modules define
        known = {package, f"{package}.{following}", f"{module}.{following}", module}
        stored = following in CALLED_AS or path == there
        assert stored or known & set(imports(path)), following
