"""The views on parameters, cost and the four claims, with the controls they read."""

import pytest
from streamlit.testing.v1 import AppTest
from test_screen import by_key, choose, drawn, fine, opened, said

from lmcore.transformer.flops import forward_flops, quadratic_from
from lmcore.transformer.measured_cost import affordable_times
from lmcore.transformer.parameters import count_by_part, weight_tree
from lmcore.transformer.published import PUBLISHED


def page():
    import streamlit as st

    from lessons.transformer import cost_view, parameters_view, transformer_state

    transformer_state.SETTINGS.restore()
    views = {"parameters": parameters_view.parameters_view, "cost": cost_view.cost_view}
    views[st.query_params["view"]]()


def view_of(view, **address):
    app = AppTest.from_function(page, default_timeout=60)
    for name, value in {"view": view, **address}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, [each.message for each in app.exception]
    return app


def plain(app):
    return said(app).replace("**", "").replace("\\", "")


def title(app):
    return app.subheader[0].value


@pytest.mark.parametrize(
    ("model", "count", "printed"),
    [
        ("bert_base", "109,482,240", "110M"),
        ("bert_30000", "108,490,752", "108M"),
        ("xlm_roberta", "559,890,432", "550M"),
        ("gpt2_xl", "1,557,611,200", "1542M"),
        ("albert_xxlarge", "222,595,584", "235M"),
        ("our_gpt", "126,336", ""),
    ],
)
def test_a_model_is_counted_and_its_printed_number_stands_beside_it(model, count, printed):
    app = view_of("parameters", pc_model=model)
    assert title(app).endswith(f": {count} parameters")
    assert f"“{printed}”" in plain(app) if printed else "quoted" not in plain(app)


def test_every_tensor_is_in_the_table_by_all_its_names():
    app = view_of("parameters", pc_model="transformer_base")
    shown = plain(app)
    first = [each for each in weight_tree(PUBLISHED["transformer_base"].sizes) if each.layer < 2]
    assert len(first) == 1 + 16 + 26
    for each in first:
        assert each.ours.replace(".0.", ".n.") in shown
        assert each.file.replace(".0.", ".n.") in shown
    assert "decoder.n.cross.key.weight" in shown
    assert "decoder.layers.n.encoder_attn.k_proj.weight" in shown
    assert "6 × 262,144" in shown and "d × d = 512 × 512" in shown
    assert "4 d² = 1,048,576" in shown and "8 · 64 = 512" in shown


def test_the_sliders_sweep_the_counts_of_lmcore():
    app = view_of("parameters", pc_model="albert_base")
    data = drawn(app, "parameters-sliders")
    sizes = PUBLISHED["albert_base"].sizes
    counts = count_by_part(sizes)
    now = dict(zip(data["names"], data["now"], strict=True))
    assert now["total"] == sum(counts.values()) == 11_683_584
    assert (now["own"], now["mlp"]) == (counts["self-attention"], counts["MLP"])
    swept = {slider["name"]: slider for slider in data["sliders"]}
    assert set(swept) == {"n", "d", "h", "ff", "v", "t", "e"}
    # The layers are shared: neither their number nor the number of heads changes a count.
    for name in ("n", "h"):
        changed = {data["names"][i] for i in swept[name]["columns"]}
        assert changed <= {"N", "heads", "d_k"}
    assert "total" in {data["names"][i] for i in swept["d"]["columns"]}
    assert all(position % 12 == 0 for position in swept["d"]["positions"])


def test_own_sizes_are_counted_and_can_be_taken_back():
    app = view_of("parameters", pc_model="bert_base", pc_v="30000")
    assert title(app) == "BERT base, changed: 109,081,344 parameters"
    by_key(app.button, "pc-again").click().run()
    assert title(app) == "BERT base: 109,482,240 parameters"
    app = view_of("parameters", pc_model="bert_base", pc_n="24")
    choose(app, "pc_model-shown", "gpt2_small")
    assert title(app) == "GPT-2 small: 124,439,808 parameters"


def test_albert_without_sharing_has_each_layers_own_weights():
    app = view_of("parameters", pc_model="albert_base", pc_shared="own")
    counts = count_by_part(PUBLISHED["albert_base"].sizes)
    more = 11 * (counts["self-attention"] + counts["MLP"] + 4 * 768)
    assert title(app) == f"ALBERT base, changed: {11_683_584 + more:,} parameters"


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("pc_d", "770", "the width d must be a multiple of the number of heads n_h, 12; got 770"),
        ("pc_h", "7", "the width d must be a multiple of the number of heads n_h, 7; got 768"),
        ("pc_n", "0", "the number of layers N must be a whole number from 1 to 200; got 0"),
        ("pc_v", "many", "the vocabulary V must be a whole number"),
    ],
)
def test_sizes_that_do_not_fit_are_named_and_the_last_ones_stay(name, value, wrong):
    app = view_of("parameters", pc_n="6")
    before = title(app)
    app.session_state[name] = value
    app.run()
    assert not app.exception
    assert len(app.error) == 1 and wrong in app.error[0].value.replace("\\", "")
    assert title(app) == before


def rows_of(app, name):
    """The rows of a table: label → numbers."""
    data = drawn(app, f"table-{name}")
    width = len(data["columns"]) - 1
    return dict(zip(data["labels"], data["numbers"].reshape(-1, width).tolist(), strict=True))


def test_the_cost_is_that_of_lmcore_and_is_measured_here():
    app = view_of("cost", cost_d="64", cost_h="8")
    sizes = PUBLISHED["bert_base"].sizes
    flops = forward_flops(sizes, 512)
    shown = plain(app)
    assert f"From T = {quadratic_from(sizes):,.0f} on" in shown
    assert rows_of(app, "costs")["512"][:5] == [sum(flops.values()), *flops.values()]
    assert list(rows_of(app, "measured-costs")) == [f"{time:,}" for time in affordable_times(8)]
    assert all(min(row) > 0 for row in rows_of(app, "measured-costs").values())
    assert "measured here" in shown and "Writing stays sequential" in shown
    paths = rows_of(app, "paths")
    assert paths["RNN, 256"] == [256, 256]
    assert paths["Transformer block, 256"] == paths["Transformer block, 8"] == [3, 6]


def test_another_block_is_measured_when_it_is_chosen():
    app = view_of("cost", cost_d="64", cost_h="8")
    choose(app, "cost_h-shown", "1")
    assert not app.exception
    assert "2,048" in rows_of(app, "measured-costs")


def test_the_four_claims_have_their_numbers_and_quotations():
    app = fine(opened("transformer", see="Four claims"))
    shown = plain(app)
    assert "attention recalls 100 %" in shown and "chance is 12.5 %" in shown
    assert "6 of 6 against 0" in shown
    assert "2 relations, 2 heads" in shown
    assert "without 0.1 agreement falls from 100 % to 50 %, pronoun stays at 100 %" in shown
    assert "6 steps against 256" in shown
    assert "41.0 BLEU" in shown and "41.8 in the later arXiv version" in shown
    assert "Soni, Matero, Balasubramanian & Schwartz 2022" in shown
    assert shown.count("measured here") >= 3 and shown.count("quoted") >= 3
    by_key(app.button, "claim-cost").click().run()
    assert app.session_state["see"] == "Cost"
