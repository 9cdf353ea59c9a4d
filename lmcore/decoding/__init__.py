"""Decoding: how a language model generates text, with every decision recorded."""
