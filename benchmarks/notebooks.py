"""Runs the notebook of every example of every page, and says which fail.

    python -m benchmarks.notebooks [--only neuron,heads]

Each is made as the button *Notebook* makes it, and run by Jupyter's own kernel.
"""

from __future__ import annotations

import argparse
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from ui import compute, contents
from ui.lectures.notebooks import View, make_notebook
from ui.lessons import lesson


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.notebooks")
    parser.add_argument("--only", default="")
    only = [each for each in parser.parse_args().only.split(",") if each]
    failed = run = 0
    for page in contents.PAGES:
        if not page.built or (only and page.slug not in only):
            continue
        here = lesson(page.slug)
        for preset in here.presets:
            path = contents.path_of(page.slug, here.address(preset))
            made = nbformat.reads(make_notebook(page.title, [View(preset.label, path)]), 4)
            began = time.perf_counter()
            try:
                NotebookClient(made, timeout=600, kernel_name="python3").execute()
                said = "ran"
            except CellExecutionError as error:
                failed, said = failed + 1, f"FAILED: {error.ename}: {error.evalue[:200]}"
            run += 1
            print(f"{page.slug}: {preset.label}: {said}, {time.perf_counter() - began:.1f} s")
    compute.close()
    print(f"{run} notebooks, {failed} failed")


if __name__ == "__main__":
    main()
