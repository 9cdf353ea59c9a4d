"""The models are loaded before the first visitor comes, and only once."""

from streamlit.testing.v1 import AppTest

import serve
from lessons.generation import generation_state
from lmcore.shipped import models as shipped
from ui import compute, models, runs
from ui.contents import ROOT
from ui.server import health, warmup


def test_what_comes_with_the_app_is_kept_before_anybody_asks(monkeypatch):
    compute.clear_results()
    warmup.warm_up()
    monkeypatch.setattr(shipped, "load_shipped", lambda name: 1 / 0)
    for name in shipped.SHIPPED:
        if name not in ("encoder", "encoder_decoder"):
            assert models.shipped_network(name).run is not None
    assert compute.result_counts()["Transformers"] == 2


def test_a_process_for_every_core_knows_the_models_that_write(monkeypatch):
    asked, counted = [], []
    monkeypatch.setattr(compute, "call_in_process", lambda make: asked.append(make))
    monkeypatch.setattr(models, "counted_ngram", counted.append)
    warmup.warm_up_in_background(generation_state.preload_writers, generation_state.TRIGRAM).join(
        60
    )
    assert asked == [generation_state.preload_writers] * compute.shared_executor().threads
    assert counted == [3]
    monkeypatch.undo()
    compute.clear_results()
    assert compute.call_in_process(generation_state.preload_writers) is None
    assert "our writers" not in compute.result_counts()
    generation_state.preload_writers()
    assert compute.result_counts()["our writers"] == len(generation_state.OURS)


def test_what_pages_open_on_is_there_before_anybody_asks(monkeypatch, caplog):
    monkeypatch.setattr(models, "counted_ngram", lambda _: None)
    monkeypatch.setattr(health.READY, "open", True)
    compute.clear_results()

    def refused() -> None:
        raise ValueError("refused")

    warmup.warm_up_in_background(
        lambda: None, generation_state.TRIGRAM, (refused, *serve.FIRST)
    ).join(120)
    assert [each.message for each in caplog.records] == [
        "what a page opens on could not be computed"
    ]
    kept = compute.result_counts()
    for kind in (
        "network runs",
        "descent",
        "loss maps",
        "word pairs",
        "word vectors",
        "translations",
        "flows",
    ):
        assert kept[kind] == 1
    for page in ("networks", "descent", "vectors", "seq2seq", "transformer"):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception
    after = compute.result_counts()
    assert {kind: after[kind] for kind in kept} == kept


def test_a_process_that_cannot_read_them_is_told_unless_the_server_ends(monkeypatch, caplog):
    def lost(_: object) -> None:
        raise ValueError("lost")

    monkeypatch.setattr(compute, "call_in_process", lost)
    monkeypatch.setattr(models, "counted_ngram", lambda _: None)
    warmup.warm_up_in_background(generation_state.preload_writers, generation_state.TRIGRAM).join(
        60
    )
    assert not caplog.records
    monkeypatch.setattr(health.READY, "open", True)
    warmup.warm_up_in_background(generation_state.preload_writers, generation_state.TRIGRAM).join(
        60
    )
    assert {each.message for each in caplog.records} == {
        "a process could not read the models that write"
    }


def test_what_a_process_reads_first_needs_no_runs(monkeypatch):
    compute.clear_results()
    monkeypatch.setattr(runs, "pool", lambda: 1 / 0)  # only the server may open the folder of runs
    generation_state.preload_writers()
    assert compute.result_counts()["our writers"] == len(generation_state.OURS)


def test_models_that_are_missing_are_left_out(monkeypatch, tmp_path):
    compute.clear_results()
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    warmup.warm_up()
    assert "networks" not in compute.result_counts()
    generation_state.preload_writers()
    assert compute.result_counts()["our writers"] == len(
        set(generation_state.OURS) - set(shipped.SHIPPED)
    )
