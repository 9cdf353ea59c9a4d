"""Runs the notebook of every example of every page, and prints which fail.

    python -m benchmarks.notebooks [--only neuron,heads]

Each is made as by the button *Notebook*, and run by Jupyter's own kernel.
"""

from __future__ import annotations

import argparse
import sys
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from ui import compute, contents
from ui.lectures.notebooks import View, make_notebook
from ui.lessons import Preset, lesson


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.notebooks")
    parser.add_argument("--only", default="", help="pages, separated by commas")
    only = [each for each in parser.parse_args().only.split(",") if each]
    failed = run = 0
    try:
        for page in contents.PAGES:
            if not page.built or (only and page.slug not in only):
                continue
            for preset in lesson(page.slug).presets:
                said = run_notebook(page, preset)
                failed, run = failed + said.startswith("FAILED"), run + 1
                print(f"{page.slug}: {preset.label}: {said}", flush=True)
    finally:
        compute.close()
    print(f"{run} notebooks, {failed} failed")
    sys.exit(failed > 0)


def run_notebook(page: contents.Page, preset: Preset) -> str:
    """Make and run the notebook of an example; returns the seconds that it took, or the error."""
    began = time.perf_counter()
    path = contents.path_of(page.slug, lesson(page.slug).address(preset))
    try:
        made = nbformat.reads(make_notebook(page.title, [View(preset.label, path)]), 4)
        NotebookClient(made, timeout=600, kernel_name="python3").execute()
    except CellExecutionError as error:
        return f"FAILED: {error.ename}: {error.evalue[:200]}"
    except (CellTimeoutError, DeadKernelError, ValueError) as error:
        return f"FAILED: {type(error).__name__}: {error}"
    return f"ran, {time.perf_counter() - began:.1f} s"


if __name__ == "__main__":
    main()
