"""Positions of trained models: what they make of a shuffle, how alike places are, what enters."""

from __future__ import annotations

import streamlit as st
import torch

from lessons.positions import figures as pictures
from lmcore import parsing
from lmcore.attention import permutation
from lmcore.attention.learned_positions import likeness
from lmcore.attention.permutation import OrderSpec
from lmcore.models import positions
from lmcore.models.bert import BERT
from lmcore.models.positions import PLACES
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from lmcore.vocabulary import Vocabulary, split_text
from ui import pretrained, settings
from ui.widgets import (
    check_address_value,
    escape_markdown,
    show_error,
    show_figure,
    theme_mode,
    validated_or_previous,
)

NONE_HERE = (
    "No model with learned positions is at hand: `make run` installs one. Sinusoids go on for "
    "ever and depend on the offset alone; a learned table would have to be looked at."
)
CLAIM = (
    "The UW slide says of learned positions: “No significant improvement; less generalization”. "
    "The second half is what you see here; the first would need two trainings that differ in "
    "nothing else. :gray-badge[quoted]"
)


def encoders() -> dict[str, str]:
    """The trained models that can be asked."""
    try:
        return pretrained.available_models()
    except ValueError as error:
        show_error(error)
        return {}


def reader(names: dict[str, str]) -> TokenizingModel | None:
    """The chosen trained model, if there is any."""
    if not names:
        return None
    check_address_value("positions_model", tuple(names))
    try:
        return pretrained.load(settings.allowed_value("positions_model", names))
    except ValueError as error:
        show_error(error)
        return None


def trained_encoder(spec: OrderSpec) -> None:
    """What a trained encoder makes of the two orders, if one is at hand."""
    found = reader(encoders())
    if found is None or not isinstance(found.network, BERT):
        return
    try:
        texts = [found.read(" ".join(each)).ids for each in (spec.words, spec.shuffled)]
        seen = permutation.sentence_similarity(found.network, *texts)
    except ValueError:
        st.caption(
            f"{escape_markdown(found.name)} makes other tokens of the words in another order."
        )
        return
    said = pictures.sentence_words(
        seen,
        *(
            escape_markdown(each)
            for each in (found.name, " ".join(spec.words), " ".join(spec.shuffled))
        ),
    )
    st.markdown(f"{said} :gray-badge[measured here]")


def learned_or_fixed() -> None:
    """Sinusoids beside the rows of a trained P: how alike two places are, and where P ends."""
    names = encoders()
    if len(names) > 1:
        settings.pills("positions_model", "Model", names)
    found = reader(names)
    if found is None:
        st.info(NONE_HERE)
        return
    if found.network.config.positions != "learned":
        st.info(
            f"{escape_markdown(found.name)} was not trained with learned positions. Choose another."
        )
        return
    config = found.network.config
    count = min(PLACES, config.longest)
    where = found.network.embedding.token.weight.device
    learned = found.network.embedding.positions(torch.arange(count, device=where)).cpu()
    fixed = positions.sinusoids(torch.arange(count), config.width)
    both = {
        f"sinusoids, d = {config.width}": likeness(fixed),
        f"{found.name}, learned": likeness(learned),
    }
    sides = zip(st.columns(2), ("fixed", "learned"), both.items(), strict=True)
    for column, side, (name, each) in sides:
        with column:
            st.markdown(f"**{escape_markdown(name)}**")
            show_figure(
                pictures.similarity(each, theme_mode()),
                name=f"positions-{side}",
                reading=f"Cosine of any two of the first {count} places.",
                alt=pictures.describe_similarity({name: each}),
            )
    show_figure(
        pictures.offset_curves(both, theme_mode()),
        name="positions-offset",
        reading="Line: mean over all pairs that far apart. Band: from the least to the most.",
        alt=pictures.describe_similarity(both),
    )
    st.markdown(pictures.learned_words(both, config.longest) + " :gray-badge[measured here]")
    far_place(found)


def far_place(found: TokenizingModel) -> None:
    """One place far out, asked of both."""
    settings.text_field(
        "positions_far", "A place far out", "One more than the model was trained on"
    )
    far = validated_or_previous(
        "positions_far", read_far_place, lambda: found.network.config.longest
    )
    wave = positions.sinusoids(torch.tensor(far), found.network.config.width)
    lines = [f"Sinusoids: PE({far}) = {pictures.vector_start(wave)}"]
    where = found.network.embedding.token.weight.device
    first = torch.zeros(1, 1, dtype=torch.long, device=where)
    try:
        row = found.network.embedding(first, torch.tensor([far], device=where)).position
    except ValueError as error:
        lines.append(
            f"{escape_markdown(found.name)}: no vector. It says: “{escape_markdown(str(error))}”."
        )
    else:
        assert row is not None, "a model with learned positions adds them"
        lines.append(
            f"{escape_markdown(found.name)}: P[{far}] = {pictures.vector_start(row[0, 0])}"
        )
    st.markdown("\n".join(f"* {line}" for line in lines))
    st.caption(CLAIM)


def read_far_place() -> int:
    """The place that is asked for."""
    far = parsing.parse_integer(st.session_state["positions_far"], "the place")
    if far < 0:
        raise ValueError(f"the place must be 0 or more; got {far}")
    return far


def words_to_input() -> None:
    """Words → tokens → ids → rows of E, and the vector of the place added."""
    text = st.session_state["positions_text"]
    settings.text_field(
        "positions_text", "Words", f"At most {permutation.MOST_WORDS} tokens are shown"
    )
    found = reader(encoders())
    asked, kind = (
        (untrained_reader(text), "drawn at random") if found is None else (found, "trained")
    )
    try:
        read = asked.read(text, most=permutation.MOST_WORDS)
    except ValueError as error:
        show_error(error)
        return
    embedding, config = asked.network.embedding, asked.network.config
    where = embedding.token.weight.device
    segments = read.segments[None].to(where) if config.segments > 1 else None
    with torch.no_grad():
        trace = embedding(read.ids[None].to(where), segments=segments)
    st.markdown(
        pictures.pipeline([escape_markdown(each) for each in read.tokens], read.ids.tolist(), trace)
    )
    cut = f" The text is longer: its first {len(read.tokens)} tokens are shown." if read.cut else ""
    st.caption(
        f"{escape_markdown(asked.name)}: the id is the token's row in a fixed list of {config.vocabulary:,}; "
        f"E and P are weights, {kind}, each row {config.width} numbers, of which the first "
        f"{pictures.SHOWN} are shown.{cut}"
    )


def untrained_reader(text: str) -> TokenizingModel:
    """An untrained encoder that knows the words of the text, where no trained one is at hand."""
    types = Vocabulary(tuple(dict.fromkeys(split_text(text, "word"))) or ("the",))
    return VocabularyModel(
        "a small encoder", permutation.untrained_encoder(len(types), positions=True), types
    )
