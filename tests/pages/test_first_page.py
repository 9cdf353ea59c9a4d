"""Every page can be the first one opened: no page needs another page's imports or caches.

One process imports what the server imports, and opens each page in a fork of its own. A fork
begins with empty caches, and saves the seconds that PyTorch and Streamlit take to import.
"""

import json
import subprocess
import sys

import pytest
from test_screen import BUILT, ROOT

OPEN_EACH = """
import json, os, sys
from streamlit.testing.v1 import AppTest
import ui
from lessons.generation import generation_state

def complaint(slug):
    app = AppTest.from_file("app.py", default_timeout=60)
    app.switch_page(f"pages/{slug}.py")
    app.run()
    if app.exception or app.error:
        return "; ".join(each.message for each in app.exception) or app.error[0].value
    titles = [each.value for each in app.title]
    return "" if titles == [ui.contents.page(slug).title] else f"titled {titles}"

complaints = {}
for slug in json.loads(sys.argv[1]):
    readable, writable = os.pipe()
    if (child := os.fork()) == 0:
        try:
            told = complaint(slug) or "fine"
        except BaseException as error:
            told = repr(error)
        os.write(writable, told[:4000].encode())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        complaints[slug] = pipe.read().decode()
    os.waitpid(child, 0)
print(json.dumps(complaints))
"""


@pytest.mark.walk("home", alone=True)
def test_every_page_opens_as_the_first_one():
    command = [sys.executable, "-c", OPEN_EACH, json.dumps(BUILT)]
    opened = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert opened.returncode == 0, opened.stderr
    answers = json.loads(opened.stdout.splitlines()[-1])
    assert answers == dict.fromkeys(BUILT, "fine")
