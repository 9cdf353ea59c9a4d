"""Claims of examples and beats about whole Transformers."""

import math
from dataclasses import replace
from functools import cache

from texts_of_models import likeliest

from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld
from lmcore.shipped.models import load_shipped
from lmcore.shipped.recordings import find_recording
from lmcore.shipped.switch_runs import switched_run
from lmcore.transformer import four_claims, tiny
from lmcore.transformer.floors import floors_of
from lmcore.transformer.flops import forward_flops, forward_memory
from lmcore.transformer.gradient_norms import norms_before_training
from lmcore.transformer.parameters import count_by_part, count_parameters
from lmcore.transformer.path_length import last_of_block, last_of_recurrent, measure_paths
from lmcore.transformer.published import PUBLISHED

# --- Transformer ----------------------------------------------------------------------------------


BASE = PUBLISHED["bert_base"]


def tower_beside(opens):
    """The sizes of the encoder beside BERT base, none of them dragged."""
    assert not any(opens[f"tower_{name}"] for name in "ndv")
    return PUBLISHED[opens["tower_beside"]].sizes


@cache
def tiny_run(rate, seed):
    return tiny.train_tiny(int(seed), float(rate))


def tiny_at(opens, step=None):
    """α and ŷ at the example's position, after training up to a step."""
    step = int(step or opens["tiny_step"])
    row = tiny_run(opens["tiny_eta"], opens["tiny_seed"]).weights[step // tiny.EVERY].clone()
    for edit in tiny.parse_edits(opens["tiny_edits"]):
        assert edit.step == step
        row[edit.place.offset] = edit.value
    trace = tiny.trace_tiny(row, tiny.tiny_ids(opens["tiny_text"]))
    place = int(opens["tiny_place"]) - 1
    return trace.alpha[place].tolist(), dict(zip(tiny.WORDS, trace.p[place].tolist(), strict=True))


def attends_after(opens, step):
    """Whether at a step nearly all of α is on the first word, and the verb agrees with it."""
    alpha, p = tiny_at(opens, step)
    return alpha[0] > 0.95 and max(p, key=p.get) == "runs"


def is_undecided(opens, step):
    alpha, p = tiny_at(opens, step)
    return 0.4 < p["runs"] < 0.6 and 0.4 < p["run"] < 0.6 and max(alpha) < 0.6


def switched(opens):
    """The recording of a run, and the gradient norm of each block at the step shown."""
    spec = switched_run(
        residual=opens["sw_residual"] == "true",
        norm=opens["sw_norm"],
        positions=opens["sw_positions"] == "true",
        split=opens["sw_heads"] == "4",
        mlp=opens["sw_mlp"] == "true",
    )
    run = find_recording(spec)
    assert run is not None
    (row,) = (each for each in run.evaluations if each[0] == max(50, int(opens["sw_at"])))
    blocks = [row[2 + i] for i, name in enumerate(run.layers) if name.startswith("layer ")]
    return run, blocks


def frequencies():
    """The lowest loss of a model that uses word frequencies alone."""
    return math.log(float(next(iter(entropy.perplexity_floors(microworld(), 1)))))


def sizes_of(opens):
    return PUBLISHED[opens["pc_model"]].sizes


def share_of(opens, part):
    counted = count_by_part(sizes_of(opens))
    return {str(name): count for name, count in counted.items()}[part] / sum(counted.values())


def scores(opens, tokens):
    """The number of attention weights in a block: one for each head, query and key."""
    return sizes_of(opens).heads * tokens**2


def in_a_row(words):
    """The products that wait for one another, of an RNN and of a block."""
    return tuple(
        measure_paths(last, (words,))[0].longest for last in (last_of_recurrent, last_of_block)
    )


def first_path(last, words):
    """The products on the shortest path from the first word to the last output."""
    return measure_paths(last, (words,))[0].shortest


@cache
def muted_shares():
    """(relation, muted head) → the share that is right in our small GPT."""
    found = four_claims.mute_heads(load_shipped("gpt")[0])
    return {(each.relation, str(each.head)): round(each.right, 6) for each in found}


def needed_heads():
    """Relation → the heads without which it loses a tenth or more."""
    right = muted_shares()
    return {
        relation: [head for name, head in right if name == relation and right[name, head] < 0.9]
        for relation in four_claims.RELATIONS
    }


TRANSFORMER = {
    "From six words to the seventh": lambda opens: len(opens["tf_text"].split()) == 6,
    "What block 2 looks at, before it predicts “are”": lambda opens: (
        load_shipped("gpt")[0].network.config.heads == 4
        and likeliest("gpt", opens["tf_text"]) == ["are"]
    ),
    "A model of 244 weights, whole": lambda _: len(tiny.initial_weights(1)) == 244,
    "from 84 to 104: almost all of α moves to the first word, and the verb is right": (
        lambda opens: (
            opens["tiny_step"] == "84"
            and not attends_after(opens, 84)
            and attends_after(opens, 104)
        )
    ),
    "set to 0: the model predicts near, as after the first word": lambda opens: (
        (p := tiny_at(opens)[1])
        and max(p, key=p.get) == "near"
        and (first := tiny_at({**opens, "tiny_place": "1"})[1])
        and max(first, key=first.get) == "near"
        and opens["tiny_edits"] == "200:P[3,1]=0"
    ),
    "Six blocks trained without the additions": lambda opens: (
        (spec := switched(opens)[0].spec.model).layers == 6 and spec.residual is False
    ),
    "before the first step the gradient falls from block to block": lambda opens: (
        (found := norms_before_training(switched(opens)[0].spec).blocks.tolist()) == sorted(found)
        and found[0] < 1e-9 * found[-1]
    ),
    "20 words back: one hop of attention, 21 of an RNN": lambda opens: (
        opens["hop_words"] == "20"
        and first_path(last_of_recurrent, 22) == 22
        and first_path(last_of_block, 22) == first_path(last_of_block, 3) == 3
    ),
    "Pronouns need another head than agreement": lambda _: (
        (needs := needed_heads())["pronoun"] and not {*needs["pronoun"]} & {*needs["agreement"]}
    ),
    "need another head than agreement does: without 0.3 they fall from 100 % to 55 %": (
        lambda opens: (
            (right := muted_shares())["pronoun", opens["mute_head"]] == 0.55
            and right["pronoun", "None"] == 1
            and right["agreement", opens["mute_head"]] == right["agreement", "None"]
        )
    ),
    "256 words: an RNN waits 256 times, a block 6 times": lambda opens: (
        opens["row_words"] == "256" and in_a_row(256) == (256, 6)
    ),
    "**256 steps** in a row, however many processors. The block takes 6": lambda opens: (
        opens["row_step"] == opens["row_words"] == "256" and in_a_row(256) == (256, 6)
    ),
    "All 109,482,240 of them": lambda opens: count_parameters(sizes_of(opens)) == 109_482_240,
    "One set of weights for all twelve floors, and a narrow E": lambda opens: (
        (its := tower_beside(opens)).shared and its.layers == 12 and its.narrow < its.width
    ),
    "**One** floor is stored, and all of them are computed": lambda opens: (
        opens["tower_shared"] == "shared"
        and (its := tower_beside(opens)).stored_layers == 1
        and forward_flops(its, 512)["MLP"] == forward_flops(BASE.sizes, 512)["MLP"]
    ),
    "Each floor its own again: now only the narrow **E** saves weights": lambda opens: (
        opens["tower_shared"] == "own"
        and (its := floors_of(replace(tower_beside(opens), shared=False))).stored == 12
        and its.ground < (base := floors_of(BASE.sizes)).ground
        and its.total - its.ground == base.total - base.ground
    ),
    "Nearly half of its weights are in E, for 250,002 tokens": lambda opens: (
        0.45 < share_of(opens, "token embedding") < 0.5 and sizes_of(opens).vocabulary == 250_002
    ),
    "Twelve floors on a table of 30,522 rows": lambda opens: (
        opens["tower_beside"] == "alone"
        and (its := BASE.sizes).layers == 12
        and its.vocabulary == 30_522
    ),
    "The floors of LARGE, on a table of 250,002 rows": lambda opens: (
        (its := tower_beside(opens)).vocabulary == 250_002
        and floors_of(its).floor == floors_of(PUBLISHED["bert_large"].sizes).floor
        and its.layers == PUBLISHED["bert_large"].sizes.layers
    ),
    "LARGE has **twice the floors** and is a third wider": lambda opens: (
        (its := tower_beside(opens)).layers == 2 * BASE.sizes.layers
        and 3 * its.width == 4 * BASE.sizes.width
    ),
    "**3.1 times**: a floor is made of matrices d × d": lambda opens: math.isclose(
        count_parameters(tower_beside(opens)) / count_parameters(BASE.sizes), 3.1, abs_tol=0.05
    ),
    "LARGE’s floors on **250,002 rows** of tokens, nearly half of its weights": lambda opens: (
        (its := tower_beside(opens)).vocabulary == 250_002
        and 0.45 < count_by_part(its)["token embedding"] / count_parameters(its) < 0.5
    ),
    "**are**: it agrees with *cats*, five words back, and not with *dog*": lambda opens: (
        likeliest("gpt", opens["tf_text"]) == ["are"]
        and len(opens["tf_text"].split()) - opens["tf_text"].split().index("cats") == 5
        and likeliest("gpt", opens["tf_text"].replace("cats", "cat")) != ["are"]
    ),
    "it learns how frequent words are, and no more: almost no **gradient** reaches block 1": (
        lambda opens: (
            abs(switched(opens)[0].final_loss - frequencies()) < 0.1
            and switched(opens)[1][0] < 1e-5 * switched(opens)[1][-1]
        )
    ),
    "**244 weights**. At step 84 the verb is a coin toss: α is spread out": lambda opens: (
        is_undecided(opens, 84) and opens["tiny_step"] == "84"
    ),
    "Twenty steps later almost all of **α** is on the *first* word, and the verb agrees": (
        lambda opens: attends_after(opens, opens["tiny_step"]) and opens["tiny_step"] == "104"
    ),
    "has **109,482,240** weights. More than half are in the MLPs, a fifth in the table": (
        lambda opens: (
            count_parameters(sizes_of(opens)) == 109_482_240
            and share_of(opens, "MLP") > 0.5
            and 0.18 < share_of(opens, "token embedding") < 0.22
        )
    ),
    "Twice the tokens: four times the **scores**. BERT’s input is fixed at 512": lambda opens: (
        scores(opens, 1024) == 4 * scores(opens, 512)
        and math.isclose(
            forward_memory(sizes_of(opens), 1024).squared,
            4 * forward_memory(sizes_of(opens), 512).squared,
        )
        and sizes_of(opens).places == 512
    ),
}

CLAIMS = {"transformer": TRANSFORMER}
