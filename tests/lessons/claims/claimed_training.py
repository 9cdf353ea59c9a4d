"""Claims of the pages on how networks learn: Backprop and Live training."""

from __future__ import annotations

import json
import math
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import torch
from claim_check import Claim, Page, Scene, filled, number, plain
from claimed_models import close, live_of
from hypothesis import strategies as st

from lessons.backprop import backprop_text, naming, walk_text
from lessons.training import training_picture, training_text
from lmcore.graph import parse_program, trace_graph
from lmcore.shipped.recordings import Recording
from lmcore.training.spec import ModelSpec, RunSpec

ROOT = Path(__file__).resolve().parents[3]

# --- Backprop -------------------------------------------------------------------------------------

FORMS = (
    *("{0} * {1}", "{0} + {1}", "{0} - {1}", "relu({0})", "max({0}, 3)"),
    *("max({0}, {1})", "sigmoid({0})"),
)
CROSS_ENTROPY = "p = sigmoid({0})\nL = -y*log(p) - (1 - y)*log(1 - p)"


@st.composite
def programs(draw):
    """Leaves that are small whole numbers or pairs of them, and lines that use earlier names.

    Lines are kept as (name, form, operands), so that they can be computed again.
    """
    pair = draw(st.booleans())
    small = st.sampled_from((1.0, -2.0, -1.0, 0.0, 2.0, 9.0))
    value = st.lists(small, min_size=2, max_size=2) if pair else small
    leaves = {name: draw(value) for name in ("a", "b", "c")[: draw(st.integers(1, 3))]}
    lines, names = [], list(leaves)
    form = draw(
        st.sampled_from((FORMS, FORMS[:4], FORMS[:4], FORMS[-1:], FORMS[-2:-1], FORMS[4:5]))
    )
    for name in ("d", "e", "f", "g")[: draw(st.integers(1, 4))]:
        operands = (names[-1], draw(st.sampled_from(names)))
        lines.append((name, draw(st.sampled_from(form)), operands))
        names.append(name)
    return leaves, lines, pair, draw(st.sampled_from((None, None, 0.0, 1.0)))


def program_of(case):
    """The text of the program."""
    leaves, lines, pair, target = case
    text = [f"{name} = {value}" for name, value in leaves.items()]
    text += [f"{name} = {form.format(*operands)}" for name, form, operands in lines]
    last = lines[-1][0]
    if pair:
        text.append(f"s = sum({last})")
        last = "s"
    if target is not None:
        text[len(leaves) : len(leaves)] = [f"y = {target}"]
        text.append(CROSS_ENTROPY.format(last))
    return "\n".join(text)


COMPUTE = {
    "{0} * {1}": lambda a, b: a * b,
    "{0} + {1}": lambda a, b: a + b,
    "{0} - {1}": lambda a, b: a - b,
    "relu({0})": lambda a, _: torch.relu(a),
    "max({0}, {1})": torch.maximum,
    "max({0}, 3)": lambda a, _: torch.maximum(a, torch.tensor(3.0).double()),
    "sigmoid({0})": lambda a, _: torch.sigmoid(a),
}


def computed(case):
    """Values and gradients of every name, by autograd."""
    leaves, lines, pair, target = case
    values = {
        n: torch.tensor(v, dtype=torch.float64, requires_grad=True) for n, v in leaves.items()
    }
    if target is not None:
        values["y"] = torch.tensor(target, dtype=torch.float64, requires_grad=True)
    for name, form, (one, other) in lines:
        values[name] = COMPUTE[form](values[one], values[other])
    result = values[lines[-1][0]]
    if pair:
        result = values["s"] = result.sum()
    if target is not None:
        p = values["p"] = torch.sigmoid(result)
        y = values["y"]
        result = values["L"] = -y * torch.log(p) - (1 - y) * torch.log(1 - p)
    if not result.requires_grad:
        return None
    for each in values.values():
        each.retain_grad()
    result.backward()
    grads = {n: torch.zeros_like(v) if v.grad is None else v.grad for n, v in values.items()}
    return values, grads


def backprop_scenes(case):
    try:
        graph = parse_program(program_of(case))
        trace = trace_graph(graph)
    except ValueError:  # such as a logarithm of 0
        return
    values, grads = computed(case)
    leaves = [*case[0], *(["y"] if case[3] is not None else [])]
    each = {n: grads[n].flatten().tolist() for n in leaves}
    uses = {n: sum(line[2][: 1 + ("{1}" in line[1])].count(n) for line in case[1]) for n in values}
    facts = {
        "values": {n: v.flatten().tolist() for n, v in values.items()},
        "grads": {n: g.flatten().tolist() for n, g in grads.items()},
        "leaves": each,
        "uses": uses,
        "max": any(
            (
                form.startswith("max") and not torch.equal(values[name], values[one])
            )  # the first operand is smaller
            or (form == "max({0}, {1})" and not torch.equal(values[name], values[other]))
            for name, form, (one, other) in case[1]
        ),
    }
    live = live_of(naming.by_name(graph, trace))
    finding = backprop_text.graph_finding(graph, trace)
    for said in walk_text.sentences(graph, finding)[1:]:
        yield Scene(plain(live.fill(said)), facts)


def entries(facts, name):
    """The gradients of a leaf, or the gradient of one entry if the name has an index."""
    leaf, _, place = name.partition("[")
    row = facts["grads"][leaf]
    return [row[int(place.rstrip("]")) - 1]] if place else row


def both(facts, one, other):
    """Pairs of the numbers of two names; a constant is paired with each number of the other."""
    rows = [facts["values"].get(name) or [float(name)] for name in (one, other)]
    size = max(map(len, rows))
    return zip(*(row * size if len(row) < size else row for row in rows), strict=True)


def products(text):
    """The value of a printed sum of products: a × b + c × d."""
    terms = [each.split(" × ") for each in text.split(" + ")]
    return sum(number(a) * number(b) for a, b in terms)


BACKPROP = Page(
    programs(),
    backprop_scenes,
    (
        Claim(
            "the result moves most with this leaf: its gradient is the largest",
            r"moves most with ([^\s:]+): ∂\S+ = ([^\s]+)\. Drag",
            lambda m, f: math.isclose(
                max(abs(g) for g in entries(f, m[1])),
                max(abs(g) for row in f["leaves"].values() for g in row),
                abs_tol=1e-12,
            ),
        ),
        Claim(
            "a number is exactly 0, where ReLU has no slope",
            r"^(\w+) is exactly 0, where ReLU has no slope",
            lambda m, f: all(each == 0 for each in f["values"][m[1]]),
        ),
        Claim(
            "numbers of a vector are 0, where ReLU has no slope",
            r"A number of (\w+) is exactly 0, where ReLU",
            lambda m, f: 0 in f["values"][m[1]] and any(f["values"][m[1]]),
        ),
        Claim(
            "two are equal, where max has no derivative",
            r"^(\w+) and (\w+) are equal, where max has no derivative",
            lambda m, f: m[1] != m[2] and all(a == b for a, b in both(f, m[1], m[2])),
        ),
        Claim(
            "some numbers of two are equal, where max has no derivative",
            r"^Numbers of (\w+) and (\w+) are equal, where max has no derivative",
            lambda m, f: (
                any(a == b for a, b in both(f, m[1], m[2]))
                and any(a != b for a, b in both(f, m[1], m[2]))
            ),
        ),
        Claim(
            "a ReLU is dead: all before it is below 0, and it passes 0 back",
            r"(\w+) is below 0, so the ReLU (\w+) is dead: it passes 0 back",
            lambda m, f: max(f["values"][m[1]]) < 0 == max(map(abs, f["values"][m[2]])),
        ),
        Claim(
            "the gradient at z is a − y",
            r"∂L/∂(\w+) = p − y = (\S+) − (\S+) = (\S+): cross-entropy cancels",
            lambda m, f: math.isclose(
                f["grads"][m[1]][0], f["values"]["p"][0] - f["values"]["y"][0], abs_tol=1e-9
            ),
        ),
        Claim(
            "so little of the 1 arrives: each of so many local derivatives is below 1",
            r"Of the 1 at the end, (\S+) arrives at (\w+): (\d+) local derivatives below 1",
            lambda m, f: 0 < abs(f["grads"][m[2]][0]) < 1e-3 and int(m[3]) >= 3,
        ),
        Claim(
            "these are used more than once",
            r"^([\w, ]+?(?: and \w+)?) (?:is|are) used more than once",
            lambda m, f: all(
                f["uses"].get(name, 2) > 1 for name in m[1].replace(" and ", ", ").split(", ")
            ),
        ),
        Claim(
            "every leaf's gradient is 0",
            "Every leaf’s gradient is 0",
            lambda m, f: not any(g for row in f["leaves"].values() for g in row),
        ),
        Claim(
            "max passes the gradient to the larger value only: there is a max",
            "max passes the gradient to the larger value only",
            lambda m, f: f["max"],
        ),
        Claim(
            "the result does not depend on it",
            r"Back to (\w+): \w+ does not depend on it",
            lambda m, f: not any(f["grads"].get(m[1], ())),
        ),
        Claim(
            "upstream times local is what arrives",
            r"Back to (\w+): upstream (\S+) × local (\S+) = downstream ([^\s\[\]]+)\.$",
            lambda m, f: (
                math.isclose(number(m[2]) * number(m[3]), number(m[4]), rel_tol=3e-3, abs_tol=1e-9)
                and math.isclose(
                    number(m[4]),
                    f["grads"].get(m[1], [number(m[4])])[0],
                    rel_tol=3e-3,
                    abs_tol=1e-9,
                )
            ),
        ),
        Claim(
            "what comes back on so many paths adds up",
            r"Back to (\w+) on (\d+) paths, which add up: ([^\[\]]+ × [^\[\]]+) = ([^\s\[\]]+)\.$",
            lambda m, f: (
                m[3].count(" × ") == int(m[2])
                and math.isclose(products(m[3]), number(m[4]), rel_tol=1e-2, abs_tol=1e-3)
                and (m[1] not in f["grads"] or close(m[4], f["grads"][m[1]][0]))
            ),
        ),
    ),
    often=4,
)

# --- Live training --------------------------------------------------------------------------------

KINDS = ("rnn", "lstm", "gru")
TYPES = 20
GUESSING = math.log(TYPES)
LOSS = st.sampled_from((1.5, 1.6, 2.0, 2.5, 2.9, 3.5, 5.0))


@st.composite
def loss_curves(draw):
    """Validation losses and batch losses of one run or several, and how the runs ended."""
    runs = draw(st.sampled_from((1, 1, 1, 2, 3)))
    row = st.lists(LOSS, min_size=4, max_size=4)
    return {
        "evaluations": [draw(row) for _ in range(runs)],
        "batches": [draw(row) for _ in range(runs)],
        "state": draw(st.sampled_from(("finished", "diverged", "diverged"))),
        "truth": draw(st.sampled_from((1.55, None))),
        "passes": draw(st.sampled_from((0.0, 40.0))),
    }


def plan_of(case, specs, recordings):
    return training_picture.Plan(specs, recordings, "", TYPES, case["truth"], case["passes"], "")


def recorded_scenes(case):
    """What the page says before Start is pressed, with the curves as recorded runs."""
    runs = range(len(case["evaluations"]))
    specs = tuple(RunSpec(model=ModelSpec(KINDS[i]), steps=90, learning_rate=0.5) for i in runs)
    why = "the loss overflowed" if case["state"] == "diverged" else ""
    recordings = tuple(
        Recording(
            *(specs[i], "2026-01-01", "a CPU", 1.0, TYPES, 10, case["truth"], 90, why, ()),
            batches=tuple(zip((1, 30, 60, 90), case["batches"][i], strict=True)),
            norms=((90, 1.0),),
            evaluations=tuple(zip((0, 30, 60, 90), case["evaluations"][i], strict=True)),
            samples=(),
        )
        for i in runs
    )
    plan = plan_of(case, specs, recordings)
    said = filled(training_text.sentences(plan, ()), live_of(training_picture.numbers(plan)))
    yield Scene(said, curve_facts(case))


def curve_facts(case):
    labels = [training_picture.LABELS[kind] for kind in KINDS]
    finals = [row[-1] for row in case["evaluations"]]
    named = finals.index(min(finals))
    row, batches = case["evaluations"][named], case["batches"][named]
    lowest = row.index(min(row))
    return {
        "finals": dict(zip(labels, finals, strict=False)),
        "final": finals[named],
        "second": min([*finals[:named], *finals[named + 1 :]], default=math.inf),
        "lowest": (30 * lowest, row[lowest]),
        "batch": batches[-1],
        "batch then": batches[lowest],
        "truth": case["truth"],
        "passes": case["passes"],
        "state": case["state"],
    }


STANDING = """
import { standing } from "./lessons/training/training_standing.js";
import { readFileSync } from "node:fs";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([data, histories]) => standing(data, histories).numbers)));
"""


def live_cases():
    """Cases drawn from a seed, so that one run of the browser's script serves all of them."""
    draw = np.random.default_rng(1)
    losses = (1.5, 1.6, 2.0, 2.5, 2.9, 3.5, 5.0)
    for _ in range(150):
        runs = int(draw.choice((1, 1, 2, 3)))
        yield {
            "evaluations": draw.choice(losses, (runs, 4)).tolist(),
            "batches": draw.choice(losses, (runs, 4)).tolist(),
            "state": str(draw.choice(("running", "paused", "finished", "diverged"))),
            "truth": [1.55, None][int(draw.integers(2))],
            "passes": float(draw.choice((0, 40))),
        }


@cache
def standings():
    """Each case with its plan and its labels, and the numbers of the browser's script for it.

    No sentence is among them: a test that changes a sentence would find the one kept here.
    """
    made, given = [], []
    for case in live_cases():
        runs = range(len(case["evaluations"]))
        specs = tuple(RunSpec(model=ModelSpec(KINDS[i]), steps=90) for i in runs)
        labels = [
            {"name": f"run {i}", "label": training_picture.LABELS[KINDS[i]], "mine": True}
            for i in runs
        ]
        plan = plan_of(case, specs, ())
        at = 90 if case["state"] in ("finished", "diverged") else 91
        histories = [
            {
                "state": case["state"],
                "step": at,
                "steps": 90 if case["state"] == "finished" else 180,
                "why": "",
                "samples": [],
                "norms": [1.0],
                "losses": np.repeat(case["batches"][i], (1, 29, 30, at - 60)).tolist(),
                "evaluations": [
                    [30 * n, each, None] for n, each in enumerate(case["evaluations"][i])
                ],
                "uniform": GUESSING,
                "truth": case["truth"],
            }
            for i in runs
        ]
        data = training_picture.training_picture(
            plan, labels, [0.5] * len(runs), [case["passes"]] * len(runs)
        )
        made.append((case, plan, labels))
        given.append([data, histories])
    run = subprocess.run(
        ["node", "--input-type=module", "-e", STANDING],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return [
        (*each, {name: math.nan if value is None else value for name, value in numbers.items()})
        for each, numbers in zip(made, json.loads(run.stdout), strict=True)
    ]


def live_scenes(at):
    """What the page says about runs on the server, with the numbers of the browser's script."""
    for case, plan, labels, numbers in standings()[at::6]:
        sentences = training_text.sentences(plan, labels)
        facts = curve_facts(case)
        if case["state"] != "finished":
            facts["passes"] *= (91 if case["state"] in ("running", "paused") else 90) / 180
        yield Scene(filled(sentences, live_of(numbers)), facts)


def wins(match, facts):
    """Whether the named run has the lowest loss, and the two printed losses are the lowest two."""
    name, final, second = match.groups()[:3]
    return (
        facts["finals"][name] == min(facts["finals"].values())
        and close(final, facts["final"])
        and close(second, facts["second"])
    )


TRAINING = Page(
    st.tuples(st.just(recorded_scenes), loss_curves())
    | st.tuples(st.just(live_scenes), st.integers(0, 5)),
    lambda case: case[0](case[1]),
    (
        Claim(
            "of a recorded race this one won",
            r"The (\S+) won the recorded race with (\S+) nats; the next has ([^\s,.]+\.?[^\s,.]*)",
            wins,
        ),
        Claim(
            "of a race this one leads", r"the (\S+) leads with (\S+) nats, ahead of (\S+)\.$", wins
        ),
        Claim(
            "of a race this one has won",
            r"The (\S+) has won with (\S+) nats; the next has ([^\s,.]+\.?[^\s,.]*)[,.]",
            wins,
        ),
        Claim(
            "a recorded run went up from uniform guessing",
            r"went from ln \|V\| = \S+ up to (\S+) nats, and stopped",
            lambda m, f: close(m[1], f["final"]) and f["final"] > GUESSING,
        ),
        Claim(
            "a recorded run stopped below uniform guessing: its loss overflowed",
            r"The recorded run stopped at step \d+, after a validation loss of (\S+) nats",
            lambda m, f: close(m[1], f["final"]) and f["final"] <= GUESSING,
        ),
        Claim(
            "the validation loss was lowest before the end, and rose, while that of batches fell",
            r"lowest at step (\d+), (\S+); then it rose to (\S+), while .* fell to (\S+) nats",
            lambda m, f: (
                int(m[1]) == f["lowest"][0]
                and close(m[2], f["lowest"][1])
                and close(m[3], f["final"])
                and f["final"] > 1.02 * f["lowest"][1]
                and close(m[4], f["batch"])
                and f["batch"] < f["batch then"]
            ),
        ),
        Claim(
            "a loss is this perplexity",
            r"validation loss (\S+) nats, which is perplexity (\S+);",
            lambda m, f: close(m[1], f["final"]) and close(m[2], math.exp(f["final"])),
        ),
        Claim(
            "so many per cent of the way to the grammar's own loss",
            r"to (\S+) nats in \d+ steps: (\S+) % of the way to the grammar's own loss",
            lambda m, f: (
                f["truth"] < f["final"] < GUESSING
                and close(m[2], 100 * (GUESSING - f["final"]) / (GUESSING - f["truth"]))
            ),
        ),
        Claim(
            "no more than the grammar's own loss",
            r"(\S+) nats: on this text no more than the grammar's own loss, (\S+)\.$",
            lambda m, f: f["final"] <= f["truth"] and close(m[2], f["truth"]),
        ),
        Claim(
            "worse than uniform guessing",
            "worse than uniform guessing",
            lambda m, f: f["final"] >= GUESSING,
        ),
        Claim(
            "overfitting: the validation loss is above its lowest, and above that of the batches",
            r"Overfitting: lowest at step (\d+), (\S+); now the validation loss is (\S+)\. .* read "
            r"(\S+) times, and the model memorises",
            lambda m, f: (
                (int(m[1]), number(m[2])) == f["lowest"]
                and close(m[3], f["final"])
                and f["final"] > 1.02 * f["lowest"][1]
                and f["batch"] < f["final"]
                and close(m[4], f["passes"])
            ),
        ),
        Claim(
            "diverged: the last validation loss was above uniform guessing",
            r"Diverged at step \d+: the last validation loss was (\S+) nats, above",
            lambda m, f: close(m[1], f["final"]) and f["final"] > GUESSING,
        ),
        Claim(
            "diverged from below uniform guessing",
            r"Diverged at step \d+, after a validation loss of (\S+) nats",
            lambda m, f: close(m[1], f["final"]) and f["final"] <= GUESSING,
        ),
    ),
    often=2,
)

PAGES = {"backprop": BACKPROP, "training": TRAINING}
