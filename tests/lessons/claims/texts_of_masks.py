"""Claims of examples and beats about masks and corrupted texts."""

import math
from functools import cache

import torch

from lessons.masking.corruption_state import corrupt_five_ways, read_documents
from lmcore.corruption import full_sentences, rates, spans
from lmcore.corruption.bart_noise import MASK
from lmcore.corruption.corruption import KEPT, MASKED, RANDOM
from lmcore.corruption.draws import (
    CorruptionConfig,
    corrupt_as_chosen,
    corrupt_at_random,
    draw_for_text,
)
from lmcore.corruption.masked_loss import masked_loss
from lmcore.corruption.story_words import count_fates, story_words
from lmcore.corruption.text import text_from_model, text_from_words
from lmcore.masking import leakage, mask_pairs, under_mask
from lmcore.masking.mask_choice import MaskChoice, build_mask, parse_order
from lmcore.masking.without_causal_mask import load_recording
from lmcore.models import masks
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder
from lmcore.vocabulary import split_text


def noises_of(opens):
    """The five corruptions of a text's settings."""
    share, seed = float(opens["corrupt_noise_share"]), int(opens["corrupt_noise_seed"])
    return corrupt_five_ways(split_text(opens["corrupt_noise"], "word"), share, seed)


def packings_of(opens):
    """The inputs of a text's documents, past the end of a document and by themselves."""
    documents, length = read_documents(opens["corrupt_pack"]), int(opens["corrupt_pack_length"])
    return {
        across: full_sentences.pack(documents, length, across=across) for across in (True, False)
    }


# --- Masks ----------------------------------------------------------------------------------------


def mask_of(opens, kind=None):
    """The text of an example, as `<s>` and words, and its mask."""
    text = under_mask.encode_text(opens["masking_text"])
    choice = MaskChoice(
        kind or opens["masking_kind"],
        int(opens["masking_prefix"]),
        int(opens["masking_window"]),
        opens["masking_ahead"] == "true",
        parse_order(opens["masking_order"]),
        opens["masking_stream"] == "content",
        opens["masking_painted"],
    )
    return text, build_mask(choice, len(text.ids))


def attended(opens):
    """The trace of a head of an untrained GPT under the example's mask, and the mask."""
    text, mask = mask_of(opens)
    ids = torch.tensor([text.ids])
    return under_mask.trace_masked_head(under_mask.untrained_gpt(), ids, mask[None]), mask


def reached(opens):
    """Whether an output changes with a word, by (depth, output, changed word)."""
    text, mask = mask_of(opens)
    blank = opens["masking_blank"] == "true"
    return leakage.leakage(mask, torch.tensor(text.ids), blank=blank).moved > 0


def is_exact(opens):
    """Whether the masked scores are −∞ and their weights 0, and the weights of a row sum to 1."""
    found, mask = attended(opens)
    return (
        bool((found.masked[0][~mask] == -math.inf).all())
        and not found.weights[0][~mask].any()
        and torch.allclose(found.weights[0].sum(dim=-1), torch.ones(len(mask)).to(found.weights))
    )


def padding(opens):
    """The lengths of a batch, and how far visible and masked padding moves each text's outputs."""
    texts = under_mask.encode_batch(opens["masking_batch"])
    network = under_mask.untrained_gpt()
    batch = mask_pairs.PaddedBatch(texts, filler=1)
    found = []
    for one in range(len(texts)):
        pair = mask_pairs.padding_pair(network, batch, one, mask_pairs.HeadIndex())
        found.append(mask_pairs.padding_effect(network, batch, one, pair))
    return batch.lengths, found


def cross(opens):
    """The masks of a decoder over its own words and over the source."""
    source, target = under_mask.number_words(
        [
            under_mask.encode_text(opens["masking_source"], start=False),
            under_mask.encode_text(opens["masking_text"]),
        ]
    )
    network = under_mask.untrained_transformer()
    own, other = mask_pairs.cross_attention_pair(network, source, target, mask_pairs.HeadIndex())[
        1:
    ]
    return own.trace.mask[0], other.trace.mask[0]


def is_twice(opens):
    own, source = cross(opens)
    return torch.equal(own, masks.causal(len(own))) and bool(source.all())


def sees_itself_after(opens):
    """After how many layers all outputs depend on their own, hidden words; if any does after 1."""
    assert not mask_of(opens)[1].diagonal().any()
    found = reached(opens).diagonal(dim1=1, dim2=2)
    return [bool(each.all()) for each in found].index(True) + 1, bool(found[0].any())


def without_mask():
    """Of the recorded run without a mask: loss, grammar's loss, loss without future, `possible`."""
    unmasked = load_recording().runs[1]
    return unmasked.loss, unmasked.grammar_loss, unmasked.loss_without_future, unmasked.possible


def cannot_write():
    loss, possible, _, written = without_mask()
    return loss < possible and written == 0


def open_cells(opens):
    """How many cells above the diagonal are open."""
    return int(mask_of(opens)[1].triu(1).sum())


# --- Corruption -----------------------------------------------------------------------------------


def by_hand(opens):
    """The example's text, corrupted by hand."""
    return corrupt_as_chosen(text_from_words(opens["corrupt_text"]), opens["corrupt_hand"])


def outcomes(opens):
    found = by_hand(opens).outcomes
    return [int((found == each).sum()) for each in (MASKED, RANDOM, KEPT)]


def shares_of(opens):
    names = ("chosen", "masked", "random")
    return rates.Rates(*(float(opens[f"corrupt_{name}"]) for name in names))


def config_of(opens):
    return CorruptionConfig(
        shares_of(opens), opens["corrupt_unit"], opens["corrupt_from"], int(opens["corrupt_seed"])
    )


def drawn(opens):
    return rates.repeat_draws(text_from_words(opens["corrupt_text"]), config_of(opens))


def fates(opens):
    """The shares of ten thousand words that are not chosen, masked, random and kept."""
    text, config = story_words(), config_of(opens)
    draws = draw_for_text(text, config).draws
    return count_fates(text, config, [config.rates], draws)[0, :4].double() / len(text.tokens)


def near_shares(opens, *shares):
    """Whether the words fall as expected, within three standard deviations."""
    expected = torch.tensor(shares).double()
    spread = (expected * (1 - expected) / 10_000).sqrt()
    return bool(((fates(opens) - expected).abs() <= 3 * spread + 1e-9).all())


def counts_of_types(opens):
    """The share of random replacements drawn from the most frequent tenth of the types."""
    counts = text_from_words(opens["corrupt_text"]).stock.counts
    often = counts.argsort(descending=True)[: len(counts) // 10]
    by_type = drawn(opens).drawn
    return float(by_type[often].sum() / by_type.sum())


def grows(opens):
    """Whether the words that one draw chooses at a share stay chosen at every larger share."""
    values = [0.0, 0.15, 0.3, 0.6, 1.0]
    text = text_from_words(opens["corrupt_text"])
    made = [rates.Rates(value, 0.8, 0.1) for value in values]
    found = corrupt_at_random(
        text, config_of(opens), made, draw_for_text(text, config_of(opens)).draws
    )
    return bool((found.chosen[1:] >= found.chosen[:-1]).all()) and bool(found.chosen[-1].all())


def whole_word(opens):
    """Whether, for each of 60 seeds, all pieces of one word are chosen or none of them."""
    text = text_from_words(opens["corrupt_text"])
    pieces = {i for i, token in enumerate(text.tokens) if token in ("phil", "##am", "##mon")}
    config = config_of(opens)._replace
    rows = [
        corrupt_at_random(
            text,
            config(seed=seed),
            [shares_of(opens)],
            draw_for_text(text, config(seed=seed)).draws,
        ).chosen[0]
        for seed in range(60)
    ]
    found = [len(pieces & {*row.nonzero()[:, 0].tolist()}) for row in rows]
    return len(pieces) == 3 and {*found} == {0, 3}


@cache
def trained_encoder():
    network, vocabulary, *_ = encoder()
    return VocabularyModel("encoder", network, vocabulary)


def loss_of_encoder(opens):
    text = text_from_model(trained_encoder(), opens["corrupt_text"])
    draws = draw_for_text(text, config_of(opens)).draws
    trace = corrupt_at_random(text, config_of(opens), [shares_of(opens)], draws)
    found = masked_loss(text.network, text.ids, trace.corrupted, trace.chosen)
    return found, trace.chosen[0]


def extra_between(opens):
    """Whether inputs have one [SEP] for each change to another document, and no more."""
    across = opens["corrupt_pack_across"] == "true"
    length = int(opens["corrupt_pack_length"])
    trace = full_sentences.pack(read_documents(opens["corrupt_pack"]), length, across=across)
    found = [
        ([token.token for token in row[1:-1] if token.what == "between"], row)
        for row in trace.inputs
    ]
    return any(extra for extra, _ in found) and all(
        extra == ["[SEP]"] * (len({token.document for token in row}) - 1) for extra, row in found
    )


MASKING = {
    "every score above the diagonal becomes −∞, every weight there 0": lambda opens: (
        is_exact(opens) and torch.equal(mask_of(opens)[1], torch.ones(7, 7).tril() > 0)
    ),
    "An auto-encoder sees both sides": lambda opens: (
        bool(mask_of(opens)[1].all()) and not open_cells({**opens, "masking_kind": "causal"})
    ),
    "Three texts in one batch: the short ones are padded, and the padding is hidden": (
        lambda opens: (
            len(found := padding(opens)[0]) == 3
            and len({*found}) > 1
            and max(each.masked for each in padding(opens)[1]) < 1e-9
        )
    ),
    "Only its own words so far, but the whole source at every step": is_twice,
    "Drag the prefix from 0, a causal mask, to the end, no mask at all": lambda opens: (
        torch.equal(masks.prefix(7, 0), masks.causal(7)) and bool(masks.prefix(7, 7).all())
    ),
    "Each layer sees three places, four layers see nine": lambda opens: (
        reached(opens)[:, -1].sum(dim=-1)[[0, 3]].tolist() == [3, 9]
        and opens["masking_window"] == "3"
    ),
    "a place may see both sides, but never its own word": lambda opens: (
        not (found := reached(opens)[-1]).diagonal().any()
        and any(found[i, :i].any() and found[i, i + 1 :].any() for i in range(len(found)))
    ),
    "No place may look at its own word; through two layers every place does": lambda opens: (
        sees_itself_after(opens) == (2, False)
    ),
    "One cell above the diagonal is open: the word to be predicted flows in": lambda opens: (
        open_cells(opens) == 1 and bool(mask_of(opens)[1][2, 3])
    ),
    "The loss falls below what is possible, and the model cannot write": lambda _: cannot_write(),
    "All its scores are −∞: weights 0, output 0, never nan": lambda opens: (
        (row := (~mask_of(opens)[1]).all(dim=-1)).sum() == 1
        and bool((found := attended(opens)[0]).masked[0][row].eq(-math.inf).all())
        and not found.weights[0][row].any()
        and not found.context[0][row].any()
    ),
    "Three of eight words, set by hand: two masked, one replaced. The other five add no term": (
        lambda opens: (
            outcomes(opens) == [2, 1, 0]
            and by_hand(opens).chosen.sum().item() == 3
            and len(opens["corrupt_text"].split()) == 8
        )
    ),
    "8 times in 10; set by hand here. The model must find “hairy”": lambda opens: (
        shares_of(opens).masked == 0.8 and outcomes(opens) == [1, 0, 0]
    ),
    "1 time in 10; set by hand here. The target is still “hairy”": lambda opens: (
        shares_of(opens).random == 0.1
        and outcomes(opens) == [0, 1, 0]
        and (found := by_hand(opens)).targets[0, 3]
        == text_from_words(opens["corrupt_text"]).ids[0, 3]
        and found.corrupted[0, 3] != found.targets[0, 3]
    ),
    "1 time in 10; set by hand here. It is unchanged, and still a target": lambda opens: (
        math.isclose(shares_of(opens).kept, 0.1)
        and outcomes(opens) == [0, 0, 1]
        and (found := by_hand(opens)).corrupted[0, 3] == found.targets[0, 3]
    ),
    "[MASK] takes the place of “outside”, by hand": lambda opens: (
        outcomes(opens) == [1, 0, 0]
        and opens["corrupt_text"].split()[int(by_hand(opens).masked.nonzero()[0, 1])] == "outside"
    ),
    "15 % are chosen, 80 % of these become [MASK], 10 % a random word, 10 % stay": (
        lambda opens: near_shares(opens, 0.85, 0.12, 0.015, 0.015)
    ),
    "85 % of the words are read and add no term to the loss": (
        lambda opens: near_shares(opens, 0.85, 0.15, 0.0, 0.0)
    ),
    "Frequent words are inserted more often; BERT’s code draws all types with equal": (
        lambda opens: (
            counts_of_types(opens) > 0.4
            and counts_of_types({**opens, "corrupt_from": "uniform"}) < 0.15
        )
    ),
    "−log p at the chosen places, and their mean": lambda opens: math.isclose(
        float((found := loss_of_encoder(opens))[0].loss),
        float(found[0].surprise[0][found[1]].mean()),
    ),
    "phil ##am ##mon is one word: all three pieces are chosen, or none": whole_word,
    "runs of 1 to 10 whole words, until the share is reached": lambda opens: (
        len(spans.lengths()) == 10 and float(spans.lengths().min()) > 0
    ),
    "**Deleted**: no [MASK] says where something is missing": lambda opens: (
        MASK not in (read := noises_of(opens)["token_deletion"]).corrupted
        and len(read.corrupted) < len(read.tokens)
    ),
    "begins an input of its own, more places are **[PAD]**": lambda opens: (
        (both := packings_of(opens))[True].filled > both[False].filled
    ),
    "sentences fill an input, **past the end** of a document, with an extra [SEP]": extra_between,
    "every token is there, in another order": lambda opens: (
        sorted((read := noises_of(opens)["sentence_permutation"]).corrupted) == sorted(read.tokens)
        and read.corrupted != read.tokens
    ),
    "Five ways to corrupt a text": lambda opens: (
        len(corrupt_five_ways(split_text(opens["corrupt_noise"], "word"), 0.3, 1)) == 5
    ),
    "Consecutive sentences fill an input, with an extra [SEP] between documents": extra_between,
    "e^−∞ is 0, so their weights are **exactly 0**, and each row still sums to 1": is_exact,
    "The first word sees only itself": lambda opens: (
        mask_of(opens)[1][0].tolist() == [True] + [False] * 6
        and torch.equal(reached(opens)[-1], torch.ones(7, 7).tril() > 0)
    ),
    "**Take the mask away**, on the right: every word reads the whole sentence": lambda opens: bool(
        mask_of(opens)[1].all()
    ),
    "**Open one cell** above the diagonal: the word that is to be predicted flows in": (
        lambda opens: open_cells(opens) == 1 and bool(reached(opens)[-1].triu(1).any())
    ),
    "which outputs move: none before it, in any layer": lambda opens: (
        not reached(opens).triu(1).any()
    ),
    "the loss falls **below what is possible**, and the model cannot write: it has only learned": (
        lambda _: cannot_write() and without_mask()[2] > math.log(282)
    ),
    "A window of three sees three places. **Four layers** of it see nine": lambda opens: (
        reached(opens)[:, -1].sum(dim=-1)[[0, 3]].tolist() == [3, 9]
    ),
    "Hide its own place: through **two layers** it sees itself again": lambda opens: (
        sees_itself_after(opens) == (2, False)
    ),
    "With the padding mask, each text gets the same outputs as on its own": lambda opens: (
        max(each.masked for each in padding(opens)[1])
        < 1e-9
        < max(each.without for each in padding(opens)[1])
    ),
    "A decoder attends **twice**: to its own words so far, and to the whole source": is_twice,
    "Three of eight words are chosen here, by hand: two become [MASK], one *apricot*": (
        lambda opens: (
            outcomes(opens) == [2, 1, 0]
            and len(opens["corrupt_text"].split()) == 8
            and "7:apricot" in opens["corrupt_hand"]
        )
    ),
    "All three are **predicted**, *apricot* too. The other five add no term to the loss": (
        lambda opens: int(by_hand(opens).chosen.sum()) == 3 and by_hand(opens).chosen.numel() == 8
    ),
    "**Drag the share**: nothing is drawn again, only the threshold moves": grows,
    "most of the chosen become **[MASK]**, about as many become a **random word** as **stay**": (
        lambda opens: (
            (found := fates(opens))[1] > 0.75 * found[1:].sum()
            and abs(found[2] - found[3]) < 0.3 * (found[2] + found[3])
        )
    ),
    "Only the chosen words are predicted. All the **others** are read and add no term": (
        lambda opens: fates(opens)[0] > 0.5
    ),
}

CLAIMS = {"masking": MASKING}
