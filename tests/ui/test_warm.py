"""The models are there before the first visitor, and nobody computes them again."""

from lmcore import shipped
from ui import apart, generation_scene, heavy, models, runs
from ui.serving import health, warm


def test_what_comes_with_the_app_is_kept_before_anybody_asks(monkeypatch):
    heavy.forget()
    warm.up()
    monkeypatch.setattr(models, "_network", lambda name: 1 / 0)
    for name in shipped.SHIPPED:
        if name != "encoder":
            assert models.network(name).run is not None
    assert heavy.sizes()["Transformers"] == 2


def test_a_process_for_every_core_knows_the_models_that_write(monkeypatch):
    asked, counted = [], []
    monkeypatch.setattr(apart, "call", lambda make: asked.append(make))
    monkeypatch.setattr(models, "counted", counted.append)
    warm.later().join(60)
    assert asked == [warm.ready] * heavy.executor().threads
    assert counted == [3]
    monkeypatch.undo()
    heavy.forget()
    assert apart.call(warm.ready) is None
    assert "our writers" not in heavy.sizes()
    warm.ready()
    assert heavy.sizes()["our writers"] == len(generation_scene.OURS)


def test_a_process_that_cannot_read_them_is_told_unless_the_server_ends(monkeypatch, caplog):
    def lost(_: object) -> None:
        raise ValueError(apart.LOST)

    monkeypatch.setattr(apart, "call", lost)
    monkeypatch.setattr(models, "counted", lambda _: None)
    warm.later().join(60)
    assert not caplog.records
    monkeypatch.setattr(health.READY, "open", True)
    warm.later().join(60)
    assert {each.message for each in caplog.records} == {
        "a process could not read the models that write"
    }


def test_what_a_process_reads_first_needs_no_runs(monkeypatch):
    heavy.forget()
    monkeypatch.setattr(runs, "pool", lambda: 1 / 0)  # their folder is the server's alone
    warm.ready()
    assert heavy.sizes()["our writers"] == len(generation_scene.OURS)


def test_models_that_are_missing_are_left_out(monkeypatch, tmp_path):
    heavy.forget()
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    warm.up()
    assert "networks" not in heavy.sizes()
    warm.ready()
    assert heavy.sizes()["our writers"] == len(set(generation_scene.OURS) - set(shipped.SHIPPED))
