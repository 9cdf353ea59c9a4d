"""Old addresses still work: every name that a setting ever had still leads to a setting.

`setting_names.toml` has all names of every page, and only grows: `pytest tests/ui --record` adds
the new ones.
"""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from ui import contents
from ui.lessons import lesson

EVER = Path(__file__).with_name("setting_names.toml")
WITH_SETTINGS = ["home", *(page.slug for page in contents.PAGES if page.built)]


def names_now(slug: str) -> set[str]:
    return set(import_module(f"lessons.{slug}.{slug}_state").SETTINGS.defaults)


@pytest.mark.parametrize("slug", WITH_SETTINGS)
def test_every_name_that_a_setting_ever_had_leads_to_one(slug):
    ever = set(tomllib.loads(EVER.read_text("utf-8")).get(slug, ()))
    assert ever - names_now(slug) - lesson(slug).renamed.keys() == set(), "[renamed] lacks them"


def test_every_name_of_now_is_noted(request):
    ever = {slug: set(names) for slug, names in tomllib.loads(EVER.read_text("utf-8")).items()}
    found = {slug: sorted(ever.get(slug, set()) | names_now(slug)) for slug in WITH_SETTINGS}
    if request.config.getoption("--record"):
        lines = (f"{slug} = {names}\n".replace("'", '"') for slug, names in found.items())
        EVER.write_text("".join(lines), "utf-8")
    assert {slug: sorted(names) for slug, names in ever.items()} == found, "run it with --record"
