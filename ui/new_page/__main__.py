"""`python -m ui.new_page temperature "Softmax temperature"`: a page that runs, to begin from."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from ui.contents import PARTS, ROOT
from ui.new_page.writing import TABLE, new_page

NEXT = """
Opened with `make run` it is at /{slug}, and in the menu. What to do next:
  - note its settings and its drawing, then run its tests:
      .venv/bin/python -m pytest -p no:xdist --jaxtyping-packages= --record -k "{slug} or noted" \\
        tests/ui/test_setting_names.py tests/pages/pictures
      .venv/bin/python -m pytest -p no:xdist --jaxtyping-packages= -k {slug} tests
  - the mathematics:   a module of lmcore that returns its trace, tested against an oracle
  - examples, beats:   lessons/{slug}/lesson.toml
"""


def main(given: list[str]) -> int:
    """Write the page; 1 if it cannot be written."""
    parser = argparse.ArgumentParser(prog="python -m ui.new_page", description=__doc__)
    parser.add_argument("slug", help="its name in the address and of its files, e.g. temperature")
    parser.add_argument("title", help="what it is called on screen")
    parser.add_argument("--part", default="use", help=f"one of {', '.join(PARTS)}")
    asked = parser.parse_args(given)
    try:
        files = new_page(asked.slug, asked.title, asked.part)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for path, text in files.made.items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path}\n")
    (ROOT / TABLE).write_text(files.table, encoding="utf-8")
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, ".ci/payload_types.py"], cwd=ROOT, env=here, check=True)
    sys.stdout.write(NEXT.format(slug=asked.slug))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
