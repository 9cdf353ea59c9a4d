"""Every cell of every table, against a transcription of the slides in another form."""

import math

import pytest

from lmcore.results.tables import NAMES, load_results, parse_table, read_number

SLIDES = {
    "wmt": """
        ByteNet 23.75 – – –
        Deep-Att_+_PosUnk – 39.2 – 1.0e20
        GNMT_+_RL 24.6 39.92 2.3e19 1.4e20
        ConvS2S 25.16 40.46 9.6e18 1.5e20
        MoE 26.03 40.56 2.0e19 1.2e20
        Deep-Att_+_PosUnk_Ensemble – 40.4 – 8.0e20
        GNMT_+_RL_Ensemble 26.30 41.16 1.8e20 1.1e21
        ConvS2S_Ensemble 26.36 41.29 7.7e19 1.2e21
        Transformer_(base) 27.3 38.1 3.3e18 ←
        Transformer_(big) 28.4 41.0 2.3e19 ←
    """,
    "wmt_short": """
        GNMT_(orig) 24.6 39.9
        ConvSeq2Seq 25.2 40.5
        Transformer* 28.4 41.8
    """,
    "elmo": """
        SQuAD Liu_et_al._(2017) 84.4 81.1 85.8 4.7_/_24.9%
        SNLI Chen_et_al._(2017) 88.6 88.0 88.7±0.17 0.7_/_5.8%
        SRL He_et_al._(2017) 81.7 81.4 84.6 3.2_/_17.2%
        Coref Lee_et_al._(2017) 67.2 67.2 70.4 3.2_/_9.8%
        NER Peters_et_al._(2017) 91.93±0.19 90.15 92.22±0.10 2.06_/_21%
        SST-5 McCann_et_al._(2017) 53.7 51.4 54.7±0.5 3.3_/_6.8%
    """,
    "glue": """
        Pre-OpenAI_SOTA 80.6/80.1 66.1 82.3 93.2 35.0 81.0 86.0 61.7 74.0
        BiLSTM+ELMo+Attn 76.4/76.1 64.8 79.8 90.4 36.0 73.3 84.9 56.8 71.0
        OpenAI_GPT 82.1/81.4 70.3 87.4 91.3 45.4 80.0 82.3 56.0 75.1
        BERT_base 84.6/83.4 71.2 90.5 93.5 52.1 85.8 88.9 66.4 79.6
        BERT_large 86.7/85.9 72.1 92.7 94.9 60.5 86.5 89.3 70.1 82.1
    """,
    "bert_sizes": """
        3_/_768_/_12 3 768 12 5.84 77.9 79.8 88.4
        6_/_768_/_3 6 768 3 5.24 80.6 82.2 90.7
        6_/_768_/_12 6 768 12 4.68 81.9 84.8 91.3
        12_/_768_/_12 12 768 12 3.99 84.4 86.7 92.9
        12_/_1024_/_16 12 1024 16 3.54 85.7 86.9 93.3
        24_/_1024_/_16 24 1024 16 3.23 86.6 87.8 93.7
    """,
    "bert_tasks": """
        BERT_base 84.4 88.4 86.7 92.7 88.5
        No_NSP 83.9 84.9 86.5 92.6 87.9
        LTR_&_No_NSP 82.1 84.3 77.5 92.1 77.8
        +_BiLSTM 82.1 84.1 75.7 91.6 84.9
    """,
    "bert_abstract": """
        GLUE 80.5 7.7
        MultiNLI 86.7 4.6
        SQuAD_v1.1 93.2 1.5
        SQuAD_v2.0 83.1 5.1
    """,
    "roberta": """
        RoBERTa,_BOOKS_+_WIKI 16GB 8K 100K 93.6/87.3 89.0 95.3
        RoBERTa,_+_additional_data 160GB 8K 100K 94.0/87.7 89.3 95.6
        RoBERTa,_+_pretrain_longer 160GB 8K 300K 94.4/88.7 90.0 96.1
        RoBERTa,_+_pretrain_even_longer 160GB 8K 500K 94.6/89.4 90.2 96.4
        BERT_large,_BOOKS_+_WIKI 13GB 256 1M 90.9/81.8 86.6 93.7
        XLNet_large,_BOOKS_+_WIKI 13GB 256 1M 94.0/87.8 88.4 94.4
        XLNet_large,_+_additional_data 126GB 2K 500K 94.5/88.8 89.8 95.6
    """,
    "albert": """
        BERT_base 108M 90.4/83.2 80.4/77.6 84.5 92.8 68.2 82.3 17.7x
        BERT_large 334M 92.2/85.5 85.0/82.2 86.6 93.0 73.9 85.2 3.8x
        BERT_xlarge 1270M 86.4/78.1 75.5/72.6 81.6 90.7 54.3 76.6 1.0
        ALBERT_base 12M 89.3/82.3 80.0/77.1 81.6 90.3 64.0 80.1 21.1x
        ALBERT_large 18M 90.6/83.9 82.3/79.4 83.5 91.7 68.5 82.4 6.5x
        ALBERT_xlarge 60M 92.5/86.1 86.1/83.1 86.4 92.4 74.8 85.5 2.4x
        ALBERT_xxlarge 235M 94.1/88.3 88.1/85.1 88.0 95.2 82.3 88.7 1.2x
    """,
    "co2": """
        Air_travel,_1_person,_NY↔SF 1984
        Human_life,_avg,_1_year 11,023
        American_life,_avg,_1_year 36,156
        Car,_avg_incl._fuel,_1_lifetime 126,000
        NLP_pipeline_(parsing,_SRL) 39
        NLP_pipeline_w/_tuning_&_experiments 78,468
        Transformer_(big) 192
        Transformer_(big)_w/_neural_arch._search 626,155
    """,
    "clip": """
        Granny_Smith 85.6% 0.1%
        iPod 0.4% 99.7%
        library 0.0% 0.0%
        pizza 0.0% 0.0%
        toaster 0.0% 0.0%
        dough 0.1% 0.0%
    """,
    "gpt2_sizes": """
        Best_before – 99.8 39.14 46.54 18.3 21.8
        GPT-2_small 117M 35.13 29.41 65.85 37.50 75.20
        GPT-2_medium 345M 15.60 22.76 47.33 26.37 55.72
        GPT-2_large 762M 10.87 19.93 40.31 22.05 44.575
        GPT-2_XL 1542M 8.63 18.34 35.76 17.48 42.16
    """,
    "model_sizes": """
        GPT 117M
        BERT-BASE 110M
        BERT-LARGE 340M
        GPT-2 1542M
        T-NLG 17,000M
        GPT-3 175,000M
        Switch-C 1.57e12
    """,
}
"""Table → its rows as the slides or the papers print them; in a cell, _ is a blank and e a power
of ten."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def spelt(cell):
    """A cell of the transcription in the spelling of the tables."""
    mantissa, e, power = cell.partition("e")
    if e and power.isdigit():
        return f"{mantissa}·10{power.translate(RAISED)}"
    return cell.replace("_", " ")


def transcribed(name):
    lines = SLIDES[name].strip().splitlines()
    return [[spelt(cell) for cell in line.split()] for line in lines]


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_is_printed_as_on_the_slide(name):
    table = load_results(name)
    assert [[row.name, *row.cells] for row in table.rows] == transcribed(name)
    printed = table.printed_frame()
    assert printed.to_numpy().tolist() == transcribed(name)
    assert printed.columns[0] == table.heading


def plain(cell):
    """The numbers of a cell, read independently of the product's code."""
    scale = {"K": 1e3, "M": 1e6}
    numbers = []
    for part in cell.replace(",", "").split("/"):
        text = part.strip().split("±")[0].removesuffix("%").removesuffix("x").removesuffix("GB")
        if text in ("–", "←"):
            continue
        factor = scale.get(text[-1], 1)
        mantissa, _, power = text.rstrip("KM").partition("·10")
        down = {raised: str(i) for i, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
        exponent = int("".join(down[each] for each in power)) if power else 0
        numbers.append(float(f"{mantissa}e{exponent}") * factor)
    return numbers


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_that_of_its_cell(name):
    table = load_results(name)
    for place, column in enumerate(table.columns):
        for row in table.rows:
            if not column.measures or row.cells[place] == "←":
                continue
            found = [table.values(m.key)[table.rows.index(row)] for m in column.measures]
            known = [each for each in found if not math.isnan(each)]
            assert known == plain(row.cells[place])


def test_a_cost_that_spans_both_columns_is_that_to_its_left():
    wmt = load_results("wmt")
    for row, de, fr in zip(wmt.rows, wmt.values("cost_de"), wmt.values("cost_fr"), strict=True):
        if "Transformer" in row.name:
            assert de == fr
    assert math.isnan(wmt.values("cost_fr")[0])


def test_sequences_seen_are_batch_times_steps():
    table = load_results("roberta")
    assert table.values("seen") == [
        8000 * 1e5, 8000 * 1e5, 8000 * 3e5, 8000 * 5e5, 256e6, 256e6, 1e9,
    ]  # fmt: skip
    assert table.printed(table.rows[0], "seen") == "8K × 100K"


@pytest.mark.parametrize("name", NAMES)
def test_a_table_names_its_source_its_units_and_what_is_better(name):
    table = load_results(name)
    assert table.source and table.slide and table.notes
    assert all(m.better in ("high", "low") and m.unit for m in table.measures.values())
    assert len({row.name for row in table.rows}) == len(table.rows)
    assert set(table.scores) <= set(table.measures)
    frame = table.to_frame()
    assert len(frame) == len(table.rows)
    assert len(set(frame.columns)) == len(frame.columns)


@pytest.mark.parametrize(
    ("text", "value"),
    [("92.22±0.10", "92.22"), ("2.3·10¹⁹", "2.3E+19"), ("126,000", "126000"), ("8K", "8E+3")],
)
def test_a_printed_number_is_read_exactly(text, value):
    assert str(read_number(text)) == value
    assert read_number("–") is None


@pytest.mark.parametrize("text", ["", "many", "1.2.3", "±1", "3 apples"])
def test_what_is_no_number_is_named(text):
    with pytest.raises(ValueError, match="a cell must be a number"):
        read_number(text)


def test_a_wrong_file_is_refused():
    text = """
        title = "T"
        source = "S"
        slide = "s"
        date = "2020"
        heading = "h"
        scores = []
        notes = []
        [[column]]
        key = "a"
        label = "a"
        unit = "b"
        better = "high"
        [[row]]
        name = "one"
        cells = CELLS
    """
    assert parse_table("t", text.replace("CELLS", '["1.5"]')).values("a") == [1.5]
    with pytest.raises(ValueError, match="a row must have 1 cells; got 2 for 'one'"):
        parse_table("t", text.replace("CELLS", '["1", "2"]'))
    with pytest.raises(ValueError, match="a cell must be a number"):
        parse_table("t", text.replace("CELLS", '["x"]'))


def test_an_unknown_table_measure_or_row_is_named():
    table = load_results("glue")
    with pytest.raises(ValueError, match="the table must be one of wmt"):
        load_results("squad")
    with pytest.raises(ValueError, match="the measure must be one of mnli_m"):
        table.values("bleu")
    with pytest.raises(ValueError, match="the row must be one of Pre-OpenAI SOTA"):
        table.row("T5")
