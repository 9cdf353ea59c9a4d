"""The views on parameters and cost: formulas that give their counts, sizes, sentences."""

import csv
import io
import re
from dataclasses import replace

import pytest

from lessons.transformer import cost_figures, cost_text
from lessons.transformer.cost_state import SLIDERS, known_model, size_numbers, size_positions
from lmcore.dataframes import Table
from lmcore.transformer.measured_cost import MeasuredCost
from lmcore.transformer.parameters import count_by_part, count_parameters, weight_tree
from lmcore.transformer.published import PUBLISHED

NAMES = (*PUBLISHED, "our_gpt", "our_bert")
APART = replace(PUBLISHED["albert_base"].sizes, shared=False)
EVERY = {name: known_model(name).sizes for name in NAMES} | {"albert apart": APART}


def value(formula, named):
    """The value of a formula with its numbers filled in."""
    filled = re.sub(r"\{(\w+)\}", lambda m: str(int(named[m[1]])), formula)
    return eval(filled.replace("·", "*").replace("²", "**2").replace(" (", "*("))


@pytest.mark.parametrize("name", EVERY)
def test_a_formula_on_screen_comes_to_the_count_beside_it(name):
    sizes = EVERY[name]
    named, counts = cost_text.named_counts(sizes), count_by_part(sizes)
    rows = cost_text.count_rows(sizes)
    assert [row.name for row in rows[:-2]] == list(counts)
    for row in rows[:-2]:
        formula = re.sub(r"\* *\*", "*", row.formula.replace("· ", "·"))
        assert value(formula, named) == counts[row.name], (row.name, row.formula)
    assert named["total"] == count_parameters(sizes)


@pytest.mark.parametrize("name", ["bert_base", "albert_base", "transformer_big"])
def test_every_position_of_a_slider_is_a_size_that_fits(name):
    sizes, live = EVERY[name], size_numbers(EVERY[name])
    fields = [each for each in SLIDERS.values() if getattr(sizes, each.field)]
    assert [slider.label for slider in live.sliders] == [each.letter for each in fields]
    for each, slider, rows in zip(fields, live.sliders, live.table, strict=True):
        positions = size_positions(sizes, each.field)
        assert list(positions) == list(slider.positions) == sorted(set(positions))
        assert getattr(sizes, each.field) in positions
        last = replace(sizes, **{each.field: int(positions[-1])})
        assert rows[-1][live.names.index("total")] == count_parameters(last)


def test_the_file_has_every_tensor_of_every_layer():
    sizes = PUBLISHED["bert_base"].sizes
    rows = list(csv.DictReader(io.StringIO(cost_text.tensor_file(sizes).decode())))
    assert len(rows) == len(weight_tree(sizes)) == 3 + 2 + 12 * 16 + 2
    assert sum(int(row["parameters"]) for row in rows) == 109_482_240
    assert rows[-3]["HuggingFace"] == "encoder.layer.11.output.LayerNorm.bias"


def cost(time, attention, mlp, rnn):
    return MeasuredCost(time, attention, mlp, rnn, 100 * time**2, 10 * time)


def test_the_sentences_say_what_was_measured():
    costs = Table([cost(64, 1.0, 1.0, 4.0), cost(128, 4.0, 2.0, 8.0), cost(256, 20.0, 4.0, 16.0)])
    grown = cost_text.growth_finding(costs)
    assert "From T = 128 to 256, attention’s time grew **5.0** times" in grown
    assert "memory **4.0** times; the MLP’s 2.0 and 2.0 times" in grown
    found = cost_text.parallel_finding(costs, "one CPU core")
    assert "The block is faster at T = 64, 128, the RNN at T = 256. There" in found
    assert "every length" in cost_text.parallel_finding(costs[:2], "one CPU core")


def test_a_line_through_the_points_has_one_rate():
    costs = Table([cost(64, 1.0, 1.0, 1.0), cost(128, 4.0, 2.0, 1.0), cost(256, 16.0, 4.0, 1.0)])
    figure = cost_figures.measured_figure(costs, 64, "light")
    lines = {trace.name: trace for trace in figure.data}
    # The MLP's operations and its times here are proportional to T, so the line meets all points.
    assert list(lines["MLP"].y) == pytest.approx(list(lines["MLP, measured"].y))
    assert lines["attention"].y[2] / lines["attention"].y[1] > 2


@pytest.mark.parametrize("name", ["bert_base", "gpt2_small", "transformer_base"])
def test_the_shares_of_a_bar_add_up(name):
    figure = cost_figures.share_figure({"model": EVERY[name]}, "dark")
    assert sum(trace.x[0] for trace in figure.data) == pytest.approx(100)
    assert [trace.name for trace in figure.data] == list(count_by_part(EVERY[name]))
