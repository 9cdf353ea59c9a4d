"""The Transformer page: one text followed through a whole model."""

import numpy as np
import pytest
import torch
from test_screen import choose, drawn, fine, opened, put, said

import ui
from lmcore.corpora.translation import translate
from lmcore.numbers import format_number
from lmcore.pretrained.reading import VocabularyModel, trace_text
from lmcore.shipped.models import encoder, encoder_decoder, load_shipped
from lmcore.training.translation_batches import encode_sources
from lmcore.transformer.flow import model_flow, translation_flow
from lmcore.transformer.operands import operands
from tests.ui.streamlit_internals.pressing import send

LESSON = ui.lesson("transformer")
TEXT = LESSON.defaults["tf_text"]


def gpt():
    model, *_ = load_shipped("gpt")
    return VocabularyModel("gpt", model.network, model.vocabulary)


def bert():
    network, vocabulary, *_ = encoder()
    return VocabularyModel("encoder", network, vocabulary)


def followed(reader, text):
    reading = reader.read(text)
    return reading, model_flow(reader.network, reading.ids, trace_text(reader.network, reading))


def page(**address):
    return fine(opened("transformer", **address))


def picture(app):
    return drawn(app, "transformer-transformer")


def words(app):
    return said(app).replace("**", "").replace("\\", "").replace("==", "")


def sent(data):
    """The tensors of the picture, by name."""
    floats = np.frombuffer(data["stream"] + data["block"], dtype="<f4")
    return {
        each["stage"]: floats[each["start"] :][: each["rows"] * each["columns"]].reshape(
            each["rows"], each["columns"]
        )
        for each in data["tensors"]
    }


@pytest.mark.parametrize(
    ("model", "reader", "text"),
    [("gpt", gpt, TEXT), ("encoder", bert, "the [MASK] gets fed .")],
)
def test_the_picture_has_every_number_of_the_forward_pass(model, reader, text):
    reading, flow = followed(reader(), text)
    data = picture(page(tf_model=model, tf_text=text))
    tensors = sent(data)
    assert data["tokens"] == list(reading.tokens)
    for name, stage in flow.stages.items():
        if name not in ("logits", "p"):
            np.testing.assert_array_equal(tensors[name], stage.values.float().numpy(), name)
    assert data["stages"] == list(flow.stages)
    mean = torch.stack([flow[f"b1.alpha.{h + 1}"].values for h in range(4)]).mean(0)
    np.testing.assert_allclose(tensors["b1.alpha.0"], mean.numpy(), atol=1e-7)
    chances = flow["p"].values
    count = data["words"]["count"]
    np.testing.assert_allclose(
        data["words"]["chances"].reshape(-1, count), chances.topk(count).values.numpy()
    )
    vocabulary = reader().vocabulary
    best = [vocabulary.decode(row) for row in chances.topk(count).indices.tolist()]
    assert data["words"]["words"] == best
    assert data["words"]["ids"].reshape(-1, count)[:, 0].tolist() == chances.argmax(-1).tolist()


def test_another_token_has_the_same_numbers_in_an_element_of_their_own():
    app = page(tf_step="2")
    before = drawn(app, "kept-transformer-transformer-stream")
    after = drawn(fine(put(app, {"tf_step": "5"})), "kept-transformer-transformer-stream")
    assert after == before
    other = fine(put(app, {"tf_text": "the dogs near the cat"}))
    assert drawn(other, "kept-transformer-transformer-stream")["key"] != before["key"]


def test_of_a_large_flow_another_part_sends_its_own_block_alone(monkeypatch):
    monkeypatch.setattr("lessons.transformer.transformer_picture.MOST_SENT", 0)
    _, flow = followed(gpt(), "the dogs near the dog")
    app = page(tf_text="the dogs near the dog", tf_zoom="b1.feed")
    one, other = picture(app), picture(fine(put(app, {"tf_zoom": "b2.attention"})))
    assert one["stream"] == other["stream"]
    for data, here, away in ((one, "b1", "b2"), (other, "b2", "b1")):
        tensors = sent(data)
        assert f"{away}.q" not in tensors
        for stage in (f"{here}.q", f"{here}.pre", f"{away}.r2", "embedding"):
            np.testing.assert_array_equal(tensors[stage], flow[stage].values.float().numpy())


def test_the_sentence_names_the_word_of_the_token():
    _, flow = followed(gpt(), TEXT)
    for step in (3, 7):
        best = flow["p"].values[step - 1].max(0)
        (word,) = gpt().vocabulary.decode([int(best.indices)])
        told = words(page(tf_step=str(step)))
        assert f"{word} has ŷ = {format_number(float(best.values))}." in told
        assert f"argmax = {int(best.indices)} → {word}" in told


def test_a_masked_word_is_followed_where_there_is_one():
    app = page(tf_model="encoder", tf_text="the [MASK] gets fed .")
    assert "In the place of [MASK], the most probable word is " in words(app)


@pytest.mark.parametrize(
    "at",
    [
        "b1.q[2, 0]",
        "b2.score.3[6, 2]",
        "b1.alpha.1[4, 1]",
        "b2.z[6, 40]",
        "b1.act[3, 200]",
        "b1.ln1[2, 5]",
        "b2.r1[6, 63]",
        "token[1, 7]",
        "final[6, 3]",
        "b1.mlp[0, 0]",
    ],
)
def test_an_open_number_shows_what_it_is_computed_from(at):
    _, flow = followed(gpt(), TEXT)
    stage, _, place = at[:-1].partition("[")
    row, column = map(int, place.split(","))
    found = operands(flow, stage, row, column)
    app = page(tf_at=at)
    number = picture(app)["number"]
    assert (number["stage"], number["row"], number["column"]) == (stage, row, column)
    assert number["text"] == format_number(found.value)
    assert f"is {number['text']}." in words(app)
    assert f"= {number['text']}" in words(app)
    products = {format_number(float(each)) for each in found.product}
    assert {term["product"] for term in number["terms"]} <= products
    largest = float(found.product.abs().max())
    if number["terms"]:
        assert max(abs(term["share"]) for term in number["terms"]) == pytest.approx(1)
        assert any(
            term["product"] in (format_number(largest), format_number(-largest))
            for term in number["terms"]
        )


def test_terms_and_rest_add_up():
    _, flow = followed(gpt(), TEXT)
    found = operands(flow, "b1.pre", 2, 17)
    number = picture(page(tf_at="b1.pre[2, 17]"))["number"]
    shown = sum(float(term["product"].replace("−", "-")) for term in number["terms"])
    rest = float(number["rest"].split(": ")[1].replace("−", "-"))
    bias = float(number["further"][0].removeprefix("b = ").replace("−", "-"))
    assert number["rest"].startswith("57 more: ")
    assert shown + rest + bias == pytest.approx(found.value, abs=2e-3)


def test_a_hidden_key_says_that_the_mask_hides_it():
    number = picture(page(tf_at="b1.score.1[1, 4]"))["number"]
    assert number["text"] == "−∞"
    assert "the mask hides this key: −∞" in number["further"]


def test_doors_lead_to_pages_with_this_text():
    doors = picture(page(tf_text="the dog sleeps"))["doors"]
    assert doors["head"]["address"] == (
        "heads?heads_model=gpt&heads_text=the+dog+sleeps&heads_query=TOKEN&heads_head=LAYER.HEAD"
    )
    assert "attention_text=the+dog+sleeps" in doors["alpha"]["address"]
    assert fine(opened("heads", heads_model="gpt", heads_text="the dog sleeps", heads_head="1.2"))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"tf_text": "the zebra"},
            "word 2 must be one of the 279 words the model knows; got 'zebra'",
        ),
        (
            {"tf_at": "Q of block 1"},
            "an open number must be stage[row, column], such as b1.q[3, 0]",
        ),
        ({"tf_at": "b9.q[0, 0]"}, "a stage must be one of token, position, embedding, b1.ln1"),
        ({"tf_at": "b1.q[9, 0]"}, "the row of b1.q must be from 0 to 6; got 9"),
        ({"tf_step": "12"}, "the token must be from 1 to 7, those of the text; got 12"),
        ({"tf_step": "two"}, "the token must be a whole number"),
    ],
)
def test_what_cannot_be_followed_is_said_and_the_last_text_stays(settings, told):
    app = put(page(), settings)
    assert told in said(app).replace("\\", "")
    assert picture(app)["tokens"] == ["<s>", *TEXT.split()]


def test_another_model_gets_a_text_that_it_can_read():
    app = page()
    app = choose(app, "tf_model-shown", "encoder")
    assert picture(fine(app))["tokens"] == ["[CLS]", *TEXT.split(), "[SEP]"]
    app = choose(page(tf_model="encoder", tf_text="the [MASK] gets fed ."), "tf_model-shown", "gpt")
    assert picture(fine(app))["tokens"] == ["<s>", *TEXT.split()]


@pytest.mark.parametrize(
    "label", [preset.label for preset in LESSON.presets if preset.settings["see"] == "Picture"]
)
def test_an_example_opens(label):
    app = fine(choose(page(), "preset-shown", label))
    settings = next(p.settings for p in LESSON.presets if p.label == label)
    assert picture(app)["zoom"] == settings["tf_zoom"]


def test_step_by_step_prints_the_tensors_of_a_token():
    _, flow = followed(gpt(), TEXT)
    app = choose(page(tf_zoom="b2"), "see", "Step by step")
    told = words(app)
    for name, symbol in (("b2.z", "Z"), ("b2.r2", "x"), ("b2.pre", "z")):
        length = float(flow[name].values[6].double().norm())
        assert f"‖{symbol}‖ = {format_number(length)}" in told
    assert "Block 2 of 2" in told


TRANSLATED = {"tf_model": "encoder_decoder", "tf_text": "the big dogs see a cat"}


def translated(read):
    """The encoder–decoder's forward pass over the page's source; its decoder reads `read`."""
    network, vocabulary, *_ = encoder_decoder()
    source = encode_sources([TRANSLATED["tf_text"].split()])
    target = torch.tensor([vocabulary.encode(read)])
    with torch.no_grad():
        trace = network(source, target)
    return vocabulary, translation_flow(network, source[0], target[0], trace)


def test_encoder_and_decoder_stand_in_one_picture():
    app = page(**TRANSLATED, tf_step="3")
    data = picture(app)
    assert data["source"] == [*TRANSLATED["tf_text"].split(), "</s>"]
    assert data["tokens"][0] == "<s>"
    vocabulary, flow = translated(data["tokens"])
    tensors = sent(data)
    for name, stage in flow.stages.items():
        if name not in ("logits", "p"):
            np.testing.assert_allclose(tensors[name], stage.values.float().numpy(), atol=1e-6)
    (word,) = vocabulary.decode([int(flow["p"].values[2].argmax())])
    assert word == data["tokens"][3]
    cross = torch.stack([flow[f"d2.calpha.{h + 1}"].values[2] for h in range(4)]).mean(0)
    looked = data["source"][int(cross.argmax())]
    told = words(app)
    assert f"the decoder writes {word}" in told
    assert f"looks most at {looked}, α = {format_number(float(cross.max()))}" in told


def test_three_masks_in_one_model():
    tensors = sent(picture(page(**TRANSLATED)))
    sees = lambda name: np.isfinite(tensors[name])  # noqa: E731
    assert sees("e1.score.1").all()
    own = sees("d1.score.1")
    np.testing.assert_array_equal(own, np.tril(np.ones_like(own)))
    assert sees("d1.cscore.1").all()
    assert sees("d1.cscore.1").shape == (len(own), len(TRANSLATED["tf_text"].split()) + 1)


def test_a_decoder_that_is_taught_reads_the_true_words():
    text = "some old cats were carried by anna and maria was carried by maria"
    taught = picture(page(tf_model="encoder_decoder", tf_text=text, tf_reads="true"))
    assert taught["tokens"] == ["<s>", *translate(text.split(), "mixture")]
    free = picture(page(tf_model="encoder_decoder", tf_text=text))
    assert free["tokens"][0] == "<s>"
    assert "</s>" not in free["tokens"]


def test_a_source_that_is_too_long_to_be_followed():
    text = " and ".join(["the cats were carried by anna"] * 4)
    app = put(page(**TRANSLATED), {"tf_text": text})
    assert "a source must have at most 23 words to be followed; got 27" in said(app)


def test_the_word_of_the_largest_logit_has_its_index():
    """Linear and softmax layer: argmax → index → word."""
    _, flow = followed(gpt(), TEXT)
    app = fine(choose(page(), "preset-shown", "Linear and softmax"))
    data = picture(app)
    best = int(flow["logits"].values[6].argmax())
    assert data["words"]["ids"].reshape(7, -1)[6, 0] == best
    logits = data["words"]["logits"].reshape(7, -1)[6]
    np.testing.assert_allclose(logits[0], float(flow["logits"].values[6, best]), rtol=1e-6)
    assert gpt().vocabulary.decode([best]) == data["words"]["words"][6][:1]
    assert f"argmax = {best} → {data['words']['words'][6][0]}" in words(app)


@pytest.mark.parametrize("address", [{"ask": "word"}, {"present": "1"}])
def test_a_word_that_is_asked_for_is_said_nowhere(address):
    data = picture(page(**address))
    _, flow = followed(gpt(), TEXT)
    (word,) = gpt().vocabulary.decode([int(flow["p"].values[6].argmax())])
    assert "words" in data["hidden"]
    for text in (*data["sentences"][6:], *data["formula"][6]):
        assert f"**{word}**" not in text
    assert any("→ **?**" in text for text in data["formula"][6])


def test_a_press_mutes_a_head_and_the_next_one_lets_it_speak():
    app = page(see="A head each")
    assert "Different relations need different heads" in words(app)
    send(app, {"head": 3})
    assert app.session_state["mute_head"] == "0.3"
    assert "Without head 0.3 pronouns fall from 100 % to 55 %" in words(app)
    send(app, {"head": 3})
    assert app.session_state["mute_head"] == "none"


def test_the_clock_and_the_distance_are_kept_where_they_are_let_go():
    app = page(see="In a row")
    send(app, {"name": "n", "typed": "200"})
    assert "After 200 steps the RNN has read 200 of 256 words" in words(app)
    send(app, {"name": "T", "typed": "64"})
    assert "For 64 words an RNN takes 64 steps" in words(app)
    send(app, {"name": "T", "typed": "5"})
    assert "must be from 16 to 512" in words(app)
    app = page(see="One hop")
    send(app, {"name": "distance", "typed": "5"})
    assert "Over 5 words both recall" in words(app)
    send(app, {"name": "distance", "typed": "7"})
    assert "must be one of 1, 2, 5, 10, 15, 20" in words(app)
