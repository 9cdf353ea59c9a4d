"""The settings of a server: all are read, or refused with every reason at once."""

from pathlib import Path

import pytest

from lmcore import configuration
from lmcore.configuration import Configuration, markdown_table, parse_environment
from lmcore.configuration import configuration as current

README = Path(__file__).parent.parent / "README.md"


def test_nothing_set_is_the_default():
    assert parse_environment({}) == Configuration()
    assert parse_environment({"LMCORE_RUNS": "  ", "PATH": "/bin"}) == Configuration()


def test_each_setting_is_read_from_its_variable():
    said = parse_environment(
        {"LMCORE_RUNS": " 12 ", "LMCORE_LOGIN": "true", "LMCORE_RAY_GPUS": "0.25"}
    )
    assert (said.runs, said.login, said.ray_gpus) == (12, True, 0.25)


@pytest.mark.parametrize(
    ("name", "value", "refusal"),
    [
        ("RUNS", "0", "LMCORE_RUNS must be a whole number at least 1 and at most 100,000; got '0'"),
        ("QUEUE", "1.5", r"LMCORE_QUEUE must be a whole number .* got '1\.5'"),
        ("COMPUTATION_SECONDS", "inf", "must be a number above 0 and at most 3,600; got 'inf'"),
        ("GENERATION_SECONDS", "nan", "must be a number above 0 and at most 20; got 'nan'"),
        ("LOGIN", "perhaps", "LMCORE_LOGIN must be true or false; got 'perhaps'"),
        ("RUN", "3", "LMCORE_RUN must be a setting there is, such as LMCORE_RUNS"),
    ],
)
def test_what_is_wrong_is_refused_by_name(name, value, refusal):
    with pytest.raises(ValueError, match=refusal):
        parse_environment({f"LMCORE_{name}": value})


def test_all_that_is_wrong_is_told_at_once():
    with pytest.raises(ValueError, match="LMCORE_RUNS") as refused:
        parse_environment({"LMCORE_RUNS": "no", "LMCORE_KEPT": "0"})
    assert len(str(refused.value).splitlines()) == 2


def test_a_passcode_is_never_shown():
    with pytest.raises(ValueError, match="LMCORE_PASSCODE must have at least 6") as refused:
        parse_environment({"LMCORE_PASSCODE": "sesam"})
    assert "sesam" not in str(refused.value)
    assert "sesame" not in repr(parse_environment({"LMCORE_PASSCODE": "sesame"}))


def test_the_environment_is_read_as_it_is_now(monkeypatch):
    monkeypatch.setenv("LMCORE_RUNS", "7")
    assert current().runs == 7
    monkeypatch.setenv("LMCORE_RUNS", "8")
    assert current().runs == 8


def test_the_readme_has_the_table():
    assert markdown_table() in README.read_text()


def test_every_setting_is_used():
    """A setting that no code reads would have no effect."""
    root = README.parent
    code = "\n".join(
        path.read_text()
        for folder in ("lmcore", "drawing", "ui", "lessons")
        for path in (root / folder).rglob("*.py")
        if path != Path(configuration.__file__)
    )
    unread = [n for n in Configuration.model_fields if f".{n}" not in code]
    assert not unread
