"""A log entry is one line of JSON, names the session, and contains no typed text."""

import json
import logging
import subprocess
import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ui.server import logs

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import logging
from tests.ui.streamlit_internals.names import get_logger
early = get_logger("streamlit.early")
from ui.server import logs
logs.log_as_json()
late = get_logger("streamlit.late")
early.addHandler(logging.StreamHandler())  # as Streamlit does once it has read its settings
early.propagate = False
def ask(text):
    raise ValueError(f"the text must be shorter; got {text!r}")
for logger in (early, logging.getLogger("lmlive"), late):
    try:
        ask("my secret diary")
    except ValueError as error:
        logger.error("a page failed", exc_info=error)
        logger.error("a page failed with %s", error)
        logger.error(error)
logging.getLogger("lmlive").info("two\\nlines")
"""


def written():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stderr.splitlines()


def test_of_an_exception_its_kind_and_place_are_logged_and_nothing_typed():
    lines = written()
    assert not any("diary" in line for line in lines)
    names = [json.loads(line)["from"] for line in lines]
    assert names == ["streamlit.early"] * 3 + ["lmlive"] * 3 + ["streamlit.late"] * 3 + ["lmlive"]
    first = json.loads(lines[0])
    assert (first["level"], first["from"]) == ("ERROR", "streamlit.early")
    assert first["exc_info"].startswith("ValueError < ")
    assert " in ask" in first["exc_info"]
    assert json.loads(lines[1])["said"] == "a page failed with ValueError"
    assert json.loads(lines[2])["said"] == "ValueError"
    assert json.loads(lines[-1])["said"] == "two\nlines"


def test_an_entry_names_the_session_it_is_from(caplog):
    def page():
        import logging

        from ui.server import logs

        made = logs.discreet_record_factory(logging.LogRecord)(
            "lmlive", 20, "", 0, "said", (), None
        )
        logging.getLogger("lmlive").warning("from session %s", made.session)

    with caplog.at_level(logging.WARNING, "lmlive"):
        AppTest.from_function(page).run()
    assert caplog.messages[-1] == "from session test ses"
    outside = logs.discreet_record_factory(logging.LogRecord)("lmlive", 20, "", 0, "said", (), None)
    assert outside.session is None
