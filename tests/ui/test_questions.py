"""Questions: which answers count as right, and the hint for a wrong answer."""

import pytest

from ui.questions import Question, diagnosis, is_right

NUMBER = Question("z", "What is z?", 0.69, "The sum.")
CHOICE = Question("who", "Which?", "b", "It is b.", options=("a", "b"))


@pytest.mark.parametrize(
    ("said", "right"), [(0.69, True), (0.7, True), (0.71, False), (-0.69, False), (0, False)]
)
def test_a_number_may_be_off_by_two_per_cent(said, right):
    assert is_right(NUMBER, said) is right


def test_zero_is_met_by_zero_only():
    assert is_right(Question("d", "?", 0.0, ""), 0)
    assert not is_right(Question("d", "?", 0.0, ""), 0.001)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (-0.69, "check the sign"),
        (69, "per cent"),
        (6.9, "Ten times too large"),
        (0.069, "Ten times too small"),
        (0.65, "round only at the end"),
        (3, "3 is too large"),
        (0.2, "0.2 is too small"),
    ],
)
def test_a_wrong_number_is_told_what_may_have_gone_wrong(said, told):
    assert told in diagnosis(NUMBER, said)


def test_a_share_where_per_cent_are_asked_for_is_recognised():
    assert "per cent" in diagnosis(Question("p", "?", 37.5, ""), 0.375)


def test_an_option_is_right_or_not():
    assert is_right(CHOICE, "b")
    assert diagnosis(CHOICE, "a") == "Not that one."


def test_a_text_tells_an_answer_by_its_word_or_its_number_alone():
    assert CHOICE.is_answered_by("it is b.") and not CHOICE.is_answered_by("about")
    assert NUMBER.is_answered_by("z = 0.69") and not NUMBER.is_answered_by("z = 0.693")
    assert not NUMBER.is_answered_by("10.69")
