"""Check claims in the help of examples, in beats and in the reasons of questions by the numbers.

These texts are written by hand, so a model or a recording that is made again may refute them. Each
`texts_of_*` module maps, for each of its pages, a quoted claim to whether the numbers bear it out.
The numbers are computed from the settings that the text is shown with.
"""

import pytest
import reasons_of_questions
import texts_of_attention
import texts_of_learning
import texts_of_masks
import texts_of_models
import texts_of_pretraining
import texts_of_results
import texts_of_transfer
import texts_of_transformers
import texts_of_units
import texts_of_writing

from ui import contents
from ui.lessons import lesson

CLAIMS = {
    page: claims
    for part in (
        texts_of_units,
        texts_of_learning,
        texts_of_models,
        texts_of_writing,
        texts_of_attention,
        texts_of_masks,
        texts_of_transformers,
        texts_of_pretraining,
        texts_of_transfer,
        texts_of_results,
    )
    for page, claims in part.CLAIMS.items()
}
REASONS = reasons_of_questions.REASONS


def test_every_page_has_written_claims():
    assert set(CLAIMS) == {page.slug for page in contents.PAGES if page.built}


@pytest.mark.parametrize(
    ("page", "claim"), [(page, each) for page in CLAIMS for each in CLAIMS[page]]
)
def test_a_written_claim_is_borne_out(page, claim):
    texts = [(each.help, each.settings) for each in lesson(page).presets]
    texts += [(each.say, each.settings) for each in lesson(page).beats]
    shown_with = [settings for text, settings in texts if claim in text]
    assert shown_with, "the text says something else now"
    for settings in shown_with:
        assert CLAIMS[page][claim](settings)


@pytest.mark.parametrize(("page", "key", "reason"), REASONS)
def test_the_reason_of_a_question_is_borne_out(page, key, reason):
    (asked,) = (each for each in reasons_of_questions.asked(page) if each.key == key)
    assert reason in asked.because
    assert REASONS[page, key, reason]()
