"""The page on heads: the data sent to it are the model's own, and every view shows its numbers."""

import math

import numpy as np
import pytest
import streamlit as st
import torch
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from lessons.heads import ablation_view, heads_state
from lmcore.attention import ablation, heads, weight_packing
from lmcore.attention.heads import Head
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from ui import pretrained

LESSON = ui.lesson("heads")
PRESETS = {preset.label: preset for preset in LESSON.presets}
TEXT, OTHER = LESSON.defaults["heads_text"], LESSON.defaults["heads_other"]
REAL = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")
MODELS = pretrained.available_models()
MODEL = next(iter(MODELS))
READER = pretrained.load(MODEL)


def seen(text=TEXT, pair="", reader=READER):
    return heads.trace_heads(reader.network, reader.read(text, pair, 128))


def picture(app):
    return drawn(app, "heads-heads")


def now(app):
    """The numbers of the open head, by name."""
    shown = picture(app)
    return dict(zip(shown["names"], shown["now"].tolist(), strict=True))


def at(app):
    """The open head, the followed tokens, and the filters."""
    shown, numbers = picture(app), now(app)
    return {
        "head": (int(numbers["@layer"]), int(numbers["@head"])),
        "query": shown["query"],
        "key": shown["key"],
        "special": shown["hides"],
        "threshold": numbers["threshold"],
        "between": shown["between"],
        "faint": shown["faint"],
    }


def codes(app):
    shown, sent = picture(app), drawn(app, "heads-weights")
    assert sent["count"] == shown["layers"] * shown["heads"] * len(shown["tokens"]) ** 2
    found = weight_packing.unpack(sent["codes"], sent["count"])
    return found.reshape(shown["layers"], shown["heads"], -1)


@REAL
def test_the_page_opens_on_the_animal_and_names_the_head_that_tells_tired_from_wide():
    app = fine(opened("heads"))
    tokens = picture(app)["tokens"]
    where = at(app)
    assert where["head"] == (3, 1)
    assert (tokens[where["query"]], tokens[where["key"]]) == ("it", "animal")
    tired, wide = (each.weights[3, 1, 10, 2].item() for each in (seen(), seen(OTHER)))
    assert (round(tired, 2), round(wide, 2)) == (0.64, 0.27)
    told = "in layer 3, head 1, the weight of “\u2068it\u2069” on “\u2068animal\u2069” falls from"
    assert f"Change tired to wide: {told} {format_number(tired)} to {format_number(wide)}." in said(
        app
    )
    app = choose(app, "see", "Two texts, two models")
    assert f"**{format_number(tired)}** in the first text, **{format_number(wide)}**" in said(app)
    assert "**layer 3, head 1**" in said(app)


def test_every_weight_that_travels_is_the_tensors_own_correctly_rounded():
    app = opened("heads")
    expected = weight_packing.encode(seen().weights).reshape(codes(app).shape)
    assert np.array_equal(codes(app), expected)
    shown = picture(app)
    exact = np.frombuffer(shown["exact"], dtype="<f4")[: len(shown["tokens"]) ** 2]
    assert np.array_equal(exact, seen().weights[at(app)["head"]].float().numpy().reshape(-1))
    assert drawn(app, "heads-weights")["of"] == shown["of"]


def test_every_head_has_its_row_of_numbers_so_that_opening_one_needs_no_server():
    app, here = fine(opened("heads")), seen()
    shown = picture(app)
    table = shown["numbers"].reshape(here.shape[0] * here.shape[1], len(shown["names"]))
    rows = heads.row_scores(here, shown["query"])
    for n, numbers in enumerate(table):
        head = Head(*divmod(n, here.shape[1]))
        found = dict(zip(shown["names"], numbers.tolist(), strict=True))
        assert (found["@layer"], found["@head"]) == head
        for j in range(len(shown["tokens"])):
            assert found[f"w{j}"] == here.weights[head][shown["query"], j].item()
            assert found[f"s{j}"] == rows.scaled[head][j].item()
        assert found["left"] == here.weights[head].numel()
        assert found["dot"] == rows.scores[head][shown["key"]].item()
        address = {"heads_head": str(head)}
        if n % 29 == 0:
            assert np.array_equal(picture(opened("heads", **address))["now"], numbers)


@REAL
def test_a_press_in_a_text_that_is_no_longer_read_is_let_go(monkeypatch):
    real, told = ui.main_picture, {}

    def stand_in(kind, live, how, text, *, on_event=None):
        real(kind, live, how, text, on_event=on_event)
        st.button("press", key="press", on_click=lambda: on_event(dict(told)))

    monkeypatch.setattr(ui, "main_picture", stand_in)
    app = opened("heads")
    first = at(app)
    for pressed in ({"layer": 0, "head": 2}, {"query": 1, "key": 2, "at": [0, 2]}):
        told.clear()
        told.update(pressed, of="another text's")
        fine(app.button(key="press").click().run())
        assert at(app) == first
        # The other text is chosen, but the page is not yet drawn with it.
        told["of"] = picture(app)["of"]
        app.session_state["heads_text"] = OTHER
        fine(app.button(key="press").click().run())
        assert app.session_state["heads_head"] == "" and at(app)["query"] == first["query"]
        fine(put(app, {"heads_text": TEXT}))
    # After a text that cannot be read, the last one stays, and its heads can be opened.
    fine(put(app, {"heads_text": ""}))
    told.clear()
    told.update(of=picture(app)["of"], layer=0, head=2)
    fine(app.button(key="press").click().run())
    assert at(app)["head"] == (0, 2)


def test_the_outlines_of_the_row_are_the_weights_in_the_other_text():
    app, other = fine(opened("heads")), seen(OTHER)
    numbers, shown = now(app), picture(app)
    assert shown["other"] == "with “wide”"
    for j in range(len(shown["tokens"])):
        assert numbers[f"o{j}"] == other.weights[3, 1, 10, j].item()
    assert "o0" not in now(opened("heads", heads_other=""))
    assert "o0" not in now(opened("heads", heads_other="no such word"))


def test_an_address_restores_what_is_open_and_the_filters():
    app = opened(
        "heads",
        heads_head="2.3",
        heads_query="4",
        heads_key="1",
        heads_special="true",
        heads_threshold="0.25",
        heads_faint="true",
    )
    assert at(fine(app)) == {
        "head": (2, 3), "query": 4, "key": 1, "special": True, "threshold": 0.25,
        "between": "all", "faint": True,
    }  # fmt: skip
    assert not app.error


@REAL
def test_two_sentences_are_told_apart():
    app = fine(opened("heads", heads_text="a cat", heads_pair="a dog", heads_between="AB"))
    shown = picture(app)
    assert shown["tokens"] == ["[CLS]", "a", "cat", "[SEP]", "a", "dog", "[SEP]"]
    assert shown["segments"] == [0, 0, 0, 0, 1, 1, 1]
    assert shown["special"] == [True, False, False, True, False, False, True]
    assert at(app)["between"] == "AB"
    # With a single sentence, weights between sentences cannot be selected.
    assert at(opened("heads", heads_between="AB"))["between"] == "all"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"heads_text": ""}, "got"),
        ({"heads_head": "9.1"}, "a head must be layer.head from 0.0 to"),
        ({"heads_head": "x"}, "a head must be layer.head from 0.0 to"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_and_the_last_good_stays(settings, reason):
    app = opened("heads", heads_head="1.2")
    before = picture(app)["of"], at(app)
    fine(put(app, settings))
    assert any(reason in error.value.replace("\\", "") for error in app.error), app.error
    assert picture(app)["of"] == before[0] and at(app) == before[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("heads_model", "gone"), ("heads_other_model", "gone"), ("heads_between", "CC"),
        ("heads_threshold", "2"), ("heads_find", "x"), ("heads_cut", "burn"),
        ("heads_special", "maybe"), ("heads_faint", "1"), ("heads_open", "x"), ("see", "x"),
    ],
)  # fmt: skip
def test_an_address_that_asks_for_what_is_not_there_says_so(name, value):
    app = fine(opened("heads", **{name: value}))
    assert any(f"got '{value}'" in error.value.replace("\\", "") for error in app.error)


@pytest.mark.parametrize("view", ["Picture", "Neuron view", "Statistics", "Surgery",
                                  "Two texts, two models", "Five steps", "Code"])  # fmt: skip
@pytest.mark.parametrize("text", ["a", "<script>alert(1)</script>", "שלום עולם", "🙂🙂 مرحبا"])
def test_every_view_bears_every_text(view, text):
    app = fine(opened("heads", see=view, heads_text=text))
    assert not app.error or MODEL != "minilm", app.error


@REAL
def test_a_long_text_is_cut_at_128_tokens_and_the_page_says_so():
    app = fine(opened("heads", heads_text="word " * 20_000))
    assert len(picture(app)["tokens"]) == 128
    assert "only its first 128 tokens are shown" in said(app)
    assert "only its first" not in said(opened("heads"))


def test_a_message_of_128_tokens_is_small():
    app = fine(opened("heads", heads_text="the cat and the dog " * 40))
    size = {
        name: len(element.proto.bytes)
        for element in app.get("bidi_component")
        for name in ("weights", "heads")
        if element.proto.id.endswith(f"-heads-{name}")
    }
    most = 1.6 * picture(app)["layers"] * picture(app)["heads"] * 128**2 + 20_000
    assert size["weights"] < min(most, 4e6)
    assert size["heads"] < 1e6  # sent again whenever a head is opened


@REAL
def test_the_neuron_view_multiplies_out_the_pair():
    app = fine(opened("heads", see="Neuron view"))
    shown, here = drawn(app, "heads-qk"), seen()
    d_k = here.query.shape[-1]
    products = shown["products"].reshape(-1, d_k)
    q, k = here.query[3, 1, 10].double().numpy(), here.key[3, 1].double().numpy()
    assert np.array_equal(shown["q"], q)
    assert np.array_equal(shown["k"].reshape(-1, d_k), k)
    assert products == pytest.approx(q * k)
    assert shown["scores"] == pytest.approx(products.sum(-1))
    assert shown["scaled"] == pytest.approx(shown["scores"] / math.sqrt(d_k))
    assert np.array_equal(shown["weights"], here.weights[3, 1, 10].double().numpy())
    exp = np.exp(shown["scaled"])
    assert shown["weights"] == pytest.approx(exp / exp.sum(), abs=1e-6)


def test_statistics_are_those_of_the_tensor_and_patterns_find_their_heads():
    app = fine(opened("heads", see="Statistics", heads_find="entropy"))
    table, here = drawn(app, "statistics-ranking"), seen()
    found = heads.head_statistics(here.weights, here.text)
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    assert table["columns"][1] == "entropy, nats"
    assert rows[:, 0] == pytest.approx(found.entropy.reshape(-1).tolist())
    assert rows.shape == (found.entropy.numel(), 9)
    best, most = heads.rank_heads(found.entropy)[0]
    first = f"**layer {best.layer}, head {best.head}**, {format_number(most)} nats"
    assert f"attend to everything: {first}" in said(app)
    assert table["labels"][13] == f"layer {13 // here.shape[1]}, head {13 % here.shape[1]}"
    assert table["heads"][13] == str(Head(*divmod(13, here.shape[1])))


@pytest.mark.parametrize("cut", ablation.ABLATION_KINDS)
def test_surgery_ranks_all_heads_by_what_they_change(cut, monkeypatch):
    monkeypatch.setattr(ablation_view, "PATIENCE", math.inf)  # measure at once on any machine
    app = fine(opened("heads", see="Surgery", heads_cut=cut))
    assert not app.error
    table, here, other = drawn(app, "effects-ranking"), seen(), seen(OTHER)
    place = at(app)["query"]
    found = [
        each
        for layer in ablation.ablation_effects(READER.network, here, place, cut, other=other)
        for each in layer
    ]
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    assert table["heads"] == [str(each.head) for each in found]
    assert rows[:, 0] == pytest.approx([each.turned for each in found], abs=1e-7)
    assert rows[:, 1] == pytest.approx([each.moved for each in found], abs=1e-6)
    if found[0].gained is None:
        most = max(found, key=lambda each: each.turned)
        name = f"layer {most.head.layer}, head {most.head.head}"
        assert f"changes most without **{name}**" in said(app)


def test_a_patch_from_a_text_of_another_length_is_refused():
    app = fine(opened("heads", see="Surgery", heads_cut="patch", heads_other="the cat"))
    assert any("the text to patch from must have" in error.value for error in app.error)


def test_effects_that_are_on_the_page_are_those_of_what_is_set_now(monkeypatch):
    """A change of the method, the text or the token replaces the old effects."""
    changes = [
        {"heads_cut": "average"},
        {"heads_cut": "patch"},
        {"heads_other": "The animal didn't cross the street because it was too hot"},
    ]
    monkeypatch.setattr(ablation_view, "PATIENCE", math.inf)
    app, settings = fine(opened("heads", see="Surgery")), {"see": "Surgery"}
    before = drawn(app, "effects-ranking")["numbers"].tolist()
    for change in [*changes, {"heads_cut": "mute"}, {"heads_query": "street"}]:
        settings |= change
        here = drawn(fine(put(app, change)), "effects-ranking")["numbers"].tolist()
        assert here == drawn(opened("heads", **settings), "effects-ranking")["numbers"].tolist()
        assert here != before, change
        before = here


def test_effects_are_on_the_token_that_is_watched_now(monkeypatch):
    monkeypatch.setattr(ablation_view, "PATIENCE", math.inf)
    settings = {"see": "Surgery", "heads_model": "encoder"}
    app, seen_before = fine(opened("heads", **settings)), []
    for token in ("street", "dog"):
        here = drawn(fine(put(app, {"heads_watch": token})), "effects-ranking")["numbers"].tolist()
        fresh = opened("heads", **settings, heads_watch=token)
        assert here == drawn(fresh, "effects-ranking")["numbers"].tolist()
        assert here not in seen_before
        seen_before.append(here)


def test_a_patch_is_offered_where_there_is_a_text_to_patch_from():
    app = fine(opened("heads", see="Surgery", heads_cut="patch"))
    assert not app.error
    by_key(app.text_input, "heads_other-shown").set_value("").run()
    assert not fine(app).error and app.session_state["heads_cut"] == "mute"
    app = fine(opened("heads", see="Surgery", heads_cut="patch", heads_other=" "))
    assert any("must be one of" in error.value for error in app.error)


def test_heads_together_are_one_edit():
    app = fine(opened("heads", see="Surgery", heads_together="0.1, 1.2"))
    here = seen()
    place = at(app)["query"]
    edits = [ablation.head_edit("mute", head, None, layer=head.layer, row=None)
             for head in (Head(0, 1), Head(1, 2))]  # fmt: skip
    before, after = (
        ablation.predict_token(READER.network, here, place, each) for each in ([], edits)
    )
    (effect,) = ablation.compare_predictions([Head(0, 1)], before, after, None)
    assert "With layer 0, head 1; layer 1, head 2 muted" in said(app) and format_number(
        effect.turned
    ) in said(app)
    app = fine(opened("heads", see="Surgery", heads_together="0.1, 77.2"))
    assert any("a head must be layer.head" in e.value.replace("\\", "") for e in app.error)


def test_long_surgery_is_started_by_hand_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(ablation_view, "PATIENCE", 0.0)
    app = fine(opened("heads", see="Surgery"))
    assert "changes most without" not in said(app)
    one = []
    effects = ablation.ablation_effects

    def stops_after_a_layer(*args, **more):
        for layer in effects(*args, **more):
            one.append(layer)
            yield layer
            if len(one) == 1:
                return

    monkeypatch.setattr(ablation, "ablation_effects", stops_after_a_layer)
    by_key(app.button, "heads-start").click().run()
    table = drawn(fine(app), "effects-ranking")
    assert len(table["labels"]) == picture(app)["heads"]
    monkeypatch.setattr(ablation, "ablation_effects", effects)
    app.run()
    by_key(app.button, "heads-start").click().run()
    table = drawn(fine(app), "effects-ranking")
    assert len(table["labels"]) == picture(app)["heads"] * picture(app)["layers"]


@pytest.mark.skipif("encoder" not in MODELS, reason="our encoder does not ship yet")
def test_a_model_that_predicts_shows_its_predictions_before_and_after():
    app = fine(opened("heads", see="Surgery", heads_model="encoder"))
    assert not app.error
    table = drawn(app, "table-heads-predicted")
    rows = table["numbers"].reshape(-1, 2)
    assert ((rows >= 0) & (rows <= 1)).all() and rows[:5, 0].tolist() == sorted(rows[:5, 0])[::-1]
    assert drawn(app, "effects-ranking")["columns"][-1] == "Δ log p, nats"
    app = fine(opened("heads", see="Surgery", heads_model="encoder", heads_watch="a dog"))
    assert any("must be one token; got 2" in error.value for error in app.error)


@pytest.mark.skipif(len(MODELS) < 2, reason="only one model is here")
def test_two_models_stand_side_by_side_with_heads_of_their_own():
    _, other, *_ = MODELS
    app = fine(
        opened("heads", see="Two texts, two models", heads_other=TEXT, heads_other_model=other)
    )
    assert not app.error
    assert "a different number of heads" in said(app)


def test_the_five_steps_have_the_numbers_of_the_forward():
    app = fine(opened("heads", see="Five steps", heads_head="1.0"))
    table, here = drawn(app, "five-steps"), seen()
    found = dict(zip(table["names"], table["now"], strict=True))
    place = at(app)["query"]
    assert len(table["rows"]) == 5
    assert found["q"] == pytest.approx(here.query[1, 0, place, 0].item(), abs=1e-5)
    assert found["z"] == pytest.approx(here.context[1, 0, place, 0].item(), abs=1e-5)
    block = heads.transformer_blocks(READER.network)[1]
    with torch.no_grad():
        trace = block(here.residual[1:2])
    assert found["o"] == pytest.approx(trace.attention.output[0, place, 0].item(), abs=1e-5)


def row_of(app):
    return np.array([now(app)[f"w{j}"] for j in range(len(picture(app)["tokens"]))])


@pytest.mark.parametrize("key", ["most", "change", "scaled", "count"])
def test_the_questions_are_computed_from_the_state_and_hide_what_they_ask_for(key):
    app = fine(opened("heads", ask=key))
    here, shown, numbers = seen(), picture(app), now(app)
    focus, tokens = shown["key"], shown["tokens"]
    assert focus >= 0
    answers = {
        "most": tokens[int(row_of(app).argmax())],
        "change": "falls" if numbers[f"o{focus}"] < numbers[f"w{focus}"] else "rises",
        "scaled": format_number(numbers[f"s{focus}"]),
        "count": format_number(float(here.weights.numel())),
    }
    hides = {
        "most": {f"w{j}" for j in range(len(tokens))} | {f"o{j}" for j in range(len(tokens))},
        "change": {f"o{j}" for j in range(len(tokens))},
        "scaled": {f"s{focus}"},
        "count": set(),
    }
    assert hides[key] <= set(shown["hidden"])
    assert not {"falls", "rises"} & set(" ".join(shown["sentences"]).split()) or key in (
        "scaled",
        "count",
    )
    if key == "most":
        assert len(set(shown["sentences"])) == 1
    fine(by_key(app.button, f"reveal-{key}").click().run())
    assert f"It is **{answers[key]}**" in said(app) and not picture(app)["hidden"]


@pytest.mark.parametrize("label", PRESETS)
@pytest.mark.parametrize("key", ["most", "scaled", "count"])
def test_every_question_can_be_asked_of_every_preset(label, key):
    address = LESSON.address(PRESETS[label]) | {"ask": key, "see": "Picture"}
    app = fine(opened("heads", **address))
    assert not app.error and by_key(app.button, f"reveal-{key}")


def test_a_beat_hides_what_the_next_one_shows():
    number, joined = (n for n, beat in enumerate(LESSON.beats, start=1) if beat.hide)
    app = fine(opened("heads", present="1", beat=str(joined)))
    assert {"read", "sum"} <= set(drawn(app, "joined-joined")["hidden"])
    assert "animal" not in "".join(drawn(app, "joined-joined")["sentences"])
    app = fine(opened("heads", present="1", beat=str(number)))
    shown = picture(app)
    assert {name for name in shown["names"] if name[0] == "o"} <= set(shown["hidden"])
    assert "falls" not in said(app)
    lights = {part for beat in LESSON.beats for part in beat.light}
    assert lights == {"grid", "head", "row", "answers", "matrix", "output"}


@pytest.mark.parametrize("pattern", ["previous", "following", "separator"])
def test_a_pattern_opens_the_head_that_shows_it_most(pattern):
    app, here = fine(opened("heads", heads_open=pattern)), seen()
    found = getattr(heads.head_statistics(here.weights, here.text), pattern)
    assert at(app)["head"] == heads.rank_heads(found)[0][0]
    other = fine(opened("heads", heads_open=pattern, heads_head="1.1"))
    assert at(other)["head"] == (1, 1)


def test_without_a_key_every_head_marks_the_one_with_the_largest_weight():
    app = fine(opened("heads", heads_key=""))
    shown, here = picture(app), seen()
    assert shown["key"] == -1
    place = shown["query"]
    best = here.weights[at(app)["head"]][place].argmax().item()
    assert now(app)["@say"] == now(app)["@formula"] == best
    name = shown["tokens"][best]
    assert f"attends most to “\u2068{name}\u2069”: {format_number(now(app)[f'w{best}'])}" in said(
        app
    )


def test_the_threshold_counts_what_it_leaves():
    app = fine(opened("heads", heads_threshold="0.25"))
    here = seen().weights[at(app)["head"]]
    assert now(app)["left"] == int((here >= 0.25).sum())
    sliders = drawn(app, "heads-sliders")["sliders"]
    (slider,) = sliders
    left = slider["table"].reshape(len(slider["positions"]), -1)[:, -1]
    expected = [int((here >= torch.tensor(p, dtype=here.dtype)).sum()) for p in slider["positions"]]
    assert left.tolist() == expected


@pytest.mark.parametrize("model", [name for name in MODELS if ":" not in name])
def test_the_code_runs_and_prints_the_numbers_on_screen(model, capsys):
    """The snippet runs with lmcore alone, without the pages of the app."""
    app = fine(opened("heads", see="Code", heads_model=model))
    assert "def trace_heads(" in said(app) and "def ablation_effects(" in said(app)
    snippet = next(each.value for each in app.code if "trace = heads.trace_heads(" in each.value)
    assert "import streamlit" not in snippet and "from ui" not in snippet
    exec(snippet, {})
    printed, where = capsys.readouterr().out, at(app)
    reader = pretrained.load(model)
    here = seen(reader=reader)
    key = where["key"] if where["key"] >= 0 else int(row_of(app).argmax())
    weight = here.weights[where["head"]][where["query"], key]
    assert f"weight   {weight:.12f}" in printed
    layers = ablation.ablation_effects(reader.network, here, where["query"], "mute")
    largest = max((each for layer in layers for each in layer), key=lambda each: each.turned)
    named = f"without {tuple(largest.head)} (layer, head): 1 - cosine = {largest.turned:.6f}"
    assert named in printed


def test_the_standing_note_and_the_slide_are_there():
    app = fine(opened("heads"))
    assert "Attention is not explanation" in said(app)
    assert r"\psi" in said(app)


@pytest.mark.parametrize("view", ["head", "model"])
def test_bertviz_draws_the_same_weights(view):
    app = fine(opened("heads", see=f"BertViz {view} view"))
    assert not app.error


def test_without_the_real_encoder_the_page_says_so_and_works(monkeypatch):
    own = {name: label for name, label in MODELS.items() if name != "minilm"}
    monkeypatch.setattr(pretrained, "available_models", lambda: own)
    app = opened("heads")
    assert not app.exception
    if own:
        assert "is not installed here" in said(app)
        assert picture(app)["tokens"]
    else:
        assert any("No model is installed" in info.value for info in app.info)


def test_a_server_that_is_set_up_wrongly_says_so(monkeypatch):
    def refuse():
        raise ValueError("LMCORE_MODELS must be a folder of models' folders; got 'x'")

    monkeypatch.setattr(pretrained, "available_models", refuse)
    app = opened("heads")
    assert not app.exception
    assert any("must be a folder" in error.value.replace("\\", "") for error in app.error)


def test_the_number_of_tokens_is_said_by_the_page_that_cuts():
    assert heads_state.MOST_TOKENS >= 128


def joined(**address):
    """The numbers of the joined heads, by name, and what else their picture gets."""
    example = LESSON.address(PRESETS["Four heads, joined"])
    shown = drawn(fine(opened("heads", **example | address)), "joined-joined")
    return dict(zip(shown["names"], shown["now"].tolist(), strict=True)), shown


def test_a_head_that_is_cut_takes_its_part_out_of_the_same_number():
    whole, _ = joined()
    without, shown = joined(heads_off="1")
    assert shown["cut"] == [0] and without["number"] == whole["number"]
    assert without["part1"] == 0 and without["whole"] == whole["sum"]
    assert without["sum"] == pytest.approx(whole["sum"] - whole["part1"])


def test_another_token_asks_and_another_number_is_framed():
    asks, shown = joined(heads_query="street", heads_number="7")
    assert shown["tokens"][shown["query"]] == "street" and asks["number"] == 7
    assert asks["sum"] == asks["o7"]
    refused = fine(
        opened("heads", **LESSON.address(PRESETS["Four heads, joined"]), heads_number="900")
    )
    assert "the number of the output must be from 1 to 128; got 900" in refused.error[0].value


@REAL
def test_a_model_with_many_heads_keeps_its_grid():
    app = fine(opened("heads", see="Heads joined"))
    assert drawn(app, "heads-heads")
    (error,) = app.error
    assert "Heads joined" in error.value
