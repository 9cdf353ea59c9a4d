"""What the Positions page draws and says, compared with the tensors behind it."""

import math
import re

import pytest
import torch

from drawing.live import live_numbers, quoted
from lessons.positions import (
    positions_figures,
    positions_picture,
    positions_questions,
    positions_text,
)
from lmcore.attention.learned_positions import likeness
from lmcore.attention.permutation import parse_order, shuffle_words, untrained_encoder
from lmcore.attention.two_orders import PLACES, TwoOrders, compare_two_orders
from lmcore.models.embedding import Embedding
from lmcore.models.positions import encoding_facts, sinusoids, wavelengths
from lmcore.numbers import format_number

DOG = parse_order("the dog bit the man", "0 4 2 3 1")
SPECS = {
    "opening": TwoOrders(DOG, 1),
    "far": TwoOrders(DOG, 1, start=39),
    "stays": TwoOrders(DOG, 2),
    "back": TwoOrders(DOG, 4, width=64),
    "wide": TwoOrders(DOG, 1, width=512),
    "narrow": TwoOrders(DOG, 1, width=4),
    "typed": TwoOrders(DOG, 1, 5, 34, 77.0),
    "fast": TwoOrders(DOG, 1, base=10.0),
    "causal": TwoOrders(parse_order("the dog bit the man", "0 4 2 3 1", causal=True), 1),
    "same": TwoOrders(parse_order("a b", "0 1"), 0),
}
every_spec = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS.keys())


@every_spec
def test_every_number_now_is_in_the_sweep_of_every_slider(spec):
    now, swept = (
        positions_picture.current_numbers(spec, 1),
        positions_picture.swept_numbers(spec, 1),
    )
    at = positions_picture.slider_positions(spec)
    assert now.keys() == swept.keys()
    for n, (name, value) in enumerate(
        (("pos", spec.position), ("d", spec.width), ("base", spec.base))
    ):
        (position,) = (at[name] == value).nonzero().flatten().tolist()
        for each, number in now.items():
            assert swept[each].shape == (3, positions_picture.COUNT)
            assert float(swept[each][n, position]) == pytest.approx(float(number), abs=1e-12), each


@every_spec
def test_the_positions_of_each_slider_rise(spec):
    for positions in positions_picture.slider_positions(spec).values():
        assert len(positions) == positions_picture.COUNT
        assert bool((positions.diff() > 0).all())
    assert {4, 512} & set(positions_picture.slider_positions(TwoOrders(DOG, 1))["d"].tolist()) == {
        4,
        512,
    }
    assert 10_000 in positions_picture.slider_positions(TwoOrders(DOG, 1))["base"]


@every_spec
def test_every_template_has_its_number(spec):
    now = positions_picture.current_numbers(spec, 0)
    live = live_numbers("x", now, [], {})
    said = [
        positions_text.sentence(spec, now, quoted),
        positions_text.describe(spec),
        *positions_text.formula(),
    ]
    moved = positions_text.moved_sentence(spec, quoted)
    said.append(moved.replace("{label}", "d").replace("{moved", "{d"))
    for step in positions_text.steps():
        said += [step.formula, step.value, *(operand for _, operand in step.operands)]
        assert "{" not in step.symbol + step.name
    assert not re.search(r"[{}]", "".join(live.fill(each) for each in said))


@every_spec
def test_what_is_drawn_is_the_tensors_own(spec):
    now = {name: float(value) for name, value in positions_picture.current_numbers(spec, 0).items()}
    here, there = (
        sinusoids(torch.tensor(place), spec.width, spec.base)
        for place in (spec.position, spec.position + spec.offset)
    )
    lengths = wavelengths(spec.width, spec.base)
    for r in range(int(now["@rows"])):
        i = int(now[f"i{r}"])
        assert now[f"period{r}"] == pytest.approx(float(lengths[i]))
        drawn = [now[f"{name}{r}"] for name in ("sin", "cos", "sinq", "cosq")]
        numbers = [*here[2 * i : 2 * i + 2].tolist(), *there[2 * i : 2 * i + 2].tolist()]
        assert drawn == pytest.approx(numbers)
    table = sinusoids(torch.arange(PLACES), spec.width, spec.base)
    dots = [now[f"at{place}"] for place in range(PLACES)]
    assert dots == pytest.approx((table @ here).tolist())
    assert now["dot"] == pytest.approx(dots[spec.position + spec.offset])
    start, base = torch.tensor(spec.start), torch.tensor(spec.base, dtype=torch.float64)
    found = compare_two_orders(spec, start, base)
    for letter, values in zip("abuv", found[:4], strict=True):
        for c in range(int(now["@cells"])):
            assert now[f"{letter}{c}"] == pytest.approx(float(values[spec.word, c]))
    assert now["gap"] == pytest.approx(float(found.placed[spec.word]), abs=1e-9)
    assert now["plain"] == pytest.approx(float(found.plain[spec.word]), abs=1e-9)
    drawn = positions_picture.picture(spec, 900)
    assert drawn["pair"] == spec.width // 2 - 1
    assert drawn["reach"] >= max(abs(now[f"{letter}{c}"]) for letter in "abuv" for c in range(16))


def test_rounding_is_written_as_no_difference():
    now = positions_picture.current_numbers(SPECS["opening"], 0)
    assert float(now["plain"]) == 0 and 0 < float(now["rounding"]) < 1e-12


def test_the_named_term_and_the_rest_make_the_dot_product():
    now = positions_picture.current_numbers(SPECS["wide"], 40)
    assert float(now["term"] + now["rest"]) == pytest.approx(float(now["dot"]))
    assert float(now["term"]) == pytest.approx(math.cos(3 / 10_000 ** (80 / 512)))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("opening", "both orders give “dog” the same output: difference **0**"),
        ("stays", "“bit” stays, but other words move"),
        ("causal", "Under the causal mask “dog” sees other words"),
        ("same", "Both orders are the same"),
    ],
)
def test_the_sentence_says_what_the_order_does(name, part):
    spec = SPECS[name]
    said = positions_text.sentence(spec, positions_picture.current_numbers(spec, 0), quoted)
    assert part in said and said.count("==") == 2 and "=={gap}==" in said


def test_a_typed_word_is_quoted_and_cut():
    spec = TwoOrders(parse_order("{pos}**==a==[b|c] and", "1 0"), 0)
    said = positions_text.sentence(spec, positions_picture.current_numbers(spec, 0), quoted)
    assert r"\{pos\}" in said and "…" in said
    assert "{pos}**" not in positions_text.describe(spec)


def test_the_heat_map_is_pe_itself():
    spec = TwoOrders(DOG, 1, width=16, base=100.0)
    figure, alt = positions_figures.waves(spec, "light")
    (heat,) = figure.data
    table = sinusoids(torch.arange(128), 16, 100.0)
    assert torch.equal(torch.tensor(heat.z), table[:, [*range(0, 16, 2), *range(1, 16, 2)]].T)
    assert "every dimension" in alt
    assert "64 of 512 dimensions" in positions_figures.waves(SPECS["wide"], "dark")[1]


def test_the_facts_print_the_numbers_of_the_lecture():
    said = positions_text.fact_table(encoding_facts())
    for number in ("[0, 1, 0, 1]", "0.841471, 0.540302", "0.14112, −0.989992", "60,611"):
        assert number in said
    assert said.count("**211.749**") == 2 and "**256.000000 to 256.000000**" in said
    assert "6.283 …" in said and "62,832" in said


def test_the_verdict_says_what_told():
    words = "the dog bit the man"
    say = lambda **on: " ".join(  # noqa: E731
        positions_text.verdict(spec := parse_order(words, "seed 1", **on), shuffle_words(spec))
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
    same = parse_order(words, "0 1 2 3 4", positions=True)
    assert "order is unchanged" in " ".join(positions_text.verdict(same, shuffle_words(same)))
    alike = parse_order(words, "3 1 2 0 4", positions=True)  # swaps both “the”: outputs differ
    said = " ".join(positions_text.verdict(alike, shuffle_words(alike)))
    assert "a word's vector differs by up to" in said and "3 of 5 words kept theirs" in said


def test_the_table_of_moves_says_where_each_word_went():
    spec = parse_order("a b c", "2 0 1", positions=True)
    found = shuffle_words(spec)
    rows = positions_figures.move_rows(spec, found)
    assert [row[:3] for row in rows] == [("a", 0, 1), ("b", 1, 2), ("c", 2, 0)]
    assert rows[0][3] == float(found.before[0, 0]) and rows[0][4] == float(found.after[1, 0])


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_words_are_labels_and_never_tags(mode):
    spec = parse_order("<b>a</b> <script>", "1 0")
    figure = positions_figures.outputs(spec, shuffle_words(spec), mode)
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
    (heat,) = positions_figures.similarity(both["learned"], "light").data
    assert (heat.zmin, heat.zmax) == (-1, 1)
    assert float(heat.z[2][5]) == pytest.approx(float(both["learned"].cosines[2, 5]))
    assert len(positions_figures.offset_curves(both, "dark").data) == 6
    said = positions_text.learned_words(both, 20)
    assert "P has only 20 rows" in said and "**learned**" in said


def test_the_pipeline_shows_the_parts_a_model_has():
    network = untrained_encoder(3, positions=True)
    trace = network.embedding(torch.tensor([[0, 2]]))
    said = positions_text.pipeline(["a", "b"], [0, 2], trace)
    assert "segment" not in said and said.splitlines()[2].startswith("| 0 | a | 0 | [")
    assert positions_text.vector_start(trace.output[0, 1]) in said.splitlines()[3]
    assert isinstance(network.embedding, Embedding)
    assert (
        positions_text.vector_start(torch.tensor([-0.0001, -1.0, 2.0, 3.0]))
        == "[0.000, −1.000, 2.000, …]"
    )


@pytest.mark.parametrize("order", ["0 1 2 3 4", "1 0 2 3 4", "0 1 3 2 4", "1 2 0 3 4", "4 3 2 1 0"])
def test_with_a_causal_mask_a_word_keeps_its_output_that_sees_the_same_words(order):
    words = parse_order("a dog bit that man", order)
    places = [int(each) for each in order.split()]
    kept = sum(
        set(places[: places.index(word) + 1]) == set(range(word + 1)) for word in range(len(places))
    )
    asked = {each.key: each for each in positions_questions.questions(TwoOrders(words, 1))}
    assert asked["mask"].answer == kept
