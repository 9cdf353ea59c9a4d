"""What the page on positions draws and says, held against the tensors it is about."""

import math
import re

import pytest
import torch

from lessons.positions import figures as pictures
from lessons.positions import picture, text
from lmcore.attention.learned_positions import likeness
from lmcore.attention.permutation import parse_order, shuffle_words, untrained_encoder
from lmcore.models.embedding import Embedding
from lmcore.models.positions import (
    MOST,
    PLACES,
    PlacePair,
    compare_places,
    encoding_facts,
    sinusoids,
)
from lmcore.numbers import format_number
from ui.live import live_numbers

SPECS = [
    PlacePair(),
    PlacePair(50, 3),
    PlacePair(1, 1, 4),
    PlacePair(20, 0, 64),
    PlacePair(3, 2, 2),
]


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_every_number_now_is_in_the_sweep_of_either_slider(spec):
    now, swept = picture.current_numbers(spec, 0), picture.swept_numbers(spec, 0)
    assert now.keys() == swept.keys()
    for name, value in now.items():
        assert swept[name].shape == (2, MOST + 1)
        for slider, position in enumerate((spec.place, spec.offset)):
            assert float(swept[name][slider, position]) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize("spec", SPECS, ids=str)
@pytest.mark.parametrize("pair", [0, 40])
def test_every_template_has_its_number(spec, pair):
    pair = min(pair, spec.width // 2 - 1)
    live = live_numbers("x", picture.current_numbers(spec, pair), [], {})
    payload = picture.picture(spec, pair)
    said = [line["text"] for line in payload["lines"]] + [payload["alt"]]
    for step in text.steps(spec.width, pair):
        said += [step.formula, step.value, *(text for _, text in step.operands)]
        assert "{" not in step.symbol + step.name
    assert not re.search(r"[{}]", "".join(live.fill(text) for text in said))


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_heat_map_and_the_curve_are_the_tensors_own(spec):
    drawn = picture.picture(spec, 0)
    table = sinusoids(torch.arange(PLACES), spec.width)
    rows = drawn["rows"]
    assert torch.equal(torch.tensor(drawn["values"]), table[:, rows])
    assert set(rows) <= set(range(spec.width)) and len(set(rows)) == len(rows)
    assert [row % 2 for row in rows] == [0] * (len(rows) // 2) + [1] * (len(rows) // 2)
    found = compare_places(torch.tensor(spec.place), torch.tensor(spec.offset), spec.width)
    shown = drawn["dots"][spec.place, spec.place + spec.offset]
    assert shown == pytest.approx(float(found.dot))


def test_the_named_terms_and_the_rest_make_the_dot_product():
    now = picture.current_numbers(PlacePair(), 40)
    named = sum(float(now[f"term{i}"]) for i in picture.opened_pairs(512, 40))
    assert named + float(now["rest"]) == pytest.approx(float(now["dot"]))


def test_the_facts_print_the_numbers_of_the_lecture():
    said = text.fact_table(encoding_facts())
    for number in ("[0, 1, 0, 1]", "0.841471, 0.540302", "0.14112, −0.989992", "60,611"):
        assert number in said
    assert said.count("**211.749**") == 2 and "**256.000000 to 256.000000**" in said
    assert "6.283 …" in said and "62,832" in said


def test_the_notice_names_two_pairs_of_places_with_one_dot_product():
    spec = PlacePair()
    found = compare_places(torch.tensor(5), torch.tensor(3), 512)
    assert text.notice(spec, found)[0].startswith("PE(5)·PE(8) = 211.7, and PE(58)·PE(61) = 211.7")
    slow = sum(2 * math.pi * 10_000 ** (2 * i / 512) > PLACES for i in range(256))
    assert f"{slow} do not complete a turn" in text.notice(spec, found)[1]


def test_the_verdict_says_what_told():
    words = "the dog bit the man"
    say = lambda **on: " ".join(  # noqa: E731
        text.verdict(spec := parse_order(words, "seed 1", **on), shuffle_words(spec))
    )
    rounding = shuffle_words(parse_order(words, "seed 1")).largest
    assert rounding < 1e-12
    kept = f"keeps **the vector it had**: the largest difference is {format_number(rounding)}"
    assert kept in say()
    assert "order of the words from positions." in say(positions=True)
    assert "order of the words from the causal mask." in say(causal=True)
    assert "1 of 5 words kept theirs" in say(causal=True)
    both = say(positions=True, causal=True)
    assert "order of the words from positions and the causal mask." in both
    same = parse_order(words, "3 1 2 0 4", positions=True)
    assert "order is unchanged" in " ".join(text.verdict(same, shuffle_words(same)))


def test_the_table_of_moves_says_where_each_word_went():
    spec = parse_order("a b c", "2 0 1", positions=True)
    found = shuffle_words(spec)
    rows = pictures.move_rows(spec, found)
    assert [row[:3] for row in rows] == [("a", 0, 1), ("b", 1, 2), ("c", 2, 0)]
    assert rows[0][3] == float(found.before[0, 0]) and rows[0][4] == float(found.after[1, 0])


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_words_are_labels_and_never_tags(mode):
    spec = parse_order("<b>a</b> <script>", "1 0")
    figure = pictures.outputs(spec, shuffle_words(spec), mode)
    assert [trace.y[0] for trace in figure.data] == [
        "0 &lt;b&gt;a&lt;/b&gt;",
        "0 &lt;script&gt;",
        "0 &lt;b&gt;a&lt;/b&gt;",
    ]
    assert {(trace.zmin, trace.zmax) for trace in figure.data} == {
        (-figure.data[0].zmax, figure.data[0].zmax)
    }


def test_similarity_is_drawn_from_minus_one_to_one():
    table = torch.randn(20, 8, generator=torch.Generator().manual_seed(0))
    both = {"sinusoids": likeness(sinusoids(torch.arange(20), 8)), "learned": likeness(table)}
    (heat,) = pictures.similarity(both["learned"], "light").data
    assert (heat.zmin, heat.zmax) == (-1, 1)
    assert float(heat.z[2][5]) == pytest.approx(float(both["learned"].cosines[2, 5]))
    assert len(pictures.offset_curves(both, "dark").data) == 6
    said = text.learned_words(both, 20)
    assert "P has only 20 rows" in said and "**learned**" in said


def test_the_pipeline_shows_the_parts_a_model_has():
    network = untrained_encoder(3, positions=True)
    trace = network.embedding(torch.tensor([[0, 2]]))
    said = text.pipeline(["a", "b"], [0, 2], trace)
    assert "segment" not in said and said.splitlines()[2].startswith("| 0 | a | 0 | [")
    assert text.vector_start(trace.output[0, 1]) in said.splitlines()[3]
    assert isinstance(network.embedding, Embedding)
    assert text.vector_start(torch.tensor([-0.0001, -1.0, 2.0, 3.0])) == "[0.000, −1.000, 2.000, …]"
