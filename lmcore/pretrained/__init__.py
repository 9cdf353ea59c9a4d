"""Pretrained networks, loaded into our own Transformers, each with its tokenizer.

reading      the tokens of a text for a model: the interface that pages use
bert, gpt2   one table each of the paper's names of weights, the file's, and ours
loading      a folder of config.json, model.safetensors and a tokenizer → a model
folder       safe access to a model's folder: no file outside it, no pickle, nothing too large
tokens       added and special tokens, and those that begin and end a text
tokenizing   text → tokens as in the model's training, and their display form
low_rank     a change of a network that is small enough to ship
wheel        the English encoder that comes as a package; allowed: other models a server may load
"""
