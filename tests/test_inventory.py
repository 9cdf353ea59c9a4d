"""Which page, view and test shows each row of the course's inventory, for the pages listed here."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

import pytest

import ui
from ui import contents

TESTS = Path(__file__).parent


class Shown(NamedTuple):
    """Where a row is shown: the page, the example that opens it there, its view, and its test."""

    page: str
    example: str
    view: str
    test: str


PAGE = "pages/foundations/test_networks_page.py::"
NUMBERS = f"{PAGE}test_a_preset_shows_its_numbers"
TRAINED = f"{PAGE}test_the_numbers_are_those_of_the_run"
REVIEWS = f"{PAGE}test_two_classifiers_of_reviews_are_trained_and_compared"
POOLED = f"{PAGE}test_embeddings_pool_a_text_of_any_length"
ONE_MATRIX = f"{PAGE}test_linear_layers_come_to_one_matrix"
STEPPED = (
    "browser/lessons/test_networks_in_browser.py::"
    "test_the_lines_of_the_forward_pass_are_stepped_through_and_light_their_tensors"
)
BAG = "lessons/bert/test_reordered.py::test_the_bag_of_words_keeps_its_answer_in_every_order"
VECTORS = "pages/foundations/test_vectors_page.py::"
NEAREST = f"{VECTORS}test_the_sentence_names_the_nearest_word_of_a_run_done_again"
GREAT = f"{VECTORS}test_great_has_seven_senses_and_one_vector"
METHODS = "lessons/vectors/test_ladders.py::test_a_neighbour_is_right_if_the_grammar_says_so"
COST = f"{VECTORS}test_an_example_of_2003_and_one_of_2013_are_areas"
ENGLISH = f"{VECTORS}test_english_words_have_neighbours_an_analogy_and_an_axis"
DESCENT = "pages/foundations/test_descent_page.py::"
WEIGHT = f"{DESCENT}test_a_weight_of_the_language_model_moves_against_its_slope"
CLOSED = f"{DESCENT}test_the_closed_form_stands_with_its_numbers"
RACED = f"{DESCENT}test_the_paths_that_travel_are_those_of_every_rate_of_the_slider"
CODE = f"{DESCENT}test_the_slide_code_is_run_and_so_is_its_correction"
SEQ2SEQ = "pages/transformers/test_seq2seq_page.py::"
STATES = f"{SEQ2SEQ}test_the_picture_has_the_tensors_of_both_models"
STEPPED_THROUGH = f"{SEQ2SEQ}test_every_number_of_a_step_is_in_the_table"
MEASURED = "pages/transformers/test_seq2seq_measured.py::"
BOTTLENECK = (
    f"{MEASURED}test_the_length_view_measures_what_is_set_and_compares_it_with_the_recording"
)
PERMUTED = f"{MEASURED}test_permuted_weights_are_shown_and_measured"
SHIFTED = (
    "pages/transformers/test_seq2seq_shifted.py::"
    "test_the_probabilities_and_the_loss_are_those_of_the_network"
)
SWITCHED = (
    "pages/transformers/test_transformer_switches.py::"
    "test_a_recorded_run_without_residuals_is_beside_that_with_every_part"
)
FOUR_SCORES = (
    "pages/test_attention_page.py::test_the_four_scores_of_the_slide_stand_on_their_rulers"
)
OPENING = "pages/test_attention_page.py::test_the_page_opens_on_the_slides_numbers"
FLOW = "pages/transformers/test_transformer_page.py::"
EVERY_NUMBER = f"{FLOW}test_the_picture_has_every_number_of_the_forward_pass"
BOTH_STACKS = f"{FLOW}test_encoder_and_decoder_stand_in_one_picture"
INDEXED = f"{FLOW}test_the_word_of_the_largest_logit_has_its_index"
COUNTING = "pages/transformers/test_transformer_cost.py::"
COUNTED = f"{COUNTING}test_a_model_is_counted_and_its_printed_number_stands_beside_it"
TENSORS = f"{COUNTING}test_every_tensor_is_in_the_table_by_all_its_names"
QUADRATIC = f"{COUNTING}test_the_cost_is_that_of_lmcore_and_is_measured_here"
CLAIMS = f"{COUNTING}test_the_four_claims_have_their_numbers_and_quotations"
MAP = (
    "pages/transformers/test_course_map_in_bar.py::"
    "test_every_box_links_to_its_page_and_the_open_page_is_marked_once"
)
RESULTS = "pages/transformers/test_results_page.py::"
PLOTTED = f"{RESULTS}test_the_numbers_of_a_preset_are_those_of_its_cells"
AGAIN = f"{RESULTS}test_what_is_recomputed_is_told_with_what_does_not_come_out"
ERRORS_GONE = f"{RESULTS}test_errors_removed_are_those_of_the_two_scores"
ABLATED = f"{RESULTS}test_the_ablations_are_differences_from_bert_base"
IN_MONTHS = f"{RESULTS}test_scores_stand_in_the_order_of_their_months"
CASES = "lessons/results/test_cases.py::"
PAPER = f"{CASES}test_the_bars_are_the_printed_shares_and_the_rest"
SCALED = f"{CASES}test_yours_is_compared_with_each_row"
CARDS = f"{RESULTS}test_a_card_says_what_the_slide_points_to_and_asks"
CONTEXTUAL = "pages/pretraining/test_contextual_page.py::"
TWO_SENSES = f"{CONTEXTUAL}test_a_preset_shows_two_english_senses"
EIGHT_WORDS = f"{CONTEXTUAL}test_eight_words_are_fans_of_the_true_angle"
ONE_POINT = f"{CONTEXTUAL}test_at_layer_0_all_occurrences_are_one_point"
BY_LAYER = f"{CONTEXTUAL}test_the_sentence_has_the_cosines_of_the_layer"
BOTH_LOSSES = f"{CONTEXTUAL}test_the_bilm_view_has_both_losses_and_their_sum"
ELMO_SIZES = f"{CONTEXTUAL}test_the_sizes_of_elmo_are_counted"
MIXED = f"{CONTEXTUAL}test_a_mixture_has_the_accuracy_of_its_shares_and_what_was_learned"
TAGGERS = f"{CONTEXTUAL}test_the_errors_of_a_tagger_are_those_recorded"
PIPELINE = (
    "lessons/contextual/test_pipeline_order.py"
    "::test_the_dots_are_the_expected_layers_of_the_recorded_probes"
)
TABLE_7 = "lessons/contextual/test_layer_choices.py::test_table_7_stands_beside_ours"
WHO_SEES = f"{CONTEXTUAL}test_three_models_see_what_the_gradients_reach"
TRANSFER = "pages/pretraining/test_transfer_page.py::"
REUSED = f"{TRANSFER}test_the_numbers_are_those_recorded_for_this_many_labels_and_frozen_parts"
LEARNING = f"{TRANSFER}test_what_learns_and_what_is_kept_are_counted"
HEADS_READ = f"{TRANSFER}test_a_head_answers_as_its_weights_by_hand"
SERIALISED = f"{TRANSFER}test_inputs_are_serialised_as_the_papers_do"
ROLES = f"{TRANSFER}test_each_use_keeps_cuts_adds_and_trains_what_it_says"
BOTH_WEIGHED = (
    "lessons/transfer/test_two_losses.py::test_the_bars_are_the_losses_of_the_network_and_add_up"
)
TIED = f"{TRANSFER}test_the_model_of_the_first_gpt_is_told_with_its_tied_matrix"
USE = "pages/pretraining/test_transfer_use.py::"
PROMPTED = f"{USE}test_a_prompt_stands_with_its_candidates_and_what_was_recorded"
SNIPPET = f"{USE}test_the_snippet_prints_the_vectors_of_the_text"
ROWS = {
    "B05": Shown("networks", "Spiral", "Picture", TRAINED),
    "B06": Shown("networks", "AND, one layer", "Picture", NUMBERS),
    "B07": Shown("networks", "Three classes", "Picture", NUMBERS),
    "B08": Shown("networks", "XOR solved", "Picture", NUMBERS),
    "B09": Shown("networks", "Forward pass", "Forward pass", STEPPED),
    "B10": Shown("networks", "Forward pass", "Forward pass", STEPPED),
    "B12": Shown("networks", "Review features", "Reviews", REVIEWS),
    "B13": Shown("networks", "Review features", "Reviews", NUMBERS),
    "B14": Shown("networks", "Texts of any length", "Embeddings", POOLED),
    "B15": Shown("networks", "Texts of any length", "Embeddings", POOLED),
    "B16": Shown("networks", "Softmax at 1000", "Softmax", NUMBERS),
    "B17": Shown("networks", "Linear layers", "Picture", ONE_MATRIX),
    "B18": Shown("networks", "Elman network", "Elman network", NUMBERS),
    "E01": Shown("vectors", "Company of cat", "Picture", NEAREST),
    "E04": Shown("vectors", "great: one vector", "One vector", GREAT),
    "E05": Shown("vectors", "Which method?", "Five ladders", METHODS),
    "D09": Shown("vectors", "2003 and 2013", "2003 and 2013", COST),
    "A07": Shown("vectors", "English", "English", ENGLISH),
    "A13": Shown("descent", "A weight of an LM", "A weight of an LM", WEIGHT),
    "C11": Shown("descent", "A weight of an LM", "A weight of an LM", WEIGHT),
    "C12": Shown("descent", "Gradient descent", "Picture", CLOSED),
    "C13": Shown("descent", "Race", "Picture", RACED),
    "C15": Shown("descent", "Slide code", "Slide code", CODE),
    "C16": Shown("descent", "SGD", "Picture", CODE),
    "H01": Shown("seq2seq", "The ball", "Picture", STATES),
    "H02": Shown("seq2seq", "Bottleneck", "Length", BOTTLENECK),
    "H03": Shown("seq2seq", "Every number", "Step by step", STEPPED_THROUGH),
    "H04": Shown("attention", "Without softmax", "Four scores", FOUR_SCORES),
    "H05": Shown("attention", "CMU slide: Thinking Machines", "Picture", OPENING),
    "H07": Shown("seq2seq", "Why attention?", "Permuted α", PERMUTED),
    "I16": Shown("transformer", "One block", "Picture", EVERY_NUMBER),
    "I18": Shown("transformer", "Cross-attention", "Picture", BOTH_STACKS),
    "I19": Shown("transformer", "Linear and softmax", "Picture", INDEXED),
    "I17": Shown("transformer", "No residuals", "Switches", SWITCHED),
    "I20": Shown("seq2seq", "Shifted by one", "Shifted by one", SHIFTED),
    "I01": Shown("transformer", "Four claims", "Four claims", CLAIMS),
    "I02": Shown("transformer", "Four claims", "Four claims", CLAIMS),
    "I23": Shown("transformer", "Quadratic cost", "Cost", QUADRATIC),
    "I24": Shown("transformer", "Quadratic cost", "Cost", QUADRATIC),
    "I25": Shown("transformer", "BERT’s numbers", "Parameters", TENSORS),
    "I27": Shown("transformer", "Four claims", "Four claims", CLAIMS),
    "I28": Shown("transformer", "The whole way", "Picture", MAP),
    "K12": Shown("transformer", "BERT’s numbers", "Parameters", COUNTED),
    "K13": Shown("transformer", "XLM-RoBERTa", "Parameters", COUNTED),
    "E02": Shown("contextual", "Nail and beam", "Picture", TWO_SENSES),
    "E03": Shown("contextual", "Person A, Person B", "Eight words", EIGHT_WORDS),
    "E06": Shown("contextual", "Static", "Picture", ONE_POINT),
    "G01": Shown("contextual", "ELMo, small", "Picture", BY_LAYER),
    "G02": Shown("contextual", "Two losses", "The biLM", BOTH_LOSSES),
    "G03": Shown("contextual", "Two losses", "The biLM", BOTH_LOSSES),
    "G04": Shown("contextual", "Mix the layers", "Mix layers", MIXED),
    "G05": Shown("contextual", "Two losses", "The biLM", ELMO_SIZES),
    "G07": Shown("contextual", "In a tagger", "In a tagger", TAGGERS),
    "G09": Shown("contextual", "Mix the layers", "Mix layers", MIXED),
    "G10": Shown("contextual", "Mix the layers", "Mix layers", MIXED),
    "K23": Shown("contextual", "The pipeline", "Order of tasks", PIPELINE),
    "K24": Shown("contextual", "Sum or concatenate", "Sum or end to end", TABLE_7),
    "L07": Shown("contextual", "Who sees what", "Three models", WHO_SEES),
    "A10": Shown("transfer", "Does the verb agree?", "Picture", REUSED),
    "K26": Shown("transfer", "Slide code", "Snippet", SNIPPET),
    "L01": Shown("transfer", "The first GPT", "Picture", REUSED),
    "L02": Shown("transfer", "λ", "Two losses", BOTH_WEIGHED),
    "L03": Shown("transfer", "λ", "Two losses", TIED),
    "L04": Shown("transfer", "λ", "Two losses", BOTH_WEIGHED),
    "L05": Shown("transfer", "As one sequence", "As one sequence", SERIALISED),
    "L06": Shown("transfer", "Features", "Picture", REUSED),
    "L08": Shown("transfer", "Does the verb agree?", "Picture", LEARNING),
    "L09": Shown("transfer", "Four heads", "One small head", HEADS_READ),
    "L10": Shown("transfer", "Tags", "One small head", HEADS_READ),
    "L11": Shown("transfer", "Four heads", "One small head", HEADS_READ),
    "L12": Shown("transfer", "Layer roles", "Layer roles", ROLES),
    "L13": Shown("transfer", "Zero-shot", "One prompt", PROMPTED),
    "G06": Shown("results", "Reading cards", "Reading", CARDS),
    "G08": Shown("results", "Errors removed", "Error reduction", ERRORS_GONE),
    "I21": Shown("results", "Two versions", "Averages", AGAIN),
    "I22": Shown("results", "BLEU and FLOPs", "Picture", PLOTTED),
    "K19": Shown("results", "Averages again", "Averages", AGAIN),
    "K20": Shown("results", "Size of BERT", "Picture", PLOTTED),
    "K21": Shown("results", "Without NSP", "Ablations", ABLATED),
    "K22": Shown("results", "BERT’s abstract", "Averages", AGAIN),
    "K29": Shown("results", "Over the years", "Time line", IN_MONTHS),
    "M03": Shown("results", "Reading cards", "Reading", CARDS),
    "M05": Shown("results", "More data", "Picture", PLOTTED),
    "M06": Shown("results", "Shared parameters", "Picture", PLOTTED),
    "M08": Shown("results", "Reading cards", "Reading", CARDS),
    "M09": Shown("results", "CLIP fooled", "Paper label", PAPER),
    "O01": Shown("results", "CO₂", "Picture", PLOTTED),
    "O02": Shown("results", "Your own CO₂", "CO₂ scale", SCALED),
    "O03": Shown("results", "Reading cards", "Reading", CARDS),
    "O04": Shown("results", "Your own CO₂", "CO₂ scale", SCALED),
    "D10": Shown("bert", "Stony Brook slide: MLM with a DNN", "Another order", BAG),
}


def functions(path: Path) -> set[str]:
    """The names of the functions in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_shown_where_the_table_says(row):
    page, example, view, test = ROWS[row]
    assert contents.page(page).built
    settings = {preset.label: preset.settings for preset in ui.lesson(page).presets}
    assert settings[example]["see"] == view
    file, _, name = test.partition("::")
    assert name in functions(TESTS / file)
