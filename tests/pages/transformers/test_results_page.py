"""The Results page: tables plotted, recomputed and weighed, with every number as it is printed."""

import numpy as np
import pytest
from test_screen import by_key, choose, drawn, fine, held, opened, said

import ui
from lessons.results import results_questions
from lessons.results.results_picture import Pair
from lessons.results.results_plot import OPENINGS, axis_labels, make_plot
from lmcore.numbers import format_number
from lmcore.results.recomputed import CHECKS, recompute
from lmcore.results.tables import NAMES, load_results
from lmcore.shipped.recordings import find_recording
from lmcore.shipped.switch_runs import BASES, switched_run
from ui import meter

LESSON = ui.lesson("results")
PRESETS = {preset.label: preset for preset in LESSON.presets}
PLOTTED = [label for label, preset in PRESETS.items() if preset.settings["see"] == "Picture"]


def words(app):
    """The text of the page, without the marks of bold text and the escapes."""
    return said(app).replace("**", "").replace("\\", "")


def on(label):
    return fine(choose(opened("results"), "preset-shown", label))


def page(**address):
    return fine(opened("results", **address))


def picture(app):
    return drawn(app, "results-results")


def number(app, name):
    data = picture(app)
    return dict(zip(data["names"], data["now"], strict=True))[name]


def test_the_page_opens_on_bleu_against_flops():
    app = page()
    data, wmt = picture(app), load_results("wmt")
    assert data["labels"] == [row.name for row in wmt.rows]
    np.testing.assert_array_equal(data["xs"], wmt.values("cost_de"))
    np.testing.assert_array_equal(data["ys"], wmt.values("de"))
    assert data["printed"] == [wmt.printed(row, "de") for row in wmt.rows]
    assert [data["labels"][i] for i in data["frontier"]] == [
        "Transformer (base)",
        "Transformer (big)",
    ]
    assert (
        "No number printed: ByteNet, Deep-Att + PosUnk, Deep-Att + PosUnk Ensemble" in data["note"]
    )
    assert "Transformer (big): 28.4 BLEU EN-DE, 2.3·10¹⁹ FLOPs. 2.04 more than" in words(app)
    assert number(app, "ratio") == pytest.approx(2.3 / 7.7)
    assert number(app, "difference") == pytest.approx(28.4 - 26.36)


@pytest.mark.parametrize("label", PLOTTED)
def test_the_numbers_of_a_preset_are_those_of_its_cells(label):
    settings = PRESETS[label].settings
    app = on(label)
    data, table = picture(app), load_results(settings["re_table"])
    chosen, reference = (int(settings[name]) - 1 for name in ("re_chosen", "re_with"))
    if data["form"] == "tasks":
        task = int(settings["re_task"]) - 1
        cells = table.to_frame()[[table.measures[key].axis for key in table.scores]].to_numpy()
        scores = cells if table.rows_are_tasks else cells.T
        np.testing.assert_array_equal(data["xs"].reshape(scores.shape), scores)
        before, after = scores[task, reference], scores[task, chosen]
    else:
        values = table.values(settings["re_y"])
        before, after = values[reference], values[chosen]
    assert number(app, "y") == after
    assert number(app, "difference") == pytest.approx(after - before)
    measure = table.measures[settings["re_y"]] if data["form"] != "tasks" else None
    if measure is None or measure.is_share:
        removed = number(app, "removed")
        assert np.isnan(removed) or removed == pytest.approx(
            100 * (after - before) / (100 - before)
        )


def test_glue_shows_the_gain_of_every_task():
    data = picture(on("GLUE by task"))
    gpt, large = (load_results("glue").rows[i] for i in (2, 4))
    table = load_results("glue")
    gains = [table.decimal(large, key) - table.decimal(gpt, key) for key in table.scores]
    assert data["gaps"] == [f"+{format_number(float(each))}" for each in gains]
    assert data["tasks"][5] == "CoLA" and data["gaps"][5] == "+15.1"


@pytest.mark.parametrize("name", OPENINGS)
def test_every_table_and_every_axis_of_it_is_plotted(name):
    table = load_results(name)
    for x in axis_labels(table):
        for y in list(table.measures)[:2]:
            plot = make_plot(name, x, y)
            places = plot.order
            if plot.form != "tasks":
                values = plot.values(plot.x or plot.y)
                assert [values[i] for i in places] == sorted(values[i] for i in places)
            assert len(set(places)) == len(places) >= 1
    with pytest.raises(ValueError, match="the horizontal axis must be one of"):
        make_plot(name, "nothing", y)


def test_another_table_opens_on_its_own_axes_and_pair():
    app = page()
    by_key(app.selectbox, "re_table-shown").select("albert").run()
    assert (app.session_state["re_x"], app.session_state["re_y"]) == ("parameters", "average")
    assert "ALBERT xxlarge: 88.7 % on average, 235M parameters." in words(fine(app))


def test_another_axis_keeps_what_is_chosen_where_it_is_drawn():
    app = page(re_x="rows", re_y="de", re_chosen="1", re_with="8")
    assert "ByteNet" in words(app)
    by_key(app.selectbox, "re_x-shown").select("cost_de").run()
    assert held(app, "re_chosen", "10") != "1"
    assert held(app, "re_with", "8") == "8"
    fine(app)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ({"re_x": "price"}, "the horizontal axis must be one of de, fr"),
        ({"re_y": "price"}, "the vertical axis must be one of de, fr"),
        ({"re_table": "imagenet"}, "re_table in the address must be one of wmt, glue"),
        ({"re_chosen": "1"}, "the row chosen must have both numbers; got ByteNet"),
        ({"re_chosen": "15"}, "the row chosen must be from 1 to 10; got 15"),
        ({"re_with": "99"}, "re_with in the address must be a whole number from 1 to 20"),
        (
            {"re_table": "glue", "re_x": "tasks", "re_y": "rte", "re_chosen": "5", "re_with": "1"}
            | {"re_task": "12"},
            "the task must be from 1 to 9; got 12",
        ),
        ({"see": "Table", "re_sort": "99"}, "re_sort in the address must be a whole number"),
        ({"see": "Error reduction", "re_before": "100"}, "the score before must be below 100 %"),
        ({"see": "Error reduction", "re_after": "many"}, "the score after must be a number"),
        ({"see": "CO₂ and price", "re_watts": "-1"}, "the power in watts must be from 0 to"),
        ({"see": "CO₂ and price", "re_overhead": "0.5"}, "the overhead must be from 1 to"),
        ({"see": "CO₂ and price", "re_watts": "1e308"}, "the power in watts must be from 0 to"),
        ({"see": "CO₂ and price", "re_factor": "1"}, "the factor must be above 1"),
        ({"see": "CO₂ and price", "re_factor": "1e308"}, "the factor must be above 1 and at most"),
        ({"see": "CO₂ and price", "re_months": "1e-9"}, "the growth must be at most"),
        ({"see": "CO₂ and price", "re_months": "0"}, "the duration must be above 0"),
        ({"see": "This server", "re_core": "5000"}, "the power of a core must be from 0 to 1000 W"),
    ],
)
def test_what_is_not_allowed_is_named_and_the_last_good_state_stays(address, message):
    app = opened("results", **address)
    assert message in words(app)
    assert not app.exception
    assert picture(app)["labels"]


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_shown_as_printed_and_marks_what_does_not_come_out(name):
    app = page(see="Table", re_list=name)
    shown, table = drawn(app, f"results-{name}-quoted"), load_results(name)
    assert shown["rows"] == [[row.name, *row.cells] for row in table.rows]
    marks = {mark for row in shown["marks"] for mark in row if mark}
    wanted = {"glue": {"recomputed 70.9"}, "elmo": {"recomputed 2.07"}}
    wanted |= {"wmt_short": {"elsewhere 41.0"}, "bert_tasks": {"elsewhere 92.9"}}
    wanted |= {"bert_abstract": {"elsewhere 82.1"}}
    assert marks == wanted.get(name, set())


def test_a_table_is_sorted_by_a_heading_and_filtered():
    shown = drawn(page(see="Table", re_list="wmt", re_sort="-2"), "results-wmt-quoted")
    assert [row[1] for row in shown["rows"]] == [
        "28.4", "27.3", "26.36", "26.30", "26.03", "25.16", "24.6", "23.75", "–", "–",
    ]  # fmt: skip
    shown = drawn(page(see="Table", re_list="wmt", re_sort="4"), "results-wmt-quoted")
    assert [row[3] for row in shown["rows"]][:2] == ["3.3·10¹⁸", "9.6·10¹⁸"]
    app = page(see="Table", re_list="wmt", re_filter="ensemble")
    assert len(drawn(app, "results-wmt-quoted")["rows"]) == 3
    assert "3 of 10 rows" in words(app)


@pytest.mark.parametrize("kind", CHECKS)
def test_what_is_recomputed_is_told_with_what_does_not_come_out(kind):
    app = page(see="Averages", re_check=kind)
    shown, checks = drawn(app, f"results-checks-{kind}-quoted"), recompute(kind)
    assert [(row[0], row[2], row[5]) for row in shown["rows"]] == [
        (check.row, check.printed, check.rounded) for check in checks
    ]
    printed = [check for check in checks if check.agrees is not None]
    right = sum(bool(check.agrees) for check in printed)
    assert f"{right} of {len(printed)} come out as printed" in words(app)


def test_errors_removed_are_those_of_the_two_scores():
    assert "4.7 / 18.9 removes 24.87 % of the errors" in words(page(see="Error reduction"))
    app = page(see="Error reduction", re_before="90", re_after="95")
    assert "5 / 10 removes 50 % of the errors" in words(app)
    assert "changes by 5.556 %" in words(app)
    worse = words(page(see="Error reduction", re_before="95", re_after="90"))
    assert "−5 / 5 adds 100 %" in worse


def test_the_ablations_are_differences_from_bert_base():
    app = page(see="Ablations")
    shown = drawn(app, "table-bert-tasks")
    base, *others = (
        [load_results("bert_tasks").values(key)[i] for key in load_results("bert_tasks").scores]
        for i in range(4)
    )
    wanted = np.array(others) - np.array(base)
    np.testing.assert_allclose(shown["numbers"].reshape(3, 5), wanted)
    sizes = drawn(app, "table-bert-sizes")["numbers"].reshape(6, 5)
    np.testing.assert_allclose(sizes[:, 1], [1.765, 1.656, 1.543, 1.384, 1.264, 1.172], atol=6e-4)
    assert "QNLI loses most: −3.5 points" in words(app)


def test_heads_alone_are_bert_s_two_rows_beside_recorded_runs_of_ours():
    app = page(see="Ablations")
    shown = drawn(app, "table-heads-alone")
    table = shown["numbers"].reshape(6, 3)
    assert shown["labels"][:2] == ["BERT 6 / 768 / 3, quoted", "BERT 6 / 768 / 12, quoted"]
    assert table[:2, :2].tolist() == [[3, 5.24], [12, 4.68]]
    specs = (switched_run(split=False), *BASES)
    assert table[2:, 0].tolist() == [spec.model.heads for spec in specs]
    losses = [find_recording(spec).evaluations[-1][1] for spec in specs]
    np.testing.assert_allclose(table[2:, 1], np.exp(losses))
    np.testing.assert_allclose(table[:, 2], np.log(table[:, 1]))
    one, *four = table[2:, 1]
    assert min(four) < one < max(four)
    assert "This one run shows no difference" in words(app)
    assert "next word, BERT a masked one" in words(app)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("bleu", "from 24.6 (GNMT, 2016-09) to 28.4 (Transformer"),
        ("glue", "from 71.0 (ELMo, 2018-04) to 82.1 (BERT large, 2018-10)"),
        ("squad", "to 94.6 (RoBERTa, longest, 2019-07)"),
    ],
)
def test_scores_stand_in_the_order_of_their_months(line, told):
    app = page(see="Time line", re_line=line)
    assert told.replace("Transformer", "Tr. big") in words(app)
    assert "2018 BERT" in words(app)


def test_watts_and_hours_become_pounds():
    app = page(see="CO₂ and price")
    assert "191.9 lbs" in words(app) and "The table prints 192 lbs" in words(app)
    assert "18.19 doublings; in 72 months that is one every 3.957 months" in words(app)
    app = page(see="CO₂ and price", re_watts="100", re_hours="10", re_overhead="1", re_lbs="2")
    assert "Energy = 1 · 100 · 10 / 1000 = 1 kWh; CO₂e = 2 · 1 = 2 lbs" in words(app)
    table = drawn(app, "table-co2")
    shares = table["numbers"].reshape(8, 3)[:, 2]
    np.testing.assert_allclose(shares, [2 / value for value in load_results("co2").values("co2")])


def test_the_meter_shows_what_the_server_used(monkeypatch):
    used = meter.ProcessorTime(0.0, 7200.0, pages=60.0, training=300.0, computing=0.0, ended=0.0)
    monkeypatch.setattr(meter, "processor_time", lambda: used)
    monkeypatch.setattr(meter, "own_seconds", lambda: 36.0)
    app = page(see="This server", re_core="20")
    rows = drawn(app, "table-server")
    numbers = dict(zip(rows["labels"], rows["numbers"].reshape(-1, 4), strict=True))
    np.testing.assert_allclose(numbers["everything"][:2], [360, 2.0])  # 360 s · 20 W / 3600
    grams = 1000 * 0.002 * 0.954 * 0.45359237
    assert numbers["everything"][2] == pytest.approx(grams)
    assert numbers["of it: your own training runs"][:2].tolist() == pytest.approx([36, 0.2])
    assert "Your own training runs took 36 s of it" in words(app)


def test_the_meter_reads_this_process():
    before = meter.processor_time()
    sum(i * i for i in range(2_000_000))
    after = meter.processor_time()
    assert after.pages > before.pages > 0
    assert after.total == pytest.approx(
        after.pages + after.training + after.computing + after.ended
    )
    assert meter.own_seconds() == 0


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("attention", ["3.5 days on eight GPUs", "28.4", "41.0", "41.8", "2.04"]),
        ("elmo", ["Ten epochs on the One Billion Word Benchmark", "L2 norm"]),
        ("gpt2", ["at least 3 karma", "may be gone"]),
        ("multilingual", ["mBERT", "VisualBERT", "ViLBERT", "100 languages"]),
        ("clip", ["Granny Smith", "99.7%", "86.1 and 99.8 %"]),
        ("parrots", ["Bender et al."]),
        ("benchmarks", ["SuperGLUE", "93.2"]),
        ("uses", ["Soni, Matero", "encoder with a linear layer on [CLS]"]),
    ],
)
def test_a_card_says_what_the_slide_points_to_and_asks(card, told):
    app = page(see="Reading", re_card=card)
    for text in (*told, "To discuss."):
        assert text in words(app)
    assert "http" not in words(app)


def test_elmo_s_card_leads_to_the_page_with_a_bilm():
    links = page(see="Reading", re_card="elmo").get("page_link")
    assert any(each.proto.label.startswith("Try it: Contextual embeddings") for each in links)


def test_questions_have_the_answers_of_the_tables():
    asked = {
        q.key: q for q in results_questions.questions(make_plot("wmt", "cost_de", "de"), Pair(9, 7))
    }
    assert asked["pair"].answer == pytest.approx(2.3 / 7.7)
    assert asked["frontier"].answer == "Transformer (big)" in asked["frontier"].options
    assert asked["average"].answer == pytest.approx(638.5 / 9)
    assert asked["errors"].answer == pytest.approx(470 / 18.9)
    assert asked["doubling"].answer == pytest.approx(72 / np.log2(300_000))
    glue = make_plot("glue", "tasks", "average")
    removed = results_questions.questions(glue, Pair(4, 2, 8))[0]
    assert removed.answer == pytest.approx(100 * 14.1 / 44)
    lost = results_questions.questions(make_plot("bert_tasks", "tasks", "mnli"), Pair(2, 0, 4))[0]
    assert lost.answer == pytest.approx(-10.7)


def test_what_is_asked_for_is_not_on_the_picture():
    assert {"ratio", "step"} <= set(picture(page(ask="pair"))["hidden"])
    assert "frontier" in picture(page(ask="frontier"))["hidden"]
    assert "removed" in picture(page(ask="errors"))["hidden"]


def test_every_preset_is_looked_at_and_tells_what_it_is_for():
    assert len(PRESETS) >= 10 and len(LESSON.beats) >= 8
    for label, preset in PRESETS.items():
        app = on(label)
        assert preset.help in [element.value for element in app.caption]
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value
