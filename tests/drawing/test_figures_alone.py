"""The figures of the lessons work in a notebook: without Streamlit, and without the app."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
sys.modules["streamlit"] = None  # importing it fails
from importlib import import_module
from pathlib import Path

names = sorted({path.parts[-2] for path in Path("lessons").glob("*/*_figures.py")})
for path in Path("lessons").glob("*/*_figures.py"):
    import_module(f"lessons.{path.parent.name}.{path.stem}")
assert len(names) >= 9, names

from lessons.backprop.backprop_figures import descent_curve
from lmcore.graph import descend, parse_program

graph = parse_program("x = 3; L = x^2")
figure = descent_curve(descend(graph, learning_rate=0.1, names=["x"], steps=3), "L", "light")
assert len(figure.data[0].y) == 4
assert figure.to_json()
assert "ui" not in sys.modules
"""


def test_figures_need_no_streamlit():
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
