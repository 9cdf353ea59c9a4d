"""The lanes of a sentence, the sums of counting and the claims agree with the numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from drawing import probability_grid, theme
from lessons.language_model import (
    lanes,
    lanes_text,
    language_model_figures,
    language_model_picture,
    language_model_text,
)
from lessons.language_model.language_model_text import LearningCost
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.evaluation import sentence
from lmcore.evaluation.costs import ModelCosts
from lmcore.evaluation.sentence import SentenceQuestion
from lmcore.models import ngram
from tests.drawing.test_theme import contrast

WORLD = microworld()
FED = "i forgot to make sure that the dog gets fed"
COUNT = ModelCosts("counts", 2.0, 2.7, 2.0, 0.3, 0.01, 0.06, 0.7, 900, 282, 1e-4)
NETWORK = ModelCosts("network", math.inf, 2.1, 2.0, 0.03, 0.0, 0.5, 0.7, 800, 700, 2e-4)
FLOORS = [77.0, 5.0, 2.6, 2.3]
LEARNT = {"c": LearningCost(1e6, 0.5), "n": LearningCost(6e6, 50.0)}


@pytest.fixture(scope="module")
def models():
    documents = training_documents(WORLD.sample(2000, np.random.default_rng(0)))
    made = {
        name: ngram.fit_ngram(ngram.NGramConfig(order, how), WORLD.vocabulary, documents)
        for name, (order, how) in language_model_picture.NGRAM_SETTINGS.items()
        if order <= 3
    }
    return made | {lanes.GRAMMAR: WORLD}


@pytest.fixture(scope="module")
def question():
    return SentenceQuestion(sentence.encode_sentence(WORLD.vocabulary, FED), ("trigram",), 10)


@pytest.fixture(scope="module")
def answers(models, question):
    return sentence.ask_models(models, question)


@pytest.mark.parametrize("p", np.linspace(0, 1, 101))
def test_the_ink_reads_on_every_colour_of_the_scale(p):
    assert contrast(*theme.probability_colours(float(p))) >= 4.5


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_what_is_no_probability_has_no_colour(p):
    with pytest.raises(ValueError, match="a probability must be from 0 to 1; got"):
        theme.probability_colours(p)


def test_an_impossible_cell_bears_a_sign_and_no_colour():
    assert probability_grid.cell(0.0) == ("✕ 0", "", "")
    text, fill, ink = probability_grid.cell(0.25)
    assert (text, fill, ink) == ("0.25", *theme.probability_colours(0.25))
    assert probability_grid.cell(1 + 1e-15)[0].startswith("1")


def shown_lanes(models, question, chosen="", **changed):
    asked = replace(question, **changed)
    labeled = {label: (label, model) for label, model in models.items()}
    return lanes.sentence_lanes(asked, labeled, sentence.ask_models(models, asked), chosen)


def test_every_lane_has_its_numbers_and_the_end_follows_from_them(models, question):
    shown = shown_lanes(models, question, "trigram")
    now, drawn = lanes.lane_numbers(shown), lanes.lanes_picture(shown)
    assert drawn["words"] == FED.split() and drawn["here"] == 9
    assert [each["label"] for each in drawn["lanes"]] == list(models)
    assert drawn["lanes"][drawn["chosen"]]["name"] == "trigram"
    assert (now["trigram.10"], now["trigram.product"], now["trigram.perplexity"]) == (
        0,
        0,
        math.inf,
    )
    p = [now[f"trigram-kn.{t}"] for t in range(1, 11)]
    assert now["trigram-kn.product"] == pytest.approx(math.prod(p))
    assert now["trigram-kn.perplexity"] == pytest.approx(math.prod(p) ** -0.1)
    assert now["trigram-kn.loss"] == -now["trigram-kn.sum"]
    assert "fed {trigram.10}; perplexity {trigram.perplexity}." in lanes_text.describe(shown)
    assert shown_lanes(models, question, "?").chosen == 0


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("unigram", "counts, sees no words"),
        ("bigram", "counts, sees 1 word"),
        ("trigram-add", "counts + 1, sees 2 words"),
        ("trigram-kn", "asks shorter contexts too"),
        (lanes.GRAMMAR, "the rules of the texts"),
    ],
)
def test_a_lane_says_what_its_model_sees(models, question, name, note):
    (found,) = [lane.note for lane in shown_lanes(models, question).lanes if lane.label == name]
    assert found == note


def test_the_likeliest_next_words_are_in_the_lanes_only_after_the_last_word(models, question):
    assert all(
        not each["expected"] for each in lanes.lanes_picture(shown_lanes(models, question))["lanes"]
    )
    after = shown_lanes(models, question, "bigram", place=11)
    now, drawn = lanes.lane_numbers(after), lanes.lanes_picture(after)
    bigram = next(each for each in drawn["lanes"] if each["name"] == "bigram")
    p = [now[each["slot"]] for each in bigram["expected"]]
    assert p == sorted(p, reverse=True) and min(p) > 0


def test_the_expected_words_are_columns_and_an_unseen_context_expects_nothing(answers):
    tokens = sentence.likeliest_tokens(answers)
    told = language_model_picture.expected_grid(answers, tokens, WORLD.vocabulary)
    assert told["columns"] == WORLD.vocabulary.decode(tokens)
    assert "trigram: nothing, since the context never occurred" in told["alt"]
    assert "bigram: " in told["alt"]


def test_a_row_of_zeros_is_not_said_to_sum_to_one(models, answers, question):
    said = language_model_picture.expected_words(answers)
    assert "0 for every word: trigram, since the context never occurred" in said
    assert "Grammar, since it never produces the words before" in said
    assert "each other row sums to 1" in said
    nil = {each.strip().partition(",")[0] for each in said.partition("word: ")[2].split(";")}
    for label, answer in answers.items():
        assert float(answer.expected.sum()) == pytest.approx(0 if label in nil else 1, abs=1e-4)
    early = sentence.ask_models(models, replace(question, place=1))
    assert language_model_picture.expected_words(early).endswith(
        "Over all words each row sums to 1."
    )
    only = language_model_picture.expected_words({lanes.GRAMMAR: answers[lanes.GRAMMAR]})
    assert "sums to 1" not in only


def test_there_is_a_hole_only_where_completing_makes_the_impossible_possible(question):
    full = microworld(complete=True)

    def hole(text):
        asked = SentenceQuestion(sentence.encode_sentence(WORLD.vocabulary, text), ("trigram",))
        return language_model_picture.first_grammar_gap(
            sentence.ask_models({lanes.GRAMMAR: WORLD, lanes.COMPLETED_GRAMMAR: full}, asked)
        )

    assert hole(FED) == FED.split().index("gets") + 1
    assert hole("the dog sleeps .") is None
    assert hole("dog dog") is None
    assert language_model_picture.first_grammar_gap({}) is None


@pytest.mark.parametrize(
    ("sees", "shown"),
    [(0.0, "nothing"), (2.0, "c d"), (9.0, "a b c d"), (math.inf, "a b c d")],
)
def test_what_a_model_sees_is_the_end_of_what_was_said(sees, shown):
    assert language_model_picture.visible_context(list("abcd"), sees) == shown
    assert language_model_picture.visible_context(list("abcdef"), math.inf) == "a … d e f, all 6"


def test_the_steps_multiply_up_to_the_product(answers, question):
    tokens = WORLD.vocabulary.decode(question.ids)
    score = answers["trigram-kn"].score
    rows = language_model_picture.step_rows(answers["trigram-kn"], tokens, 2.0)
    assert rows[-1][0] == "dog gets → fed" and len(rows) == len(FED.split())
    assert rows[-1][3] == pytest.approx(math.prod(row[1] for row in rows))
    assert rows[-1][4] == pytest.approx(sum(row[2] for row in rows))
    assert math.exp(rows[-1][4]) == pytest.approx(score.product)
    assert len(rows[0]) == len(language_model_picture.STEP_COLUMNS)


def test_the_formula_has_the_numbers_in_or_says_that_it_is_zero(answers):
    assert r"\text{perplexity} = \exp(\infty)" in language_model_picture.formula(
        answers["trigram"].score
    )
    score = answers["trigram-kn"].score
    formula = language_model_picture.formula(score)
    assert language_model_picture.latex(score.perplexity) in formula and r"\tfrac{1}{10}" in formula


def test_the_finding_names_the_zero_and_the_model_that_gives_the_word_most(models, question):
    said = lanes_text.finding(shown_lanes(models, question, "trigram"))
    assert said.startswith("“dog gets” never occurred in training: trigram gives “fed” p = ==")
    best = max(models, key=lambda name: shown_lanes(models, question, name).p(
        shown_lanes(models, question, name).lane
    ))  # fmt: skip
    assert f"{best} gives it [activation|{{{best}.10}}]." in said
    only = {"trigram": models["trigram"]}
    assert lanes_text.finding(shown_lanes(only, question)).endswith("so the product is 0.")


def test_a_gap_of_the_grammar_is_said_to_be_on_purpose(models, question):
    both = {lanes.GRAMMAR: WORLD, lanes.COMPLETED_GRAMMAR: microworld(complete=True)}
    said = lanes_text.finding(shown_lanes(both, question, "grammar", place=9))
    assert said.startswith("The grammar never says “gets” here, on purpose")
    said = lanes_text.finding(shown_lanes(both, question, "completed", place=9))
    assert "out on purpose; filled in, “gets” would have p = ==" in said
    later = lanes_text.finding(shown_lanes(both, question, "grammar", place=10))
    assert "on purpose" not in later


@pytest.mark.parametrize("place", [9, 10])
def test_what_is_hidden_is_not_said(models, question, place):
    shown = shown_lanes(models, question, "trigram", place=place)
    hidden = [shown.slot, "trigram.product", "trigram.perplexity", "count", "of"]
    told = " ".join(lanes_text.formula(shown, hidden))
    assert "no estimate" not in told and "product" not in told


def test_the_finding_of_what_comes_next_names_the_likeliest_word(models, question):
    said = lanes_text.finding(shown_lanes(models, question, "bigram", place=11))
    assert said.startswith("After “fed”, bigram expects “**") and "{bigram.next0}" in said
    nothing = shown_lanes(models, question, "grammar", place=11)
    assert lanes_text.finding(nothing).startswith("The grammar never says “")
    assert len(lanes_text.formula(nothing)) == 1
    blind = lanes_text.finding(shown_lanes(models, question, "unigram", place=11))
    assert blind.startswith("Whatever came before, unigram expects “**the**”")


def test_kneser_ney_is_explained_down_to_no_context(models, question):
    model = models["trigram-kn"]
    trace = model.explain(question.ids[:10], question.ids[10])
    rows = language_model_text.explained_rows(trace, WORLD.vocabulary)
    assert [row[0] for row in rows] == ["nothing", "gets", "dog gets"]
    for row in rows:
        assert row[4] + row[5] * row[6] == pytest.approx(row[7])
    assert len(rows[0]) == len(language_model_text.EXPLAINED_COLUMNS)
    said = language_model_text.explanation(model, trace, "KN")
    assert "“dog gets” never occurred, so λ = 1: the shorter context decides alone" in said


def test_each_way_to_a_probability_has_its_sentence(models, question):
    def said(name, place):
        model = models[name]
        trace = model.explain(question.ids[:place], question.ids[place])
        return language_model_text.explanation(model, trace, name)

    assert "0 / 0 gives no estimate, so every word gets 0" in said("trigram", 10)
    assert "c / C = 0 / " in said("trigram", 9)
    assert "of them before “forgot”: this gives" in said("trigram-kn", 2)
    assert "plus λ" in said("trigram-add", 2)


def test_each_smoothing_has_its_equation(models):
    assert language_model_text.smoothing(models["trigram"]).endswith(r"\frac{c}{C}")
    assert "C + 1" in language_model_text.smoothing(models["trigram-add"])
    assert "D = 0.75" in language_model_text.smoothing(models["trigram-kn"])


def test_what_lies_under_all_counts_is_the_number_that_is_added(models, question):
    model = models["trigram-kn"]
    lowest = model.explain(question.ids[:10], question.ids[10]).steps[0].lower
    assert f"1/|V| = 1/{round(1 / lowest)}, since `<s>`" in language_model_text.explained_words(
        model
    )


def test_the_bigram_table_marks_what_never_occurred(models):
    rows = models["bigram"].table(["dog", "cat"], ["gets", "sleeps"])
    told = language_model_text.table_grid(rows)
    assert (
        told["texts"][0] == probability_grid.IMPOSSIBLE
        and told["texts"][2] != probability_grid.IMPOSSIBLE
    )
    zeros = int((rows.counts == 0).sum())
    assert f"{zeros} of the 4 cells never occurred" in told["alt"]
    assert f"{zeros} of 4 cells are 0" in language_model_text.table_words(rows)


def test_the_pairs_are_those_of_the_window_with_their_counts(models):
    tokens = ["<s>", "the", "dog", "gets"]
    rows = language_model_text.pair_rows(tokens, models["trigram"])
    assert [row[0] for row in rows] == ["<s> → the", "<s> the → dog", "the dog → gets"]
    assert rows[-1][1] > 0 and rows[-1][2] == 0
    assert language_model_text.pair_rows(tokens, models["unigram"])[0][0] == "nothing → the"
    assert (
        "N − 1 = 0 words: 3 pairs with 1 different context;"
        in language_model_text.contexts_words(tokens, 1)
    )
    assert "N − 1 = 1 word:" in language_model_text.contexts_words(tokens, 2)


def test_where_the_numbers_bear_the_lecture_out_every_claim_holds():
    found = {"c": COUNT, "n": NETWORK}
    said = language_model_text.claims(found, LEARNT, FLOORS)
    assert [claim.verdict for claim in said] == ["holds"] * 5
    assert "Below the floor: n." in said[0].why and "100 times as long" in said[4].why


def test_where_they_do_not_it_is_said():
    poor = replace(
        NETWORK, perplexity=3.0, zeros=0.1, fed_dog=0.01, stored=5000, query=5e-5, sees=3.0
    )
    slow = {"c": LearningCost(1.0, 9.0), "n": LearningCost(1.0, 1.0)}
    said = language_model_text.claims({"c": replace(COUNT, zeros=0.0), "n": poor}, slow, FLOORS)
    assert {claim.verdict for claim in said} == {"does not hold here"}
    assert "none, as all these counts are smoothed" in said[2].why
    assert "not every table is faster" in said[4].why


def test_between_the_two_a_claim_holds_in_part():
    other = replace(NETWORK, perplexity=2.65, fed_dog=0.0, stored=5000, query=5e-5)
    found = {"c": COUNT, "n": NETWORK, "m": other}
    said = language_model_text.claims(found, LEARNT, FLOORS)
    parts = [claim.verdict for claim in said]
    assert parts == ["holds in part", "holds in part", "holds", "holds in part", "holds in part"]
    assert "with no more numbers than that table: n." in said[3].why
    big = language_model_text.claims(
        {"c": COUNT, "n": replace(NETWORK, stored=5000)}, LEARNT, FLOORS
    )
    assert big[3].verdict == "holds in part"


def test_without_a_count_or_a_network_there_is_nothing_to_compare():
    with pytest.raises(ValueError, match="at least one n-gram and one network; got 1 and 0"):
        language_model_text.claims({"c": COUNT}, LEARNT, FLOORS)
    assert len(language_model_text.claims({"c": COUNT, "n": NETWORK}, {}, FLOORS)) == 5


def test_the_tables_have_a_number_for_every_head():
    assert len(language_model_text.benefit_row("c", COUNT)) == len(
        language_model_text.BENEFIT_COLUMNS
    )
    row = language_model_text.cost_row("c", COUNT, LEARNT["c"])
    assert len(row) == len(language_model_text.COST_COLUMNS) and row[-1] == pytest.approx(0.1)
    assert "the grammar's own is 2" in language_model_text.measurement_words(COUNT)


def test_the_floor_falls_and_models_stand_above_it_in_every_theme():
    floors, best = entropy.perplexity_floors(WORLD, 3).tolist(), entropy.perplexity(WORLD)
    found = {"bigram": (1.0, 5.2), "LSTM": (math.inf, best * 1.01), "equal": (math.inf, best)}
    for mode in ("light", "dark"):
        figure = language_model_figures.context_figure(floors, found, best, mode)
        line, bigram, lstm, equal = figure.data
        assert list(line.y) == sorted(line.y, reverse=True)
        assert bigram.y[0] > line.y[1] and lstm.x[0] == language_model_figures.ALL_WORDS
        assert 0 < equal.y[0] < lstm.y[0] == pytest.approx(math.log(1.01))
    assert "LSTM" in language_model_figures.describe_context_figure(floors, found, best)
    assert "1 words" in language_model_figures.describe_context_figure(floors, found, best)


def test_a_mark_below_its_floor_is_called_chance():
    found = {"a": (1.0, 4.9), "b": (1.0, 5.1), "all": (math.inf, 2.0)}
    assert "Below the floor by chance: a." in language_model_figures.below_floor_words(
        FLOORS, found
    )
    assert language_model_figures.below_floor_words(FLOORS, {"b": (1.0, 5.1)}) == ""
    assert language_model_figures.floor_rows(FLOORS, 2.0)[1] == ("1 word", 5.0, 2.5)
    assert language_model_figures.mark_rows(FLOORS, found, 1.9)[2] == ("all", math.inf, 2.0, 1.9)


def test_the_snippet_prints_what_is_on_screen(capsys, answers):
    ids = sentence.encode_sentence(WORLD.vocabulary, FED)
    code = language_model_text.snippet(
        SentenceQuestion(ids, ("bigram", "lstm"), 10), WORLD.vocabulary
    )
    assert "'bigram': (2, 'none')," in code and "['lstm']" in code
    compile(code, "snippet", "exec")
    assert torch.equal(answers["bigram"].score.tokens, torch.tensor(ids[1:]))
    assert "complete" not in code and "checkpoint" not in code
    asked = SentenceQuestion(ids, ("bigram", "run-7"), 10)
    code = language_model_text.snippet(asked, WORLD.vocabulary, completed=True)
    assert "for name in ['run-7']:" in code
    assert '"Grammar, completed": microworld(complete=True)' in code
    compile(code, "snippet", "exec")
