"""What the page on gradient descent asks of its picture, surface by surface."""

from __future__ import annotations

import ui
from lessons.descent.demos_picture import Demos
from lessons.descent.demos_text import SAME
from lessons.descent.descent_state import DescentState
from lessons.descent.numbers import Descent, place_of_rate
from lessons.descent.solved_picture import Solved
from lmcore.networks.landscape import LossPlane
from lmcore.numbers import format_number
from lmcore.optimization.regression import LinearRegression, trace_curvature

DIGITS = ".6g"


def questions(now: DescentState, run: Descent, live: ui.LiveNumbers) -> list[ui.Question]:
    """What the page asks of this picture."""
    objective = run.surface.objective
    if isinstance(objective, LinearRegression):
        return [*_regression_questions(now, objective), *_next_step(now, run, live)]
    if run.surface.kind == "saddle":
        first = _saddle_questions(now, run)
    elif isinstance(objective, LossPlane):
        first = _network_questions(objective)
    else:
        first = _unit_questions()
    return [*first, _is_low(now, run), *_next_step(now, run, live)]


def _regression_questions(now: DescentState, objective: LinearRegression) -> list[ui.Question]:
    found = trace_curvature(objective)
    high, low = float(found.eigenvalues[1]), float(found.eigenvalues[0])
    largest = float(found.largest_rate)
    twice = 2 * now.eta < largest
    return [
        ui.Question(
            "largest",
            f"The steepest curvature of this bowl is λₘₐₓ = {high:{DIGITS}}. What is the largest "
            "η at which GD converges?",
            largest,
            "A step multiplies the distance along λ by 1 − ηλ, which must stay above −1: η < 2/λ.",
            hint="1 − ηλₘₐₓ must stay above −1.",
            hides=("rmax", "share"),
        ),
        ui.Question(
            "twice",
            f"η is {now.eta:g}. Does GD with twice that still converge?",
            "yes" if twice else "no",
            f"Twice η is {2 * now.eta:g}, and the largest that converges is {largest:{DIGITS}}.",
            options=("yes", "no"),
            hides=("rmax", "share", "left"),
        ),
        ui.Question(
            "condition",
            f"λₘₐₓ is {high:{DIGITS}} and λₘᵢₙ {low:{DIGITS}}. How many times as steep is the "
            "steep direction (κ)?",
            float(found.condition),
            "κ = λₘₐₓ / λₘᵢₙ, the condition number. The larger it is, the longer the valley.",
            hides=("kappa",),
        ),
    ]


def _next_step(now: DescentState, run: Descent, live: ui.LiveNumbers) -> list[ui.Question]:
    """The second parameter after the next step, if there is one and its rule is the plain one."""
    name = run.surface.objective.names[1]
    if now.step >= now.steps or now.rules[0].optimizer != "SGD":
        return []
    return [
        ui.Question(
            "next",
            f"{name} is {live['p1']:{DIGITS}}, ∂L/∂{name} is {live['g1']:{DIGITS}} and η is "
            f"{live['rate']:{DIGITS}}. What is {name} after the step?",
            live["n1"],
            f"{name} − η ∂L/∂{name}: against the slope.",
            hint="Subtract η times the slope.",
            hides=("n0", "n1"),
        )
    ]


def _is_low(now: DescentState, run: Descent) -> ui.Question:
    losses = run.sweep.loss[:, place_of_rate(run.sweep.rates, now.eta), 0]
    begin, end = float(losses[0]), float(losses[-1])
    low = float(losses.min())
    return ui.Question(
        "low",
        f"The run starts at L = {begin:{DIGITS}}. Is L below 0.2 after {now.steps} steps?",
        "yes" if end < 0.2 else "no",
        f"It ends at {format_number(end)}; the lowest on the way is {format_number(low)}.",
        options=("yes", "no"),
        hides=("loss", "l0", "nextloss"),
    )


def _saddle_questions(now: DescentState, run: Descent) -> list[ui.Question]:
    end = float(run.sweep.parameters[-1, place_of_rate(run.sweep.rates, now.eta), 0, 1])
    side = "at y = 0" if abs(end) < 1e-6 else "y > 0" if end > 0 else "y < 0"
    return [
        ui.Question(
            "zero",
            "At (0, 0) both slopes are 0. Is it a minimum?",
            "no",
            "Along x it is the lowest point, along y the highest: a saddle.",
            options=("yes", "no"),
        ),
        ui.Question(
            "side",
            "On which side does the run end?",
            side,
            "The start decides: at y = 0 exactly, no step would ever leave it.",
            options=("y > 0", "y < 0", "at y = 0"),
        ),
    ]


def _unit_questions() -> list[ui.Question]:
    return [
        ui.Question(
            "slope",
            "σ′(z) = σ(z)(1 − σ(z)). How large is it at most?",
            0.25,
            "At z = 0, where σ is 0.5. Far from there it is nearly 0: σ is saturated.",
            hint="It is largest where σ is 0.5.",
        ),
        ui.Question(
            "which",
            "Which loss has a slope of σ(z) − y by z, without the factor σ′(z)?",
            "cross-entropy",
            "The 1/p of −log p cancels σ′(z). Squared error keeps the factor, and with it the "
            "plateau.",
            options=("squared error", "cross-entropy"),
        ),
    ]


def _network_questions(plane: LossPlane) -> list[ui.Question]:
    return [
        ui.Question(
            "count",
            "Two inputs, two hidden units, one output. How many parameters does this network have?",
            float(plane.config.parameters),
            "2·2 weights and 2 biases, then 2 weights and 1 bias. The picture shows the loss along "
            "two directions of them.",
            hint="Weights and biases.",
        ),
        ui.Question(
            "uniform",
            "On the plateau the network says 0.5 to every corner. What is L there, in nats?",
            0.6931471805599453,
            "−log 0.5 = ln 2.",
            hint="−log 0.5.",
            hides=("loss", "l0", "nextloss"),
        ),
    ]


def demos_questions(found: Demos, live: ui.LiveNumbers) -> list[ui.Question]:
    """The question: how far apart the two codes end."""
    apart = float((found.beta[0] - found.beta[1]).abs().max())
    return [
        ui.Question(
            "demos-apart",
            f"Both codes start at one β and take {live['epochs']:g} steps at η = "
            f"{found.rate:{DIGITS}}. Where does torch.nn end?",
            "at the same β" if apart < SAME else "elsewhere",
            f"nn.Linear multiplies, nn.MSELoss takes the mean of the squares, and SGD subtracts "
            f"η times the slope: the largest difference is {format_number(apart)}.",
            hint="Read the marked parts in pairs.",
            options=("at the same β", "nearer to the points", "elsewhere"),
            hides=("b 1 0", "b 1 1", "loss 1", "apart"),
        )
    ]


def solved_questions(found: Solved) -> list[ui.Question]:
    """The question: how many steps descent takes to come as near as the closed form."""
    near = found.near
    if near is None or near < 8:
        return []
    options = (1, near // 4, near, near * 10)
    halfway = format_number(float(found.off[near // 2]))
    return [
        ui.Question(
            "solved-steps",
            "The closed form is one computation. How many steps does descent take to come within "
            "10⁻⁶ of it, at its fastest fixed η?",
            f"{near}",
            f"After {near // 2} steps it is still {halfway} away.",
            hint="Each step takes away a share of what is left.",
            options=tuple(f"{each}" for each in options),
            hides=("near", "off"),
        )
    ]
