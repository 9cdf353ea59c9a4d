"""The Word vectors page: a run with its neighbours, and each view of each preset."""

import pytest
import torch
from test_screen import by_key, choose, drawn, fine, held, opened, said

import ui
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.costs import cbow_cost, contexts_per_token, nnlm_cost
from lmcore.embeddings.static.counts import cell_places, count_cooccurrences
from lmcore.embeddings.static.maps import precision_through_time
from lmcore.embeddings.static.methods import VectorConfig, train_vectors, word_pairs
from lmcore.embeddings.static.neighbours import nearest_words, neighbour_precision, solve_analogy
from lmcore.embeddings.static.quality import compared_runs, recorded_quality
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.numbers import format_number
from lmcore.pretrained import wheel

LESSON = ui.lesson("vectors")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = [
    *(
        "Picture",
        "2003 and 2013",
        "Five ladders",
        "Counts",
        "Analogies",
        "Methods",
        "English",
        "One vector",
        "Unseen word",
    ),
    *("Cost", "Code"),
]


def words(app):
    """The text of the page, without the marks of bold text."""
    return said(app).replace("**", "")


def on(label):
    return fine(choose(opened("vectors"), "preset-shown", label))


def page(**address):
    return fine(opened("vectors", **address))


def truth(method="skip-gram", **settings):
    return train_vectors(planted.microworld_sentences(), VectorConfig(method, **settings))


def test_the_views_are_those_that_these_tests_open():
    assert by_key(opened("vectors").button_group, "see-shown").options == VIEWS


@pytest.mark.parametrize("method", ["skip-gram", "CBOW", "PPMI–SVD", "GloVe"])
def test_the_sentence_names_the_nearest_word_of_a_run_done_again(method):
    vectors = truth(method).record.word_vectors()
    near = nearest_words(vectors, "cat")
    shown = words(page(wv_method=method))
    cosine = format_number(float(near.cosines[0]))
    assert f"{near.words[0]} is nearest to cat, at cosine {cosine}" in shown
    assert "both are animals in the grammar" in shown


def test_another_text_that_lacks_the_word_opens_on_one_of_its_own():
    app = fine(choose(opened("vectors"), "wv_text-shown", "own"))
    word = app.session_state["wv_word"]
    assert word in LESSON.defaults["wv_own"].lower() and word in planted.group_of_word()
    assert f"is nearest to {word}" in words(app)


def test_an_earlier_step_has_its_own_numbers():
    record = truth().record
    shown = words(page(wv_step="0"))
    near = nearest_words(record.word_vectors(0), "cat")
    assert f"Before training, {near.words[0]} is nearest to cat" in shown
    assert f"L = {format_number(float(record.losses[0]))} nats" in shown


def test_the_picture_has_every_snapshot_and_the_precision_of_each():
    record = truth().record
    data = drawn(page(), "vectors-vectors")
    assert data["steps"].tolist() == record.steps.tolist()
    expected = precision_through_time(record, planted.similar_words())
    torch.testing.assert_close(torch.tensor(data["precision"]), expected)
    assert len(data["points"]) == 4 * 2 * len(record.steps) * len(data["words"])
    named = [data["words"][int(i)] for i in data["near"].reshape(len(record.steps), -1)[-1]]
    assert named == list(nearest_words(record.word_vectors(), "cat").words)
    assert data["groups"] == list(planted.GROUPS)
    assert data["group"] == "vectors"  # names the slider's frames, not a group of words


def test_the_counts_of_the_window_are_those_of_the_text():
    counts = count_cooccurrences(word_pairs(planted.microworld_sentences(), 2))
    text = drawn(page(), "vectors-vectors")["texts"][0]
    size = len(text["words"])
    table = text["counts"].reshape(size, size)
    for i, one in enumerate(text["words"]):
        for j, other in enumerate(text["words"]):
            assert table[i, j] == len(cell_places(counts, one, other).sentences)


def test_while_the_nearest_word_is_asked_for_it_is_not_written():
    near = nearest_words(truth().record.word_vectors(), "cat").words[0]
    app = page(ask="nearest")
    data = drawn(app, "vectors-vectors")
    assert "c1" in data["hidden"]
    assert not any(near in each for each in data["sentences"])
    assert not any(near in part for each in data["formula"] for part in each)


def test_a_cell_opens_to_its_sentences():
    counts = count_cooccurrences(word_pairs(planted.microworld_sentences(), 2))
    places = cell_places(counts, "cat", "chases")
    shown = words(on("From counts to PPMI"))
    assert f"cat, chases: counted {len(places.sentences)} times, of 81,448 pairs." in shown
    first = " ".join(planted.microworld_sentences()[int(places.sentences[0])])
    assert first in shown.replace("\\", "")


@pytest.mark.parametrize("kind", ["counts", "PPMI", "rank", "vectors"])
def test_each_matrix_is_shown(kind):
    data = drawn(page(see="Counts", wv_matrix=kind), "word_matrix-wordmatrix")
    assert len(data["numbers"]) == len(data["rows"]) * len(data["columns"]) == len(data["fills"])


def test_an_analogy_is_shown_as_it_comes_out():
    vectors = truth().record.word_vectors()
    answer = solve_analogy(vectors, "cats", "cat", "dog").words[0]
    shown = words(page(see="Analogies"))
    assert f"cats − cat + dog is nearest to {answer}" in shown
    assert "All 90 questions of this form" in shown


def test_the_methods_are_judged_by_what_is_planted_with_every_slot_alone_too():
    app = page(see="Methods", wv_epochs="1", wv_dim="8")
    labels = drawn(app, "table-word-vector-methods")["labels"]
    numbers = drawn(app, "table-word-vector-methods")["numbers"].reshape(len(labels), -1)
    at = labels.index("PPMI–SVD")
    vectors = truth("PPMI–SVD", epochs=1, dimensions=8).record.word_vectors()
    assert numbers[at, 0] == neighbour_precision(vectors, planted.similar_words()).mean
    assert numbers[at, 1] == neighbour_precision(vectors, planted.words_of_one_slot()).mean
    assert "singular and plural count as one group" in words(app)
    assert "the best of five methods, measured here" in words(app)


def test_the_usual_settings_are_compared_as_recorded():
    app = page(see="Methods")
    recorded = recorded_quality()
    assert f"the best of five methods, recorded on {recorded.date}" in words(app)
    labels = drawn(app, "table-word-vector-methods")["labels"]
    numbers = drawn(app, "table-word-vector-methods")["numbers"].reshape(len(labels), -1)
    assert recorded.of.keys() == set(compared_runs(VectorConfig()))
    for method, row in zip(labels, numbers, strict=True):
        runs = [each for run, each in recorded.of.items() if run.method == method]
        means = [sum(values) / len(runs) for values in zip(*runs, strict=True)]
        assert row.tolist() == pytest.approx(means, rel=1e-6)


@pytest.mark.skipif(wheel.package_folder() is None, reason="the encoder is not installed")
def test_english_words_have_neighbours_an_analogy_and_an_axis():
    shown = words(on("English"))
    assert "whole words of its 30,522 tokens" in shown
    assert "king − man + woman is nearest to queen" in shown
    assert "With them, the nearest is king" in shown
    assert "From small to large: lowest mouse" in shown


@pytest.mark.parametrize("view", ["English", "One vector"])
def test_without_the_encoder_the_views_say_so(view, monkeypatch):
    monkeypatch.setattr(wheel, "package_folder", lambda: None)
    shown = words(page(see=view))
    assert "The English encoder is not installed on this server" in shown


def test_great_has_seven_senses_and_one_vector():
    app = on("great: one vector")
    shown = words(app)
    for sense in ("great.a.1", "great.a.6", "great.n.1"):
        assert sense in shown
    assert "8 vectors, 8 points" in shown
    assert "one vector for both of its senses" in shown


@pytest.mark.walk("vectors", alone=True)
def test_a_word_never_seen_is_made_of_its_subwords():
    shown = words(on("An unseen word"))
    assert "“farmhouse” never stands in the text" in shown
    assert "nearest to it is house" in shown


@pytest.mark.walk("vectors", alone=True)
def test_the_cost_is_the_formulas_and_is_measured():
    pairs = word_pairs(planted.microworld_sentences(), 2)
    types = len(pairs.words)
    nnlm = nnlm_cost(FeedforwardConfig(types, 24, 64, 4)).training
    ratio = nnlm / cbow_cost(24, 5, contexts_per_token(pairs)).training
    app = page(see="Cost")
    assert f"By formula the NNLM costs {ratio:.0f} times as much" in words(app)
    labels = drawn(app, "table-word-vector-costs")["labels"]
    assert labels == ["NNLM", "CBOW", "skip-gram"]


AREAS = {"see": "2003 and 2013"}


def area_numbers(app):
    data = drawn(app, "areas-areas")
    return dict(zip(data["names"], data["now"].tolist(), strict=True))


def test_an_example_of_2003_and_one_of_2013_are_areas():
    app = on("2003 and 2013")
    found = area_numbers(app)
    types = len(word_pairs(planted.microworld_sentences(), 2).words)
    assert (found["types"], found["hidden"], found["scores"]) == (types, 64 * 96, 64 * types)
    assert found["nnlm"] == 64 * 96 + 64 * types and found["skip"] == 6 * 24
    data = drawn(app, "areas-areas")
    assert data["word"] == "cat" and len(data["before"]) == 4
    assert "2013 =={skip}==: it scores 6 words" in data["sentences"][0]


def test_a_larger_vocabulary_costs_2003_alone():
    found = area_numbers(page(**AREAS, wv_types="10000"))
    assert (found["nnlm"], found["skip"]) == (6_144 + 640_000, 144)
    assert found["@say"] == 1


@pytest.mark.parametrize("typed", ["5", "20000", "many"])
def test_a_vocabulary_out_of_bounds_is_refused(typed):
    app = page(**AREAS, wv_types=typed)
    assert "must be" in "".join(each.value for each in app.error)
    assert area_numbers(app)["@say"] == 0


def test_own_text_has_vectors_and_no_planted_groups():
    app = page(wv_text="own", wv_word="king", wv_epochs="20")
    data = drawn(app, "vectors-vectors")
    assert list(data["groups"]) == [] and len(data["precision"]) == 0
    assert "is nearest to king" in words(app)


def test_what_the_picture_reports_is_kept_in_the_settings():
    app = page(wv_word="street", wv_step="40", wv_method="CBOW")
    now = app.session_state["vectors-good"]
    assert (now.word, now.step, now.config.method) == ("street", 40, "CBOW")


@pytest.mark.parametrize(
    ("setting", "value", "message", "view"),
    [
        ("wv_word", "unicorn", "must be one of the 279 known; got 'unicorn'", "Picture"),
        ("wv_window", "11", "the window m must be from 1 to 10; got 11", "Picture"),
        ("wv_dim", "1", "the dimensions d must be from 2 to 64; got 1", "Picture"),
        ("wv_eta", "-1", "the learning rate η must be above 0", "Picture"),
        ("wv_k", "26", "noise words k must be from 1 to 25; got 26", "Picture"),
        ("wv_epochs", "99", "epochs must be from 1 to 20; got 99", "Picture"),
        ("wv_rows", "", "the rows must be 1 to 12 words; got 0", "Counts"),
        ("wv_cell", "cat", "must be a row and a column, two words; got 1", "Counts"),
        ("wv_analogy", "cat, cat, dog", "must be 3 different words", "Analogies"),
        ("wv_new", "qqq", "share at least one subword with the training text", "Unseen word"),
    ],
)
def test_what_is_not_allowed_is_named_and_the_last_good_state_stays(setting, value, message, view):
    app = opened("vectors", see=view, **{setting: value})
    assert message in words(app).replace("\\", "")
    assert not app.exception


def test_a_short_own_text_is_refused():
    app = opened("vectors", wv_text="own", wv_own="one two")
    assert "at least 8 different words; got 2" in words(app)
    assert not app.exception


@pytest.mark.walk("vectors", alone=True)
def test_every_preset_is_looked_at_and_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = on(label)
        assert preset.help in [element.value for element in app.caption]
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value
