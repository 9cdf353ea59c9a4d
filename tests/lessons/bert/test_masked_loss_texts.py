"""What the picture of the masked loss says and asks, for several choices of words."""

import pytest

from lessons.bert import bert_state, masked_loss_text, masked_loss_view
from lessons.bert.bert_questions import masked_loss_questions
from lmcore.masked_lm import masked_terms
from lmcore.numbers import format_number

TEXT = "the animal didn't cross the street because it was too tired."
CHOICES = ("", "2", "2,6", "2,6,10", "1,2,3,4,6")


def scene_of(at, swaps=()):
    scene = bert_state.fill_in_state("encoder", TEXT, at)
    swaps = dict(swaps)
    ids = masked_terms.swapped_ids(scene.reader, swaps)
    trace = masked_terms.trace_terms(scene.network, scene.text, bert_state.parse_places(at), ids)
    return scene, masked_loss_view.Chosen(trace, swaps)


@pytest.mark.parametrize("at", CHOICES)
def test_the_sentence_has_the_terms_and_their_mean(at):
    scene, (trace, _) = scene_of(at)
    live, tokens = masked_loss_view.live_numbers(trace), scene.text.tokens
    said = live.fill(masked_loss_text.sentence(trace, tokens, 12, "loss"))
    formula = live.fill(" ".join(masked_loss_text.formula(trace, tokens, "loss")))
    count = len(trace.places)
    if not count:
        assert "No word is chosen" in said
        return
    mean = format_number(sum(trace.terms.tolist()) / count)
    assert f"=={mean}==" in said and f"**{mean}**" in formula
    written = [format_number(term) for term in trace.terms.tolist()]
    assert all(term in said for term in written) == (count <= masked_loss_text.WRITTEN)
    assert f"{('no', 'one', 'two', 'three', 'four', 'five')[count]}" in said
    head = live.fill(masked_loss_text.sentence(trace, tokens, 12, "head"))
    worst = tokens[trace.places[int(trace.terms.argmax())]]
    assert f"“**{worst}**”" in head and f"rank {int(trace.ranks[trace.terms.argmax()])} " in head
    assert "{" not in live.fill(masked_loss_text.sentence(trace, tokens, 12, "input"))


@pytest.mark.parametrize("at", CHOICES)
def test_the_answers_are_those_of_the_text(at):
    scene, (trace, _) = scene_of(at)
    asked = {each.key: each for each in masked_loss_questions(trace, scene.text.tokens)}
    assert asked["blind"].answer == pytest.approx(5.649, abs=1e-3)  # ln 284
    if "costliest" in asked:
        words = [scene.text.tokens[place] for place in trace.places]
        assert asked["costliest"].answer == words[int(trace.terms.argmax())]
        assert set(asked["costliest"].options) == set(words)
        assert asked["mean"].answer == pytest.approx(float(trace.terms.mean()))


def test_the_picture_has_what_goes_in_and_likely_words_other_than_the_chosen():
    scene, chosen = scene_of("2", {6: "road"})
    drawn = masked_loss_view.picture(scene, chosen, "loss", asked=False)
    assert drawn["words"][2] == "[MASK]" and drawn["words"][6] == "road"
    assert drawn["words"][3] == scene.text.tokens[3] and drawn["swapped"] == [6]
    assert [each["word"] for each in drawn["judged"]] == ["animal", "street"]
    for each in drawn["judged"]:
        assert len(each["rivals"]) == masked_loss_view.RIVALS
        assert each["word"] not in [rival["word"] for rival in each["rivals"]]
    assert drawn["costly"] in {each["cost"] for each in drawn["judged"]}


def test_other_words_are_typed_as_place_and_word():
    assert masked_loss_view.read_swaps("7:apple 9:by") == {7: "apple", 9: "by"}
    assert masked_loss_view.read_swaps("") == {}
    with pytest.raises(ValueError, match="must be typed as place:word"):
        masked_loss_view.read_swaps("apple")
