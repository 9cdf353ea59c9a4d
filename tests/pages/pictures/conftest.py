"""What is recorded depends neither on how busy the machine is nor on the menu of pages."""

import pytest

from lessons.generation import bench_view
from lessons.heads import ablation_view
from ui import course_map, menu


@pytest.fixture(autouse=True)
def every_measurement_comes_to_its_end(monkeypatch):
    """Usually a page shows the progress of a long measurement, or a button that starts it."""
    monkeypatch.setattr(bench_view, "WAIT", 60)
    monkeypatch.setattr(ablation_view, "PATIENCE", 60)


@pytest.fixture(autouse=True)
def no_menu_is_drawn(monkeypatch):
    """Its links are not recorded, and they take a fifth of a page's time."""
    monkeypatch.setattr(menu, "pages_menu", lambda: None)
    monkeypatch.setattr(course_map, "draw_map", lambda _: None)


@pytest.fixture
def everything(request):
    """Whether all widgets of a view are pressed, and not only those that its record names."""
    return bool(request.config.getoption("--record") or request.config.getoption("--walks"))
