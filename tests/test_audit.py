"""The check for known vulnerabilities fails on one, but not for lack of a network."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

AUDIT = Path(__file__).parent.parent / ".ci" / "audit"
CLEAN = {"name": "torch", "version": "2.13.0", "vulns": []}
FAULT = {"name": "websockets", "version": "17.4", "vulns": [{"id": "PYSEC-2026-1"}]}
SKIPPED = {"name": "ray", "skip_reason": "not found on PyPI"}


def audited(tmp_path, answer, code):
    """The result of the check with an auditor that prints `answer` and exits with `code`."""
    auditor = tmp_path / "auditor.py"
    auditor.write_text(
        f"import sys\nprint({answer!r})\nprint('no network', file=sys.stderr)\nsys.exit({code})"
    )
    command = [sys.executable, AUDIT, sys.executable, auditor]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        ([CLEAN, SKIPPED], 0, "1 packages audited, 1 not to be reached, 0 known faults"),
        ([CLEAN, FAULT], 1, "websockets 17.4: PYSEC-2026-1"),
    ],
)
def test_a_known_fault_fails(tmp_path, found, code, said):
    done = audited(tmp_path, json.dumps({"dependencies": found}), code)
    assert done.returncode == code
    assert said in done.stdout


@pytest.mark.parametrize("answer", ["", "<html>", "[]"])
def test_an_auditor_that_cannot_ask_fails_nothing(tmp_path, answer):
    done = audited(tmp_path, answer, 1)
    assert (done.returncode, done.stdout) == (0, "not audited: no network\n")
