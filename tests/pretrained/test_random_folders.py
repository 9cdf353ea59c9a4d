"""Sixty random folders: tokens, numbers and generated ids equal those of `transformers`."""

import pytest
import random_folders
import torch
import transformers

from lmcore.decoding import token_by_token
from lmcore.decoding.token_by_token import SamplingConfig
from lmcore.decoding.writer import writer_from_pretrained
from lmcore.pretrained.loading import load_pretrained
from lmcore.pretrained.reading import trace_text

CLOSE = 1e-5
LENGTH = 12


@pytest.mark.parametrize("seed", range(60))
@torch.no_grad()
def test_a_folder_gives_what_transformers_gives(tmp_path, seed):
    drawn = random_folders.draw(seed)
    random_folders.make(tmp_path, drawn, seed)
    ours, tokenizer = (
        load_pretrained(tmp_path),
        transformers.AutoTokenizer.from_pretrained(tmp_path),
    )
    body = transformers.AutoModel.from_pretrained(tmp_path, attn_implementation="eager").eval()
    for text in random_folders.TEXTS:
        reading = ours.read(text, most=40)
        assert reading.ids.tolist() == tokenizer(text)["input_ids"], (drawn, text)
        trace = trace_text(ours.network, reading)
        hidden = body(reading.ids[None]).last_hidden_state
        mine = trace.normed if drawn.kind == "gpt2" else trace.hidden
        torch.testing.assert_close(mine, hidden, rtol=CLOSE, atol=CLOSE)
    if drawn.kind == "gpt2":
        assert_same_texts(tmp_path, ours, tokenizer, drawn)
    elif drawn.head in ("MaskedLM", "PreTraining"):
        expected = (
            getattr(transformers, f"BertFor{drawn.head}")
            .from_pretrained(tmp_path)
            .eval()(reading.ids[None])
        )
        logits = expected.get("logits", expected.get("prediction_logits"))
        torch.testing.assert_close(trace.logits, logits, rtol=CLOSE, atol=CLOSE)


def assert_same_texts(folder, ours, tokenizer, drawn):
    """Assert that greedy texts are the same, from a prompt and from an empty one."""
    model = transformers.GPT2LMHeadModel.from_pretrained(folder).eval()
    writer = writer_from_pretrained(ours)
    if drawn.ends_in == "tokenizer":
        model.generation_config.eos_token_id = tokenizer.eos_token_id
        model.generation_config.bos_token_id = tokenizer.bos_token_id
    for prompt in (random_folders.TEXTS[0], ""):
        start = [model.generation_config.bos_token_id]
        given = torch.tensor([tokenizer(prompt)["input_ids"] if prompt else start])
        asked = writer.read(prompt)
        how = {"do_sample": False, "max_new_tokens": LENGTH, "pad_token_id": 0}
        how["attention_mask"] = torch.ones_like(given)
        expected = model.generate(given, **how)[0].tolist()
        texts = token_by_token.generate(
            writer.model, asked[None], SamplingConfig(LENGTH, writer.stop)
        )
        assert asked.tolist() + texts[0] == expected, (drawn, prompt)
