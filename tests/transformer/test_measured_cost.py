"""What is measured of a block: memory of known tensors, shapes of the results, path lengths."""

import pytest
import torch

from lmcore.models.blocks import Block
from lmcore.models.transformer_config import TransformerConfig
from lmcore.transformer import measured_cost
from lmcore.transformer.measured_cost import (
    MOST_SCORES,
    affordable_times,
    measure_costs,
    peak_bytes,
)
from lmcore.transformer.path_length import (
    WIDTH,
    last_of_block,
    last_of_recurrent,
    measure_paths,
    product_counts,
)


def test_the_peak_is_that_of_the_tensors_alive_at_one_time():
    def work():
        a = torch.zeros(1000)
        b = a + 1
        del a
        c = b.view(10, 100)  # a view takes no memory
        return c * 2

    assert peak_bytes(work) == 8000
    kept = []
    assert peak_bytes(lambda: kept.append([torch.ones(10) for _ in range(5)])) == 200


def test_costs_are_measured_for_each_length_and_the_scores_take_what_they_must():
    costs = measure_costs(64, 4, (8, 64, 128))
    assert [each.time for each in costs] == [8, 64, 128]
    assert all(min(each.attention, each.mlp, each.rnn) > 0 for each in costs)
    # The scores and α are in memory at once, as are the MLP's two hidden tensors of 4 d.
    assert costs[2].attention_memory >= 2 * 4 * 4 * 128**2
    assert costs[2].mlp_memory == 4 * 128 * (2 * 4 * 64 + 64)
    assert list(costs.to_frame().columns)[:2] == ["T", "attention, s"]


def test_the_rnn_has_about_as_many_weights_as_the_block():
    for width in measured_cost.WIDTHS:
        block, rnn = measured_cost._untrained(width, 4)
        sizes = [sum(each.numel() for each in part.parameters()) for part in (block, rnn)]
        assert sizes == [12 * width**2 + 13 * width, 12 * width**2 + 6 * width]


def test_the_longest_text_has_no_more_scores_than_allowed():
    for heads in (1, 2, 4, 8):
        times = affordable_times(heads)
        assert times and all(heads * each**2 <= MOST_SCORES for each in times)
    assert affordable_times(4)[-1] == 1024


def test_a_width_that_is_out_of_bounds_is_named():
    with pytest.raises(ValueError, match="the width d must be from 1 to 256; got 512"):
        measure_costs(512, 4)
    with pytest.raises(ValueError, match="the width d must be a multiple of the number of heads"):
        measure_costs(64, 5)


def test_an_rnn_needs_a_step_a_word_and_attention_the_same_number_for_all():
    times = (2, 3, 10, 40)
    assert [each[1:] for each in measure_paths(last_of_recurrent, times)] == [
        (time, time) for time in times
    ]
    # Fewest products: V, α V, W^O; most: K, Q Kᵀ, α V, W^O, W_1, W_2.
    assert [each[1:] for each in measure_paths(last_of_block, times)] == [(3, 6)] * len(times)


def test_the_block_whose_paths_are_counted_is_our_block():
    words = list(torch.randn(5, 1, WIDTH, generator=torch.Generator().manual_seed(3)))
    block = Block(TransformerConfig(1, WIDTH, 2, 1, WIDTH, 1)).to_empty(device="cpu")
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in block.parameters():
            weight.normal_(generator=generator)
    whole = block(torch.stack(words, dim=1)).output[0, -1]
    torch.testing.assert_close(last_of_block(words)[0], whole)


def test_products_are_counted_on_the_shortest_and_the_longest_path():
    x = torch.randn(2, 2, requires_grad=True)
    w = torch.randn(2, 2)
    assert product_counts((x + x @ w @ w).sum(), x) == (0, 2)
    assert product_counts((x @ w).relu().sum(), x) == (1, 1)
    other = torch.randn(2, 2, requires_grad=True)
    with pytest.raises(ValueError, match="a path must lead from the leaf to the output"):
        product_counts(x.sum(), other)
