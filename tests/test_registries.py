"""The names in a registry are listed nowhere else: Python and scripts iterate over the registry."""

import ast
import re
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from lessons.generation.generation_picture import StrategyName
from lmcore.attention.step_table import MASKS
from lmcore.contextual.record import MODELS
from lmcore.decoding.strategies import STRATEGIES
from lmcore.neuron.activations import ACTIVATIONS
from ui.components import COMPONENTS
from ui.contents import DECKS, PAGES, PARTS

ROOT = Path(__file__).resolve().parent.parent
REGISTRIES = {
    "activations": {*ACTIVATIONS},
    "strategies": {*STRATEGIES},
    "masks": {*MASKS},
    "models with contexts": {*MODELS},
    "decks": {*DECKS},
    "parts of the course": {*PARTS},
    "pages": {page.slug for page in PAGES},
    "scripts": {*COMPONENTS},
}
ARRAY = re.compile(r'\[\s*(?:"[^"\n]*",?\s*)+\]')


def python_lists(source):
    """The values in each list, tuple and set that holds only constants, except in subscripts."""
    tree = ast.parse(source)
    types = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and id(node) not in types:
            names = [each.value for each in node.elts if isinstance(each, ast.Constant)]
            if len(names) == len(node.elts):
                yield names


def script_lists(source):
    for array in ARRAY.findall(source):
        yield re.findall(r'"([^"\n]*)"', array)


def copied(name, source):
    """The registries whose names all occur in one list of the file."""
    if not any(all(f'"{each}"' in source for each in names) for names in REGISTRIES.values()):
        return []
    lists = python_lists(source) if name.endswith(".py") else script_lists(source)
    every = [{each for each in names if isinstance(each, str)} for names in lists]
    return [registry for registry, names in REGISTRIES.items() if any(names <= e for e in every)]


def test_no_list_has_all_names_of_a_registry():
    files = subprocess.check_output(
        ["git", "ls-files", "*.py", "*.js", "*.mjs"], cwd=ROOT, text=True
    )
    found = {
        name: copies
        for name in files.splitlines()
        if (ROOT / name).is_file() and (copies := copied(name, (ROOT / name).read_text("utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", 'for g in ("tanh", "sigmoid", "ReLU", "GELU", "identity", "step"): pass'),
        ("a.js", 'const NAMES = ["sigmoid", "tanh", "ReLU",\n  "GELU", "identity", "step"];'),
    ],
)
def test_a_list_of_all_names_would_be_found(name, source):
    assert copied(name, source) == ["activations"]


def test_the_names_in_a_type_are_those_of_the_strategies():
    assert get_args(StrategyName) == tuple(STRATEGIES)
