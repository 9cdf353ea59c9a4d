"""The picture of the closed form: its matrices, its line, and how long descent takes to it."""

import numpy as np
import pytest

from lessons.descent import solved_picture, solved_text
from lessons.descent.descent_questions import solved_questions

POINTS = (
    (-0.5, 0.9), (0.0, 0.6), (0.4, 1.7), (0.8, 1.2), (1.2, 2.3), (1.6, 1.9), (2.0, 3.0), (2.5, 2.7),
)  # fmt: skip
X = np.array([[1.0, x] for x, _ in POINTS])
Y = np.array([y for _, y in POINTS])
FOUND = solved_picture.solve(POINTS, (3.0, -1.5))


def test_the_matrices_are_those_of_the_points_and_their_product_is_the_line():
    live = solved_picture.numbers(FOUND, 3)
    inverse = np.array([live[f"i {n}"] for n in range(4)]).reshape(2, 2)
    np.testing.assert_allclose(inverse, np.linalg.inv(X.T @ X))
    np.testing.assert_allclose([live["m 0"], live["m 1"]], X.T @ Y)
    np.testing.assert_allclose(inverse @ X.T @ Y, [live["s 0"], live["s 1"]])


@pytest.mark.parametrize("step", [0, 3, 52])
def test_descent_is_where_its_steps_lead(step):
    live = solved_picture.numbers(FOUND, step)
    beta = np.array([3.0, -1.5])
    for _ in range(step):
        beta = beta - FOUND.rate * 2 / len(Y) * X.T @ (X @ beta - Y)
    np.testing.assert_allclose([live["d 0"], live["d 1"]], beta)
    off = np.abs(beta - np.linalg.lstsq(X, Y, rcond=None)[0]).max()
    assert live["off"] == pytest.approx(off) and (off < 1e-6) == (step >= live["near"])


def test_what_is_said_is_the_number_of_steps():
    assert FOUND.near == 52 and FOUND.shown == 60
    assert "{near} steps" in solved_text.sentence(FOUND)
    (question,) = solved_questions(FOUND)
    assert question.answer == "52" and "52" in question.options
    valley = tuple((x + 30, y) for x, y in POINTS)
    slow = solved_picture.solve(valley, (3.0, -1.5))
    assert slow.near is None and "is not within" in solved_text.sentence(slow)
    assert slow.shown == 200 and not solved_questions(slow)
